import type { Static, TObject } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import {
  agencyFilter,
  placeFilters,
  radomeTypeFilter,
  satelliteSystemFilter,
  siteFilters,
  typeFilter,
} from '../../../schemas/index.js';
import { countryNamed } from '../../site-log/values/country.js';
import { SITE_ORDERS, type SiteOrder, type SiteSearch } from '../../store/read/sites/list.js';
import type { Store } from '../../store/store.js';
import { siteFilterOf, systemsOf } from '../filters.js';
import { AtParameter, instantOf, instantParameter, PageParameter } from '../parameters.js';

/** How many Sites are on one page. */
const SITES_PAGE = 50;

/** The parameters of the page of all Sites. Its filters are those of the API. */
export const sitesPageParameters = {
  q: siteFilters.q,
  sort: Type.Optional(
    Type.String({
      pattern: `^(${SITE_ORDERS.join('|')})(,(asc|desc))?$`,
      description: `One of ${SITE_ORDERS.join(', ')}; append ",desc" for descending order.`,
    }),
  ),
  bbox: placeFilters.bbox,
  countryCode: placeFilters.countryCode,
  ...agencyFilter,
  ...satelliteSystemFilter,
  ...typeFilter,
  ...radomeTypeFilter,
  at: Type.Optional(AtParameter),
  preparedBefore: Type.Optional(
    instantParameter(
      'Only Sites whose current site log was prepared on an earlier day: a day, or another time.',
    ),
  ),
  map: Type.Optional(
    Type.Union([Type.Literal('world'), Type.Literal('sites')], {
      description: 'The extent of the map: world, or sites for the area of the Sites found.',
    }),
  ),
  page: PageParameter,
};

type SitesQuery = Static<TObject<typeof sitesPageParameters>>;

/** The filters besides words and area, as the form of the page shows them. */
export type AskedSites = Pick<
  SitesQuery,
  'countryCode' | 'agency' | 'satelliteSystem' | 'type' | 'radomeType' | 'at' | 'preparedBefore'
>;

/** Which Sites the page is about. */
export interface SitesRequest {
  search: SiteSearch;
  /** The filters of the search as they were asked for. */
  asked: AskedSites;
}

/** Whether there are filters besides words and area. */
export const hasOtherFilters = ({ asked }: Pick<SitesRequest, 'asked'>): boolean =>
  Object.keys(asked).length > 0;

/** Whether not all Sites are asked for. */
export const isFiltered = ({ search: { text, sites }, asked }: SitesRequest): boolean =>
  text !== '' || sites.box !== null || hasOtherFilters({ asked });

/** The filters in the spelling of the page: countries by their codes, and codes in upper case. */
function asSpelled(filters: AskedSites): AskedSites {
  const { countryCode, satelliteSystem, radomeType } = filters;
  const asked = { ...filters };
  if (countryCode !== undefined)
    asked.countryCode = countryCode.map((value) => countryNamed(value) ?? value);
  if (satelliteSystem !== undefined)
    asked.satelliteSystem = satelliteSystem.map((value) => value.toUpperCase());
  if (radomeType !== undefined) asked.radomeType = radomeType.map((value) => value.toUpperCase());
  return asked;
}

/** The day of a time; null if it is left out. @throws {RequestRefused} if it is not a time */
const dayOf = (name: string, text: string | undefined): string | null =>
  text === undefined ? null : instantOf(name, text).slice(0, 10);

/** The antennas that were asked for; null for any. */
const antennaOf = ({ type, radomeType }: AskedSites): SiteSearch['antenna'] =>
  type === undefined && radomeType === undefined
    ? null
    : { types: type ?? null, radomeTypes: radomeType ?? null };

/**
 * The Sites that the query of the page asks for. A country may also be given by its English name.
 * @throws {RequestRefused} if a parameter is malformed
 */
export async function sitesAskedFor(
  store: Pick<Store, 'sites' | 'asOf'>,
  query: SitesQuery,
): Promise<SitesRequest> {
  const { q = '', sort = 'id', map: _map, page = 0, bbox, ...filters } = query;
  const [by, direction] = sort.split(',') as [SiteOrder, string | undefined];
  const asked = asSpelled(filters);
  const search = {
    text: q,
    sites: await siteFilterOf(store, bbox === undefined ? asked : { ...asked, bbox }),
    systems: systemsOf(asked),
    antenna: antennaOf(asked),
    at: asked.at === undefined ? null : instantOf('at', asked.at),
    preparedBefore: dayOf('preparedBefore', asked.preparedBefore),
    sort: { by, descending: direction === 'desc' },
    page,
    size: SITES_PAGE,
  };
  return { search, asked };
}
