import type { QueryValues } from '../../links.js';
import type { Box } from '../../requests/place.js';
import type { NetworkPlace } from '../../store/read/network.js';
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
export function pointsByCountry(
  points: readonly NetworkPlace[],
): [name: string, points: NetworkPlace[]][] {
  const countryName = (code: string | null, some: NetworkPlace[]): string => {
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
    .map(([code, some]): [string, NetworkPlace[]] => [countryName(code, some), some])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * The links to the world, the Sites, a smaller or larger area, the continents and the countries of
 * the Sites.
 * @param area what the map shows; null for the whole world
 * @param to the URL of the page with other parameters
 * @param isByCode whether the links to countries find all of their Sites, not those of an area
 */
export function renderMapLinks(
  area: Box | null,
  points: readonly NetworkPlace[],
  to: (query: QueryValues) => string,
  isByCode = false,
): Html {
  const countries = pointsByCountry(points);
  // Search engines would follow these links for ever.
  const link = (query: QueryValues, words: string): Html =>
    html`<a href="${to(query)}" rel="nofollow">${words}</a>`;
  const toArea = (box: Box, words: string): Html => link(queryOf(box), words);
  const inCountry = (name: string, some: readonly NetworkPlace[]): Html => {
    const code = isByCode ? (some[0]!.countryCode ?? null) : null;
    return code === null
      ? toArea(boxAroundPoints(some)!, name)
      : html`<a href="${to({ countryCode: code })}">${name}</a>`;
  };
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
          countries.map(([name, some]) => [inCountry(name, some), ' ', numberWords(some.length)]),
          'countries',
        ),
      )
    }
  </nav>`;
}
