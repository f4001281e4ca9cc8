import { CORS_SITES, type EquipmentType, SATELLITE_SYSTEMS, SETUPS } from '../../schemas/index.js';
import { countryName, countryNamed } from '../site-log/country.js';
import { exportPathOf, href, PATHS, pathOf, type QueryValues, searchPathOf } from '../links.js';
import type { Device } from '../store/read/devices/devices.js';
import {
  SITE_ORDERS,
  type SiteList,
  type SitePlace,
  type SiteSearch,
  type SiteSummary,
} from '../store/read/sites/list.js';
import type { SiteName } from '../store/read/sites/sites.js';
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
import { deviceLink, typeLink, typeList } from './type-lists.js';
import { counted, numberWords, shortTime, systemName, when, whyNoSites } from './page/words.js';
import { boxAroundPoints, boxText, widthOf } from './map/area.js';
import { renderMapLinks } from './map/links.js';
import { renderMap } from './map/world-map.js';
import { renderDownloads, renderSoftwareDownloads } from './downloads.js';

/** The Sites, devices and types of equipment that are similar to a text. */
export interface Nearest {
  sites: SiteName[];
  devices: Device[];
  types: { equipmentType: EquipmentType; type: string }[];
}

/** The filters besides words and area, as the query has them. */
export interface AskedSites {
  agency: string[] | undefined;
  satelliteSystem: string[] | undefined;
  at: string | undefined;
}

/** The content of the page of all Sites. */
export interface SitesView extends SiteList {
  search: SiteSearch;
  /** The filters of the search as they were asked for. */
  asked: AskedSites;
  /** If there is no Site at all: how many are retired. */
  retired: number;
  /** If no Site was found: what may have been meant. */
  nearest: Nearest;
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

/** The completeness of a Setup, in numbers and as a bar. */
function completeness({ current }: SiteSummary): Content {
  if (current === null || current.asked === 0) return null;
  const { known, asked } = current;
  const width = `${Math.round((known / asked) * 100)}%`;
  return html`<svg class="share"><rect width="${width}" /></svg> ${known} of ${asked}`;
}

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
  Object.values(asked).some((value) => value !== undefined);

/** Whether not all Sites are asked for. */
export const isFiltered = ({ search: { text, box }, asked }: Asked): boolean =>
  text !== '' || box !== null || hasOtherFilters({ asked });

/** Why no Site was found. */
function nothingFound(view: SitesView): Content {
  const { text, box } = view.search;
  if (!isFiltered(view)) return whyNoSites(view.retired);
  if (hasOtherFilters(view)) return 'No site matches all of these filters.';
  return text === ''
    ? 'There are no sites in this area.'
    : `No site${box === null ? '' : ' in this area'} matches “${text}”.`;
}

/** In the order of {@link SITE_ORDERS}, the properties to sort by. */
const COLUMNS: Column<SiteSummary>[] = [
  ['Site', ({ shortestId }) => siteLink(ROOT, shortestId), { isHeader: true }],
  ['Name', ({ name, city }) => name ?? city ?? 'unknown'],
  ['Country', countryOf],
  [
    'Receiver',
    ({ current }) =>
      current === null ? 'no Setup' : typeList(ROOT, 'gnss receiver', current.receivers),
  ],
  [
    'Antenna',
    ({ current }) =>
      current === null ? 'no Setup' : typeList(ROOT, 'gnss antenna', current.antennas),
  ],
  ['Since', ({ current }) => current && when(current.since)],
  ['Known', completeness, { name: 'known' }],
];

const CAPTION =
  'The sites and the equipment of their current Setups. ' +
  'Known: how many of the applicable site log values are known.';

/** The parameters that find the same Sites elsewhere. */
const filtersOf = ({ search: { text, box }, asked }: Asked): QueryValues => ({
  q: text === '' ? undefined : text,
  bbox: box === null ? undefined : boxText(box),
  agency: asked.agency,
  satelliteSystem: asked.satelliteSystem,
  at: asked.at,
});

/** The downloads of the Sites found, which include those with former equipment. */
function downloads(view: SitesView): Content {
  const { search, found, former } = view;
  const { at: _, ...ofAnyTime } = filtersOf(view);
  const filters = filtersOf(view);
  const at = search.at ?? undefined;
  if (search.text === '' && !hasOtherFilters(view)) {
    const which = search.box === null ? 'all sites' : 'the sites in this area';
    return [
      renderDownloads(ROOT, 'sites', filters, which),
      renderDownloads(ROOT, 'installations', filters, `all equipment of ${which}`),
      renderSoftwareDownloads(ROOT, filters, which),
    ];
  }
  const which =
    former.totalElements === 0
      ? 'these sites'
      : 'these sites, and those with such equipment in the past';
  const ids = found.elements.map(({ shortestId }) => shortestId);
  return [
    renderDownloads(ROOT, 'sites', filters, which),
    ids.length > 0 &&
      ids.length <= MOST_IDS &&
      renderDownloads(ROOT, 'installations', { site: ids }, 'all equipment of these sites'),
    renderSoftwareDownloads(ROOT, ofAnyTime, which, at),
  ];
}

/** Links to what may have been meant. */
function similar({ sites, devices, types }: Nearest): Content {
  return (
    sites.length + devices.length + types.length > 0 &&
    html`<p>Similar:</p>
      ${list([
        ...sites.map(({ shortestId, name }) => [siteLink(ROOT, shortestId), ' ', name]),
        ...devices.map((device) => deviceLink(ROOT, device)),
        ...types.map(({ equipmentType, type }) => typeLink(ROOT, equipmentType, type)),
      ])}`
  );
}

/** The most Sites whose current Setups are requested by id; a longer URL would be unwieldy. */
const MOST_IDS = 50;

/** The JSON resources for the page. The API has only two of the orders. */
function jsonOf(view: SitesView): JsonLink[] {
  const { search, asked } = view;
  const { elements, totalElements } = view.found;
  const { text, page, size, sort } = search;
  const ids = elements.map(({ shortestId }) => shortestId);
  const property = { id: 'fourCharacterId', name: 'name' }[sort.by as string];
  const order =
    property === undefined ? undefined : `${property},${sort.descending ? 'desc' : 'asc'}`;
  // With search words or another order, this page of the API would have other Sites, so the link
  // leads to the first page.
  const isSameList = text === '' && sort.by === 'id';
  const query = {
    ...filtersOf(view),
    page: page > 0 && isSameList ? page : undefined,
    size,
    sort: order,
  };
  const these = isSameList || totalElements <= size ? 'These Sites' : 'The Sites of all pages';
  // The collection knows no receivers and instants; the export does.
  const isCollection = asked.satelliteSystem === undefined && asked.at === undefined;
  const found = {
    title: text === '' ? these : `${these}, and those with such equipment in the past`,
    href: isCollection
      ? href(ROOT, pathOf(CORS_SITES), { query })
      : href(ROOT, exportPathOf('sites', 'ndjson'), { query: filtersOf(view) }),
  };
  if (ids.length === 0 || ids.length > MOST_IDS) {
    return [
      found,
      {
        title: 'The current Setups of all Sites',
        href: href(ROOT, pathOf(SETUPS), { query: { current: true, size } }),
      },
    ];
  }
  const setups = href(ROOT, searchPathOf(SETUPS, 'findCurrentByFourCharacterIdIn'), {
    query: { id: ids },
  });
  return [found, { title: 'The current Setups of these Sites', href: setups }];
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

/** The fields of the filters by agency, satellite system and time. */
function filterFields({ agency = [], satelliteSystem = [], at }: AskedSites): Html {
  const [firstAgency, ...otherAgencies] = agency;
  const [firstSystem, ...otherSystems] = satelliteSystem;
  return html`${textField('agency', 'Agency', firstAgency, 'Geoscience*')}
  ${hiddenFields(['agency', otherAgencies])}
  ${select('satelliteSystem', 'Receiver tracks', firstSystem, systemOptions(firstSystem))}
  ${hiddenFields(['satelliteSystem', otherSystems])} ${textField('at', 'At', at, '2016-11-13')}`;
}

/** The form that searches Sites. @param all the URL of all Sites */
function searchForm(asked: Asked, all: string): Html {
  const { text, box, sort } = asked.search;
  const sorted = sortText(sort);
  const attributes = html`type="search" size="30" maxlength="200" aria-describedby="q-fields"`;
  return html`<form class="search" method="get" action="${href(ROOT, PATHS.sites)}" role="search">
    ${field('q', 'Search', text, attributes)} ${filterFields(asked.asked)}
    ${sorted !== 'id' && html`<input type="hidden" name="sort" value="${sorted}" />`}
    ${box !== null && html`<input type="hidden" name="bbox" value="${boxText(box)}" />`}
    <button>Search</button>
    ${isFiltered(asked) && html`<a href="${all}">All sites</a>`}
    <small id="q-fields"
      >Searches id, name, place, country and DOMES number, and type, manufacturer and serial number
      of the equipment. Sites that had such equipment in the past are listed separately.</small
    >
  </form>`;
}

/** What the filter by satellite systems means for the Sites found; null without it. */
function systemWords({ search: { systems, at } }: SitesView): string | null {
  if (systems === null) return null;
  const names = systems.map((all) => all.map(systemName).join(' and ')).join(' or ');
  const time = at === null ? 'at some time' : `at ${shortTime(at)}`;
  return ` A receiver there tracked ${names} ${time}.`;
}

/** How many Sites were found, and which of them are shown. */
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
    isPart && `, showing ${numberWords(first)} to ${numberWords(last)}`,
    '.',
    country !== null && ` Those in ${country} come first.`,
    systemWords(view),
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
  if (map === null && search.box === null && !areApart(points))
    return html`<p><a href="${to({ map: 'sites' })}" rel="nofollow">Show on a map</a></p>`;
  const around = map === 'world' ? null : (search.box ?? boxAroundPoints(points, LEAST_FIT));
  const [cut, unplaced] = notOnMap(view);
  return html`<figure>
    <a class="skip" href="#list">Skip the map</a>
    ${renderMap(points, around, to)}
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
    table(COLUMNS, elements, { caption, name: 'sites' }),
    renderDownloads(ROOT, 'sites', filtersOf(view), 'all sites that match, now or in the past'),
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
  const head = (label: string, index: number): Html => {
    const by = SITE_ORDERS[index]!;
    const here = by === sort.by;
    const url = to({ sort: sortText({ by, descending: here && !sort.descending }) });
    return html`<th
      scope="col"
      ${here && html`aria-sort="${sort.descending ? 'descending' : 'ascending'}"`}
    >
      <a href="${url}">${label}</a>
    </th> `;
  };
  const sites = table(COLUMNS, elements, { caption: CAPTION, name: 'sites', head });
  const unfiltered = Object.fromEntries(
    Object.keys(filtersOf(view)).map((name) => [name, undefined]),
  );
  return renderPage({
    root: ROOT,
    title: 'Sites',
    section: 'sites',
    json: jsonOf(view),
    content: html`${searchForm(view, to(unfiltered))}
      <p role="status">${foundWords(view)}</p>
      <div class="mapped">
        ${mapOf(view, to)}
        <div id="list">
          ${elements.length > 0 && [sites, downloads(view)]}
          ${renderPageLinks('Pages of sites', search, found, (number) => to({ page: number }))}
        </div>
      </div>
      ${formerSection(view)}
      ${totalElements === 0 && former.totalElements === 0 && similar(nearest)}`,
  });
}
