import Database from 'better-sqlite3';
import { openReader } from '../../src/store/open.js';

/** What an interrupted import has left in a database. */
export interface Found {
  /** The current Setups of each Site, as JSON of their periods and equipment. */
  setups: Map<string, string>;
  /** What the engine finds damaged. */
  damage: string[];
}

/** A statement for either engine. */
export const CURRENT_SETUPS = `SELECT four_character_id AS id, effective_from AS "from", effective_to AS "to", equipment_in_use AS equipment
  FROM setup JOIN site ON site.id = site_id WHERE superseded_at IS NULL ORDER BY four_character_id, effective_from`;

/** A row of {@link CURRENT_SETUPS}. */
export interface SetupRow {
  id: string;
  from: string;
  to: string | null;
  equipment: string;
}

/** The Setups of each Site, by its id. */
export function setupsOf(rows: SetupRow[]): Map<string, string> {
  const bySite = new Map<string, [string, string | null, string][]>();
  for (const { id, from, to, equipment } of rows) bySite.set(id, [...(bySite.get(id) ?? []), [from, to, equipment]]);
  return new Map([...bySite].map(([id, setups]) => [id, JSON.stringify(setups)]));
}

/** Reads a SQLite file after an import was interrupted; null if nothing was committed. */
export async function findInFile(database: string): Promise<Found | null> {
  try {
    // As the service does, which rolls back what was not committed.
    await (await openReader(database)).close();
  } catch (error) {
    if (/is empty; create it with/.test((error as Error).message)) return null;
    throw error;
  }
  const db = new Database(database, { readonly: true, fileMustExist: true });
  const integrity = db.pragma('integrity_check', { simple: true });
  const references = db.pragma('foreign_key_check') as unknown[];
  const setups = setupsOf(db.prepare<[], SetupRow>(CURRENT_SETUPS).all());
  db.close();
  const damage = [
    ...(integrity === 'ok' ? [] : [`integrity_check: ${String(integrity)}`]),
    ...(references.length === 0 ? [] : [`foreign_key_check: ${references.length} rows`]),
  ];
  return { setups, damage };
}
