import { CORS_SITES, type EquipmentType, SETUPS } from '../../schemas/index.js';
import { href, PATHS, pathOf, type QueryValues, searchPathOf } from '../links.js';
import type { Device } from '../store/read/devices.js';
import type { SiteList, SiteName, SiteOrder, SitePlace, SiteSearch, SiteSummary } from '../store/read/site-searches.js';
import { type Content, type Html, html, list } from './html.js';
import { field, type JsonLink, renderPage, renderPageLinks, siteLink } from './layout.js';
import { deviceLink, typeLink, typeList } from './type-lists.js';
import { counted, numberWords, when } from './words.js';
import { boxAround, boxText, widthOf } from './map-area.js';
import { renderMapLinks } from './map-links.js';
import { renderMap } from './world-map.js';
import { renderDownloads, renderSoftwareDownloads } from './downloads.js';
import type { Box } from '../requests/place.js';

/** The Sites, devices and types of equipment that are similar to a text. */
export interface Nearest {
  sites: SiteName[];
  devices: Device[];
  types: { equipmentType: EquipmentType; type: string }[];
}

/** The content of the page of all Sites. */
export interface SitesView extends SiteList {
  search: SiteSearch;
  /** If no Site was found: what may have been meant. */
  nearest: Nearest;
  /** What the map shows: the whole world or the area of the Sites; null for what fits the search. */
  map: 'world' | 'sites' | null;
}

const ROOT = '.';
/** The least height and width of a map that nobody asked to zoom, in degrees: there is some coast to recognize. */
const LEAST_FIT = 12;
/** Sites that are closer to each other than this have a map only on request, in degrees. */
const LOCAL = 2;

/** The columns of the table, from left to right. */
const COLUMNS: [SiteOrder, string][] = [
  ['id', 'Site'],
  ['name', 'Name'],
  ['country', 'Country'],
  ['receiver', 'Receiver'],
  ['antenna', 'Antenna'],
  ['since', 'Since'],
  ['known', 'Known'],
];

/** The completeness of a Setup, in numbers and as a bar. */
function completeness(current: SiteSummary['current']): Content {
  if (current === null || current.asked === 0) return '–';
  const { known, asked } = current;
  const width = `${Math.round((known / asked) * 100)}%`;
  return html`<svg class="share"><rect width="${width}" /></svg> ${known} of ${asked}`;
}

/** The country code of a Site, with the text in the log as its title; only that text if it does not name a known country. */
function countryOf({ country, countryCode, nineCharacterId }: SiteSummary): Content {
  if (countryCode === null || country === null || country === countryCode)
    return countryCode ?? country ?? nineCharacterId?.slice(6) ?? 'unknown';
  return html`<span title="${country}">${countryCode}</span>`;
}

/** Why no Site was found. */
function nothingFound({ text, box }: SiteSearch): Content {
  if (text === '' && box === null) return 'No site log has been imported yet.';
  return text === '' ? 'There are no sites in this area.' : `No site${box === null ? '' : ' in this area'} matches “${text}”.`;
}

function row(site: SiteSummary): Html {
  const { shortestId, name, city, current } = site;
  return html`<tr>
    <th scope="row">${siteLink(ROOT, shortestId)}</th>
    <td>${name ?? city ?? 'unknown'}</td>
    <td>${countryOf(site)}</td>
    <td>${current === null ? 'no Setup' : typeList(ROOT, 'gnss receiver', current.receivers)}</td>
    <td>${current === null ? 'no Setup' : typeList(ROOT, 'gnss antenna', current.antennas)}</td>
    <td>${current === null ? '–' : when(current.since)}</td>
    <td class="known">${completeness(current)}</td>
  </tr> `;
}

const CAPTION = 'The sites and the equipment of their current Setups. Known: how many of the applicable site log values are known.';

const siteTable = (caption: string, sites: SiteSummary[], header: Html[]): Html =>
  html`<table class="sites">
    <caption>
      ${caption}
    </caption>
    <thead>
      <tr>
        ${header}
      </tr>
    </thead>
    <tbody>
      ${sites.map(row)}
    </tbody>
  </table>`;

/** The downloads of the Sites found, which include those with former equipment. */
function downloads({ search: { text, box }, found: { elements }, former }: SitesView): Content {
  const bbox = box === null ? undefined : boxText(box);
  if (text === '') {
    const which = box === null ? 'all sites' : 'the sites in this area';
    return [
      renderDownloads(ROOT, 'sites', { bbox }, which),
      renderDownloads(ROOT, 'installations', { bbox }, `all equipment of ${which}`),
      renderSoftwareDownloads(ROOT, { bbox }, which),
    ];
  }
  const which = former.totalElements === 0 ? 'these sites' : 'these sites, and those with such equipment in the past';
  return [
    renderDownloads(ROOT, 'sites', { q: text, bbox }, which),
    elements.length > 0 &&
      elements.length <= MOST_IDS &&
      renderDownloads(ROOT, 'installations', { site: elements.map(({ shortestId }) => shortestId) }, 'all equipment of these sites'),
    renderSoftwareDownloads(ROOT, { q: text, bbox }, which),
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
function jsonOf({ search: { text, box, page, size, sort }, found: { elements } }: SitesView): JsonLink[] {
  const ids = elements.slice(0, MOST_IDS + 1).map(({ shortestId }) => shortestId);
  const property = { id: 'fourCharacterId', name: 'name' }[sort.by as string];
  const order = property === undefined ? undefined : `${property},${sort.descending ? 'desc' : 'asc'}`;
  const query = {
    q: text === '' ? undefined : text,
    bbox: box === null ? undefined : boxText(box),
    page: page > 0 ? page : undefined,
    size,
    sort: order,
  };
  const listable = ids.length > 0 && ids.length <= MOST_IDS;
  return [
    {
      title: text === '' ? 'These Sites' : 'These Sites, and those with such equipment in the past',
      href: href(ROOT, pathOf(CORS_SITES), { query }),
    },
    listable
      ? {
          title: 'The current Setups of these Sites',
          href: href(ROOT, searchPathOf(SETUPS, 'findCurrentByFourCharacterIdIn'), { query: { id: ids } }),
        }
      : { title: 'The current Setups of all Sites', href: href(ROOT, pathOf(SETUPS), { query: { current: true, size } }) },
  ];
}

/** Whether Sites are so far apart that a map says something about them. */
function areApart(points: SitePlace[]): boolean {
  const box = boxAround(points)!;
  return Math.max(widthOf(box), box.north - box.south) > LOCAL;
}

/** The page of all Sites: search, map and table. */
export function renderSitesPage(view: SitesView): string {
  const { search, found, places, former, nearest, map } = view;
  const { text, box, sort, page, size } = search;
  const { elements, totalElements } = found;
  const kept = { q: text === '' ? undefined : text, bbox: box === null ? undefined : boxText(box), map: map ?? undefined };
  const sorted = `${sort.by}${sort.descending ? ',desc' : ''}`;
  const to = (query: QueryValues): string =>
    href(ROOT, PATHS.sites, { query: { ...kept, sort: sorted === 'id' ? undefined : sorted, ...query } });
  const points = places.elements;
  const ofSite = (id: string): string => href(ROOT, PATHS.site, { site: id });
  const ofBox = (area: Box): string => to({ bbox: boxText(area), map: undefined });
  const around = map === 'world' ? null : (box ?? boxAround(points, LEAST_FIT));
  const header = COLUMNS.map(([by, label]) => {
    const here = by === sort.by;
    const descending = here && !sort.descending;
    return html`<th scope="col" ${here && html`aria-sort="${sort.descending ? 'descending' : 'ascending'}"`}>
      <a href="${to({ sort: `${by}${descending ? ',desc' : ''}` })}">${label}</a>
    </th> `;
  });
  const unplaced = Math.max(totalElements - places.totalElements, 0);
  return renderPage({
    root: ROOT,
    title: 'Sites',
    section: 'sites',
    json: jsonOf(view),
    content: html`<form class="search" method="get" action="${href(ROOT, PATHS.sites)}" role="search">
        ${field('q', 'Search', text, html`type="search" size="30" maxlength="200" aria-describedby="q-fields"`)}
        ${sorted !== 'id' && html`<input type="hidden" name="sort" value="${sorted}" />`}
        ${box !== null && html`<input type="hidden" name="bbox" value="${boxText(box)}" />`} <button>Search</button>
        ${(text !== '' || box !== null) && html`<a href="${to({ q: undefined, bbox: undefined })}">All sites</a>`}
        <small id="q-fields"
          >Searches id, name, place, country and DOMES number, and type, manufacturer and serial number of the equipment. Sites that had
          such equipment in the past are listed separately.</small
        >
      </form>
      <p role="status">
        ${totalElements === 0 ? nothingFound(search) : counted(totalElements, 'site')}${
          elements.length > 0 &&
          elements.length < totalElements &&
          `, showing ${numberWords(page * size + 1)} to ${numberWords(page * size + elements.length)}`
        }${totalElements > 0 && '.'}
      </p>
      <div class="mapped">
        ${
          points.length > 0 &&
          (map !== null || box !== null || areApart(points)
            ? html`<figure>
                <a class="skip" href="#list">Skip the map</a>
                ${renderMap(points, around, { hrefOf: ofBox, hrefOfSite: ofSite })}
                <figcaption>
                  ${renderMapLinks({ area: around, points, hrefOf: ofBox, hrefOfExtent: (map) => to({ bbox: undefined, map }) })}
                  ${points.length < places.totalElements && `The map shows the first ${numberWords(points.length)} of ${counted(places.totalElements, 'site')} with a position. `}
                  ${unplaced > 0 && `${counted(unplaced, 'site')} without a position. `}Map data: Natural Earth.
                </figcaption>
              </figure>`
            : html`<p><a href="${to({ map: 'sites' })}" rel="nofollow">Show on a map</a></p>`)
        }
        <div id="list">
          ${elements.length > 0 && [siteTable(CAPTION, elements, header), downloads(view)]}
          ${renderPageLinks('Pages of sites', page, totalElements, size, (number) => to({ page: number }))}
        </div>
      </div>
      ${
        former.elements.length > 0 &&
        html`<section aria-labelledby="former">
          <h2 id="former">Former equipment</h2>
          ${siteTable(
            `${counted(former.totalElements, 'further site')} had equipment that matches “${text}” in the past.${former.elements.length < former.totalElements ? ` The first ${former.elements.length}.` : ''}`,
            former.elements,
            COLUMNS.map(([, label]) => html`<th scope="col">${label}</th> `),
          )}
          ${renderDownloads(ROOT, 'sites', { q: text, bbox: kept.bbox }, 'all sites that match, now or in the past')}
        </section>`
      }
      ${totalElements === 0 && former.totalElements === 0 && similar(nearest)}`,
  });
}
