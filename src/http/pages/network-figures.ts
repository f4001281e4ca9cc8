import { LONGEST_GAP } from '../../derive/visits.js';
import type { SiteChange } from '../../store/read/changes.js';
import { ALL_SITES } from '../../store/read/filters.js';
import type { DeviceInUse, Use, Window } from '../../store/read/network.js';
import type { Store } from '../../store/store.js';
import type { NetworkView } from '../../web/network-page.js';
import { ownTurn } from '../../turns.js';

/** How many of the latest changes the page of the network shows. */
const LATEST = 15;
/** How many of the oldest devices of a kind the page shows, and how many of the Sites. */
const OLDEST = 10;

/** What the page of the network shows, except the time. */
type NetworkState = Omit<NetworkView, 'now'>;

/** Reads all windows. Other requests run between them. */
async function* windowsOf<T>(read: (after: number) => Promise<Window<T>>): AsyncGenerator<T[]> {
  for (let after: number | null = 0; after !== null;) {
    const { elements, next }: Window<T> = await read(after);
    yield elements;
    after = next;
    await ownTurn();
  }
}

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

/** The use of equipment, in order. */
async function usesIn({ network }: Store, kinds: Use['equipmentType'][]): Promise<Use[]> {
  const uses = new Map<string, Use>();
  for await (const window of windowsOf((after) => network.readUse(kinds, after))) {
    for (const { items, ...use } of window) {
      const key = JSON.stringify(Object.values(use));
      const known = uses.get(key);
      if (known === undefined) uses.set(key, { ...use, items });
      else known.items += items;
    }
  }
  return [...uses.values()].sort(inOrder);
}

/** The oldest devices of a kind that are in use. */
async function oldestIn({ network }: Store, kind: Use['equipmentType']): Promise<DeviceInUse[]> {
  let oldest: DeviceInUse[] = [];
  for await (const window of windowsOf((after) => network.readOldest(kind, OLDEST, after))) {
    if (window.length > 0)
      oldest = [...oldest, ...window]
        .sort((a, b) => (a.since < b.since ? -1 : Number(a.since > b.since)))
        .slice(0, OLDEST);
  }
  return oldest;
}

/** The latest changes, the latest first. */
async function latestChanges(store: Store): Promise<SiteChange[]> {
  const everything = {
    from: null,
    to: null,
    equipmentTypes: null,
    kinds: null,
    sites: ALL_SITES,
    recordedSince: null,
  };
  const search = {
    ...everything,
    mergeGaps: LONGEST_GAP,
    latestFirst: true,
    page: 0,
    size: LATEST,
  };
  return (await store.changes.findPage(search)).elements;
}

async function readNetwork(store: Store): Promise<NetworkState> {
  const kinds = ['gnss receiver', 'gnss antenna'] as const;
  const uses = await usesIn(store, [...kinds]);
  const oldest: NetworkState['oldest'] = [];
  for (const equipmentType of kinds)
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
    changes: await latestChanges(store),
    prepared: await store.logs.datesPrepared(),
  };
}

/** What the page of the network shows. It is read once for all requests until the next commit. */
export class NetworkFigures {
  private latest: { version: number; state: Promise<NetworkState> } | null = null;

  constructor(private readonly store: Store) {}

  async read(): Promise<NetworkState> {
    const version = await this.store.database.version();
    if (this.latest?.version !== version) {
      const latest = { version, state: readNetwork(this.store) };
      this.latest = latest;
      latest.state.catch(() => (this.latest = this.latest === latest ? null : this.latest));
    }
    return this.latest.state;
  }
}
