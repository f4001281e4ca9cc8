import type { Static } from '@sinclair/typebox';
import { asOfFilter, Comparison, type Instant } from '../../../schemas/index.js';
import { compareSetups } from '../../derive/compare-setups.js';
import { setupAt } from '../../derive/setup-at.js';
import { storeFor, timeShown } from '../../exports/as-of.js';
import { comparedAt, comparedIds, comparisonParameters } from '../../exports/pages/compare.js';
import { onlyParameters } from '../../exports/parameters.js';
import { href, PATHS } from '../../links.js';
import { instantAt } from '../../requests/units-of-time.js';
import type { SiteRecord } from '../../store/read/sites/sites.js';
import type { Store } from '../../store/store.js';
import { recordOf } from '../contract/known-site.js';
import { type App, pageContent } from '../contract/operations.js';
import { prefersPage } from '../wire/accept.js';

const CompareQuery = onlyParameters({ ...comparisonParameters, ...asOfFilter });

type Query = Static<typeof CompareQuery>;

/**
 * The Sites to compare, each once: its two ids are one Site.
 * @throws {ProblemError} if an id identifies none
 */
async function recordsOf(store: Store, ids: string[], query: Query): Promise<SiteRecord[]> {
  const found = new Map<number, SiteRecord>();
  for (const id of ids) {
    const withOther = (other: string): string => {
      const site = ids.map((each) => (each === id ? other : each));
      return href('.', PATHS.compare, { query: { ...query, site } });
    };
    const record = await recordOf(store, id, withOther);
    found.set(record.site.id, record);
  }
  return [...found.values()];
}

/** Builds the body of a comparison. */
function comparisonBody(base: string, query: Query, records: SiteRecord[], at: Instant | null) {
  const setups = records.map((record) => setupAt(record.setups, at));
  return {
    at,
    sites: records.map(({ shortestId, site }, index) => ({
      id: shortestId,
      name: site.name,
      effectiveFrom: setups[index]?.effectivePeriod.from ?? null,
    })),
    equipment: compareSetups(setups),
    _links: { self: { href: href(base, PATHS.compare, { query }) } },
  };
}

/** Adds the comparison of Sites. @param clock the current time */
export function addComparison(app: App, store: Store, clock: () => Date): void {
  app.get(PATHS.compare, {
    schema: { querystring: CompareQuery, response: { 200: Comparison } },
    config: {
      page: 'if-preferred',
      operationId: 'compareSites',
      tag: 'corsSites',
      summary: 'The equipment of up to six Sites side by side, now or at an instant.',
      problems: ['not-recorded'],
      example: { query: { site: 'HOUZ NAMA' } },
    },
    handler: async ({ query, baseUrl, headers }) => {
      const at = comparedAt(query);
      const ids = comparedIds(query);
      const now = clock();
      const asked = await storeFor(store, query, now);
      const records = await recordsOf(asked, ids, query);
      if (!prefersPage(headers.accept)) return comparisonBody(baseUrl, query, records, at);
      const json = href('.', PATHS.compare, { query });
      const { renderComparePage } = await import('../../web/compare-page.js');
      const times = { at, now: timeShown(asked, instantAt(now)), asOf: asked.asOf };
      return pageContent(app, renderComparePage({ ids, records, ...times, json }));
    },
  });
}
