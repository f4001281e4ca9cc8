import { type FoundIds, type Matches, toMatches } from '../rows/sites.js';
import type { Snapshot } from './client.js';
import { Bindings, type Condition, isStorable } from './selection.js';

/** The condition that each of some words is in one of some texts. */
const allIn =
  (words: string[], texts: string[]): Condition =>
  (bindings) => {
    if (!words.every(isStorable)) return 'false';
    const each = words.map((word) => {
      const text = bindings.add(word);
      return `(${texts.map((sql) => `strpos(${sql}, ${text}) > 0`).join(' OR ')})`;
    });
    return each.join(' AND ') || 'true';
  };

const CURRENT = ['search_text', 'lower(coalesce(nine_character_id, four_character_id))'];

/** The condition that a Site with its summary has a list of words. */
export const hasWords = (words: string[]): Condition => allIn(words, CURRENT);

/** The same with its former equipment. */
export const hadWords = (words: string[]): Condition => allIn(words, [...CURRENT, 'former_text']);

/** The Sites that have all words, and where. As JSON, because a row for each takes longer. */
export async function findWords(snapshot: Snapshot, words: string[]): Promise<Matches> {
  const bindings = new Bindings();
  const sql = `
    SELECT coalesce(json_agg(id) FILTER (WHERE current), '[]')::text AS current,
      coalesce(json_agg(id) FILTER (WHERE NOT current), '[]')::text AS former
    FROM (
      SELECT site.id, ${hasWords(words)(bindings)} AS current FROM site JOIN site_summary ON site_id = site.id
      WHERE retired_at IS NULL AND ${hadWords(words)(bindings)}) AS found`;
  return toMatches((await snapshot.get<FoundIds>(sql, ...bindings.values))!);
}
