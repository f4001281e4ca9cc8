import type { QueryValues } from '../../links.js';
import type { Box } from '../../requests/place.js';
import { countryName } from '../../site-log/values/country.js';
import type { SitesInCountry } from '../../store/read/sites/list.js';
import { type Content, type Html, html, joined, list } from '../page/html.js';
import { queryOf, REGIONS, scaled } from './area.js';
import { numberWords } from '../page/words.js';

/** The links that zoom a map, and the countries of its Sites. */

/** What sites are listed under whose country is unknown or not in the list of countries. */
const NO_COUNTRY = 'Other or unknown';

/** A country as it is named, and how many Sites it has. */
export interface Country {
  name: string;
  /** Null for {@link NO_COUNTRY}. */
  code: string | null;
  sites: number;
}

/** The countries by their names, not those of the site logs; Sites without one are last. */
export function countriesOf(
  counted: readonly Pick<SitesInCountry, 'countryCode' | 'sites'>[],
): Country[] {
  const byCode = new Map<string | null, number>();
  for (const { countryCode: code, sites } of counted)
    byCode.set(code, (byCode.get(code) ?? 0) + sites);
  return [...byCode]
    .map(([code, sites]) => {
      const name = code === null ? NO_COUNTRY : (countryName(code) ?? code);
      return { name, code, sites };
    })
    .sort(
      (a, b) =>
        Number(a.code === null) - Number(b.code === null) || a.name.localeCompare(b.name, 'en'),
    );
}

/** How many countries there are; {@link NO_COUNTRY} is none. */
export const countCountries = (countries: readonly Country[]): number =>
  countries.filter(({ code }) => code !== null).length;

/** The word for some countries, behind their number. */
export const countryWord = (count: number): string => (count === 1 ? 'country' : 'countries');

/** The countries with the most Sites, the most frequent first. */
export const mostFrequent = (countries: readonly Country[], most: number): Country[] =>
  countries.toSorted((a, b) => b.sites - a.sites).slice(0, most);

/**
 * The countries, each with a link to its Sites. No filter finds the Sites without a known country,
 * so these are only counted.
 * @param to the URL of the page of Sites with other parameters
 */
export function renderCountries(
  countries: readonly Country[],
  to: (query: QueryValues) => string,
): Html {
  // Search engines would follow these links for ever.
  const link = ({ name, code }: Country): Content =>
    code === null
      ? name
      : html`<a href="${to({ countryCode: code, map: undefined })}" rel="nofollow"
          >${name} (${code})</a
        >`;
  return list(
    countries.map((country) => [link(country), ' ', numberWords(country.sites)]),
    'countries',
  );
}

/**
 * The links to the world, the Sites, a smaller or larger area, and the continents.
 * @param area what the map shows; null for the whole world
 * @param to the URL of the page with other parameters
 */
export function renderMapLinks(area: Box | null, to: (query: QueryValues) => string): Html {
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
    ${link({ bbox: undefined, map: 'sites' }, 'These sites')}
    ${joined(
      REGIONS.map(([name, box]) => toArea(box, name)),
      ' ',
    )}
  </nav>`;
}
