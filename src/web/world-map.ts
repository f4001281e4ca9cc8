import type { Box, Point } from '../requests/place.js';
import { type Html, html } from './html.js';
import { boxAround } from './map-area.js';
import { type Cluster, clustersOf } from './map-clusters.js';
import { renderGraticule, renderScale } from './map-graticule.js';
import { frameOf, HEIGHT, WIDTH, wholeWorld } from './map-projection.js';
import { numberWords } from './words.js';

/** An SVG map of Sites, of the whole world or of an area. */

/** A Site on the map, with its link. */
export interface MapPoint extends Point {
  id: string;
  href: string;
  title: string;
}

/** Labels of marks further to the right are on their left. */
const RIGHT = WIDTH - 90;
/** How many Sites the title of a group names. */
const MOST_NAMED = 12;

/** The visible part of a mark. */
const picture = ({ x, y, radius, items }: Cluster<MapPoint>): Html =>
  html`<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${radius}" />${
      items.length > 1 && html`<text x="${x.toFixed(1)}" y="${(y + 3.8).toFixed(1)}">${numberWords(items.length)}</text>`
    }`;

/** The link of a mark, with a label for pointer and keyboard. It is on top of all pictures, so that none covers the label. */
function target({ x, y, radius, items }: Cluster<MapPoint>, hrefOf: (box: Box) => string): Html {
  const [first] = items as [MapPoint];
  const isSingle = items.length === 1;
  const ids = items.map(({ id }) => id);
  const rest = ids.length - MOST_NAMED;
  const title = isSingle
    ? first.title
    : `${numberWords(ids.length)} sites: ${ids.slice(0, MOST_NAMED).join(', ')}${rest > 0 ? ` and ${numberWords(rest)} more` : ''}`;
  const label = isSingle ? first.id : `${numberWords(ids.length)} sites`;
  const aside = radius + 5;
  const place = x > RIGHT ? html`x="${(x - aside).toFixed(1)}" text-anchor="end"` : html`x="${(x + aside).toFixed(1)}"`;
  return html`<a href="${isSingle ? first.href : hrefOf(boxAround(items)!)}" aria-label="${title}"
    ><circle class="hit" cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${radius + 3}"><title>${title}</title></circle
    ><text ${place} y="${(y + 4.5).toFixed(1)}">${label}</text></a
  > `;
}

/**
 * Renders the map.
 * @param points at least one
 * @param area what the map shows at least; null for the whole world
 * @param hrefOf the URL of the page with the map of an area
 */
export function renderMap(points: MapPoint[], area: Box | null, hrefOf: (box: Box) => string): Html {
  const frame = area === null ? wholeWorld() : frameOf(area);
  const placed = points.flatMap((item) => {
    const place = frame.projection([item.longitude, item.latitude]);
    const [x, y] = place ?? [-1, -1];
    return x >= 0 && x <= WIDTH && y >= 0 && y <= HEIGHT ? [{ x, y, item }] : [];
  });
  const clusters = clustersOf(placed);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Map of the sites">
    <svg class="map" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="group" aria-label="Sites on the map">
      <path class="land" d="${frame.land}" aria-hidden="true" />
      ${renderGraticule(frame)} ${renderScale(frame)}
      <g class="dots" aria-hidden="true">${clusters.map(picture)}</g>
      <g class="targets">${clusters.map((cluster) => target(cluster, hrefOf))}</g>
    </svg>
  </div>`;
}
