import { StoreUnusable, type WriterOptions } from './database.js';
import { MIGRATIONS } from './migrations.js';
import { isPostgres } from './address.js';
import { type Store, storeOf } from './store.js';
import type { ImportAgain } from './save/corrections.js';
import type { StoreWriter } from './save/writer.js';
import type { Problem } from './results.js';

/**
 * Opens a SQLite file, or a PostgreSQL database by its URL, for reading.
 * @throws {StoreUnusable}
 */
export async function openReader(database: string): Promise<Store> {
  if (isPostgres(database))
    return storeOf(await (await import('./postgres/open.js')).openReads(database));
  return storeOf(new (await import('./sqlite/connection.js')).Connection(database));
}

/**
 * Opens a database for importing and correcting. Creates its tables, and brings it to the last
 * migration.
 * @throws {StoreUnusable}
 */
export async function openWriter(
  database: string,
  options: WriterOptions = {},
): Promise<StoreWriter> {
  const engine = isPostgres(database)
    ? await import('./postgres/open.js')
    : await import('./sqlite/writes.js');
  // Who only reads loads none of the rules of saving.
  const { StoreWriter } = await import('./save/writer.js');
  return StoreWriter.open(await engine.openWrites(database, options));
}

/** What changes whenever a database is written or replaced; null if it cannot be read. */
export async function databaseState(database: string): Promise<string | null> {
  if (!isPostgres(database)) return (await import('./sqlite/connection.js')).fileState(database);
  try {
    const { readSnapshot } = await import('./postgres/open.js');
    return await readSnapshot(database, (_, revision) => Promise.resolve(String(revision)));
  } catch (error) {
    if (error instanceof StoreUnusable) return null;
    throw error;
  }
}

/** How many migrations a database has had; null if it does not exist, or is empty. */
async function migrationOf(database: string): Promise<number | null> {
  if (isPostgres(database)) return (await import('./postgres/open.js')).migrationOf(database);
  return (await import('./sqlite/open.js')).migrationOfFile(database);
}

/**
 * Copies a file beside it before it is migrated.
 * @returns the copy; null for PostgreSQL, where a migration is one transaction and the backup is
 *   the operator's
 */
async function keepContent(database: string, now: Date): Promise<string | null> {
  if (isPostgres(database)) return null;
  const { unusedName } = await import('./sqlite/restore.js');
  const { backUpDatabase } = await import('./upkeep/maintenance.js');
  const kept = unusedName(database, now, `migration-${MIGRATIONS.length}`);
  await backUpDatabase(database, kept, () => undefined);
  return kept;
}

/** Whether no log of a database is to be read again. */
async function isComplete(database: string): Promise<boolean> {
  const { isCompletelyMigrated } = await import('./save/read-again.js');
  const { readContents } = await import('./upkeep/contents.js');
  return readContents(database, isCompletelyMigrated);
}

/** What was done to bring a database up to date. */
interface Migrated {
  /** How many migrations it had before, and has now; null if there was none. */
  from: number | null;
  to: number;
  /** The file with the content before, if there is one. */
  kept: string | null;
  /** How many logs were read again, and why others cannot be read. */
  logs: number;
  problems: Problem[];
}

/**
 * Brings a database to the last migration, after a backup if it is a file. Creates one that does
 * not exist.
 * @param importAgain reads logs again, for what a migration left out; null leaves that to the next
 *   import
 * @throws {StoreUnusable}
 */
export async function migrateDatabase(
  database: string,
  now: Date,
  importAgain: ImportAgain | null,
): Promise<Migrated> {
  const from = await migrationOf(database);
  const to = MIGRATIONS.length;
  const isOutdated = from !== null && from < to;
  const kept = isOutdated ? await keepContent(database, now) : null;
  const nothingRead = { from, to, kept, logs: 0, problems: [] };
  if (from === to && (importAgain === null || (await isComplete(database)))) return nothingRead;
  const store = await openWriter(database);
  if (importAgain === null) {
    await store.close();
    return nothingRead;
  }
  const read = await store.readLogsAgain(importAgain).finally(() => store.close());
  return { from, to, kept, ...read };
}
