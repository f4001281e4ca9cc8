import { LONGEST_GAP } from '../derive/gaps.js';
import type { SiteChange } from '../store/read/changes.js';
import { ALL_SITES } from '../store/read/filters.js';
import type { Store } from '../store/store.js';
import type { NetworkView } from '../web/network-page.js';

/** How many of the latest changes and the oldest devices the page of the network shows. */
const [LATEST, OLDEST] = [15, 10];

/** What the page of the network shows, except the time. */
export type NetworkState = Omit<NetworkView, 'now'>;

/** The latest changes, the latest first. */
async function latestChanges(store: Store): Promise<SiteChange[]> {
  const everything = { from: null, to: null, equipmentTypes: null, kinds: null, sites: ALL_SITES, recordedSince: null };
  const search = { ...everything, mergeGaps: LONGEST_GAP, latestFirst: true, page: 0, size: LATEST };
  return (await store.changes.findPage(search)).elements;
}

async function readNetwork(store: Store): Promise<NetworkState> {
  const kinds = ['gnss receiver', 'gnss antenna'] as const;
  const uses = await store.network.findUse([...kinds]);
  const oldest: NetworkState['oldest'] = [];
  for (const equipmentType of kinds) oldest.push({ equipmentType, devices: await store.network.findOldest(equipmentType, OLDEST) });
  const search = { text: '', box: null, sort: { by: 'since', descending: false }, page: 0, size: OLDEST } as const;
  const unchanged = (await store.sites.findSummaries(search)).elements.filter(({ current }) => current !== null);
  return { uses, oldest, unchanged, changes: await latestChanges(store), prepared: await store.logs.datesPrepared() };
}

/** What the page of the network shows. It is read once for all requests until the next commit. */
export class Network {
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
