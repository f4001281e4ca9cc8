import type { CorsSite } from '../../schemas/index.js';
import type { QueryValues } from '../links.js';
import type { SitePlace } from '../store/read/sites/list.js';
import type { FoundSite } from '../store/read/sites/page.js';
import type { SiteThen } from '../store/read/sites/sites.js';
import { boxAroundPoints } from './map/area.js';
import { renderLocalMap } from './map/world-map.js';
import { type Content, type Html, html, joined } from './page/html.js';
import { shownId, siteLink } from './page/layout.js';
import { unbroken } from './page/words.js';

/** The map around a Site, with its neighbours. */

const ROOT = '..';
/** The least height and width of the map, in degrees. */
const SMALLEST = 1;

/** A Site as the map shows it; null if its position is unknown. */
function placeOf(site: CorsSite, shortestId: string): SitePlace | null {
  const { latitude, longitude, country, countryCode } = site.location;
  if (latitude === null || longitude === null) return null;
  return { shortestId, name: site.name, country, countryCode, latitude, longitude };
}

/** "ALIC 12 km". @param query the times of the page of the neighbour */
function neighbourLink(
  neighbour: FoundSite,
  shared: ReadonlySet<string>,
  query: QueryValues,
): Html {
  const { distance } = neighbour;
  const { fourCharacterId: four, nineCharacterId: nine } = neighbour;
  const link = siteLink(ROOT, shownId(four, nine, shared), nine, query);
  if (distance == null) return html`<span class="id">${link}</span>`;
  const kilometres = distance < 10 ? Number(distance.toPrecision(2)) : Math.round(distance);
  return html`<span class="id">${link} ${kilometres} km</span>`;
}

/**
 * The map and the list of the neighbours of a Site; nothing if its position is unknown.
 * @param neighbours the nearest ones first
 * @param radius within which they are, in kilometres
 * @param shared the four characters that several Sites have
 */
export function renderNeighbours(
  { site, shortestId, asOf }: SiteThen,
  neighbours: FoundSite[],
  radius: number,
  shared: ReadonlySet<string>,
): Content {
  const own = placeOf(site, shortestId);
  if (own === null) return null;
  const others = neighbours.map((each) =>
    placeOf(each, each.nineCharacterId ?? shownId(each.fourCharacterId, null, shared)),
  );
  const places = [own, ...others.filter((each) => each !== null)];
  const map = renderLocalMap(places, boxAroundPoints(places, SMALLEST)!, ROOT, { asOf });
  const words =
    neighbours.length === 0
      ? unbroken(`No other site of this service is within ${radius} km.`)
      : html`Nearest sites:
        ${joined(
          neighbours.map((each) => neighbourLink(each, shared, { asOf })),
          ', ',
        )}`;
  return html`<figure class="local">
    ${map}
    <figcaption>${words}</figcaption>
  </figure>`;
}
