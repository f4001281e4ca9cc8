import { copyContents, describeContents, TABLE_NAMES } from '../contents.js';
import { readContents } from '../sqlite/contents.js';
import { StoreUnusable } from '../store.js';
import type { Progress } from '../upkeep.js';
import { TAKE_WRITE_LOCK, type Transaction } from './client.js';
import { analyze, PostgresTarget, tidyUp } from './contents.js';
import { openMigrated } from './open.js';
import { shownDatabase } from './url.js';

/**
 * Columns that refer to other tables without an index of their own. While rows of those are deleted, the server looks for
 * references in all rows here, one by one.
 */
const REFERENCES = [
  ['site_rename', 'site_id'],
  ['setup', 'site_log_id'],
  ['installation', 'site_id'],
  ['installation', 'equipment_id'],
  ['installation', 'site_log_id'],
  ['change', 'site_id'],
] as const;
/** How long dropping one of their indexes may wait for readers, in milliseconds. */
const LONGEST_DROP = 1000;
const indexOf = (table: string, column: string): string => `${table}_${column}_while_deleting`;

/** Deletes all rows. Readers go on with the old ones until the transaction ends, which they could not after TRUNCATE. */
async function deleteAll(transaction: Transaction): Promise<void> {
  for (const [table, column] of REFERENCES) {
    await transaction.run(`CREATE INDEX IF NOT EXISTS ${indexOf(table, column)} ON ${table} (${column})`);
  }
  for (const table of [...TABLE_NAMES].reverse()) await transaction.run(`DELETE FROM ${table}`);
}

/**
 * Drops an index of {@link deleteAll}, in a transaction of its own, so that no reader can be in the way of two. Other readers
 * queue behind it, so it does not wait long for a reader; an index that is left is dropped after the next replacement.
 */
async function dropIndex(transaction: Transaction, [table, column]: (typeof REFERENCES)[number]): Promise<void> {
  await transaction.run(`SET LOCAL lock_timeout = ${LONGEST_DROP}`);
  await transaction.run(`DROP INDEX IF EXISTS ${indexOf(table, column)}`);
}

/** How the content of a database is replaced. */
export interface Replacement {
  /** Saves the old content in a file, and returns its name; called only if there is any. */
  keep: (old: PostgresTarget) => Promise<string>;
  /** The revision of the state that the new content was derived from; null if it does not matter. */
  revision: number | null;
}

/**
 * Replaces the content of a database with that of a SQLite file, in one transaction: readers see the old content or the new.
 * @returns the file with the old content; null if there was none
 * @throws {StoreUnusable} if it cannot be written, or was changed since `revision`; it then stays as it is
 */
export async function replaceContents(
  database: string,
  by: string,
  { keep, revision }: Replacement,
  progress: Progress,
): Promise<string | null> {
  const writes = await openMigrated(database, {});
  try {
    const kept = await writes.unlocked(async (transaction) => {
      const { number } = (await transaction.get<{ number: number }>('SELECT number FROM revision FOR UPDATE'))!;
      if (revision !== null && number !== revision) {
        throw new StoreUnusable(`database "${shownDatabase(database)}" was changed in the meantime; try again when no import runs`);
      }
      await transaction.run(TAKE_WRITE_LOCK);
      const target = new PostgresTarget(transaction);
      const old = (await describeContents(target)) === null ? null : await keep(target);
      await deleteAll(transaction);
      await readContents(by, (source) => target.withoutTriggers(() => copyContents(source, target, progress)));
      return old;
    });
    for (const reference of REFERENCES) await tidyUp(() => writes.unlocked((transaction) => dropIndex(transaction, reference)));
    await analyze(writes);
    return kept;
  } finally {
    await writes.close();
  }
}
