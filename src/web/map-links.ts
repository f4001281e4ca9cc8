import type { Box } from '../requests/place.js';
import type { SitePlace } from '../store/read/site-searches.js';
import { type Html, html, joined, list } from './html.js';
import { boxAround, REGIONS, scaled } from './map-area.js';
import { renderFold } from './folding.js';
import { numberWords } from './words.js';

/** The links that zoom a map. */

/** What sites are listed under whose country is unknown or not in the list of countries. */
const NO_COUNTRY = 'Other or unknown';

/** The points of each country, by its name: the most frequent one in the site logs that is not a code, or else the code. */
function byCountry(points: SitePlace[]): [name: string, points: SitePlace[]][] {
  const nameOf = (code: string | null, some: SitePlace[]): string => {
    if (code === null) return NO_COUNTRY;
    const written = some.flatMap(({ country }) => (country === null || /^[A-Za-z]{2,3}$/.test(country) ? [] : [country]));
    const byFrequency = [...Map.groupBy(written, (name) => name)].sort(([, a], [, b]) => b.length - a.length);
    return byFrequency[0]?.[0] ?? code;
  };
  return [...Map.groupBy(points, ({ countryCode }) => countryCode)]
    .map(([code, some]): [string, SitePlace[]] => [nameOf(code, some), some])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** What the links lead to. */
export interface MapLinks {
  /** What the map shows; null for the whole world. */
  area: Box | null;
  points: SitePlace[];
  /** The URL of the page with the map of the whole world, or of the Sites found. */
  hrefOfExtent: (extent: 'world' | 'sites') => string;
  /** The URL of the page with the map of an area. */
  hrefOf: (box: Box) => string;
}

/** The links to the world, the Sites, a smaller or larger area, the continents and the countries of the Sites. */
export function renderMapLinks({ area, points, hrefOfExtent, hrefOf }: MapLinks): Html {
  const countries = byCountry(points);
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
      countries.length > 1 &&
      renderFold(
        `${numberWords(countries.length)} countries`,
        list(
          countries.map(([name, some]) => [link(hrefOf(boxAround(some)!), name), ' ', numberWords(some.length)]),
          'countries',
        ),
      )
    }
  </nav>`;
}
