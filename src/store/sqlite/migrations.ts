import type { Database } from 'better-sqlite3';
import { tables } from './migrations/0001-tables.js';
import { siteSummary } from './migrations/0002-site-summary.js';
import { siteIdentity } from './migrations/0003-site-identity.js';
import { readsAtSize } from './migrations/0004-reads-at-size.js';
import { writtenDocuments } from './migrations/0005-written-documents.js';
import { deepPages } from './migrations/0006-deep-pages.js';
import { journal } from './migrations/0007-journal.js';
import { lastImport } from './migrations/0008-last-import.js';
import { rejectedFiles } from './migrations/0009-rejected-files.js';
import { findingCodes } from './migrations/0010-finding-codes.js';
import { sitePlaces } from './migrations/0011-site-places.js';
import { formerEquipment } from './migrations/0012-former-equipment.js';
import { gaps } from './migrations/0013-gaps.js';
import { feed } from './migrations/0014-feed.js';
import { foldedDevices } from './migrations/0015-folded-devices.js';
import { instruments } from './migrations/0016-instruments.js';
import { coveringIndexes } from './migrations/0017-covering-indexes.js';
import { persons } from './migrations/0018-persons.js';

/** Marks a database file as one of this service ("GNSS" in ASCII); `PRAGMA application_id`. */
export const APPLICATION_ID = 0x474e5353;

/** A change of the database schema: SQL, or a function. It runs in a transaction. */
export type Migration = string | ((db: Database) => void);

/**
 * The migrations, in order. `PRAGMA user_version` counts those that a file has had. The list is append-only: a released
 * migration is never changed, and it imports none of our code, so that later changes cannot affect it.
 */
export const MIGRATIONS: readonly Migration[] = [
  tables,
  siteSummary,
  siteIdentity,
  readsAtSize,
  writtenDocuments,
  deepPages,
  journal,
  lastImport,
  rejectedFiles,
  findingCodes,
  sitePlaces,
  formerEquipment,
  gaps,
  feed,
  foldedDevices,
  instruments,
  coveringIndexes,
  persons,
];

/** How many migrations a file has had. */
export function migrationOf(db: Database): number {
  return db.pragma('user_version', { simple: true }) as number;
}

/**
 * Runs the migrations that a file has not had, each in its own transaction (a savepoint within another transaction). A new
 * file gets all in one transaction, so that a killed import leaves it either empty or up to date.
 * Turns foreign keys off, because a table that others refer to can be rebuilt only without them; inside a transaction, the
 * caller must have done so.
 * @param migrations fewer than all only if a test needs a file of an older version
 */
export function migrate(db: Database, migrations: readonly Migration[] = MIGRATIONS): void {
  db.pragma('foreign_keys = OFF');
  if (migrationOf(db) === 0) db.transaction(() => migrateInSteps(db, migrations)).immediate();
  else migrateInSteps(db, migrations);
}

function migrateInSteps(db: Database, migrations: readonly Migration[]): void {
  for (let next = migrationOf(db); next < migrations.length; next++) {
    db.transaction(() => {
      // Another process may have run this migration since the check.
      if (migrationOf(db) !== next) return;
      const migration = migrations[next]!;
      if (typeof migration === 'string') db.exec(migration);
      else migration(db);
      db.pragma(`application_id = ${APPLICATION_ID}`);
      db.pragma(`user_version = ${next + 1}`);
    }).immediate();
  }
}
