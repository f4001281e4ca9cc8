import type { FastifyReply } from 'fastify';
import { type Instant, isSiteId } from '../../../schemas/index.js';
import type { OfSite } from '../../derive/site-identity.js';
import { onlyParameters } from '../../exports/parameters.js';
import {
  isFiltered,
  sitesAskedFor,
  sitesPageParameters,
  type SitesRequest,
} from '../../exports/pages/sites.js';
import { href, PATHS } from '../../links.js';
import { parseSiteId } from '../../requests/site-id.js';
import type { SiteList } from '../../store/read/sites/list.js';
import type { Store } from '../../store/store.js';
import { ownTurn } from '../../turns.js';
import type { Page } from '../../web/page/layout.js';
import { readForm } from '../contract/form-query.js';
import { type App, pageContent } from '../contract/operations.js';
import { nearestSites } from './nearest.js';

/** How many Sites with former equipment are shown in addition. */
const MOST_FORMER = 50;
/** How many places of Sites a map shows. */
const MOST_PLACES = 20_000;

/** What the id in a search identifies; null if its words are no id. */
async function kindOfId(
  store: Store,
  { search: { text } }: SitesRequest,
): Promise<OfSite<unknown>['kind'] | null> {
  return isSiteId(text) ? (await store.sites.findOne(parseSiteId(text), null)).kind : null;
}

/** Leads to the page of the Site whose id was searched for. */
function redirectToSite(reply: FastifyReply, { search, asked }: SitesRequest): FastifyReply {
  const site = search.text.toUpperCase();
  return reply.redirect(href('.', PATHS.site, { site, query: { at: asked.at } }));
}

const findList = (store: Store, { search }: SitesRequest): Promise<SiteList> =>
  store.sites.findList(search, { places: MOST_PLACES, former: MOST_FORMER });

/** Whether words find no Site. */
const isInVain = ({ search }: SitesRequest, { found, former }: SiteList): boolean =>
  search.text !== '' && found.totalElements + former.totalElements === 0;

/** How many Sites are retired, if there is no Site at all; otherwise 0. */
async function countRetired(
  store: Store,
  request: SitesRequest,
  { found }: SiteList,
): Promise<number> {
  if (isFiltered(request) || found.totalElements > 0) return 0;
  return (await store.sites.findRetired()).length;
}

/** The page with the Sites that were found, or with what may have been meant. */
async function sitesPage(
  store: Store,
  request: SitesRequest,
  list: SiteList,
  map: 'world' | 'sites' | null,
  now: Instant,
): Promise<Page> {
  const retired = await countRetired(store, request, list);
  const nearest = isInVain(request, list) ? await nearestSites(store, request.search.text) : [];
  // Reading all Sites and drawing them take tens of milliseconds each: let other requests run.
  await ownTurn();
  const { renderSitesPage } = await import('../../web/sites-page.js');
  return renderSitesPage({ ...request, ...list, retired, nearest, map, now });
}

/**
 * Adds the page of all Sites. A search for an id leads to the page of its Site.
 * @param now the current time, as pages show it
 */
export function addSitesPage(app: App, store: Store, now: () => Instant): void {
  app.get(PATHS.sites, {
    schema: { querystring: onlyParameters(sitesPageParameters) },
    preValidation: readForm,
    config: { page: true, costly: true },
    handler: async ({ query }, reply) => {
      const asked = await sitesAskedFor(store, query);
      const kind = await kindOfId(store, asked);
      if (kind === 'found') return redirectToSite(reply, asked);
      const list = await findList(store, asked);
      // The page of a retired Site says when it was retired.
      if (kind === 'retired-site' && isInVain(asked, list)) return redirectToSite(reply, asked);
      return pageContent(app, await sitesPage(store, asked, list, query.map ?? null, now()));
    },
  });
}
