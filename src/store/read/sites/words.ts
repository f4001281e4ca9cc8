import sql, { join, type Sql } from 'sql-template-tag';
import { neededWordsOf } from '../../../derive/summary.js';
import { countryNamed } from '../../../site-log/values/country.js';
import { allOf, type Dialect } from '../../dialect.js';

/** How Sites are found by words. */

/** The conditions on a Site, joined with its summary. */
export interface WordConditions {
  /** Whether it is in the country that all the words together name; null if they name none. */
  inCountry: Sql | null;
  /** Whether it is found without its former equipment. */
  isCurrent: Sql;
  /** Whether it is found, also by its former equipment. */
  isFound: Sql;
}

/** What is searched of a Site with its summary, as SQL. */
const CURRENT_TEXTS = ['search_text', 'lower(coalesce(nine_character_id, four_character_id))'];
const ALL_TEXTS = ['former_text', ...CURRENT_TEXTS];

/** The condition that the texts have all words. */
function hasAll({ contains }: Dialect, words: string[], texts: string[]): Sql {
  const hasWord = (word: string): Sql =>
    sql`(${join(
      texts.map((text) => contains(text, word)),
      ' OR ',
    )})`;
  return allOf(words.map(hasWord));
}

/** What a search for some words finds; null if the text has no words. */
export function wordConditions(dialect: Dialect, text: string): WordConditions | null {
  const words = neededWordsOf(text);
  if (words.length === 0) return null;
  const isCurrent = hasAll(dialect, words, CURRENT_TEXTS);
  const isFound = hasAll(dialect, words, ALL_TEXTS);
  const country = countryNamed(text);
  if (country === null) return { inCountry: null, isCurrent, isFound };
  const inCountry = sql`coalesce(site.country_code, '') = ${country}`;
  return {
    inCountry,
    isCurrent: sql`(${inCountry} OR ${isCurrent})`,
    isFound: sql`(${inCountry} OR ${isFound})`,
  };
}
