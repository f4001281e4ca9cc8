import type { TProperties } from '@sinclair/typebox';
import {
  type Collection,
  CORS_SITES,
  type ExportName,
  listedParameters,
  SITE_LOGS,
} from '../schemas/index.js';

/** Every URL of the service is built here. */

/** The paths outside the collections, as route patterns. */
export const PATHS = {
  root: '/',
  changes: '/changes',
  change: '/changes/:id',
  findings: '/findings',
  finding: '/findings/:id',
  feed: '/feed',
  feedEntry: '/feed/:cursor',
  atomFeed: '/feed.atom',
  ogc: '/ogc',
  ogcConformance: '/ogc/conformance',
  ogcCollections: '/ogc/collections',
  ogcCollection: '/ogc/collections/:collectionId',
  ogcSchema: '/ogc/collections/:collectionId/schema',
  ogcProperties: '/ogc/collections/:collectionId/properties',
  ogcItems: '/ogc/collections/:collectionId/items',
  ogcItem: '/ogc/collections/:collectionId/items/:featureId',
  skeletonFile: '/skeletonFiles/:file',
  stationLogs: '/station/:folder/',
  stationLog: '/station/:folder/:file',
  sinexExport: '/exports/sites.snx',
  stationInfoExport: '/exports/sites.station-info',
  staExport: '/exports/sites.sta',
  rinexExport: '/exports/sites.rinex.zip',
  offsetsExport: '/exports/offsets.:format',
  staNotes: '/exports/sites.sta.notes',
  offsetsNotes: '/exports/offsets.csv.notes',
  rinexNotes: '/exports/sites.rinex.zip.notes',
  profiles: '/profile',
  profile: '/profile/:name',
  openApi: '/openapi.json',
  schemas: '/schemas',
  schema: '/schemas/:name',
  health: '/health',
  ready: '/ready',
  sites: '/sites',
  site: '/sites/:site',
  siteLog: '/sites/:site/log',
  siteFindings: '/sites/:site/findings',
  receivers: '/receivers',
  antennas: '/antennas',
  overview: '/overview',
  map: '/map.svg',
  network: '/network',
  compare: '/compare',
  reference: '/api',
  style: '/style.css',
  icon: '/icon.svg',
} as const;

/** What follows the path of a request in the path of its citation. */
export const CITATION = '/citation';

/** The path of the profile of a collection. */
export const profilePathOf = ({ name }: Pick<Collection, 'name'>): string =>
  `${PATHS.profiles}/${name}`;
/** The path of the pages of a collection. */
export const pathOf = ({ name }: Pick<Collection, 'name'>): string => `/${name}`;
/** The path of an element, as a route pattern. */
export const itemPathOf = ({ name }: Pick<Collection, 'name'>): string => `/${name}/:id`;
/**
 * The URL of an element. Unlike with {@link href}, no pattern is filled in: pages have many.
 * @param pairs its parameters, as {@link pairsOf} writes them
 */
export function itemHref(
  base: string,
  collection: Pick<Collection, 'name'>,
  id: number | '',
  pairs = '',
): string {
  const url = `${base}${pathOf(collection)}/${id}`;
  return pairs === '' ? url : `${url}?${pairs}`;
}
/** The path of the list of the site logs of a Site, as a route pattern. */
export const LOGS_OF_SITE_PATH = `${itemPathOf(CORS_SITES)}/siteLogs`;
/** The path of a site log as it was imported, as a route pattern. */
export const ORIGINAL_PATH = `${itemPathOf(SITE_LOGS)}/original`;
/** The path of what changed between two versions of a site log, as a route pattern. */
export const COMPARISON_PATH = `${itemPathOf(SITE_LOGS)}/comparison`;
/** The path of an export: `/exports/sites.csv`; without a format, as a route pattern. */
export const exportPathOf = (name: ExportName, format = ':format'): string =>
  `/exports/${name}.${format}`;
/** The path of a search over a collection; without a name, that of the list of its searches. */
export const searchPathOf = ({ name }: Pick<Collection, 'name'>, search?: string): string =>
  search === undefined ? `/${name}/search` : `/${name}/search/${search}`;

/**
 * The parameters of a query string. An array stands for a repeated parameter; undefined leaves it
 * out.
 */
export type QueryValues = Record<
  string,
  string | number | boolean | readonly (string | number | boolean)[] | undefined
>;

/** What fills in the parameters of a route pattern. */
interface PathValues {
  id?: number;
  name?: string;
  site?: string;
  file?: string;
  cursor?: string;
  collectionId?: string;
  featureId?: number;
  format?: string;
  folder?: string;
}

/** Encodes a query value, but leaves commas readable, as in `sort=type,asc`. */
const encode = (value: string | number | boolean): string =>
  encodeURIComponent(value).replaceAll('%2C', ',');

/**
 * The URL of a resource, absolute or relative to a page.
 * @param base the URL at which clients reach the service, or the relative path to it from a page
 *   (`.`, `..`); no trailing slash
 * @param path a route pattern; its parameters are filled in from the last argument
 */
export function href(
  base: string,
  path: string,
  { query, ...parameters }: PathValues & { query?: QueryValues } = {},
): string {
  const filled = path.includes(':')
    ? path.replace(/:(\w+)/g, (_, name: keyof PathValues) => encode(parameters[name]!))
    : path;
  const pairs = query === undefined ? '' : pairsOf(query);
  return pairs === '' ? base + filled : `${base}${filled}?${pairs}`;
}

/**
 * The query string of some parameters.
 * @param omitted the names of those that are left out
 */
export function pairsOf(query: QueryValues, omitted: readonly string[] = []): string {
  let pairs = '';
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || omitted.includes(name)) continue;
    for (const each of typeof value === 'object' ? value : [value])
      pairs += `${pairs === '' ? '' : '&'}${encodeURIComponent(name)}=${encode(each)}`;
  }
  return pairs;
}

/** The parameters of a list that are no filters. In the URL of a page, they follow these. */
const NO_FILTERS = ['page', 'size', 'sort', 'projection'];

/**
 * The URLs of the other pages of a list, by their numbers. Only the number differs, so the rest is
 * written once.
 */
export function pageHrefs(
  base: string,
  path: string,
  query: QueryValues,
  size: number,
): (page: number) => string {
  const { sort, projection } = query;
  const filters = pairsOf(query, NO_FILTERS);
  const start = `${href(base, path)}?${filters === '' ? '' : `${filters}&`}page=`;
  const end = pairsOf({ size, sort, projection });
  return (page) => `${start}${page}&${end}`;
}

/**
 * The URI Template (RFC 6570) of a resource with query parameters. Repeatable parameters are not
 * marked as exploded (`sort*`): clients of Spring Data REST services expect the plain form, and
 * ketting expands the exploded one wrongly for a single value. So a list arrives with commas.
 */
export function template(base: string, path: string, parameters: TProperties): string {
  const names = Object.keys(listedParameters(parameters));
  return names.length === 0 ? base + path : `${base}${path}{?${names.join(',')}}`;
}
