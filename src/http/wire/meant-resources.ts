import {
  CORS_SITES,
  DEVICE_COLLECTIONS,
  isSiteId,
  SETUPS,
  SITE_LOGS,
} from '../../../schemas/index.js';
import { exportPathOf, href, itemPathOf, pathOf, searchPathOf } from '../../links.js';

/**
 * What a refused request most likely meant. Ids in paths are numbers, and installations are an
 * export: both are guessed wrongly most often.
 */

/** The links of a problem document. Each name says what the link leads to. */
export type ProblemLinks = Record<string, { href: string }>;

/** A request that is refused. */
export interface RefusedRequest {
  baseUrl: string;
  /** The pattern of its route; the path as sent, if there is no such route. */
  route: string;
  /** The value in place of `:id`, if the route has one. */
  id: string | undefined;
  query: Readonly<Record<string, string | string[] | undefined>>;
}

/** The searches by the id of a Site that answer what `/collection/ALIC` asks for. */
const BY_SITE_ID: Readonly<Record<string, { name: string; path: string }>> = {
  [itemPathOf(CORS_SITES)]: {
    name: 'corsSite',
    path: searchPathOf(CORS_SITES, 'findByFourCharacterId'),
  },
  [itemPathOf(SITE_LOGS)]: {
    name: 'siteLog',
    path: searchPathOf(SITE_LOGS, 'findByFourCharacterId'),
  },
  [itemPathOf(SETUPS)]: {
    name: 'setup',
    path: searchPathOf(SETUPS, 'findCurrentByFourCharacterId'),
  },
};

/** `/corsSites/ALIC`. */
function searchInsteadOfPath({ baseUrl, route, id }: RefusedRequest): ProblemLinks {
  const search = BY_SITE_ID[route];
  if (search === undefined || id === undefined || !isSiteId(id)) return {};
  return { [search.name]: { href: href(baseUrl, search.path, { query: { id } }) } };
}

/** The paths of the collections of devices of one kind, with the kind. */
const DEVICES: ReadonlyMap<string, string | undefined> = new Map(
  DEVICE_COLLECTIONS.map((collection) => [pathOf(collection), collection.equipmentType]),
);

/** `/gnssReceivers?site=ALIC`. */
function installationsAtSite({ baseUrl, route, query }: RefusedRequest): ProblemLinks {
  const equipmentType = DEVICES.get(route);
  const { site } = query;
  if (equipmentType === undefined || site === undefined) return {};
  const path = exportPathOf('installations', 'csv');
  return { installations: { href: href(baseUrl, path, { query: { site, equipmentType } }) } };
}

/** `/setups?site=ALIC&at=2012-01-01`. */
function setupAtInstant({ baseUrl, route, query }: RefusedRequest): ProblemLinks {
  const { site, at } = query;
  if (at === undefined) return {};
  if (route !== pathOf(SETUPS) || typeof site !== 'string' || !isSiteId(site)) return {};
  const path = searchPathOf(SETUPS, 'findAtByFourCharacterId');
  return { setup: { href: href(baseUrl, path, { query: { id: site, at } }) } };
}

/** `/installations`, with the parameters as they were sent. */
function installations({ baseUrl, route, query }: RefusedRequest): ProblemLinks {
  if (route.split('?', 1)[0] !== '/installations') return {};
  return {
    installations: { href: href(baseUrl, exportPathOf('installations', 'csv'), { query }) },
  };
}

/** Links to resources that answer a refused request; none if they are unknown. */
export const meantResources = (request: RefusedRequest): ProblemLinks => ({
  ...searchInsteadOfPath(request),
  ...installationsAtSite(request),
  ...setupAtInstant(request),
  ...installations(request),
});
