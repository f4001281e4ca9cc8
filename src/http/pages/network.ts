import { Type } from '@sinclair/typebox';
import { Comparison, type Instant, isSiteId } from '../../../schemas/index.js';
import { compareSetups } from '../../derive/compare-setups.js';
import { instantOf, onlyParameters } from '../../exports/parameters.js';
import { invalidParameter } from '../../exports/refusals.js';
import { href, PATHS } from '../../links.js';
import type { SiteRecord } from '../../store/read/sites/sites.js';
import type { Store } from '../../store/store.js';
import { MOST_COMPARED, renderComparePage, setupOf } from '../../web/compare-page.js';
import { HTML_MEDIA_TYPE } from '../../web/page/layout.js';
import { renderNetworkPage } from '../../web/network-page.js';
import { recordOf } from '../contract/known-site.js';
import { NetworkFigures } from './network-figures.js';
import { type App, sendText } from '../contract/operations.js';
import { prefersPage } from '../wire/accept.js';

const CompareQuery = onlyParameters({
  site: Type.Optional(
    Type.Array(Type.String({ maxLength: 200 }), {
      maxItems: MOST_COMPARED,
      description: 'The ids of up to six Sites, separated by spaces or as a repeated parameter.',
    }),
  ),
  at: Type.Optional(
    Type.String({ maxLength: 100, description: 'The instant of the Setups; empty for now.' }),
  ),
});

/**
 * Adds the page of the network, and the page that compares Sites.
 * @param now the current time, as pages show it
 */
export function addNetwork(app: App, store: Store, now: () => Instant): void {
  const network = new NetworkFigures(store);
  app.get(PATHS.network, {
    config: { page: true, costly: true },
    handler: async (_request, reply) =>
      sendText(
        reply,
        HTML_MEDIA_TYPE,
        renderNetworkPage({ ...(await network.read()), now: now() }),
      ),
  });

  app.get(PATHS.compare, {
    schema: { querystring: CompareQuery, response: { 200: Comparison } },
    config: {
      page: 'if-preferred',
      operationId: 'compareSites',
      tag: 'corsSites',
      summary: 'The equipment of up to six Sites side by side, now or at an instant.',
      example: { query: { site: 'HOUZ NAMA' } },
    },
    handler: async ({ query, baseUrl, headers }, reply) => {
      const at =
        query.at === undefined || query.at.trim() === '' ? null : instantOf('at', query.at.trim());
      const asked = (query.site ?? [])
        .flatMap((each) => each.split(/[\s,]+/))
        .filter((each) => each !== '');
      const ids = [...new Set(asked.map((each) => (isSiteId(each) ? each.toUpperCase() : each)))];
      if (ids.length > MOST_COMPARED)
        throw invalidParameter({
          name: 'site',
          value: asked.join(' '),
          reason: `names ${ids.length} Sites`,
          allowed: `at most ${MOST_COMPARED} different Sites.`,
        });
      /** By the number of the Site: its two ids are one Site. */
      const found = new Map<number, SiteRecord>();
      for (const id of ids) {
        const others = (other: string): string =>
          href('.', PATHS.compare, {
            query: { ...query, site: ids.map((each) => (each === id ? other : each)) },
          });
        const record = await recordOf(store, id, others);
        found.set(record.site.id, record);
      }
      const records = [...found.values()];
      if (prefersPage(headers.accept)) {
        const json = href('.', PATHS.compare, { query });
        return sendText(
          reply,
          HTML_MEDIA_TYPE,
          renderComparePage({ ids, records, at, now: now(), json }),
        );
      }
      const setups = records.map((record) => setupOf(record, at));
      return {
        at,
        sites: records.map(({ shortestId, site }, index) => ({
          id: shortestId,
          name: site.name,
          effectiveFrom: setups[index]?.effectivePeriod.from ?? null,
        })),
        equipment: compareSetups(setups),
        _links: { self: { href: href(baseUrl, PATHS.compare, { query }) } },
      };
    },
  });
}
