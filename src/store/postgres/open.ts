import { raw } from 'sql-template-tag';
import { type Database, type ReaderOptions, type WriterOptions } from '../database.js';
import { MIGRATIONS, migrate } from '../migrations.js';
import { UnfitDatabase } from './failures.js';
import { checkedMark, CREATE_HINT, CREATE_MARK, findMark, TAKE_WRITE_LOCK } from './mark.js';
import { Servers } from './servers.js';
import { parseDatabaseUrl } from './url.js';
import { PrimaryWrites, type WriteOptions } from './writes.js';

/** How to write by default: a statement may build an index of a large database. */
const DEFAULTS: WriteOptions = { dryRun: false, patience: 10_000, silence: 300_000 };
/** Names the lock of the migrations among the advisory locks of a database ("GNSS" in ASCII). */
const TAKE_MIGRATION_LOCK = raw(`SELECT pg_advisory_xact_lock(${0x474e5353})`);

/**
 * Opens a database for reading. Each read sees what was committed, and never less than an earlier one of this reader.
 * @throws {StoreUnusable} if no server can be reached, or the tables are missing or of another version
 */
export async function openReads(database: string, { maxReplicaLag = null }: ReaderOptions = {}): Promise<Servers> {
  const servers = new Servers(parseDatabaseUrl(database), maxReplicaLag);
  try {
    await servers.start();
    return servers;
  } catch (error) {
    await servers.close();
    throw error;
  }
}

/** @throws {UnfitDatabase} if the database cannot store all characters, or does not know where one ends */
async function checkEncoding(db: Database): Promise<void> {
  const { encoding } = (await db.get<{ encoding: string }>(raw("SELECT current_setting('server_encoding') AS encoding")))!;
  if (encoding === 'UTF8') return;
  throw new UnfitDatabase(`has the encoding ${encoding}; expected UTF8: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0`);
}

/**
 * Creates the tables, or brings them to the last migration, in one transaction: a killed import leaves an empty database empty. Any
 * number of processes may do this at once: a lock lets one at a time migrate, and the others find nothing left to do.
 */
const bringUpToDate = (writes: PrimaryWrites): Promise<void> =>
  writes.unlocked(async (transaction) => {
    await transaction.run(TAKE_MIGRATION_LOCK);
    for (const statement of CREATE_MARK) await transaction.run(statement);
    // A reader caches what it read at a revision.
    await transaction.run(TAKE_WRITE_LOCK);
    const { migration } = (await findMark(transaction))!;
    if (migration < MIGRATIONS.length) await migrate(transaction, migration);
  });

/**
 * Opens a database for importing and correcting: connects to its primary, creates the tables, and brings them to the last migration.
 * @throws {StoreUnusable} if there is no primary, or the tables are locked or of another version
 */
export async function openWrites(database: string, options: WriterOptions & Partial<WriteOptions> = {}): Promise<PrimaryWrites> {
  const { create = true, dryRun = false, patience = DEFAULTS.patience, silence = DEFAULTS.silence } = options;
  const writes = new PrimaryWrites(parseDatabaseUrl(database), { dryRun, patience, silence });
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

/** How many migrations a database has had; null if it has no tables of ours. @throws {StoreUnusable} if there is no primary */
export async function migrationOf(database: string): Promise<number | null> {
  const writes = new PrimaryWrites(parseDatabaseUrl(database), DEFAULTS);
  try {
    return await writes.read(async (db) => (await findMark(db))?.migration ?? null);
  } finally {
    await writes.close();
  }
}

/** Reads one state of a database on its primary. @throws {StoreUnusable} if there is none, or the tables are missing or of another version */
export async function readSnapshot<T>(database: string, read: (db: Database, revision: number) => Promise<T>): Promise<T> {
  const writes = new PrimaryWrites(parseDatabaseUrl(database), DEFAULTS);
  try {
    return await writes.read(async (db) => read(db, checkedMark(await findMark(db)).revision));
  } finally {
    await writes.close();
  }
}
