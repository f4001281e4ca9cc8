import type { CorsSite } from '../../../schemas/index.js';
import { storeFor, timeShown } from '../../exports/as-of.js';
import { onlyParameters } from '../../exports/parameters.js';
import { sitePageParameters, timesOf } from '../../exports/pages/site.js';
import { href, PATHS } from '../../links.js';
import { instantAt } from '../../requests/units-of-time.js';
import { ALL_SITES } from '../../store/read/filters.js';
import type { FoundSite } from '../../store/read/sites/page.js';
import type { Store } from '../../store/store.js';
import { ownTurn } from '../../turns.js';
import { readForm } from '../contract/form-query.js';
import { recordOf, SitePathParameters } from '../contract/known-site.js';
import { type App, pageContent } from '../contract/operations.js';
import { logsOfSite } from '../site-logs/resource.js';

/** Within how many kilometres the neighbours of a Site are. */
const NEIGHBOURHOOD = 200;
/** How many neighbours a page shows. */
const MOST_NEIGHBOURS = 12;

/** The nearest other Sites, the nearest first; none if the position is unknown. */
async function neighboursOf(store: Store, { id, location }: CorsSite): Promise<FoundSite[]> {
  const { latitude, longitude } = location;
  if (latitude === null || longitude === null) return [];
  const near = { latitude, longitude, radius: NEIGHBOURHOOD };
  const { elements } = await store.sites.findPage({
    page: 0,
    // The Site is found, too.
    size: MOST_NEIGHBOURS + 1,
    filters: [],
    sort: [],
    sites: { ...ALL_SITES, near },
  });
  return elements.filter((each) => each.id !== id).slice(0, MOST_NEIGHBOURS);
}

/**
 * Adds the page of a Site.
 * @param clock the current time
 * @param publishContacts whether pages show files as they were imported
 */
export function addSitePage(
  app: App,
  store: Store,
  clock: () => Date,
  publishContacts: boolean,
): void {
  app.get(PATHS.site, {
    schema: { params: SitePathParameters, querystring: onlyParameters(sitePageParameters) },
    preValidation: readForm,
    config: { page: true },
    handler: async ({ params, query }) => {
      const now = clock();
      const asked = await storeFor(store, query, now);
      const times = { ...timesOf(query), now: timeShown(asked, instantAt(now)) };
      const { asOf } = query;
      const record = await recordOf(asked, params.site, (site) =>
        href('..', PATHS.site, { site, query: { asOf } }),
      );
      const logs = await logsOfSite(asked, '..', record.siteLog, publishContacts, times.now);
      const neighbours = {
        sites: await neighboursOf(asked, record.site),
        radius: NEIGHBOURHOOD,
        shared: await asked.sites.findSharedFours(),
      };
      const view = { record, logs, neighbours, ...times, isFileShown: publishContacts };
      await ownTurn();
      const { renderSitePage } = await import('../../web/site-page.js');
      return pageContent(app, renderSitePage(view));
    },
  });
}
