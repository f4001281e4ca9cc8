import type { SiteId } from '../../requests/site-id.js';
import type { Connection } from './connection.js';

/** If the log of a Site gives only four characters, any nine-character id that begins with them identifies it. */
const NUMBER = `SELECT id FROM site WHERE four_character_id = :fourCharacterId
  AND (nine_character_id IS NULL OR coalesce(:nineCharacterId, nine_character_id) = nine_character_id)`;

/** The number of the Site with an id; undefined if there is none. */
export const siteNumberOf = (connection: Connection, { fourCharacterId, nineCharacterId }: SiteId): number | undefined =>
  connection.get<{ id: number }>(NUMBER, { fourCharacterId, nineCharacterId })?.id;
