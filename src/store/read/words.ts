import sql, { join, type Sql } from 'sql-template-tag';
import { searchWordsOf } from '../../derive/summary.js';
import { allOf, type Dialect } from '../dialect.js';

/** The words that a text must have so that it has all words, the rarest kind (the longest) first: few texts get past it. */
export const neededWordsOf = (text: string): string[] =>
  [...new Set(searchWordsOf(text))]
    .filter((word, _, all) => !all.some((other) => other !== word && other.includes(word)))
    .sort((a, b) => b.length - a.length);

/** What is searched of a Site with its summary, as SQL. */
const CURRENT = ['search_text', 'lower(coalesce(nine_character_id, four_character_id))'];

const allIn = (dialect: Dialect, words: string[], texts: string[]): Sql =>
  allOf(
    words.map((word) => {
      const inEach = texts.map((text) => dialect.contains(text, word));
      return sql`(${join(inEach, ' OR ')})`;
    }),
  );

/** The condition that a Site with its summary has a list of words. */
export const hasWords = (dialect: Dialect, words: string[]): Sql => allIn(dialect, words, CURRENT);

/** The same with its former equipment. */
export const hadWords = (dialect: Dialect, words: string[]): Sql => allIn(dialect, words, ['former_text', ...CURRENT]);
