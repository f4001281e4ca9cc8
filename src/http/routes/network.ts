import { Type } from '@sinclair/typebox';
import { type Instant, isSiteId } from '../../../schemas/index.js';
import { LONGEST_GAP } from '../../derive/gaps.js';
import { href, PATHS } from '../../links.js';
import { parseSiteId } from '../../requests/site-id.js';
import type { SiteChange } from '../../store/changes.js';
import type { SiteRecord } from '../../store/sites.js';
import type { StoreReader } from '../../store/store.js';
import { MOST_COMPARED, renderComparePage } from '../../web/compare-page.js';
import { HTML_MEDIA_TYPE } from '../../web/layout.js';
import { type NetworkView, renderNetworkPage } from '../../web/network-page.js';
import { ofKnownSite } from '../known-site.js';
import { type App, sendText } from '../operations.js';
import { only } from '../parameters.js';
import { invalidParameter } from '../wire/problems.js';

const PAGE = { page: true, mediaType: HTML_MEDIA_TYPE } as const;

const CompareQuery = only({
  id: Type.Optional(
    Type.Array(Type.String({ maxLength: 200 }), {
      maxItems: MOST_COMPARED,
      description: 'The ids of two to six Sites, with spaces between them or as a repeated parameter.',
    }),
  ),
});

/** How many of the latest changes and the oldest devices the page of the network shows. */
const [LATEST, OLDEST] = [15, 10];

/** The latest changes, in chronological order. */
async function latestChanges(store: StoreReader): Promise<SiteChange[]> {
  const search = { from: null, to: null, equipmentType: null, mergeGaps: LONGEST_GAP, recordedSince: null };
  const { totalElements } = await store.changes.findPage({ ...search, page: 0, size: 1 });
  const last = Math.ceil(totalElements / LATEST) - 1;
  const pages = await Promise.all(
    [last - 1, last].filter((page) => page >= 0).map((page) => store.changes.findPage({ ...search, page, size: LATEST })),
  );
  return pages.flatMap(({ elements }) => elements).slice(-LATEST);
}

/** Everything that the page of the network shows, except the time. */
async function readNetwork(store: StoreReader): Promise<Omit<NetworkView, 'now'>> {
  const kinds = ['gnss receiver', 'gnss antenna'] as const;
  const oldest = kinds.map(async (equipmentType) => ({ equipmentType, devices: await store.network.findOldest(equipmentType, OLDEST) }));
  const search = { text: '', box: null, sort: { by: 'since', descending: false }, page: 0, size: OLDEST } as const;
  return {
    uses: await store.network.findUse([...kinds]),
    oldest: await Promise.all(oldest),
    unchanged: (await store.sites.findSummaries(search)).elements.filter(({ current }) => current !== null),
    changes: await latestChanges(store),
  };
}

/** Adds the page of the network, and the page that compares Sites. @param now the current time, as pages show it */
export function addNetwork(app: App, store: StoreReader, now: () => Instant): void {
  /** What the page of the network shows is the same until the next import. */
  let known: { version: number; network: Omit<NetworkView, 'now'> } | null = null;
  app.get(PATHS.network, { config: PAGE }, async (_request, reply) => {
    const version = await store.version();
    if (known?.version !== version) known = { version, network: await readNetwork(store) };
    return sendText(reply, HTML_MEDIA_TYPE, renderNetworkPage({ ...known.network, now: now() }));
  });

  app.get(PATHS.compare, { schema: { querystring: CompareQuery }, config: PAGE }, async ({ query }, reply) => {
    const asked = (query.id ?? []).flatMap((each) => each.split(/[\s,]+/)).filter((each) => each !== '');
    const ids = [...new Set(asked.map((each) => (isSiteId(each) ? each.toUpperCase() : each)))];
    const refusal = () =>
      invalidParameter({ name: 'id', value: asked.join(' '), allowed: `Allowed: two to ${MOST_COMPARED} different sites.` });
    if (ids.length > MOST_COMPARED) throw refusal();
    /** By the number of the Site: its two ids are one Site. */
    const records = new Map<number, SiteRecord>();
    for (const id of ids) {
      const answer = isSiteId(id) ? await store.sites.findRecord(parseSiteId(id)) : { kind: 'unknown-site' as const };
      const others = (other: string): string =>
        href('.', PATHS.compare, { query: { id: ids.map((each) => (each === id ? other : each)) } });
      const record = ofKnownSite(answer, id, others);
      records.set(record.site.id, record);
    }
    if (records.size === 1) throw refusal();
    return sendText(reply, HTML_MEDIA_TYPE, renderComparePage({ ids, records: [...records.values()], now: now() }));
  });
}
