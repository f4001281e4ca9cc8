import { StoreUnusable, type WriterOptions } from './database.js';
import { MIGRATIONS } from './migrations.js';
import { isPostgres } from './address.js';
import { type Store, storeOf } from './store.js';
import { StoreWriter } from './save/writer.js';
import { backUp } from './upkeep/maintenance.js';

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

/**
 * Brings a database to the last migration, after a backup if it is a file. Creates one that does
 * not exist.
 * @throws {StoreUnusable}
 * @returns how many migrations it had before, null if there was none; and the file with the content
 *   before, if there is one
 */
export async function migrateDatabase(
  database: string,
  now: Date,
): Promise<{ from: number | null; to: number; kept: string | null }> {
  const engine = isPostgres(database) ? null : await import('./sqlite/open.js');
  const from =
    engine === null
      ? await (await import('./postgres/open.js')).migrationOf(database)
      : engine.migrationOfFile(database);
  let kept: string | null = null;
  if (engine !== null && from !== null && from < MIGRATIONS.length) {
    const { nameOfKept } = await import('./sqlite/restore.js');
    kept = nameOfKept(database, now, `migration-${MIGRATIONS.length}`);
    await backUp(database, kept, () => undefined);
  }
  if (from !== MIGRATIONS.length) await (await openWriter(database)).close();
  return { from, to: MIGRATIONS.length, kept };
}
