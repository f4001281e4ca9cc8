import type { Snapshot, Transaction } from './client.js';
import { EmptyTable } from './failures.js';
import { tables } from './migrations/0001-tables.js';
import { triggers } from './migrations/0001-triggers.js';
import { places } from './migrations/0002-places.js';
import { gapsAndFeed } from './migrations/0003-gaps-and-feed.js';
import { formerEquipment } from './migrations/0004-former-equipment.js';
import { foldedDevices } from './migrations/0005-folded-devices.js';
import { instruments } from './migrations/0006-instruments.js';
import { persons } from './migrations/0007-persons.js';

/** A change of the database schema: statements and functions that run in one transaction. */
export type Migration = readonly (string | ((transaction: Transaction) => Promise<void>))[];

/**
 * The migrations, in order. The table `gnss_site_setups` counts those that a database has had. The list is append-only: a
 * released migration is never changed, and it imports none of our code, so that later changes cannot affect it.
 */
export const MIGRATIONS: readonly Migration[] = [
  [...tables, ...triggers],
  places,
  gapsAndFeed,
  formerEquipment,
  foldedDevices,
  instruments,
  persons,
];

/** Names the lock of the migrations among the advisory locks of a database ("GNSS" in ASCII). */
const LOCK = 0x474e5353;

/** The table that marks a schema as one of this service, and has its version. */
const MARK = [
  'CREATE TABLE gnss_site_setups (migration integer NOT NULL)',
  'CREATE UNIQUE INDEX gnss_site_setups_is_one ON gnss_site_setups ((true))',
  'INSERT INTO gnss_site_setups (migration) VALUES (0)',
];

/** How many migrations a database has had; 0 if it has no tables of this service. Two reads at most, in one state. */
export async function migrationOf(snapshot: Snapshot): Promise<number> {
  const { marked } = (await snapshot.get<{ marked: boolean }>("SELECT to_regclass('gnss_site_setups') IS NOT NULL AS marked"))!;
  if (!marked) return 0;
  const mark = await snapshot.get<{ migration: number }>('SELECT migration FROM gnss_site_setups');
  if (mark === undefined) throw new EmptyTable('gnss_site_setups');
  return mark.migration;
}

/**
 * Runs the migrations that a database has not had, each in its own transaction. A new database gets all in one, so that a
 * killed import leaves it either empty or up to date. Any number of processes may do this at once: a lock lets one at a time
 * migrate, and the others find nothing left to do.
 * @param inTransaction runs some work in a transaction of its own
 * @param migrations fewer than all only if a test needs a database of an older version
 */
export async function migrate(
  inTransaction: <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  for (let done = false; !done;) done = await inTransaction((transaction) => migrateOnce(transaction, migrations));
}

/** Runs the next migration, or all if there has been none. @returns whether none is left */
async function migrateOnce(transaction: Transaction, migrations: readonly Migration[]): Promise<boolean> {
  await transaction.run('SELECT pg_advisory_xact_lock($1)', LOCK);
  // What others created during the wait may be hidden by a cached name until a statement locks a table.
  await transaction.run('SELECT FROM pg_class LIMIT 1');
  const had = await migrationOf(transaction);
  if (had >= migrations.length) return true;
  const reached = had === 0 ? migrations.length : had + 1;
  const steps = [...(had === 0 ? MARK : []), ...migrations.slice(had, reached).flat()];
  for (const step of steps) await (typeof step === 'string' ? transaction.run(step) : step(transaction));
  // A reader caches what it read at a revision.
  await transaction.run('UPDATE revision SET number = number + 1');
  await transaction.run('UPDATE gnss_site_setups SET migration = $1', reached);
  return reached === migrations.length;
}
