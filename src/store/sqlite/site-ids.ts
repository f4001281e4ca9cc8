import type { SiteId } from '../../requests/site-id.js';
import type { Connection } from './connection.js';

/** A Site whose log gives four characters only goes by any nine-character id that begins with them. */
const NUMBER = `SELECT id FROM site WHERE four_character_id = :fourCharacterId
  AND (nine_character_id IS NULL OR coalesce(:nineCharacterId, nine_character_id) = nine_character_id)`;

/** The number of the Site that an id names; undefined where there is none. */
export const siteNumberOf = (connection: Connection, { fourCharacterId, nineCharacterId }: SiteId): number | undefined =>
  connection.get<{ id: number }>(NUMBER, { fourCharacterId, nineCharacterId })?.id;
