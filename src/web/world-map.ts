import type { Box } from '../requests/place.js';
import type { SitePlace } from '../store/read/site-searches.js';
import { type Html, html } from './html.js';
import { boxAround } from './map-area.js';
import { type Cluster, clustersOf } from './map-clusters.js';
import { renderGraticule, renderScale } from './map-graticule.js';
import { frameOf, HEIGHT, WIDTH, wholeWorld } from './map-projection.js';
import { numberWords } from './words.js';

/** An SVG map of Sites, of the whole world or of an area. */

/** What the marks of a map link to. */
interface MapHrefs {
  /** The URL of the page with the map of an area. */
  hrefOf: (box: Box) => string;
  /** The URL of the page of a Site. */
  hrefOfSite: (id: string) => string;
}

/** Labels of marks further to the right are on their left. */
const RIGHT = WIDTH - 90;
/** How many Sites the title of a group names. */
const MOST_NAMED = 12;

/** The visible part of a mark. */
const picture = ({ x, y, radius, items }: Cluster<SitePlace>): Html =>
  html`<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${radius}" />${
      items.length > 1 && html`<text x="${x.toFixed(1)}" y="${(y + 3.8).toFixed(1)}">${numberWords(items.length)}</text>`
    }`;

/** The link of a mark, with a label for pointer and keyboard. It is on top of all pictures, so that none covers the label. */
function target({ x, y, radius, items }: Cluster<SitePlace>, { hrefOf, hrefOfSite }: MapHrefs): Html {
  const [{ shortestId: id, name }] = items as [SitePlace];
  const isSingle = items.length === 1;
  const named = items.slice(0, MOST_NAMED).map(({ shortestId }) => shortestId);
  const rest = items.length - named.length;
  const title = isSingle
    ? name === null
      ? id
      : `${id} ${name}`
    : `${numberWords(items.length)} sites: ${named.join(', ')}${rest > 0 ? ` and ${numberWords(rest)} more` : ''}`;
  const label = isSingle ? id : `${numberWords(items.length)} sites`;
  const aside = radius + 5;
  const place = x > RIGHT ? html`x="${(x - aside).toFixed(1)}" text-anchor="end"` : html`x="${(x + aside).toFixed(1)}"`;
  return html`<a href="${isSingle ? hrefOfSite(id) : hrefOf(boxAround(items)!)}" aria-label="${title}"
    ><circle class="hit" cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${radius + 3}"><title>${title}</title></circle
    ><text ${place} y="${(y + 4.5).toFixed(1)}">${label}</text></a
  > `;
}

/**
 * Renders the map.
 * @param points at least one
 * @param area what the map shows at least; null for the whole world
 */
export function renderMap(points: SitePlace[], area: Box | null, hrefs: MapHrefs): Html {
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
      <g class="targets">${clusters.map((cluster) => target(cluster, hrefs))}</g>
    </svg>
  </div>`;
}
