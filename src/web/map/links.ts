import type { QueryValues } from '../../links.js';
import type { Box } from '../../requests/place.js';
import type { SitePlace } from '../../store/read/sites/list.js';
import { type Html, html, joined, list } from '../page/html.js';
import { boxAroundPoints, queryOf, REGIONS, scaled } from './area.js';
import { renderFold } from '../page/folding.js';
import { numberWords } from '../page/words.js';

/** The links that zoom a map. */

/** What sites are listed under whose country is unknown or not in the list of countries. */
const NO_COUNTRY = 'Other or unknown';

/**
 * The points of each country, by its name: the most frequent one in the site logs that is not a
 * code, or else the code.
 */
function byCountry(points: SitePlace[]): [name: string, points: SitePlace[]][] {
  const countryName = (code: string | null, some: SitePlace[]): string => {
    if (code === null) return NO_COUNTRY;
    const written = some.flatMap(({ country }) =>
      country === null || /^[A-Za-z]{2,3}$/.test(country) ? [] : [country],
    );
    const byFrequency = [...Map.groupBy(written, (name) => name)].sort(
      ([, a], [, b]) => b.length - a.length,
    );
    return byFrequency[0]?.[0] ?? code;
  };
  return [...Map.groupBy(points, ({ countryCode }) => countryCode)]
    .map(([code, some]): [string, SitePlace[]] => [countryName(code, some), some])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * The links to the world, the Sites, a smaller or larger area, the continents and the countries of
 * the Sites.
 * @param area what the map shows; null for the whole world
 * @param to the URL of the page with other parameters
 */
export function renderMapLinks(
  area: Box | null,
  points: SitePlace[],
  to: (query: QueryValues) => string,
): Html {
  const countries = byCountry(points);
  // Search engines would follow these links for ever.
  const link = (query: QueryValues, words: string): Html =>
    html`<a href="${to(query)}" rel="nofollow">${words}</a>`;
  const toArea = (box: Box, words: string): Html => link(queryOf(box), words);
  return html`<nav class="zoom" aria-label="Map">
    ${
      area !== null && [
        toArea(scaled(area, 0.5), 'Zoom in'),
        ' ',
        toArea(scaled(area, 2), 'Zoom out'),
        ' ',
      ]
    }
    ${link({ bbox: undefined, map: 'world' }, 'World')}
    ${points.length > 0 && link({ bbox: undefined, map: 'sites' }, 'These sites')}
    ${joined(
      REGIONS.map(([name, box]) => toArea(box, name)),
      ' ',
    )}
    ${
      countries.length > 1 &&
      renderFold(
        `${numberWords(countries.length)} countries`,
        list(
          countries.map(([name, some]) => [
            toArea(boxAroundPoints(some)!, name),
            ' ',
            numberWords(some.length),
          ]),
          'countries',
        ),
      )
    }
  </nav>`;
}
