import { type Instant, SATELLITE_SYSTEMS, type SatelliteSystem } from '../../../schemas/index.js';
import { DAY } from '../../requests/units-of-time.js';
import { foldType } from '../../requests/type-pattern.js';
import { type SiteCount, worstOf, type WorstSites } from '../../store/read/findings.js';
import type { AgencyCount, NetworkPlace, ReceiverAtSite } from '../../store/read/network.js';
import { windowsOf } from '../../store/read/windows.js';
import type { Store } from '../../store/store.js';
import { ownTurn } from '../../turns.js';
import type { NetworkMap } from '../../web/map/network-map.js';
import {
  type ChangesOfYear,
  type OverviewView,
  SYSTEM_CLASSES,
  type SystemFigures,
} from '../../web/overview/view.js';
import { compareTexts } from '../../words.js';

/** How many groups of changes the overview shows. */
const LATEST = 10;
/** How many of the Sites with the most warnings it names. */
const MOST_WARNED = 8;
/** How many days count as recent. */
const RECENT_DAYS = 30;
/** How many years the changes are counted for. */
const YEARS_OF_CHANGES = 5;
/** The days on which quarters of a year begin. */
const QUARTERS = ['01-01', '04-01', '07-01', '10-01'];
/** An absurd date in a log does not add thousands of years. */
const EARLIEST_YEAR = 1980;

/** The first instant of a day. */
const midnight = (day: string): Instant => `${day}T00:00:00Z`;

/** The class of a receiver: its place in {@link SYSTEM_CLASSES}. */
function classOf(systems: string | null): number {
  const tracked = new Set(systems?.toUpperCase().split('+'));
  if (tracked.has('GAL') && tracked.has('BDS')) return 4;
  if (tracked.has('GAL') || tracked.has('BDS')) return 3;
  if (tracked.has('GLO')) return 2;
  return tracked.has('GPS') ? 1 : 0;
}

/** Counts the Sites that track satellite systems: at the beginning of each year, and today. */
class SystemCounts {
  private readonly instants: Instant[];
  private readonly years: number[];
  private readonly counts: number[][];
  private readonly bySystem = new Map<SatelliteSystem, number>();
  /** How many Sites there are, with receivers or without. */
  sites = 0;

  constructor(today: string) {
    const thisYear = Number(today.slice(0, 4));
    this.years = Array.from(
      { length: thisYear - EARLIEST_YEAR + 1 },
      (_, index) => EARLIEST_YEAR + index,
    );
    this.instants = [...this.years.map((year) => midnight(`${year}-01-01`)), midnight(today)];
    this.counts = this.instants.map(() => SYSTEM_CLASSES.map(() => 0));
  }

  /** Adds a Site. @param receivers one row without a period if it has none */
  add(receivers: readonly ReceiverAtSite[]): void {
    this.sites++;
    const classes = receivers.map(({ systems }) => classOf(systems));
    for (const [index, instant] of this.instants.entries()) {
      const present = classes.filter((_, at) => isThere(receivers[at]!, instant));
      if (present.length > 0) this.counts[index]![Math.max(...present)]!++;
    }
    this.addSystems(receivers);
  }

  private addSystems(receivers: readonly ReceiverAtSite[]): void {
    const now = this.instants.at(-1)!;
    const tracked = receivers
      .filter((each) => isThere(each, now))
      .flatMap(({ systems }) => systems?.toUpperCase().split('+') ?? []);
    for (const system of SATELLITE_SYSTEMS)
      if (tracked.includes(system)) this.bySystem.set(system, (this.bySystem.get(system) ?? 0) + 1);
  }

  /** What was counted, from the first year with a receiver on. */
  figures(): SystemFigures {
    const first = this.counts.findIndex((classes) => classes.some((count) => count > 0));
    const from = first < 0 ? this.years.length : first;
    return {
      years: this.years.slice(from),
      counts: this.counts.slice(Math.min(from, this.counts.length - 1)),
      bySystem: SATELLITE_SYSTEMS.map((system) => ({
        system,
        sites: this.bySystem.get(system) ?? 0,
      })).filter(({ sites }) => sites > 0),
    };
  }
}

/** Whether a receiver was at its Site at an instant. */
const isThere = ({ from, to }: ReceiverAtSite, instant: Instant): boolean =>
  from !== null && from <= instant && (to === null || to > instant);

/** Counts the Sites in each class of satellite systems. */
async function countSystems(
  { network }: Store,
  today: string,
): Promise<{ sites: number; systems: SystemFigures }> {
  const counts = new SystemCounts(today);
  for await (const window of windowsOf((after) => network.readReceivers(after)))
    for (const receivers of Map.groupBy(window, ({ site }) => site).values()) counts.add(receivers);
  return { sites: counts.sites, systems: counts.figures() };
}

/** Counts the changes of the last years by kind. */
async function countChanges({ changes }: Store, today: string): Promise<ChangesOfYear[]> {
  const last = Number(today.slice(0, 4));
  const years: ChangesOfYear[] = [];
  for (let year = last - YEARS_OF_CHANGES + 1; year <= last; year++) {
    const counts: ChangesOfYear['counts'] = {};
    const quarters = [...QUARTERS.map((day) => `${year}-${day}`), `${year + 1}-01-01`];
    for (const [index, from] of quarters.slice(0, -1).entries()) {
      const kinds = await changes.countByKind(midnight(from), midnight(quarters[index + 1]!));
      for (const { kind, changes: count } of kinds) counts[kind] = (counts[kind] ?? 0) + count;
      await ownTurn();
    }
    years.push({ year, counts });
  }
  return years;
}

/** Counts the changes of the last days, until the end of today. */
async function countRecent({ changes }: Store, today: string): Promise<OverviewView['recent']> {
  const [from, to] = [-RECENT_DAYS, 1].map((days) =>
    new Date(Date.parse(today) + days * DAY).toISOString().slice(0, 10),
  ) as [string, string];
  const kinds = await changes.countByKind(midnight(from), midnight(to));
  return { from, to, changes: kinds.reduce((sum, each) => sum + each.changes, 0) };
}

/** The Sites with the most warnings. */
async function readWarned({ network }: Store): Promise<WorstSites> {
  const most = MOST_WARNED + 1;
  let warned: SiteCount[] = [];
  for await (const window of windowsOf((after) => network.readWarned(most, after)))
    warned = [...warned, ...window]
      .sort((a, b) => b.findings - a.findings || compareTexts(a.site, b.site))
      .slice(0, most);
  return worstOf(warned, MOST_WARNED);
}

/** How many Sites each agency answers for; its spellings that a filter finds are one. */
async function countAgencies({ network }: Store): Promise<AgencyCount[]> {
  const all = new Map<string | null, AgencyCount>();
  for (const { agency, sites } of await network.agencies()) {
    const key = agency && foldType(agency);
    const known = all.get(key);
    if (known === undefined) all.set(key, { agency, sites });
    else known.sites += sites;
  }
  return [...all.values()].sort((a, b) => b.sites - a.sites);
}

/** Draws the map. What that needs is loaded with the first. */
async function readMap({ network }: Store): Promise<NetworkMap | null> {
  const places: NetworkPlace[] = [];
  for await (const window of windowsOf((after) => network.readPlaces(after)))
    places.push(...window);
  const { drawNetworkMap } = await import('../../web/map/network-map.js');
  return drawNetworkMap(places);
}

/** What the overview shows. Other requests run between its parts. */
export async function readOverview(store: Store, today: string): Promise<OverviewView> {
  const { sites, systems } = await countSystems(store, today);
  const prepared = await store.network.daysPrepared();
  await ownTurn();
  const latest = await store.changeGroups.findLatest(LATEST);
  return {
    today,
    sites,
    receivers: await store.devices.count('gnss receiver'),
    antennas: await store.devices.count('gnss antenna'),
    systems,
    recent: await countRecent(store, today),
    changes: await countChanges(store, today),
    prepared,
    recorded: await store.recordTime(),
    findings: await store.network.countFindings(),
    warned: await readWarned(store),
    agencies: await countAgencies(store),
    latest,
    linkedId: await store.sites.linkedIds(latest.flatMap(({ changes }) => changes)),
    map: await readMap(store),
  };
}
