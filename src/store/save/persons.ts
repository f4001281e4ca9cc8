import sql, { raw, type Sql } from 'sql-template-tag';
import { KnownPersons } from '../../site-log/known-persons.js';
import type { Database, Transaction } from '../database.js';

/** The persons whom logs name as contacts. Their names are withheld in the remarks of all logs. */

const ALL = sql`SELECT name FROM person ORDER BY name`;
const UNSEARCHED = sql`SELECT name FROM person WHERE searched = 0 ORDER BY name`;

async function personsIn(db: Database, statement: Sql): Promise<KnownPersons> {
  return new KnownPersons((await db.all<{ name: string }>(statement)).map(({ name }) => name));
}

/** All persons. */
export const knownPersons = (db: Database): Promise<KnownPersons> => personsIn(db, ALL);

/** Adds those that are not on record. The remarks of other logs are searched for them later. */
export async function addPersons(transaction: Transaction, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const given = transaction.dialect.rows(names);
  await transaction.run(sql`
    INSERT INTO person (name, searched) SELECT DISTINCT value, 0 FROM ${given} AS given WHERE true ON CONFLICT DO NOTHING`);
}

/** Whether exactly some persons are on record. */
export async function arePersons(db: Database, names: readonly string[]): Promise<boolean> {
  const recorded = await db.all<{ name: string }>(ALL);
  return recorded.length === names.length && recorded.every(({ name }) => names.includes(name));
}

/** Puts some persons on record in place of all others. */
export async function replacePersons(transaction: Transaction, names: readonly string[]): Promise<void> {
  await transaction.run(sql`DELETE FROM person`);
  await transaction.insert(
    'person',
    names.map((name) => ({ name, searched: 1 })),
  );
}

/** Whether the remarks on record are still to be searched for some persons. */
export const hasUnsearched = async (db: Database): Promise<boolean> => (await db.get(UNSEARCHED)) !== undefined;

/** How many rows of {@link REMARKS} are read at once. */
const BATCH = 1000;

/** All texts on record that can name a person, or from which other texts are derived, with the number of the Site. */
const REMARKS = [
  'SELECT id, site_id AS site, configuration AS text FROM installation',
  `SELECT id, id AS site, coalesce(name, '') || ' | ' || coalesce(monument_description, '') || ' | ' || coalesce(monument_foundation, '')
     || ' | ' || coalesce(marker_description, '') || ' | ' || coalesce(geologic_characteristic, '') || ' | ' || coalesce(bedrock_type, '')
     || ' | ' || coalesce(notes, '') AS text FROM site`,
  `SELECT site_log.id, site_id AS site, message || ' | ' || text AS text FROM finding JOIN site_log ON site_log.id = site_log_id`,
];

/** Searches the remarks on record for the persons who have become known, and marks the Sites that name one, to be read again. */
export async function searchForPersons(transaction: Transaction): Promise<void> {
  const unsearched = await personsIn(transaction, UNSEARCHED);
  const sites = new Set<number>();
  for (const remarks of REMARKS) {
    for (let offset = 0; ; offset += BATCH) {
      const rows = await transaction.all<{ site: number; text: string }>(
        sql`SELECT site, text FROM (${raw(remarks)}) AS remark ORDER BY id, text LIMIT ${BATCH} OFFSET ${offset}`,
      );
      for (const { site, text } of rows) if (unsearched.areIn(text)) sites.add(site);
      if (rows.length < BATCH) break;
    }
  }
  if (sites.size > 0) {
    const found = transaction.dialect.rows([...sites]);
    await transaction.run(sql`INSERT INTO site_to_read SELECT value FROM ${found} AS found WHERE true ON CONFLICT DO NOTHING`);
  }
  await transaction.run(sql`UPDATE person SET searched = 1 WHERE searched = 0`);
}
