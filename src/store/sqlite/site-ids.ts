import type { SiteId } from '../../requests/site-id.js';
import type { Connection } from './connection.js';

const SITE = 'SELECT id, nine_character_id FROM site WHERE four_character_id = ?';

/**
 * The number of the Site with an id; undefined if there is none. If the log of a Site gives only four characters, any
 * nine-character id that begins with them identifies it.
 */
export function siteNumberOf(connection: Connection, { fourCharacterId, nineCharacterId }: SiteId): number | undefined {
  const row = connection.get<{ id: number; nine_character_id: string | null }>(SITE, fourCharacterId);
  if (row === undefined) return undefined;
  const isOther = nineCharacterId !== null && row.nine_character_id !== null && row.nine_character_id !== nineCharacterId;
  return isOther ? undefined : row.id;
}
