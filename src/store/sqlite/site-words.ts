import { type FoundIds, type Matches, toMatches } from '../rows/sites.js';
import type { Connection } from './connection.js';
import type { Condition } from './selection.js';

const CURRENT = '(instr(search_text, ?) > 0 OR instr(lower(coalesce(nine_character_id, four_character_id)), ?) > 0)';
const ANY = `(instr(former_text, ?) > 0 OR ${CURRENT})`;

/** The condition that a Site with its summary has a list of words. */
export const hasWords = (words: string[]): Condition => [
  words.map(() => CURRENT).join(' AND ') || '1',
  ...words.flatMap((word) => [word, word]),
];

/** The same with its former equipment. */
export const hadWords = (words: string[]): Condition => [
  words.map(() => ANY).join(' AND ') || '1',
  ...words.flatMap((word) => [word, word, word]),
];

/** The Sites that have all words, and where. As JSON, because a row for each takes longer. */
export function findWords(connection: Connection, words: string[]): Matches {
  const [current, ...currentValues] = hasWords(words);
  const [any, ...anyValues] = hadWords(words);
  const sql = `
    SELECT json_group_array(id) FILTER (WHERE current) AS current, json_group_array(id) FILTER (WHERE NOT current) AS former
    FROM (SELECT site.id, ${current} AS current FROM site JOIN site_summary ON site_id = site.id WHERE retired_at IS NULL AND ${any})`;
  return toMatches(connection.get<FoundIds>(sql, ...currentValues, ...anyValues)!);
}
