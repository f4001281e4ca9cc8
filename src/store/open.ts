import { type ReaderOptions, StoreUnusable, type WriterOptions } from './database.js';
import { MIGRATIONS } from './migrations.js';
import { isPostgres } from './postgres/url.js';
import { Store } from './store.js';
import { StoreWriter } from './save/writer.js';
import { backUp } from './upkeep/maintenance.js';

/**
 * Opens a database for reading: a SQLite file, or a PostgreSQL database by its URL. Only the engine that it needs is loaded.
 * @throws {StoreUnusable} if it cannot be read, is not a database of this service, or is of another version
 */
export async function openReader(database: string, options: ReaderOptions = {}): Promise<Store> {
  if (isPostgres(database)) return new Store(await (await import('./postgres/open.js')).openReads(database, options));
  return new Store((await import('./sqlite/open.js')).openReads(database));
}

/**
 * Opens a database for importing and correcting. Creates its tables, and brings it to the last migration.
 * @throws {StoreUnusable} if it cannot be written, is not a database of this service, or is of a newer version
 */
export async function openWriter(database: string, options: WriterOptions = {}): Promise<StoreWriter> {
  const engine = isPostgres(database) ? await import('./postgres/open.js') : await import('./sqlite/writes.js');
  return StoreWriter.open(await engine.openWrites(database, options));
}

/** What changes whenever a database is written or replaced; null if it cannot be read. */
export async function databaseState(database: string): Promise<string | null> {
  if (!isPostgres(database)) return (await import('./sqlite/connection.js')).fileState(database);
  try {
    // Of the primary: a replica may lack what this process has just written.
    const { readSnapshot } = await import('./postgres/open.js');
    return await readSnapshot(database, (_, revision) => Promise.resolve(String(revision)));
  } catch (error) {
    if (error instanceof StoreUnusable) return null;
    throw error;
  }
}

/** What a migration did. */
export interface Migrated {
  /** How many migrations the database had before; null if there was none. */
  from: number | null;
  to: number;
  /** The file with the content before; null if there was nothing to do, or the database is no file. */
  kept: string | null;
}

/**
 * Brings a database to the last migration, after a backup if it is a file. Creates one that does not exist.
 * @throws {StoreUnusable} if it cannot be written, is not a database of this service, or is of a newer version
 */
export async function migrateDatabase(database: string, now: Date): Promise<Migrated> {
  const engine = isPostgres(database) ? null : await import('./sqlite/open.js');
  const from = engine === null ? await (await import('./postgres/open.js')).migrationOf(database) : engine.migrationOfFile(database);
  let kept: string | null = null;
  if (engine !== null && from !== null && from < MIGRATIONS.length) {
    const { nameOfKept } = await import('./sqlite/restore.js');
    kept = nameOfKept(database, now, `migration-${MIGRATIONS.length}`);
    await backUp(database, kept, () => undefined);
  }
  if (from !== MIGRATIONS.length) await (await openWriter(database)).close();
  return { from, to: MIGRATIONS.length, kept };
}
