import { isPostgres } from './postgres/url.js';
import type { Backup, Progress, Rebuilding, Rereading, Restoring, Verification } from './upkeep.js';

/** What maintains a database of either engine. Only the engine that it needs is loaded. */

/** Checks the content of a database against its stored logs. Does not block other processes. @throws {StoreUnusable} */
export async function verifyDatabase(database: string, rereading: Rereading): Promise<Verification> {
  if (isPostgres(database)) return (await import('./postgres/maintenance.js')).verifyDatabase(database, rereading);
  return (await import('./sqlite/rebuild.js')).verifyDatabase(database, rereading);
}

/** Derives everything again, and replaces the content if it differs. @throws {StoreUnusable} if it changed in the meantime */
export async function rebuild(database: string, rereading: Rereading, now: Date): Promise<Rebuilding> {
  if (isPostgres(database)) return (await import('./postgres/maintenance.js')).rebuild(database, rereading, now);
  return (await import('./sqlite/rebuild.js')).rebuild(database, rereading, now);
}

/** Copies a database to a SQLite file as it is now, and checks the copy. @param target is replaced in one step, or not at all */
export async function backUp(database: string, target: string, progress: Progress): Promise<Backup> {
  if (isPostgres(database)) return (await import('./postgres/maintenance.js')).backUp(database, target, progress);
  return (await import('./sqlite/backup.js')).backUp(database, target, progress);
}

/** Replaces the content of a database with a backup, brought to the last migration. @throws {StoreUnusable} */
export async function restore(database: string, from: string, now: Date, progress: Progress): Promise<Restoring> {
  if (isPostgres(database)) return (await import('./postgres/maintenance.js')).restore(database, from, now, progress);
  return (await import('./sqlite/restore.js')).restore(database, from, now, progress);
}
