import type { Instant } from '../../../schemas/index.js';
import type { SitesRequest } from '../../exports/pages/sites.js';
import type { QueryValues } from '../../links.js';
import type { SiteList, SiteSearch } from '../../store/read/sites/list.js';
import type { SiteName } from '../../store/read/sites/sites.js';
import { boxText } from '../map/area.js';

/** The content of the page of all Sites. */
export interface SitesView extends SiteList, SitesRequest {
  /** If there is no Site at all: how many are retired. */
  retired: number;
  /** If no Site was found: what may have been meant. */
  nearest: SiteName[];
  /**
   * What the map shows: the whole world or the area of the Sites; null for what fits the search.
   */
  map: 'world' | 'sites' | null;
  now: Instant;
}

/** The relative path from the page to the root of the service. */
export const ROOT = '.';

/** Whether an order is that of a list without one. */
export const isUsual = ({ by, descending }: SiteSearch['sort']): boolean =>
  by === 'id' && !descending;

/** How the order of a page is written in its URL. */
export const sortText = ({ by, descending }: SiteSearch['sort']): string =>
  `${by}${descending ? ',desc' : ''}`;

/** The parameters that find the same Sites on this page. */
export const filtersOf = ({ search: { text, sites }, asked }: SitesRequest): QueryValues => ({
  q: text === '' ? undefined : text,
  bbox: sites.box === null ? undefined : boxText(sites.box),
  ...asked,
});

/** The ids of all Sites found; null if there are more than one page has. */
export function allIdsOf({ found: { elements, totalElements } }: SitesView): string[] | null {
  const hasAll = elements.length > 0 && elements.length === totalElements;
  return hasAll ? elements.map(({ shortestId }) => shortestId) : null;
}

/**
 * The parameters that find the same Sites in exports. These have no filter by antenna or by the
 * date of the log, so such Sites are found by their ids; null if there are too many.
 */
export function exportedFilters(view: SitesView): QueryValues | null {
  const { type, radomeType, preparedBefore, ...known } = filtersOf(view);
  const isKnown = [type, radomeType, preparedBefore].every((value) => value === undefined);
  if (isKnown) return known;
  const ids = allIdsOf(view);
  return ids && { site: ids, at: known.at };
}

/**
 * The parameters that find the same antennas among all equipment; null if there are filters besides
 * antenna, time and place.
 */
export function antennaFilters(view: SitesView): QueryValues | null {
  const { q, agency, satelliteSystem, preparedBefore, ...known } = filtersOf(view);
  const isKnown = [q, agency, satelliteSystem, preparedBefore].every(
    (value) => value === undefined,
  );
  return isKnown ? { equipmentType: 'gnss antenna', ...known } : null;
}
