import { href, PATHS, type QueryValues } from '../../links.js';
import type { Box } from '../../requests/place.js';
import type { SitePlace } from '../../store/read/sites/list.js';
import { type Html, html } from '../page/html.js';
import { boxAroundPoints, queryOf } from './area.js';
import { type Cluster, marksOf, radiusOf } from './clusters.js';
import { renderGraticule, renderScale } from './graticule.js';
import { frameOf, HEIGHT, type MapFrame, recognizableFrameOf, WIDTH } from './projection.js';
import { numberWords } from '../page/words.js';

/** An SVG map of Sites, of the whole world or of an area. */

/** The URL of the page of the map with other parameters. */
type To = (query: QueryValues) => string;

/** Labels of marks further to the right are on their left. */
const RIGHT = WIDTH - 90;
/** How many Sites the title of a group names. */
const MOST_NAMED = 4;
/** How large marks are on wide screens. */
const WIDE = 1.4;
/** How large marks are on narrow screens, where a unit of the map is smaller. */
const NARROW = 2.6;

/** The title of a mark. */
function markTitle(items: SitePlace[]): string {
  const [{ shortestId: id, name }] = items as [SitePlace];
  if (items.length === 1) return name === null ? id : `${id} ${name}`;
  const named = items.slice(0, MOST_NAMED).map(({ shortestId }) => shortestId);
  const rest = items.length - named.length;
  const more = rest > 0 ? ` and ${numberWords(rest)} more` : '';
  return `${numberWords(items.length)} sites: ${named.join(', ')}${more}`;
}

/** The place of a label on a map. */
interface LabelPlace {
  /** Where the text begins, or where it ends. */
  x: number;
  isEnd: boolean;
}

/** Where the label of a mark may stand: on its right, unless the map ends there, or on its left. */
function labelPlaces(x: number, radius: number): [LabelPlace, LabelPlace] {
  const left = { x: x - radius - 5, isEnd: true };
  const right = { x: x + radius + 5, isEnd: false };
  return x > RIGHT ? [left, right] : [right, left];
}

/** The four-character id of a Site at its mark. @param name its class */
function idLabel(id: string, { x, isEnd }: LabelPlace, y: number, name?: string): Html {
  return html`<text
    ${name !== undefined && html`class="${name}"`}
    x="${Math.round(x)}"
    y="${Math.round(y + 5)}"
    ${isEnd && html`text-anchor="end"`}
    >${id.slice(0, 4)}</text
  >`;
}

/**
 * A mark: the number of a group, or the four-character id of a single Site while the pointer is on
 * it; its title has the exact id. No stop for the keyboard: lists lead to the same.
 * @param label of a single Site
 */
function mark(
  cluster: Cluster<SitePlace>,
  radius: number,
  url: string,
  label: Html = idLabel(cluster.items[0]!.shortestId, labelPlaces(cluster.x, radius)[0], cluster.y),
): Html {
  const { x, y, items } = cluster;
  const count = html`<text class="count" x="${x.toFixed(1)}" y="${y.toFixed(1)}"
    >${numberWords(items.length)}</text
  >`;
  return html`<a tabindex="-1" href="${url}"
    ><title>${markTitle(items)}</title
    ><circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${radius}" />${
      items.length === 1 ? label : count
    }</a
  >`;
}

/** The places of Sites that are on a map. */
const placedOn = ({ projection }: MapFrame, points: SitePlace[]): Cluster<SitePlace>[] =>
  points.flatMap((item) => {
    const [x, y] = projection([item.longitude, item.latitude]) ?? [-1, -1];
    return x >= 0 && x <= WIDTH && y >= 0 && y <= HEIGHT ? [{ x, y, items: [item] }] : [];
  });

/** A map with two sets of marks: one for wide screens, one for narrow screens. */
const drawing = (frame: MapFrame, marks: (size: number) => Html[]): Html =>
  html`<svg class="map" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">
    <path class="land" d="${frame.land}" />
    ${frame.borders !== '' && html`<path class="borders" d="${frame.borders}" />`}
    ${renderGraticule(frame)} ${renderScale(frame)}
    <g class="targets">${marks(WIDE)}</g>
    <g class="targets narrow">${marks(NARROW)}</g>
  </svg>`;

/**
 * Renders the map of Sites.
 * @param points at least one
 * @param area what the map shows at least; null for the whole world
 * @param root the relative path from the page to the root of the service
 * @param at the time of the pages that single marks lead to; undefined for the present
 */
export function renderMap(
  points: SitePlace[],
  area: Box | null,
  to: To,
  root: string,
  at: string | undefined,
): Html {
  const frame = frameOf(area);
  const placed = placedOn(frame, points);
  const urlOf = (items: SitePlace[]): string =>
    items.length === 1
      ? href(root, PATHS.site, { site: items[0]!.shortestId, query: { at } })
      : to(queryOf(boxAroundPoints(items)!));
  return drawing(frame, (size) =>
    marksOf(placed, size).map((cluster) =>
      mark(cluster, radiusOf(cluster, size), urlOf(cluster.items)),
    ),
  );
}

/** The size of a label, as a part of the size of marks: it is as high as its text. */
const LABEL = { width: 42, height: 16 };

/** A part of a map that is taken. */
interface Taken {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const overlap = (one: Taken, other: Taken): boolean =>
  one.left < other.right &&
  other.left < one.right &&
  one.top < other.bottom &&
  other.top < one.bottom;

/** A part of a map around a place. */
const boxAround = (x: number, y: number, width: number, height: number): Taken => ({
  left: x - width / 2,
  right: x + width / 2,
  top: y - height / 2,
  bottom: y + height / 2,
});

/**
 * The marks of a Site and its neighbours. The first one is larger and always has a label, others
 * only where it covers nothing.
 */
function labelledMarks(
  placed: Cluster<SitePlace>[],
  size: number,
  urlOf: (id: string) => string,
): Html[] {
  const radius = radiusOf(placed[0]!, size);
  const taken = placed.map(({ x, y }) => boxAround(x, y, 2 * radius, 2 * radius));
  const width = LABEL.width * size;
  const marks = placed.map((cluster, index) => {
    const { x, y, items } = cluster;
    const id = items[0]!.shortestId;
    const places = labelPlaces(x, radius);
    const boxOf = (place: LabelPlace): Taken =>
      boxAround(place.x + (place.isEnd ? -width / 2 : width / 2), y, width, LABEL.height * size);
    const free = places.find((place) => !taken.some((other) => overlap(boxOf(place), other)));
    const place = free ?? places[0];
    const isShown = free !== undefined || index === 0;
    if (isShown) taken.push(boxOf(place));
    const label = idLabel(id, place, y, isShown ? 'shown' : undefined);
    return mark(cluster, index === 0 ? radius * 1.4 : radius, urlOf(id), label);
  });
  // What is drawn last is on top.
  return marks.reverse();
}

/**
 * Renders the map around a Site: its mark is on top and larger, and labels do not overlap.
 * @param points the Site first
 * @param query the times of the pages of Sites
 */
export function renderLocalMap(
  points: SitePlace[],
  area: Box,
  root: string,
  query: QueryValues,
): Html {
  const frame = recognizableFrameOf(area);
  const placed = placedOn(frame, points);
  const urlOf = (site: string): string => href(root, PATHS.site, { site, query });
  return drawing(frame, (size) => labelledMarks(placed, size, urlOf));
}
