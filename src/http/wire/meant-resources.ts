import {
  CORS_SITES,
  DEVICE_COLLECTIONS,
  EQUIPMENT,
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
type ProblemLinks = Record<string, { href: string }>;

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

/** The paths of the collections of devices, with the kind of each; undefined for all kinds. */
const DEVICES: ReadonlyMap<string, string | undefined> = new Map([
  [pathOf(EQUIPMENT), undefined],
  ...DEVICE_COLLECTIONS.map(
    (collection) => [pathOf(collection), collection.equipmentType] as const,
  ),
]);

/** The ids of Sites in a parameter; none unless all its values are such ids. */
function siteIdsIn(sent: string | string[] | undefined): string[] {
  const ids = [sent ?? []].flat();
  return ids.every(isSiteId) ? ids : [];
}

/** `/gnssReceivers?site=ALIC`. */
function installationsAtSite({ baseUrl, route, query }: RefusedRequest): ProblemLinks {
  const site = siteIdsIn(query.site);
  if (!DEVICES.has(route) || site.length === 0) return {};
  const equipmentType = DEVICES.get(route);
  const path = exportPathOf('installations', 'csv');
  return { installations: { href: href(baseUrl, path, { query: { site, equipmentType } }) } };
}

/** `/setups?site=ALIC&at=2012-01-01`, of one Site or several. */
function setupAtInstant({ baseUrl, route, query }: RefusedRequest): ProblemLinks {
  const { at } = query;
  const id = siteIdsIn(query.site);
  if (route !== pathOf(SETUPS) || at === undefined || id.length === 0) return {};
  const isOne = id.length === 1;
  const search = isOne ? 'findAtByFourCharacterId' : 'findAtByFourCharacterIdIn';
  const url = href(baseUrl, searchPathOf(SETUPS, search), { query: { id, at } });
  return { [isOne ? 'setup' : 'setups']: { href: url } };
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
