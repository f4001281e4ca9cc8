import {
  constants,
  copyFileSync,
  existsSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { StoreUnusable, WrongDatabase } from '../database.js';
import type { Backup, Progress, Restoring } from '../results.js';
import type { ImportAgain } from '../save/corrections.js';
import { readLogsAgain } from '../save/read-again.js';
import { copyPages, isBackup, openSnapshot, PAGES } from './backup.js';
import { schemaProblems } from './integrity.js';
import { flushToDisk, moveInto, withNewFile } from '../../whole-file.js';
import {
  APPLICATION_ID,
  checkWritable,
  DamagedDatabase,
  exists,
  guarded,
  isEmpty,
  markOf,
  migrationOf,
  open,
  unusable,
} from './open.js';
import { openWrites } from './writes.js';

/** How long to wait for another process that writes, in milliseconds. An import takes longer. */
const PATIENCE = 1000;

/** Whether SQLite cannot read a file, because its content is damaged. */
const isDamage = (error: unknown): boolean =>
  /^SQLITE_(NOTADB|CORRUPT|ERROR)/.test((error as { code?: string }).code ?? '');

/**
 * Why a backup cannot be restored. The advice for a database that is in use does not fit a backup.
 */
function unusableBackup(from: string, error: unknown): unknown {
  if (!(error instanceof StoreUnusable)) return error;
  const unchanged = 'your database was not changed';
  const cause = { cause: error };
  if (error instanceof DamagedDatabase)
    return new DamagedDatabase(`the backup is damaged; ${unchanged}: "${from}"`, cause);
  // A pipe would not end.
  const isFile = exists(from) && statSync(from).isFile();
  if (isFile && error instanceof WrongDatabase && !isBackup(from))
    return new WrongDatabase(`"${from}" is not a backup of this service; ${unchanged}`, cause);
  const Failure = error instanceof WrongDatabase ? WrongDatabase : StoreUnusable;
  return new Failure(`the backup cannot be restored; ${unchanged}: ${error.message}`, cause);
}

/**
 * Copies a backup to a new file, migrates and checks it: other tables or triggers could change what
 * imports write.
 * @param importAgain reads the logs of an older backup again
 * @throws {StoreUnusable}
 */
export async function copyBackup(
  from: string,
  copy: string,
  progress: Progress,
  importAgain: ImportAgain,
): Promise<Backup> {
  try {
    return await copyChecked(from, copy, progress, importAgain);
  } catch (error) {
    throw unusableBackup(from, error);
  }
}

/** Copies a backup, as {@link copyBackup}. @throws {StoreUnusable} in the words for a database */
async function copyChecked(
  from: string,
  copy: string,
  progress: Progress,
  importAgain: ImportAgain,
): Promise<Backup> {
  const source = openSnapshot(from);
  let copied: Backup;
  try {
    copied = await copyPages(from, source, copy, progress);
  } finally {
    source.close();
  }
  const writes = await openWrites(copy);
  await readLogsAgain(writes, importAgain).finally(() => writes.close());
  const db = open(copy, { readonly: true, fileMustExist: true });
  const [problem] = guarded(copy, db, () => schemaProblems(db));
  db.close();
  if (problem !== undefined)
    throw new StoreUnusable(`database "${from}" is not as this service makes it: ${problem.text}`);
  return copied;
}

/** A name that no file has, for the old content of a database. @param before what will change it */
export function unusedName(database: string, now: Date, before = 'restore'): string {
  const name = `${database}.before-${before}-${now.toISOString().replace(/[-:]|\.\d+/g, '')}`;
  for (let number = 1; ; number++) {
    const free = number === 1 ? name : `${name}-${number}`;
    if (!existsSync(free)) return free;
  }
}

/**
 * Checks that the content of a file may be replaced, if it exists, and puts it into WAL mode, so
 * that others can read it meanwhile.
 * @returns the file that a symbolic link names, beside which SQLite puts its own files
 * @throws {StoreUnusable}
 */
function prepareTarget(file: string): string {
  if (!exists(file)) return file;
  checkWritable(file);
  const db = open(file, { timeout: PATIENCE });
  try {
    const isOurs = db.pragma('application_id', { simple: true }) === APPLICATION_ID;
    try {
      // Of a newer version it may be: the way back to an older version is a backup from before the
      // upgrade.
      if (!isOurs || markOf(db) === undefined) migrationOf(file, db);
      db.exec('BEGIN IMMEDIATE; ROLLBACK');
      db.pragma('journal_mode = WAL');
    } catch (error) {
      // What is damaged is about to be replaced.
      if (!isOurs || !isDamage(error)) throw error;
    }
  } catch (error) {
    throw error instanceof StoreUnusable ? error : unusable(file, error);
  } finally {
    db.close();
  }
  return realpathSync(file);
}

/**
 * Puts the content of another database into a file, in one transaction.
 * @param saved gets the old content first
 * @throws {StoreUnusable} if another process writes or has written the file; the file then stays as
 *   it is
 */
async function overwrite(file: string, by: string, saved: string): Promise<void> {
  const old = open(file, { readonly: true, fileMustExist: true });
  const source = new Database(by);
  const version = (): unknown => old.pragma('data_version', { simple: true });
  try {
    old.exec('BEGIN');
    isEmpty(old);
    const before = version();
    // Copied by SQLite: if this process opened and closed the file itself, it would lose the locks
    // of SQLite.
    await old.backup(saved, { progress: () => PAGES });
    flushToDisk(saved);
    old.exec('ROLLBACK');
    await source.backup(file, {
      progress: () => {
        if (version() === before) return PAGES;
        throw new StoreUnusable(
          `database "${file}" was changed in the meantime; try again when no import runs`,
        );
      },
    });
  } finally {
    source.close();
    old.close();
  }
}

/**
 * Replaces a file that SQLite cannot read, so that no process sees a state between these steps.
 * Saves it as it is.
 */
function replaceUnreadable(file: string, by: string, saved: string, kept: string): void {
  if (existsSync(`${file}-wal`))
    copyFileSync(`${file}-wal`, `${kept}-wal`, constants.COPYFILE_FICLONE);
  copyFileSync(file, saved, constants.COPYFILE_FICLONE);
  flushToDisk(saved);
  for (const end of ['-wal', '-shm', '-journal']) rmSync(file + end, { force: true });
  renameSync(by, file);
  flushToDisk(dirname(resolve(file)));
}

/**
 * Replaces the content of a file.
 * @returns the file with the old content, which has that name only once it was replaced; null if
 *   there was none
 */
async function replaceContent(file: string, by: string, now: Date): Promise<string | null> {
  if (!existsSync(file)) {
    moveInto(file, by);
    return null;
  }
  return withNewFile(file, '.saving', async (saved) => {
    const kept = unusedName(file, now);
    try {
      await overwrite(file, by, saved);
    } catch (error) {
      if (!isDamage((error as Error).cause ?? error))
        throw error instanceof Database.SqliteError ? unusable(file, error) : error;
      replaceUnreadable(file, by, saved, kept);
    }
    moveInto(kept, saved);
    // Closing moves the commits into the file, so that its -wal file does not stay as large as the
    // database.
    await (await openWrites(file)).close();
    return kept;
  });
}

/**
 * Replaces the content of a database with a backup, brought to the last migration.
 * @param importAgain reads the logs of an older backup again
 * @throws {StoreUnusable}
 */
export async function restoreFile(
  database: string,
  from: string,
  now: Date,
  progress: Progress,
  importAgain: ImportAgain,
): Promise<Restoring> {
  const file = prepareTarget(database);
  return withNewFile(file, '.restoring', async (copy) => {
    const copied = await copyBackup(from, copy, progress, importAgain);
    return { ...copied, kept: await replaceContent(file, copy, now) };
  });
}
