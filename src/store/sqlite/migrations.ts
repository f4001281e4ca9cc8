import type { Database } from 'better-sqlite3';
import { tables } from './migrations/0001-tables.js';
import { siteSummary } from './migrations/0002-site-summary.js';

/** Marks a database file as one of this service ("GNSS" in ASCII); `PRAGMA application_id`. */
export const APPLICATION_ID = 0x474e5353;

/** A change of the schema: SQL, or a function that runs in a transaction. */
export type Migration = string | ((db: Database) => void);

/**
 * The migrations, in order; `PRAGMA user_version` counts those a file has had. Append only: one that has been released
 * is never changed, and imports nothing of ours, so that no later change of other code can change what it does.
 */
export const MIGRATIONS: readonly Migration[] = [tables, siteSummary];

/** How many migrations the file has had. */
export function migrationOf(db: Database): number {
  return db.pragma('user_version', { simple: true }) as number;
}

/**
 * Brings the file to the last migration, each in a transaction of its own (a savepoint inside another).
 * @param migrations fewer than all only where a test needs a file of an older version
 */
export function migrate(db: Database, migrations: readonly Migration[] = MIGRATIONS): void {
  for (let next = migrationOf(db); next < migrations.length; next++) {
    db.transaction(() => {
      // Another process may have been faster between the check and the lock.
      if (migrationOf(db) !== next) return;
      const migration = migrations[next]!;
      if (typeof migration === 'string') db.exec(migration);
      else migration(db);
      db.pragma(`application_id = ${APPLICATION_ID}`);
      db.pragma(`user_version = ${next + 1}`);
    }).immediate();
  }
}
