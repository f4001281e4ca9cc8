import { constants, copyFileSync, existsSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { StoreUnusable } from '../store.js';
import type { Progress, Restoring } from '../upkeep.js';
import { checkIntact, copyPages, flush, openInOneState, PAGES, withNewFile } from './backup.js';
import { guarded, isOwn, open, openWriter, unusable } from './open.js';

/** Opens the database that is about to be replaced; null if SQLite cannot read it. */
function openReadable(file: string): Database.Database | null {
  const db = open(file, { readonly: true, fileMustExist: true });
  try {
    db.exec('BEGIN');
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    return db;
  } catch (error) {
    db.close();
    if (/^SQLITE_(NOTADB|CORRUPT|ERROR)/.test((error as { code?: string }).code ?? '')) return null;
    throw unusable(file, error);
  }
}

/** Replaces a file that SQLite cannot read, so that no process sees a state between these steps. Saves it as it is, unless that is done. */
async function replaceUnreadable(file: string, by: string, as: string): Promise<void> {
  if (!existsSync(as)) {
    await savedAs(as, file, async (partial) => {
      if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${as}-wal`, constants.COPYFILE_FICLONE);
      copyFileSync(file, partial, constants.COPYFILE_FICLONE);
    });
  }
  for (const end of ['-wal', '-shm', '-journal']) rmSync(file + end, { force: true });
  renameSync(by, file);
  flush(dirname(resolve(file)));
}

/** Saves the old content under its name only when it is complete, so that a killed process leaves no false one. */
async function savedAs(as: string, file: string, copy: (partial: string) => Promise<unknown>): Promise<void> {
  await withNewFile(`${file}.saving`, async (partial) => {
    await copy(partial);
    flush(partial);
    renameSync(partial, as);
  });
}

/**
 * Puts the content of another database into a file, in one transaction: readers see the old content or the new one. The
 * old content is copied first.
 * @param file was checked by {@link prepareTarget}
 * @param reason what replaces the content, for the name of the copy
 * @param unchanged whether the file is still as the caller has read it; called when no other process can write it any more
 * @returns the file with the old content; null if there was none
 * @throws {StoreUnusable} if another process writes or has written the file; the file then stays as it is
 */
export async function replaceContent(file: string, by: string, reason: string, now: Date, unchanged = () => true): Promise<string | null> {
  if (!existsSync(file)) {
    renameSync(by, file);
    flush(dirname(resolve(file)));
    return null;
  }
  const as = nameOfKept(file, reason, now);
  const old = openReadable(file);
  if (old === null) {
    await replaceUnreadable(file, by, as);
    return as;
  }
  const version = (): unknown => old.pragma('data_version', { simple: true });
  const source = new Database(by);
  let isSaved = false;
  try {
    const before = version();
    // Copied by SQLite: if this process opened and closed the file itself, it would lose the locks of SQLite.
    await savedAs(as, file, (partial) => old.backup(partial, { progress: () => PAGES }));
    isSaved = true;
    old.exec('ROLLBACK');
    await source.backup(file, {
      progress: () => {
        if (version() !== before || !unchanged())
          throw new StoreUnusable(`database "${file}" was changed in the meantime; try again when no import runs`);
        return PAGES;
      },
    });
  } catch (error) {
    if (!/^SQLITE_(NOTADB|CORRUPT)/.test((error as { code?: string }).code ?? '')) {
      if (isSaved) rmSync(as, { force: true });
      throw error instanceof Database.SqliteError ? unusable(file, error) : error;
    }
    source.close();
    old.close();
    await replaceUnreadable(file, by, as);
    return as;
  } finally {
    source.close();
    old.close();
  }
  emptyWal(file);
  return as;
}

/** Moves the commits into the database file, so that its -wal file does not stay as large as the database. */
function emptyWal(file: string): void {
  const db = open(file, { fileMustExist: true });
  guarded(file, db, () => db.pragma('wal_checkpoint(TRUNCATE)'));
  db.close();
}

/** A name that no file has, for the old content of a database. @param reason what replaces the content */
export function nameOfKept(database: string, reason: string, now: Date): string {
  const name = `${database}.before-${reason}-${now.toISOString().replace(/[-:]|\.\d+/g, '')}`;
  for (let number = 1; ; number++) {
    const free = number === 1 ? name : `${name}-${number}`;
    if (!existsSync(free)) return free;
  }
}

/**
 * Checks that the content of a file may be replaced, if it exists, and puts it into WAL mode: in the other modes, nobody
 * can read the file while it is replaced, not even the check that it has not changed.
 * @returns the file that a symbolic link names, beside which SQLite puts its own files
 * @throws {StoreUnusable} if it is not a database of this service, or another process writes it
 */
export function prepareTarget(file: string): string {
  if (!existsSync(file)) return file;
  const db = open(file, { timeout: 1000 });
  guarded(file, db, () => isOwn(file, db));
  try {
    db.exec('BEGIN IMMEDIATE; ROLLBACK');
    db.pragma('journal_mode = WAL');
  } catch (error) {
    if (/^SQLITE_(BUSY|LOCKED|CANTOPEN|READONLY|PERM)/.test((error as { code?: string }).code ?? '')) throw unusable(file, error);
    // A damaged file is about to be replaced.
  } finally {
    db.close();
  }
  return realpathSync(file);
}

/**
 * Replaces the content of a database with a backup, brought to the last migration.
 * @returns what the backup contains, and the file with the old content; null if there was none
 */
export async function restore(database: string, from: string, now: Date, progress: Progress): Promise<Restoring> {
  const source = openInOneState(from, false);
  try {
    checkIntact(from, source);
    const file = prepareTarget(database);
    return await withNewFile(`${file}.restoring`, async (copy) => {
      const copied = await copyPages(from, source, copy, progress);
      await openWriter(copy).close();
      return { ...copied, kept: await replaceContent(file, copy, 'restore', now) };
    });
  } finally {
    source.close();
  }
}
