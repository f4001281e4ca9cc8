import { raw } from 'sql-template-tag';
import { type Database, type ReaderOptions, StoreUnusable, type WriterOptions } from '../database.js';
import { MIGRATIONS, migrate, whyUnusable } from '../migrations.js';
import { databaseOf } from './connection.js';
import { explained, UnfitDatabase } from './failures.js';
import { checkedMark, CREATE_MARK, findMark, type Mark, TAKE_WRITE_LOCK } from './mark.js';
import { ONE_STATE } from './server.js';
import { CREATE_HINT, Servers } from './servers.js';
import { type DatabaseUrl, parseDatabaseUrl, shownDatabase } from './url.js';
import { openPrimary, PrimaryWrites, type WriteOptions } from './writes.js';

/** How long an import waits by default for another process that writes, in milliseconds. */
const PATIENCE = 10_000;
/** How long a statement that writes may take by default, in milliseconds. The longest build an index of a large database. */
const WRITE_SILENCE = 300_000;
/** Names the lock of the migrations among the advisory locks of a database ("GNSS" in ASCII). */
const TAKE_MIGRATION_LOCK = raw(`SELECT pg_advisory_xact_lock(${0x474e5353})`);

/** @throws {StoreUnusable} if it is not the URL of a PostgreSQL database */
function parse(database: string): DatabaseUrl {
  try {
    return parseDatabaseUrl(database);
  } catch (error) {
    throw new StoreUnusable(`database "${shownDatabase(database)}": ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Opens a database for reading. Each read sees what was committed, and never less than an earlier one of this reader.
 * @returns also what an operator should know about its settings
 * @throws {StoreUnusable} if no server can be reached, or the tables are missing or of another version
 */
export async function openReads(database: string, { maxReplicaLag = null }: ReaderOptions = {}): Promise<Servers> {
  const servers = new Servers(shownDatabase(database), parse(database), maxReplicaLag);
  try {
    await servers.start();
    return servers;
  } catch (error) {
    await servers.close();
    throw error;
  }
}

/** The mark of tables that this version can write; null if there are none. @throws {UnfitDatabase} */
async function writableMark(db: Database): Promise<Mark | null> {
  const mark = await findMark(db);
  const reason = mark === null ? undefined : whyUnusable(mark.migration);
  if (reason !== undefined) throw new UnfitDatabase(reason);
  return mark;
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
    // What others created during the wait may be hidden by a cached name until a statement locks a table.
    await transaction.run(raw('SELECT FROM pg_class LIMIT 1'));
    const mark = await writableMark(transaction);
    if (mark?.migration === MIGRATIONS.length) return;
    if (mark === null) for (const statement of CREATE_MARK) await transaction.run(statement);
    // A reader caches what it read at a revision.
    await transaction.run(TAKE_WRITE_LOCK);
    await migrate(transaction, mark?.migration ?? 0);
  });

/**
 * Opens a database for importing and correcting: connects to its primary, creates the tables, and brings them to the last migration.
 * @throws {StoreUnusable} if there is no primary, or the tables are locked or of another version
 */
export async function openWrites(database: string, options: WriterOptions & Partial<WriteOptions> = {}): Promise<PrimaryWrites> {
  const { create = true, dryRun = false, patience = PATIENCE, silence = WRITE_SILENCE } = options;
  const writes = new PrimaryWrites(shownDatabase(database), parse(database), { dryRun, patience, silence });
  try {
    const migration = await writes.read(async (db) => {
      const mark = await writableMark(db);
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

/** One state of a database. */
export interface Snapshot {
  db: Database;
  revision: number;
  close(): Promise<void>;
}

/** Opens one state of a database on its primary, to read all of it. @throws {StoreUnusable} if there is none, or the tables are missing or of another version */
export async function openSnapshot(database: string): Promise<Snapshot> {
  const name = shownDatabase(database);
  const connection = await openPrimary(name, parse(database));
  const db = databaseOf(async (statement) => {
    try {
      return await connection.execute(statement);
    } catch (error) {
      throw explained(name, error);
    }
  });
  try {
    await connection.begin(ONE_STATE);
    const mark = await findMark(db);
    if (mark === null) throw new UnfitDatabase(CREATE_HINT);
    return { db, revision: checkedMark(mark).revision, close: () => connection.close() };
  } catch (error) {
    await connection.close();
    throw explained(name, error);
  }
}
