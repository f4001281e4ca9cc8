import { isPostgres } from '../postgres/url.js';
import type { Backup, Progress, Restoring } from './types.js';

export { rebuild } from './rebuild.js';
export { verifyDatabase } from './verify.js';

/** Copies a database to a SQLite file as it is now, and checks the copy. @param target is replaced in one step, or not at all */
export async function backUp(database: string, target: string, progress: Progress): Promise<Backup> {
  const engine = isPostgres(database) ? await import('../postgres/maintenance.js') : await import('../sqlite/backup.js');
  return engine.backUp(database, target, progress);
}

/** Replaces the content of a database with a backup, brought to the last migration. @throws {StoreUnusable} */
export async function restore(database: string, from: string, now: Date, progress: Progress): Promise<Restoring> {
  const engine = isPostgres(database) ? await import('../postgres/maintenance.js') : await import('../sqlite/restore.js');
  return engine.restore(database, from, now, progress);
}
