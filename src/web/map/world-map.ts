import { href, PATHS, type QueryValues } from '../../links.js';
import type { Box } from '../../requests/place.js';
import type { SitePlace } from '../../store/read/sites/list.js';
import { type Html, html } from '../page/html.js';
import { boxAroundPoints, queryOf } from './area.js';
import { type Cluster, marksOf, radiusOf } from './clusters.js';
import { renderGraticule, renderScale } from './graticule.js';
import { frameOf, HEIGHT, WIDTH } from './projection.js';
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

/**
 * A mark: the number of a group, or the four-character id of a single Site while the pointer is on
 * it; its title has the exact id. No stop for the keyboard: lists lead to the same.
 */
function mark(
  cluster: Cluster<SitePlace>,
  size: number,
  to: To,
  siteHref: (id: string) => string,
): Html {
  const { x, y, items } = cluster;
  const radius = radiusOf(cluster, size);
  const isSingle = items.length === 1;
  const id = items[0]!.shortestId;
  const aside = x > RIGHT ? -radius - 5 : radius + 5;
  const label = isSingle
    ? html`<text
        x="${Math.round(x + aside)}"
        y="${Math.round(y + 5)}"
        ${aside < 0 && html`text-anchor="end"`}
        >${id.slice(0, 4)}</text
      >`
    : html`<text class="count" x="${x.toFixed(1)}" y="${y.toFixed(1)}"
        >${numberWords(items.length)}</text
      >`;
  const url = isSingle ? siteHref(id) : to(queryOf(boxAroundPoints(items)!));
  return html`<a tabindex="-1" href="${url}"
    ><title>${markTitle(items)}</title
    ><circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${radius}" />${label}</a
  >`;
}

/**
 * Renders the map, with two sets of marks: one for wide screens, one for narrow screens.
 * @param points at least one
 * @param area what the map shows at least; null for the whole world
 * @param root the relative path from the page to the root of the service
 * @param at the time of the pages that single marks lead to; undefined for the present
 */
export function renderMap(
  points: SitePlace[],
  area: Box | null,
  to: To,
  root = '.',
  at?: string,
): Html {
  const frame = frameOf(area);
  const placed = points.flatMap((item) => {
    const place = frame.projection([item.longitude, item.latitude]);
    const [x, y] = place ?? [-1, -1];
    return x >= 0 && x <= WIDTH && y >= 0 && y <= HEIGHT ? [{ x, y, items: [item] }] : [];
  });
  const siteHref = (site: string): string => href(root, PATHS.site, { site, query: { at } });
  const marks = (size: number): Html[] =>
    marksOf(placed, size).map((cluster) => mark(cluster, size, to, siteHref));
  return html`<svg class="map" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">
    <path class="land" d="${frame.land}" />
    ${renderGraticule(frame)} ${renderScale(frame)}
    <g class="targets">${marks(WIDE)}</g>
    <g class="targets narrow">${marks(NARROW)}</g>
  </svg>`;
}
