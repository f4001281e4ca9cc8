import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { raw } from 'sql-template-tag';
import type { Database, Transaction } from '../database.js';
import { TABLE_NAMES } from '../schema.js';
import type { ImportAgain } from '../save/corrections.js';
import { checkCopy } from '../sqlite/backup.js';
import { replaceInOneStep } from '../../whole-file.js';
import { copyBackup, unusedName } from '../sqlite/restore.js';
import { copyContents, hasNoContents, readContents, writeContents } from './contents.js';
import type { Backup, Progress, Restoring } from '../results.js';
import { parseDatabaseUrl, shownDatabase } from '../address.js';

const quietly = (): void => undefined;

/** Copies all content to a SQLite file, which is replaced in one step. */
const copyToFile = (
  database: string,
  source: Database,
  file: string,
  progress: Progress,
): Promise<Backup> =>
  replaceInOneStep(file, async (partial) => {
    await writeContents(partial, (target) => copyContents(source, target, progress));
    return checkCopy(shownDatabase(database), partial);
  });

/**
 * Copies a database to a SQLite file as it is now, while others read and write it.
 * @param target is replaced in one step, or not at all
 */
export const backUpPostgres = (
  database: string,
  target: string,
  progress: Progress,
): Promise<Backup> =>
  readContents(database, (source) => copyToFile(database, source, target, progress));

/**
 * Saves the old content in a file in the current folder, and deletes it.
 * @returns the file; null if there was none
 */
async function removeContents(
  database: string,
  transaction: Transaction,
  now: Date,
): Promise<string | null> {
  let kept: string | null = null;
  if (!(await hasNoContents(transaction))) {
    const name = parseDatabaseUrl(database).database.replace(/[^\w.-]/g, '_');
    kept = unusedName(resolve(`${name}.sqlite`), now);
    await copyToFile(database, transaction, kept, quietly);
  }
  // Readers go on with the old rows until the transaction ends, which they could not after
  // TRUNCATE.
  for (const table of TABLE_NAMES.toReversed()) await transaction.run(raw(`DELETE FROM ${table}`));
  return kept;
}

/**
 * Replaces the content of a database with a backup, brought to the last migration, in one
 * transaction.
 * @param importAgain reads the logs of an older backup again
 * @throws {StoreUnusable}
 */
export async function restorePostgres(
  database: string,
  from: string,
  now: Date,
  progress: Progress,
  importAgain: ImportAgain,
): Promise<Restoring> {
  const folder = mkdtempSync(join(tmpdir(), 'gnss-site-setups-'));
  try {
    const copy = join(folder, 'restored.sqlite');
    const copied = await copyBackup(from, copy, quietly, importAgain);
    const kept = await writeContents(database, async (transaction) => {
      const old = await removeContents(database, transaction, now);
      await readContents(copy, (source) => copyContents(source, transaction, progress));
      return old;
    });
    return { ...copied, kept };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
