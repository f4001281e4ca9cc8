import { isPostgres } from './postgres/url.js';
import type { StoreReader, StoreWriter } from './store.js';

/** How a database is read. */
export interface ReaderOptions {
  /** PostgreSQL: the longest lag of a replica that is used, in milliseconds; null for no limit, the default. */
  maxReplicaLag?: number | null;
}

/** How a database is written. */
export interface WriterOptions {
  /** Save nothing: everything happens in one transaction, which `close` rolls back. */
  dryRun?: boolean;
  /** Whether a database that does not exist, or has no tables, is created; otherwise it is an error. Default: true. */
  create?: boolean;
  /** How long to wait for a lock, in milliseconds. Default: 10 s. */
  patience?: number;
}

/**
 * Opens a database for reading: a SQLite file, or a PostgreSQL database by its URL. Only the engine that it needs is loaded.
 * @throws {StoreUnusable} if it cannot be read, is not a database of this service, or is of another version
 */
export async function openReader(database: string, options: ReaderOptions = {}): Promise<StoreReader> {
  if (isPostgres(database)) return (await import('./postgres/open.js')).openReader(database, options);
  return (await import('./sqlite/open.js')).openReader(database);
}

/**
 * Opens a database for importing and correcting. Creates its tables, and brings it to the last migration.
 * @throws {StoreUnusable} if it cannot be written, is not a database of this service, or is of a newer version
 */
export async function openWriter(database: string, options: WriterOptions = {}): Promise<StoreWriter> {
  if (isPostgres(database)) return (await import('./postgres/open.js')).openWriter(database, options);
  return (await import('./sqlite/open.js')).openWriter(database, options);
}
