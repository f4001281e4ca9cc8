import { raw } from 'sql-template-tag';
import type { Database, WriterOptions } from '../database.js';
import { MIGRATIONS, migrate } from '../migrations.js';
import { ForeignDatabase, UnfitDatabase } from './failures.js';
import {
  checkedMark,
  CREATE_HINT,
  CREATE_MARK,
  findMark,
  type PostgresMark,
  TAKE_WRITE_LOCK,
} from './mark.js';
import { PostgresReads } from './reads.js';
import { parseDatabaseUrl } from '../address.js';
import { PostgresWrites, type WriteOptions } from './writes.js';

/** How to write by default: a statement may build an index of a large database. */
const DEFAULTS: WriteOptions = { dryRun: false, patience: 10_000, longest: 300_000 };
/** Names the lock of the migrations among the advisory locks of a database ("GNSS" in ASCII). */
const TAKE_MIGRATION_LOCK = raw(`SELECT pg_advisory_xact_lock(${0x474e5353})`);

/** Opens a database for reading. @throws {StoreUnusable} */
export async function openReads(database: string): Promise<PostgresReads> {
  const reads = new PostgresReads(parseDatabaseUrl(database));
  try {
    await reads.start();
    return reads;
  } catch (error) {
    await reads.close();
    throw error;
  }
}

/**
 * @throws {ForeignDatabase} if the database cannot store all characters, or does not know where one
 *   ends
 */
async function checkEncoding(db: Database): Promise<void> {
  const { encoding } = (await db.get<{ encoding: string }>(
    raw("SELECT current_setting('server_encoding') AS encoding"),
  ))!;
  if (encoding === 'UTF8') return;
  throw new ForeignDatabase(
    `has the encoding ${encoding}; expected UTF8: ` +
      "CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0",
  );
}

/**
 * Creates the tables, or brings them to the last migration, in one transaction: a killed import
 * leaves an empty database empty. Any number of processes may do this at once: a lock lets one at a
 * time migrate, and the others find nothing left to do.
 */
const bringUpToDate = (writes: PostgresWrites): Promise<void> =>
  writes.unlocked(async (transaction) => {
    await transaction.run(TAKE_MIGRATION_LOCK);
    for (const statement of CREATE_MARK) await transaction.run(statement);
    // A reader caches what it read at a revision.
    await transaction.run(TAKE_WRITE_LOCK);
    const { migration } = (await findMark(transaction))!;
    if (migration < MIGRATIONS.length) await migrate(transaction, migration);
  });

/**
 * Opens a database for writing: creates its tables, and brings them to the last migration.
 * @throws {StoreUnusable}
 */
export async function openWrites(
  database: string,
  options: WriterOptions & Partial<WriteOptions> = {},
): Promise<PostgresWrites> {
  const { create = true, ...others } = options;
  const writes = new PostgresWrites(parseDatabaseUrl(database), { ...DEFAULTS, ...others });
  try {
    const migration = await writes.read(async (db) => {
      const mark = await findMark(db);
      if (mark === null && !create) throw new UnfitDatabase(CREATE_HINT);
      if (mark === null) await checkEncoding(db);
      return mark?.migration;
    });
    if (migration !== MIGRATIONS.length) await bringUpToDate(writes);
    return writes;
  } catch (error) {
    await writes.close();
    throw error;
  }
}

/**
 * Reads one state of a database, for as long as that takes.
 * @param read gets the mark; null if there are no tables of ours
 */
async function readState<T>(
  database: string,
  read: (db: Database, mark: PostgresMark | null) => Promise<T>,
): Promise<T> {
  const writes = new PostgresWrites(parseDatabaseUrl(database), DEFAULTS);
  return writes.read(async (db) => read(db, await findMark(db))).finally(() => writes.close());
}

/**
 * How many migrations a database has had; null if it has no tables of ours.
 * @throws {StoreUnusable} if it cannot be read
 */
export const migrationOf = (database: string): Promise<number | null> =>
  readState(database, async (_, mark) => mark?.migration ?? null);

/**
 * Reads one state of a database, for as long as that takes.
 * @throws {StoreUnusable} if it cannot be read, or the tables are missing or of another version
 */
export const readSnapshot = <T>(
  database: string,
  read: (db: Database, revision: number) => Promise<T>,
): Promise<T> => readState(database, (db, mark) => read(db, checkedMark(mark).revision));
