import type { QueryValues } from '../../links.js';
import type { Box } from '../../requests/place.js';
import type { SitesInCountry } from '../../store/read/sites/list.js';
import { type Content, type Html, html, joined, list } from '../page/html.js';
import { queryOf, REGIONS, scaled } from './area.js';
import { renderFold } from '../page/folding.js';
import { numberWords } from '../page/words.js';

/** The links that zoom a map. */

/** What sites are listed under whose country is unknown or not in the list of countries. */
const NO_COUNTRY = 'Other or unknown';

/** A country as it is named, and how many Sites it has. */
interface Country {
  name: string;
  /** Null for {@link NO_COUNTRY}. */
  code: string | null;
  sites: number;
}

/**
 * The countries by their names: the most frequent one in the site logs that is not a code, or else
 * the code.
 */
export function countriesOf(counted: readonly SitesInCountry[]): Country[] {
  const byCode = new Map<string | null, Map<string, number>>();
  for (const { country, countryCode: code, sites } of counted) {
    const names = byCode.get(code) ?? new Map<string, number>();
    byCode.set(code, names.set(country ?? '', (names.get(country ?? '') ?? 0) + sites));
  }
  return [...byCode]
    .map(([code, names]) => {
      const [named] = [...names]
        .filter(([name]) => name !== '' && !/^[A-Za-z]{2,3}$/.test(name))
        .sort(([, a], [, b]) => b - a);
      const name = code === null ? NO_COUNTRY : (named?.[0] ?? code);
      return { name, code, sites: [...names.values()].reduce((sum, sites) => sum + sites, 0) };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * The links to the world, the Sites, a smaller or larger area, the continents and the countries of
 * the Sites. No filter finds the Sites without a known country, so these are only counted.
 * @param area what the map shows; null for the whole world
 * @param counted the countries of the Sites, with a position or without
 * @param to the URL of the page with other parameters
 */
export function renderMapLinks(
  area: Box | null,
  counted: readonly SitesInCountry[],
  to: (query: QueryValues) => string,
): Html {
  const countries = countriesOf(counted);
  // Search engines would follow these links for ever.
  const link = (query: QueryValues, words: string): Html =>
    html`<a href="${to(query)}" rel="nofollow">${words}</a>`;
  const toArea = (box: Box, words: string): Html => link(queryOf(box), words);
  const inCountry = ({ name, code }: Country): Content =>
    code === null ? name : link({ countryCode: code, map: undefined }, name);
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
    ${link({ bbox: undefined, map: 'sites' }, 'These sites')}
    ${joined(
      REGIONS.map(([name, box]) => toArea(box, name)),
      ' ',
    )}
    ${
      countries.length > 1 &&
      renderFold(
        `${numberWords(countries.length)} countries`,
        list(
          countries.map((country) => [inCountry(country), ' ', numberWords(country.sites)]),
          'countries',
        ),
      )
    }
  </nav>`;
}
