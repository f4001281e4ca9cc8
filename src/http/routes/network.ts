import { Type } from '@sinclair/typebox';
import { type Instant, isSiteId } from '../../../schemas/index.js';
import { href, PATHS } from '../../links.js';
import { parseSiteId } from '../../requests/site-id.js';
import type { SiteRecord } from '../../store/read/site-searches.js';
import type { Store } from '../../store/store.js';
import { MOST_COMPARED, renderComparePage } from '../../web/compare-page.js';
import { HTML_MEDIA_TYPE } from '../../web/layout.js';
import { renderNetworkPage } from '../../web/network-page.js';
import { ofKnownSite } from '../known-site.js';
import { Network } from '../network.js';
import { type App, sendText } from '../operations.js';
import { only } from '../parameters.js';
import { invalidParameter } from '../wire/problems.js';

const PAGE = { page: true, mediaType: HTML_MEDIA_TYPE } as const;

const CompareQuery = only({
  site: Type.Optional(
    Type.Array(Type.String({ maxLength: 200 }), {
      maxItems: MOST_COMPARED,
      description: 'The ids of two to six Sites, with spaces between them or as a repeated parameter.',
    }),
  ),
});

/** Adds the page of the network, and the page that compares Sites. @param now the current time, as pages show it */
export function addNetwork(app: App, store: Store, now: () => Instant): void {
  const network = new Network(store);
  app.get(PATHS.network, { config: { ...PAGE, costly: true } }, async (_request, reply) =>
    sendText(reply, HTML_MEDIA_TYPE, renderNetworkPage({ ...(await network.read()), now: now() })),
  );

  app.get(PATHS.compare, { schema: { querystring: CompareQuery }, config: PAGE }, async ({ query }, reply) => {
    const asked = (query.site ?? []).flatMap((each) => each.split(/[\s,]+/)).filter((each) => each !== '');
    const ids = [...new Set(asked.map((each) => (isSiteId(each) ? each.toUpperCase() : each)))];
    const refusal = () =>
      invalidParameter({ name: 'site', value: asked.join(' '), allowed: `Allowed: 2 to ${MOST_COMPARED} different sites.` });
    if (ids.length > MOST_COMPARED) throw refusal();
    /** By the number of the Site: its two ids are one Site. */
    const records = new Map<number, SiteRecord>();
    for (const id of ids) {
      const answer = isSiteId(id) ? await store.sites.findRecord(parseSiteId(id)) : { kind: 'unknown-site' as const };
      const others = (other: string): string =>
        href('.', PATHS.compare, { query: { site: ids.map((each) => (each === id ? other : each)) } });
      const record = ofKnownSite(answer, id, others);
      records.set(record.site.id, record);
    }
    if (records.size === 1) throw refusal();
    return sendText(reply, HTML_MEDIA_TYPE, renderComparePage({ ids, records: [...records.values()], now: now() }));
  });
}
