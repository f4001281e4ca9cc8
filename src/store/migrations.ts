import sql, { raw } from 'sql-template-tag';
import { documentsVersion } from '../serializers/documents.js';
import type { Transaction } from './database.js';
import { creationsOf } from './schema.js';

/**
 * A change of the schema, for both engines. The first is the baseline: all tables as they are in
 * `schema.ts`. No version has been released yet, so it may still be edited. From the first release
 * on, the list is append-only, and a migration contains frozen SQL: it calls no code that can
 * change later. The baseline then becomes frozen SQL too.
 */
export type Migration = (transaction: Transaction) => Promise<void>;

/** The table that marks a database as one of this service, with one row. */
export const MARK = 'gnss_site_setups';

/** The row of {@link MARK}. PostgreSQL has the revision there too. */
export interface Mark {
  /** How many migrations the database has had. */
  migration: number;
  /** The version of the serializers that wrote all texts in it. */
  documents: number;
}

async function createTables(transaction: Transaction): Promise<void> {
  const { types, tableOptions } = transaction.dialect;
  for (const { statement } of creationsOf(types, tableOptions))
    await transaction.run(raw(statement));
  const noImport = {
    id: 1,
    finished_at: null,
    saved: 0,
    unchanged: 0,
    outdated: 0,
    rejected: 0,
    skipped: 0,
  };
  await transaction.insert('last_import', [noImport]);
}

/**
 * Since this migration, the key of a clock is its type without the word EXTERNAL. Where several rows
 * would get one key, the first keeps its id, unless one has the key already.
 */
async function keysOfExternalClocks(transaction: Transaction): Promise<void> {
  // What follows `["clock","EXTERNAL `, which has 19 characters.
  const key = `'["clock","' || ltrim(substr(identity, 20))`;
  await transaction.run(
    raw(`UPDATE equipment SET identity = ${key} WHERE id IN (
      SELECT min(id) FROM equipment AS named
      WHERE equipment_type = 'clock' AND identity LIKE '["clock","EXTERNAL %'
        AND NOT EXISTS (
          SELECT 1 FROM equipment AS other
          WHERE other.identity = '["clock","' || ltrim(substr(named.identity, 20)))
      GROUP BY ${key})`),
  );
}

/** The migrations, in order. */
export const MIGRATIONS: readonly Migration[] = [createTables, keysOfExternalClocks];

/**
 * Creates the tables of an empty database, or brings existing ones to the last migration.
 * @param migration how many it has had
 */
export async function migrate(transaction: Transaction, migration: number): Promise<void> {
  for (const step of MIGRATIONS.slice(migration)) await step(transaction);
  await transaction.run(sql`UPDATE ${raw(MARK)} SET migration = ${MIGRATIONS.length}`);
  if (migration === 0)
    await transaction.run(sql`UPDATE ${raw(MARK)} SET text_version = ${documentsVersion()}`);
}

/** How to continue without the database, and what is lost by that. */
export const IMPORT_ANEW =
  'import the site logs into a new one, which loses ids, times of recording, the feed, ' +
  'corrections (withdrawals, retirements and renames) and logs whose files are gone';

/**
 * Why a database cannot be used by this version, as the end of a sentence about it; undefined if it
 * can.
 * @param migration null if a version from before the first release made it
 */
export function whyUnusable(migration: number | null): string | undefined {
  if (migration === null) {
    return `was made by a development version; ${IMPORT_ANEW}`;
  }
  if (migration > MIGRATIONS.length) {
    return (
      `is from a newer version (migration ${migration}; this version has ${MIGRATIONS.length}); ` +
      'install the newer version'
    );
  }
  return undefined;
}

/**
 * Why a database cannot be read, although it can be written, as the end of a sentence about it;
 * undefined if it can.
 */
export function whyOutdated(migration: number): string | undefined {
  if (migration >= MIGRATIONS.length) return undefined;
  return (
    `is from an older version (migration ${migration} of ${MIGRATIONS.length}); ` +
    'run: gnss-site-setups migrate'
  );
}
