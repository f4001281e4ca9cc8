import { CORS_SITES, SETUPS } from '../../../schemas/index.js';
import { NDJSON_MEDIA_TYPE } from '../../formats/tables.js';
import { exportPathOf, href, pathOf, searchPathOf } from '../../links.js';
import type { JsonLink } from '../page/layout.js';
import { shortTime } from '../page/words.js';
import { antennaFilters, exportedFilters, filtersOf, ROOT, type SitesView } from './view.js';

/** What an answer has. @param isOfPage whether only the Sites of this page */
function contentOf(isOfAnyDate: boolean, isOfPage: boolean): string {
  if (isOfAnyDate) return 'The Sites with logs of any date';
  return isOfPage ? 'These Sites' : 'The Sites of all pages';
}

/** The JSON resource with the Sites found. The API has only two of the orders. */
export function sitesAsJson(view: SitesView): JsonLink {
  const { search, asked } = view;
  const { text, page, size, sort } = search;
  // The API has no filter by the date of the log.
  const { type, radomeType, preparedBefore: _, ...others } = filtersOf(view);
  const exported = exportedFilters(view);
  if (exported === null && (type !== undefined || radomeType !== undefined)) {
    const { countryCode, bbox, at } = others;
    const query = { type, radomeType, equipmentType: 'gnss antenna', countryCode, bbox, at };
    // That resource knows no words and agencies, and no system of another item than the antenna.
    const isAllKnown = antennaFilters(view) !== null;
    return {
      title: `The Sites with such antennas${isAllKnown ? '' : ', without the other filters'}`,
      href: href(ROOT, searchPathOf(CORS_SITES, 'findByEquipment'), { query }),
    };
  }
  const filters = exported ?? others;
  const property = { id: 'fourCharacterId', name: 'name' }[sort.by as string];
  const order =
    property === undefined ? undefined : `${property},${sort.descending ? 'desc' : 'asc'}`;
  // With search words or another order, this page of the API would have other Sites, so the link
  // leads to the first page.
  const isSameList =
    text === '' && sort.by === 'id' && exported !== null && exported.site === undefined;
  const isAll = view.found.totalElements <= size;
  const these = contentOf(exported === null, isSameList || isAll);
  const title = text === '' ? these : `${these}, and those with such equipment in the past`;
  // The collection knows no receivers and instants; the export does.
  if (asked.satelliteSystem !== undefined || asked.at !== undefined)
    return {
      type: NDJSON_MEDIA_TYPE,
      title,
      href: href(ROOT, exportPathOf('sites', 'ndjson'), { query: filters }),
    };
  const query = { ...filters, page: page > 0 && isSameList ? page : undefined, size, sort: order };
  return { title, href: href(ROOT, pathOf(CORS_SITES), { query }) };
}

/** The JSON resource with the Setups of the Sites on the page. */
export function setupsAsJson({ search, found }: SitesView): JsonLink {
  const { at, size } = search;
  const id = found.elements.map(({ shortestId }) => shortestId);
  if (id.length === 0)
    return {
      title: 'The current Setups of all Sites',
      href: href(ROOT, pathOf(SETUPS), { query: { current: true, size } }),
    };
  if (at === null)
    return {
      title: 'The current Setups of these Sites',
      href: href(ROOT, searchPathOf(SETUPS, 'findCurrentByFourCharacterIdIn'), { query: { id } }),
    };
  return {
    title: `The Setups of these Sites at ${shortTime(at)}`,
    href: href(ROOT, searchPathOf(SETUPS, 'findAtByFourCharacterIdIn'), { query: { id, at } }),
  };
}
