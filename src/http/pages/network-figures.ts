import { GNSS_EQUIPMENT_TYPES, type Instant } from '../../../schemas/index.js';
import { foldType } from '../../requests/type-pattern.js';
import { ALL_SITES } from '../../store/read/filters.js';
import type { DeviceInUse, DeviceUse } from '../../store/read/network.js';
import { windowsOf } from '../../store/read/windows.js';
import type { Store } from '../../store/store.js';
import type { NetworkView } from '../../web/network-page.js';
import type { Use } from '../../web/network-series.js';
import type { OverviewView } from '../../web/overview/view.js';
import { compareTexts } from '../../words.js';
import { readOverview } from './overview-figures.js';

/** How many of the oldest devices of a kind the page shows, and how many of the Sites. */
const OLDEST = 10;

/** What the page of the network shows, except the time. */
type NetworkState = Omit<NetworkView, 'now'>;

/** By kind, type, firmware and years; unknown values first. */
function inOrder(a: Use, b: Use): number {
  for (const member of ['equipmentType', 'type', 'firmwareVersion', 'first', 'last'] as const) {
    const one = a[member];
    const other = b[member];
    if (one === other) continue;
    return one === null || (other !== null && one < other) ? -1 : 1;
  }
  return 0;
}

/** The years of uses, with those that overlap or adjoin joined. */
function joinedYears(uses: DeviceUse[]): Pick<Use, 'first' | 'last'>[] {
  const joined: Pick<Use, 'first' | 'last'>[] = [];
  for (const { first, last } of uses.toSorted((a, b) => a.first - b.first)) {
    const latest = joined.at(-1);
    if (latest === undefined || (latest.last !== null && first > latest.last + 1))
      joined.push({ first, last });
    else if (latest.last !== null && (last === null || last > latest.last)) latest.last = last;
  }
  return joined;
}

/** Counts the devices that are alike in type and firmware, and were in use over the same years. */
class UseCounts {
  private readonly counts = new Map<string, Use>();

  /** Adds one device, which counts once at a time, even if several logs list it. */
  add(uses: DeviceUse[]): void {
    const alike = Map.groupBy(uses, ({ type, firmwareVersion }) =>
      JSON.stringify([type, firmwareVersion]),
    );
    for (const some of alike.values()) {
      const { equipmentType, type, firmwareVersion } = some[0]!;
      for (const years of joinedYears(some))
        this.count({ equipmentType, type, firmwareVersion, ...years, devices: 1 });
    }
  }

  private count(use: Use): void {
    const key = JSON.stringify(Object.values(use));
    const known = this.counts.get(key);
    if (known === undefined) this.counts.set(key, use);
    else known.devices++;
  }

  /** What was counted, in the order of its members. */
  inOrder(): Use[] {
    return [...this.counts.values()].sort(inOrder);
  }
}

/** Gives types one spelling: the one that is known, or the one given first. */
function respellingOf(known: readonly string[]): (type: string) => string {
  const spellings = new Map(known.map((type) => [foldType(type), type]));
  return (type) => {
    const folded = foldType(type);
    const spelling = spellings.get(folded) ?? type;
    spellings.set(folded, spelling);
    return spelling;
  };
}

/** The use of equipment: of each type, and of each type with each firmware. */
async function usesIn(
  { devices, network }: Store,
  kinds: Use['equipmentType'][],
): Promise<NetworkView['uses']> {
  const known = await Promise.all(kinds.map((kind) => devices.findTypes(kind)));
  const respelled = respellingOf(known.flat().map(({ type }) => type ?? ''));
  const types = new UseCounts();
  const firmware = new UseCounts();
  for await (const read of windowsOf((after) => network.readUse(kinds, after))) {
    const window = read.map((use) => ({ ...use, type: use.type && respelled(use.type) }));
    for (const uses of Map.groupBy(window, ({ device }) => device).values()) {
      types.add(uses.map((use) => ({ ...use, firmwareVersion: null })));
      firmware.add(uses);
    }
  }
  return { type: types.inOrder(), firmware: firmware.inOrder() };
}

/** The oldest devices of a kind that are in use. */
async function oldestIn({ network }: Store, kind: Use['equipmentType']): Promise<DeviceInUse[]> {
  let oldest: DeviceInUse[] = [];
  for await (const window of windowsOf((after) => network.readOldest(kind, OLDEST, after))) {
    if (window.length > 0)
      oldest = [...oldest, ...window]
        .sort((a, b) => compareTexts(a.since, b.since))
        .slice(0, OLDEST);
  }
  return oldest;
}

async function readNetwork(store: Store): Promise<NetworkState> {
  const uses = await usesIn(store, [...GNSS_EQUIPMENT_TYPES]);
  const oldest: NetworkState['oldest'] = [];
  for (const equipmentType of GNSS_EQUIPMENT_TYPES)
    oldest.push({ equipmentType, devices: await oldestIn(store, equipmentType) });
  const search = {
    text: '',
    sites: ALL_SITES,
    systems: null,
    antenna: null,
    at: null,
    sort: { by: 'since', descending: false },
    page: 0,
    size: OLDEST,
  } as const;
  const unchanged = (await store.sites.findSummaries(search)).elements.filter(
    ({ since }) => since !== null,
  );
  return {
    uses,
    oldest,
    unchanged,
    prepared: await store.logs.datesPrepared(),
  };
}

/** What was read of one state of the database, on one day. */
interface Kept<T> {
  version: number;
  day: string;
  figures: Promise<T>;
}

/** Reads figures once for all requests, until the next commit or day. */
class Figures<T> {
  private latest: Kept<T> | null = null;

  constructor(
    private readonly store: Store,
    private readonly readAll: (store: Store, day: string) => Promise<T>,
  ) {}

  async read(day: string): Promise<T> {
    const version = await this.store.database.version();
    if (this.latest?.version !== version || this.latest.day !== day) {
      const latest = { version, day, figures: this.readAll(this.store, day) };
      this.latest = latest;
      latest.figures.catch(() => (this.latest = this.latest === latest ? null : this.latest));
    }
    return this.latest.figures;
  }
}

/** What the pages about the whole network show. */
export class NetworkFigures {
  private readonly network: Figures<NetworkState>;
  private readonly overview: Figures<OverviewView>;

  constructor(store: Store) {
    this.network = new Figures(store, readNetwork);
    this.overview = new Figures(store, readOverview);
  }

  /** What the page of the network shows. */
  read = (now: Instant): Promise<NetworkState> => this.network.read(now.slice(0, 10));

  /** What the overview shows. */
  readOverview = (now: Instant): Promise<OverviewView> => this.overview.read(now.slice(0, 10));
}
