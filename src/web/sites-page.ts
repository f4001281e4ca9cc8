import {
  CORS_SITES,
  type EquipmentInUse,
  type Instant,
  isOfType,
  SATELLITE_SYSTEMS,
  SETUPS,
} from '../../schemas/index.js';
import { NDJSON_MEDIA_TYPE } from '../formats/tables.js';
import { countryName, countryNamed } from '../site-log/country.js';
import { exportPathOf, href, PATHS, pathOf, type QueryValues, searchPathOf } from '../links.js';
import {
  type SiteList,
  type SiteOrder,
  type SitePlace,
  type SiteSearch,
  type SiteSummary,
} from '../store/read/sites/list.js';
import type { SiteName } from '../store/read/sites/sites.js';
import { renderFold } from './page/folding.js';
import { hiddenFields, select, textField } from './page/form.js';
import { type Content, type Html, html, list } from './page/html.js';
import {
  field,
  type JsonLink,
  renderPage,
  renderPageLinks,
  section,
  siteLink,
} from './page/layout.js';
import { type Column, table } from './page/table.js';
import { typeList } from './type-lists.js';
import { counted, numberWords, shortTime, systemName, whyNoSites } from './page/words.js';
import { boxAroundPoints, boxText, widthOf } from './map/area.js';
import { renderMapLinks } from './map/links.js';
import { renderMap } from './map/world-map.js';
import { renderDownloads, renderSoftwareDownloads } from './downloads.js';
import { ACTIVE, siteStatus } from './site-status.js';

/** The filters besides words and area, as the query has them; missing if it does not. */
export interface AskedSites {
  countryCode?: string[];
  agency?: string[];
  satelliteSystem?: string[];
  /** Of an antenna. */
  type?: string[];
  radomeType?: string[];
  at?: string;
}

/** The content of the page of all Sites. */
export interface SitesView extends SiteList {
  search: SiteSearch;
  /** The filters of the search as they were asked for. */
  asked: AskedSites;
  /** If there is no Site at all: how many are retired. */
  retired: number;
  /** If no Site was found: those that may have been meant. */
  nearest: SiteName[];
  /**
   * What the map shows: the whole world or the area of the Sites; null for what fits the search.
   */
  map: 'world' | 'sites' | null;
}

const ROOT = '.';
/**
 * The least height and width of a map that nobody asked to zoom, in degrees: there is some coast to
 * recognize.
 */
const LEAST_FIT = 12;
/** Sites that are closer to each other than this have a map only on request, in degrees. */
const LOCAL = 2;

/**
 * The country code of a Site, with the text in the log as its title; only that text if it does not
 * name a known country.
 */
function countryOf({ country, countryCode, nineCharacterId }: SiteSummary): Content {
  if (countryCode === null || country === null || country === countryCode)
    return countryCode ?? country ?? nineCharacterId?.slice(6) ?? 'unknown';
  return html`<span title="${country}">${countryCode}</span>`;
}

/** Which Sites are asked for, as a query. */
type Asked = Pick<SitesView, 'search' | 'asked'>;

/** Whether there are filters besides words and area. */
const hasOtherFilters = ({ asked }: Pick<SitesView, 'asked'>): boolean =>
  Object.keys(asked).length > 0;

/** Whether not all Sites are asked for. */
export const isFiltered = ({ search: { text, sites }, asked }: Asked): boolean =>
  text !== '' || sites.box !== null || hasOtherFilters({ asked });

/** Why no Site was found. */
function nothingFound(view: SitesView): Content {
  const { text, sites } = view.search;
  if (!isFiltered(view)) return whyNoSites(view.retired);
  const where = sites.box === null ? '' : ' in this area';
  if (hasOtherFilters(view)) return `No site${where} matches all of these filters.`;
  return text === '' ? 'There are no sites in this area.' : `No site${where} matches “${text}”.`;
}

/** The cell of what is not in use. A narrow screen leaves it out. */
const NONE = html`<span class="nothing">–</span>`;

/** The types in use of a kind of equipment. */
function typesOf(kind: 'gnss receiver' | 'gnss antenna', { equipment }: SiteSummary): Content {
  const ids = (equipment ?? []).map(({ content: { id } }) => id);
  const types = ids.filter(({ equipmentType }) => equipmentType === kind).map(({ type }) => type);
  return types.length === 0 ? NONE : typeList(ROOT, kind, types);
}

/** The codes of the satellite systems that the receivers in use track, each once. */
function systemsInUse({ equipment }: SiteSummary): Content {
  const receivers = (equipment ?? []).filter((item) => isOfType(item, 'gnss receiver'));
  if (receivers.length === 0) return NONE;
  const codes = receivers.flatMap(({ content: { configuration } }) =>
    (configuration.satelliteSystem ?? 'unknown').split('+'),
  );
  return [...new Set(codes)].join(' ');
}

/** Whether a Site is in operation. A narrow screen has room only for what is unusual. */
function statusOf(equipment: EquipmentInUse[]): Content {
  const status = siteStatus(equipment);
  return status === ACTIVE ? html`<span class="active">${status}</span>` : status;
}

/** The column of a property, and the order by it if there is one. */
type SiteColumn = [column: Column<SiteSummary>, order?: SiteOrder];

/** @param at the instant of the list, as it was asked for; undefined for now */
const columnsAt = (at: string | undefined): SiteColumn[] => [
  [
    ['Site', ({ shortestId }) => siteLink(ROOT, shortestId, shortestId, at), { isHeader: true }],
    'id',
  ],
  [['Name', ({ name, shortestId }) => name ?? shortestId, { name: 'name' }], 'name'],
  [['Country', countryOf], 'country'],
  [['Status', ({ equipment }) => statusOf(equipment ?? []), { name: 'status' }]],
  [['Receiver', (site) => typesOf('gnss receiver', site), { name: 'type-of' }], 'receiver'],
  [['Antenna', (site) => typesOf('gnss antenna', site), { name: 'type-of' }], 'antenna'],
  [['Systems', systemsInUse, { name: 'systems' }]],
  [
    ['Last change', ({ lastChange }) => lastChange && dayOf(lastChange), { name: 'last' }],
    'changed',
  ],
];

/** The day of an instant, with the instant in the markup. */
function dayOf(instant: Instant): Html {
  const day = instant.slice(0, 10);
  return day === shortTime(instant)
    ? html`<time>${day}</time>`
    : html`<time datetime="${instant}">${day}</time>`;
}

/** What the table of Sites shows. */
const captionAt = (at: Instant | null): string =>
  at === null
    ? 'The sites and their current equipment, as far as their site logs say.'
    : `The sites and their equipment as of ${shortTime(at)}.`;

/** The parameters that find the same Sites on this page. */
const filtersOf = ({ search: { text, sites }, asked }: Asked): QueryValues => ({
  q: text === '' ? undefined : text,
  bbox: sites.box === null ? undefined : boxText(sites.box),
  ...asked,
});

/** The ids of all Sites found; null if there are more than one page has. */
function allIdsOf({ found: { elements, totalElements } }: SitesView): string[] | null {
  const hasAll = elements.length > 0 && elements.length === totalElements;
  return hasAll ? elements.map(({ shortestId }) => shortestId) : null;
}

/**
 * The parameters that find the same Sites in exports. These have no filter by antenna, so such
 * Sites are found by their ids; null if there are too many.
 */
function exportedFilters(view: SitesView): QueryValues | null {
  const { type, radomeType, ...known } = filtersOf(view);
  if (type === undefined && radomeType === undefined) return known;
  const ids = allIdsOf(view);
  return ids && { site: ids, at: known.at };
}

/**
 * The parameters that find the same antennas among all equipment; null if there are filters besides
 * antenna, time and place.
 */
function antennaFilters(view: SitesView): QueryValues | null {
  const { q, agency, satelliteSystem, ...known } = filtersOf(view);
  const isKnown = [q, agency, satelliteSystem].every((value) => value === undefined);
  return isKnown ? { equipmentType: 'gnss antenna', ...known } : null;
}

/** Whether Sites are asked for by nothing but their place. */
function isByPlace(view: SitesView): boolean {
  const { countryCode: _country, bbox: _box, ...others } = filtersOf(view);
  return Object.values(others).every((value) => value === undefined);
}

/** The links that download the Sites found, which include those with former equipment. */
function downloadLinks(view: SitesView): Content {
  const filters = exportedFilters(view);
  const antennas = antennaFilters(view);
  if (filters === null) {
    return [
      antennas && renderDownloads(ROOT, 'installations', antennas, 'the antennas of these sites'),
      html`<p>
        To download files of the sites, choose at most ${numberWords(view.search.size)} of them.
      </p>`,
    ];
  }
  const { at: _, ...ofAnyTime } = filters;
  const ids = allIdsOf(view);
  const isFormerToo = view.former.totalElements > 0 && filters.site === undefined;
  const some = isFormerToo
    ? 'these sites, and those with such equipment in the past'
    : 'these sites';
  const which = isFiltered(view) ? some : 'all sites';
  const ofSites = isByPlace(view) ? filters : ids && { site: ids };
  return [
    renderDownloads(ROOT, 'sites', filters, which),
    ofSites &&
      renderDownloads(
        ROOT,
        'installations',
        ofSites,
        `all equipment of ${isFiltered(view) ? 'these sites' : 'all sites'}`,
      ),
    renderSoftwareDownloads(ROOT, ofAnyTime, which, view.search.at ?? undefined),
  ];
}

/** Whether there is anything to download: Sites, or former ones that exports find. */
const hasDownloads = (view: SitesView): boolean =>
  view.found.elements.length > 0 ||
  (view.former.elements.length > 0 && exportedFilters(view) !== null);

/** The downloads of the Sites found, folded: the list is what most people come for. */
const downloads = (view: SitesView): Html =>
  html`<div class="downloads">
    ${renderFold(isFiltered(view) ? 'Download these sites' : 'Download', downloadLinks(view))}
  </div>`;

/** Links to the Sites that may have been meant. */
const similar = (sites: SiteName[]): Content =>
  sites.length > 0 &&
  html`<p>Similar:</p>
    ${list(sites.map(({ shortestId, name }) => [siteLink(ROOT, shortestId), ' ', name]))}`;

/** The JSON resource with the Sites found. The API has only two of the orders. */
function sitesAsJson(view: SitesView): JsonLink {
  const { search, asked } = view;
  const { text, page, size, sort } = search;
  const filters = exportedFilters(view);
  if (filters === null) {
    const { type, radomeType, countryCode, bbox, at } = filtersOf(view);
    const query = { type, radomeType, equipmentType: 'gnss antenna', countryCode, bbox, at };
    // That resource knows no words and agencies, and no system of another item than the antenna.
    const isAllKnown = antennaFilters(view) !== null;
    return {
      title: `The Sites with such antennas${isAllKnown ? '' : ', without the other filters'}`,
      href: href(ROOT, searchPathOf(CORS_SITES, 'findByEquipment'), { query }),
    };
  }
  const property = { id: 'fourCharacterId', name: 'name' }[sort.by as string];
  const order =
    property === undefined ? undefined : `${property},${sort.descending ? 'desc' : 'asc'}`;
  // With search words or another order, this page of the API would have other Sites, so the link
  // leads to the first page.
  const isSameList = text === '' && sort.by === 'id' && filters.site === undefined;
  const isAll = view.found.totalElements <= size;
  const these = isSameList || isAll ? 'These Sites' : 'The Sites of all pages';
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
function setupsAsJson({ search, found }: SitesView): JsonLink {
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

/** Whether Sites are so far apart that a map says something about them. */
function areApart(points: SitePlace[]): boolean {
  const box = boxAroundPoints(points)!;
  return Math.max(widthOf(box), box.north - box.south) > LOCAL;
}

/** The name of the country that the words of a search name; null if they name none. */
function countryNameIn(text: string): string | null {
  const code = countryNamed(text);
  return code === null ? null : countryName(code);
}

/** How the order of a page is written in its URL. */
const sortText = ({ by, descending }: SiteSearch['sort']): string =>
  `${by}${descending ? ',desc' : ''}`;

/** The choices of a satellite system, with the one that was asked for. */
function systemOptions(chosen: string | undefined): [string, string][] {
  const known: string[] = [...SATELLITE_SYSTEMS];
  const systems = chosen === undefined || known.includes(chosen) ? known : [...known, chosen];
  return [['', 'any'], ...systems.map((system): [string, string] => [system, systemName(system)])];
}

/** A field for the first value of a filter; hidden ones keep the others. */
const filterField = (
  name: string,
  label: string,
  [first, ...others]: string[],
  example: string,
): Html => html`${textField(name, label, first, example)} ${hiddenFields([name, others])}`;

/** The fields of the filters besides words: they choose for the list and the map. */
function filterFields(asked: AskedSites): Html {
  const { countryCode = [], agency = [], type = [], radomeType = [], at } = asked;
  const [system, ...otherSystems] = asked.satelliteSystem ?? [];
  return html`${textField('at', 'As of', at, '2016-11-13')}
  ${select('satelliteSystem', 'Satellite system', system, systemOptions(system))}
  ${hiddenFields(['satelliteSystem', otherSystems])}
  ${filterField('type', 'Antenna', type, 'LEIAR25*')}
  ${filterField('radomeType', 'Radome', radomeType, 'NONE')}
  ${filterField('countryCode', 'Country', countryCode, 'AUS')}
  ${filterField('agency', 'Agency', agency, 'Geoscience*')}`;
}

/** The form that searches Sites. @param all the URL of all Sites */
function searchForm(view: Asked, all: string): Html {
  const { text, sites, sort } = view.search;
  const { box } = sites;
  const sorted = sortText(sort);
  const attributes = html`type="search" size="30" maxlength="200" aria-describedby="q-fields"`;
  return html`<form class="search" method="get" action="${href(ROOT, PATHS.sites)}" role="search">
    ${field('q', 'Search', text, attributes)}
    <details class="controls" ${hasOtherFilters(view) && html`open`}>
      <summary>Filters</summary>
      ${filterFields(view.asked)}
    </details>
    ${sorted !== 'id' && html`<input type="hidden" name="sort" value="${sorted}" />`}
    ${box !== null && html`<input type="hidden" name="bbox" value="${boxText(box)}" />`}
    <button>Search</button>
    ${isFiltered(view) && html`<a href="${all}">All sites</a>`}
    <small id="q-fields"
      >Searches id, name, place, country and DOMES number, and type, manufacturer and serial number
      of the equipment. Sites that had such equipment in the past are listed separately.</small
    >
  </form>`;
}

/** The equipment that was asked for: "Galileo", "antenna LEIAR25*". */
function equipmentCriteria({ search: { systems }, asked }: Asked): string[] {
  const { type, radomeType } = asked;
  const criteria = [
    systems && systems.map((all) => all.map(systemName).join(' and ')).join(' or '),
    type && `antenna ${type.join(' or ')}`,
    radomeType && `radome ${radomeType.join(' or ')}`,
  ];
  return criteria.filter((each) => each !== undefined && each !== null);
}

/** What the Sites found have in common: ", as of 2016-11-13, Galileo"; empty without filters. */
function criteriaWords(view: Asked): string {
  const { search, asked } = view;
  const equipment = equipmentCriteria(view);
  const hadIt = equipment.length > 0 && search.at === null;
  const countries = asked.countryCode?.map((code) => countryName(code.toUpperCase()) ?? code);
  const criteria = [
    search.at !== null && `as of ${shortTime(search.at)}`,
    ...equipment,
    hadIt && 'at some time',
    countries?.join(' or '),
    asked.agency && `agency ${asked.agency.join(' or ')}`,
  ];
  return criteria
    .filter((each) => each !== false && each !== undefined)
    .map((each) => `, ${each}`)
    .join('');
}

/** How many Sites were found, by which filters, and which of them are shown. */
function foundWords(view: SitesView): Content {
  const { elements, totalElements } = view.found;
  const { text, page, size } = view.search;
  if (totalElements === 0) return nothingFound(view);
  const first = page * size + 1;
  const last = page * size + elements.length;
  const country = countryNameIn(text);
  const isPart = elements.length > 0 && elements.length < totalElements;
  return [
    counted(totalElements, 'site'),
    criteriaWords(view),
    isPart && `, showing ${numberWords(first)} to ${numberWords(last)}`,
    '.',
    country !== null && ` Those in ${country} come first.`,
  ];
}

/** States what the map does not show. */
function notOnMap({ places, found }: SitesView): Content[] {
  const shown = places.elements.length;
  const unplaced = Math.max(found.totalElements - places.totalElements, 0);
  const isCut = shown < places.totalElements;
  const all = counted(places.totalElements, 'site');
  return [
    isCut && `The map shows the first ${numberWords(shown)} of ${all} with a position. `,
    unplaced > 0 && `${counted(unplaced, 'site')} without a position. `,
  ];
}

/** The map of the Sites, or a link to it. @param to the URL of this page with another query */
function mapOf(view: SitesView, to: (query: QueryValues) => string): Content {
  const { map, places, search } = view;
  const points = places.elements;
  if (points.length === 0) return null;
  const { box } = search.sites;
  if (map === null && box === null && !areApart(points))
    return html`<p><a href="${to({ map: 'sites' })}" rel="nofollow">Show on a map</a></p>`;
  const around = map === 'world' ? null : (box ?? boxAroundPoints(points, LEAST_FIT));
  const [cut, unplaced] = notOnMap(view);
  return html`<figure>
    <a class="skip" href="#list">Skip the map</a>
    ${renderMap(points, around, to, ROOT, view.asked.at)}
    <figcaption>
      ${renderMapLinks(around, points, to)} ${cut} ${unplaced}Map data: Natural Earth.
    </figcaption>
  </figure>`;
}

/** The Sites that had matching equipment in the past. */
function formerSection(view: SitesView): Content {
  const { search, former } = view;
  const { elements, totalElements } = former;
  if (elements.length === 0) return null;
  const all = counted(totalElements, 'further site');
  const first = elements.length < totalElements ? ` The first ${elements.length}.` : '';
  const caption = `${all} had equipment that matches “${search.text}” in the past.${first}`;
  return section('former', 'Former equipment', [
    table(
      columnsAt(view.asked.at).map(([column]) => column),
      elements,
      { caption, name: 'sites' },
    ),
  ]);
}

/** The page of all Sites: search, map and table. */
export function renderSitesPage(view: SitesView): string {
  const { search, found, former, nearest, map } = view;
  const { sort } = search;
  const { elements, totalElements } = found;
  const sorted = sortText(sort);
  const to = (query: QueryValues): string =>
    href(ROOT, PATHS.sites, {
      query: {
        ...filtersOf(view),
        map: map ?? undefined,
        sort: sorted === 'id' ? undefined : sorted,
        ...query,
      },
    });
  const columns = columnsAt(view.asked.at);
  const head = (label: string, index: number): Html => {
    const [, by] = columns[index]!;
    if (by === undefined) return html`<th scope="col">${label}</th> `;
    const here = by === sort.by;
    const url = to({ sort: sortText({ by, descending: here && !sort.descending }) });
    return html`<th
      scope="col"
      ${here && html`aria-sort="${sort.descending ? 'descending' : 'ascending'}"`}
    >
      <a href="${url}">${label}</a>
    </th> `;
  };
  const sites = table(
    columns.map(([column]) => column),
    elements,
    { caption: captionAt(search.at), name: 'sites', head },
  );
  const unfiltered = Object.fromEntries(
    Object.keys(filtersOf(view)).map((name) => [name, undefined]),
  );
  return renderPage({
    root: ROOT,
    title: 'Sites',
    section: 'sites',
    json: [sitesAsJson(view), setupsAsJson(view)],
    content: html`${searchForm(view, to(unfiltered))}
      <p role="status">${foundWords(view)}</p>
      ${hasDownloads(view) && downloads(view)}
      <div class="mapped">
        ${mapOf(view, to)}
        <div id="list">
          ${elements.length > 0 && sites}
          ${renderPageLinks('Pages of sites', search, found, (number) => to({ page: number }))}
        </div>
      </div>
      ${formerSection(view)}
      ${totalElements === 0 && former.totalElements === 0 && similar(nearest)}`,
  });
}
