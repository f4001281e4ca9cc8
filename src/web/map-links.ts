import type { Box } from '../requests/place.js';
import { type Html, html, joined } from './html.js';
import { boxAround, REGIONS, scaled } from './map-area.js';
import { renderFold } from './folding.js';
import { numberWords } from './words.js';
import type { MapPoint } from './world-map.js';

/** The links that zoom a map. */

/** A Site with its country, as the links need it. */
export interface CountryPoint extends MapPoint {
  country: string;
}

/** What the links lead to. */
export interface MapLinks {
  /** What the map shows; null for the whole world. */
  area: Box | null;
  points: CountryPoint[];
  /** The URL of the page with the map of the whole world, or of the Sites found. */
  hrefOfExtent: (extent: 'world' | 'sites') => string;
  /** The URL of the page with the map of an area. */
  hrefOf: (box: Box) => string;
}

/** The links to the world, the Sites, a smaller or larger area, the continents and the countries of the Sites. */
export function renderMapLinks({ area, points, hrefOfExtent, hrefOf }: MapLinks): Html {
  const countries = new Map<string, CountryPoint[]>();
  for (const point of points) countries.set(point.country, [...(countries.get(point.country) ?? []), point]);
  const byName = [...countries].sort(([a], [b]) => (a < b ? -1 : 1));
  // Search engines would follow these links for ever.
  const link = (href: string, words: string): Html => html`<a href="${href}" rel="nofollow">${words}</a>`;
  return html`<nav class="zoom" aria-label="Map">
    ${area !== null && [link(hrefOf(scaled(area, 0.5)), 'Zoom in'), ' ', link(hrefOf(scaled(area, 2)), 'Zoom out'), ' ']}
    ${link(hrefOfExtent('world'), 'World')} ${points.length > 0 && link(hrefOfExtent('sites'), 'These sites')}
    ${joined(
      REGIONS.map(([name, box]) => link(hrefOf(box), name)),
      ' ',
    )}
    ${
      byName.length > 1 &&
      renderFold(
        `${numberWords(byName.length)} countries`,
        html`<ul class="countries">
          ${byName.map(([name, some]) => html`<li>${link(hrefOf(boxAround(some)!), name)} ${numberWords(some.length)}</li> `)}
        </ul>`,
      )
    }
  </nav>`;
}
