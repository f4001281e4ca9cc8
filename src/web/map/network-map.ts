import { href, PATHS, type QueryValues } from '../../links.js';
import type { Point } from '../../requests/place.js';
import type { NetworkPlace } from '../../store/read/network.js';
import { ownTurn } from '../../turns.js';
import { renderFold } from '../page/folding.js';
import { type Content, html, type Html, styleElement } from '../page/html.js';
import { counted, numberWords } from '../page/words.js';
import { boxAroundPoints } from './area.js';
import { type Cluster, marksOf, radiusOf } from './clusters.js';
import { renderGraticule, renderScale } from './graticule.js';
import {
  type Country,
  countriesOf,
  countCountries,
  countryWord,
  mostFrequent,
  renderCountries,
  renderMapLinks,
} from './links.js';
import { frameOf, HEIGHT, type MapFrame, WIDTH } from './projection.js';

/** The map of the network: an image of its own, with what is said beside it. */

/** The map, and what stands beside it. */
export interface NetworkMap {
  /** The document of the image. */
  image: string;
  /** What it shows, in words. */
  alternative: string;
  /** The links to the map of the Sites, and to those of each country. */
  links: Content;
}

/** The least height and width of the area, in degrees: there is some coast to recognize. */
const LEAST_FIT = 12;
/** How large marks are. */
const SIZE = 1.4;
/** How many countries the alternative text names. */
const MOST_NAMED = 5;
/** How many countries have links. */
const MOST_LINKED = 30;

/** The colours of the pages, because an image does not have their style. */
const STYLE = `
svg { --sea: #f4f6f8; --land: #d5dae0; --line: #d5dae0; --quiet: #57606a; --mark: #0b57b0; --on-mark: #fff; }
@media screen and (prefers-color-scheme: dark) {
  svg { --sea: #1d2126; --land: #363d46; --line: #363d46; --quiet: #a3adb8; --mark: #7db6f5; --on-mark: #14171b; }
}
svg { font: 16px system-ui, sans-serif; }
.sea { fill: var(--sea); } .land { fill: var(--land); }
.graticule path { fill: none; stroke: var(--line); stroke-width: .7; }
.graticule text, .scale text { fill: var(--quiet); }
.scale path { fill: none; stroke: var(--quiet); }
circle { fill: var(--mark); }
.count { fill: var(--on-mark); font-weight: 600; text-anchor: middle; dominant-baseline: central; }
`;

/** A place with a known position. */
type Placed = NetworkPlace & Point;

const isPlaced = (place: NetworkPlace): place is Placed =>
  place.latitude !== null && place.longitude !== null;

/** The countries of Sites. */
const countriesIn = (sites: readonly NetworkPlace[]): Country[] =>
  countriesOf(sites.map(({ countryCode }) => ({ countryCode, sites: 1 })));

/** Places within as many units become one mark in any case, before others are merged. */
const CELL = 4;

/** The places on the map, those of one cell together. */
function placesOn(frame: MapFrame, places: readonly Placed[]): Cluster<Placed>[] {
  const cells = new Map<string, Cluster<Placed>>();
  for (const place of places) {
    const [x, y] = frame.projection([place.longitude, place.latitude]) ?? [-1, -1];
    if (!(x >= 0 && x <= WIDTH && y >= 0 && y <= HEIGHT)) continue;
    const key = `${Math.round(x / CELL)},${Math.round(y / CELL)}`;
    const known = cells.get(key);
    if (known === undefined) cells.set(key, { x, y, items: [place] });
    else known.items.push(place);
  }
  return [...cells.values()];
}

/** A mark: a dot, or the number of Sites. */
function mark(cluster: Cluster<Placed>): Html {
  const { x, y, items } = cluster;
  const count =
    items.length > 1 &&
    html`<text class="count" x="${x.toFixed(0)}" y="${y.toFixed(0)}"
      >${numberWords(items.length)}</text
    >`;
  return html`<circle
      cx="${x.toFixed(0)}"
      cy="${y.toFixed(0)}"
      r="${radiusOf(cluster, SIZE)}"
    />${count}`;
}

/** The document of the image. */
const imageOf = (frame: MapFrame, marks: Cluster<Placed>[]): string =>
  html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}">
    ${styleElement(STYLE)}
    <rect class="sea" width="${WIDTH}" height="${HEIGHT}" />
    <path class="land" d="${frame.land}" />
    ${renderGraticule(frame)} ${renderScale(frame)} ${marks.map(mark)}
  </svg> `.text;

/** What the map shows, in words: the countries with the most Sites. */
function alternativeOf(places: readonly Placed[]): string {
  const countries = countriesIn(places);
  const most = mostFrequent(countries, MOST_NAMED);
  const rest = countCountries(countries) - countCountries(most);
  const more = rest > 0 ? `, and ${numberWords(rest)} more ${countryWord(rest)}` : '';
  const named = most.map(({ name, sites }) => `${name} ${numberWords(sites)}`).join(', ');
  return `Map of ${counted(places.length, 'site')}: ${named}${more}.`;
}

/** The links to the countries with the most Sites, behind a line. */
function countryLinks(sites: readonly NetworkPlace[], to: (query: QueryValues) => string): Content {
  const countries = countriesIn(sites);
  const most = mostFrequent(countries, MOST_LINKED);
  const [all, listed] = [countCountries(countries), countCountries(most)];
  const words = listed < all ? `, the first ${listed}` : '';
  return renderFold(`Sites by country: ${numberWords(all)}${words}`, renderCountries(most, to));
}

/**
 * The map of the network. Other requests run between its parts.
 * @param sites the places of all Sites
 * @returns null if no position is known
 */
export async function drawNetworkMap(sites: readonly NetworkPlace[]): Promise<NetworkMap | null> {
  const places = sites.filter(isPlaced);
  const area = boxAroundPoints(places, LEAST_FIT);
  if (area === null) return null;
  await ownTurn();
  const frame = frameOf(area);
  await ownTurn();
  const placed = placesOn(frame, places);
  await ownTurn();
  const image = imageOf(frame, marksOf(placed, SIZE));
  await ownTurn();
  const alternative = alternativeOf(places);
  await ownTurn();
  const to = (query: QueryValues): string => href('.', PATHS.sites, { query });
  return { image, alternative, links: [renderMapLinks(area, to), countryLinks(sites, to)] };
}
