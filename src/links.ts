import type { TProperties } from '@sinclair/typebox';
import type { Collection } from '../schemas/index.js';

/** Every URL of the service is spelled here, once. */

/** The paths that are no collection's, as route patterns. */
export const PATHS = {
  root: '/',
  changes: '/changes',
  profiles: '/profile',
  openApi: '/openapi.json',
  schemas: '/schemas',
  schema: '/schemas/:name',
  health: '/health',
  ready: '/ready',
  sites: '/sites',
  site: '/sites/:site',
  siteLog: '/sites/:site/log',
  receivers: '/receivers',
  antennas: '/antennas',
  style: '/style.css',
  icon: '/icon.svg',
} as const;

/** The paths of a collection: its pages, one element, its profile, its searches. */
export const pathOf = ({ name }: Pick<Collection, 'name'>): string => `/${name}`;
export const itemPathOf = ({ name }: Pick<Collection, 'name'>): string => `/${name}/:id`;
export const installationsPathOf = ({ name }: Pick<Collection, 'name'>): string => `/${name}/:id/installations`;
export const profilePathOf = ({ name }: Pick<Collection, 'name'>): string => `/profile/${name}`;
export const searchPathOf = ({ name }: Pick<Collection, 'name'>, search?: string): string =>
  search === undefined ? `/${name}/search` : `/${name}/search/${search}`;

/** The values of a query; an array is one parameter given several times. */
export type QueryValues = Record<string, string | number | boolean | readonly (string | number | boolean)[] | undefined>;

/** A value in a query; a comma stays, as `sort=type,asc` is written. */
const encode = (value: string | number | boolean): string => encodeURIComponent(value).replaceAll('%2C', ',');

/**
 * The URL of a resource: absolute, or relative to the page it stands in.
 * @param base the URL under which clients reach the service, or the way there from a page (`.`, `..`), without a slash at the end
 * @param path a route pattern; the parameters take the places of their names in it
 */
export function href(
  base: string,
  path: string,
  { query = {}, ...parameters }: { query?: QueryValues; id?: number; name?: string; site?: string } = {},
): string {
  const url = base + path.replace(/:(id|name|site)/, (_, name: 'id' | 'name' | 'site') => encode(parameters[name]!));
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((each) => `${encodeURIComponent(name)}=${encode(each)}`),
  );
  return pairs.length === 0 ? url : `${url}?${pairs.join('&')}`;
}

/**
 * The URI Template (RFC 6570) of a resource with a query. Parameters that may be given several times are not marked as
 * exploded (`sort*`): HAL clients of this family expand the plain form, and ketting's templates break on the other.
 */
export function template(base: string, path: string, parameters: TProperties): string {
  const names = Object.keys(parameters);
  return names.length === 0 ? base + path : `${base}${path}{?${names.join(',')}}`;
}
