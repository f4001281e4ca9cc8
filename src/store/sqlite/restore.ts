import { closeSync, constants, copyFileSync, existsSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { type Backup, checkIntact, copyPages, flush, openInOneState, PAGES, type Progress, withNewFile } from './backup.js';
import { StoreUnusable } from '../store.js';
import { guarded, open, openWriter, unusable } from './open.js';

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

/** Replaces a file that SQLite cannot read, so that no process sees a state between these steps. */
function replaceUnreadable(file: string, by: string, as: string): void {
  for (const end of ['', '-wal']) {
    if (existsSync(file + end) && !existsSync(as + end)) copyFileSync(file + end, as + end, constants.COPYFILE_FICLONE);
  }
  for (const end of ['-wal', '-shm', '-journal']) rmSync(file + end, { force: true });
  renameSync(by, file);
  flush(dirname(resolve(file)));
}

/**
 * Puts the content of another database into a file, in one transaction: readers see the old content or the new one. The
 * old content is copied first.
 * @param as the name of that copy
 * @param unchanged whether the file is still as the caller has read it; called when no other process can write it any more
 * @throws {StoreUnusable} if another process writes or has written the file; the file then stays as it is
 */
export async function replaceContent(file: string, by: string, as: string, unchanged = (): boolean => true): Promise<void> {
  if (!existsSync(file)) {
    renameSync(by, file);
    return flush(dirname(resolve(file)));
  }
  const old = openReadable(file);
  if (old === null) return replaceUnreadable(file, by, as);
  const version = (): unknown => old.pragma('data_version', { simple: true });
  const source = new Database(by);
  try {
    const before = version();
    // Copied by SQLite: if this process opened and closed the file itself, it would lose the locks of SQLite.
    closeSync(openSync(as, 'wx', 0o640));
    await old.backup(as, { progress: () => PAGES });
    flush(as);
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
      rmSync(as, { force: true });
      throw error instanceof Database.SqliteError ? unusable(file, error) : error;
    }
    source.close();
    old.close();
    return replaceUnreadable(file, by, as);
  } finally {
    source.close();
    old.close();
  }
  emptyWal(file);
}

/** Moves the commits into the database file, so that its -wal file does not stay as large as the database. */
function emptyWal(file: string): void {
  const db = open(file, { fileMustExist: true });
  guarded(file, db, () => db.pragma('wal_checkpoint(TRUNCATE)'));
  db.close();
}

/** The name of the file with the old content. @param before what replaces the content */
export const keptAs = (file: string, before: string, now: Date): string =>
  `${file}.before-${before}-${now.toISOString().replace(/[-:]|\.\d+/g, '')}`;

/** @throws {StoreUnusable} if another process writes the file */
function checkNotLocked(file: string): void {
  if (!existsSync(file)) return;
  try {
    const db = new Database(file, { timeout: 1000 });
    try {
      db.exec('BEGIN IMMEDIATE; ROLLBACK');
    } finally {
      db.close();
    }
  } catch (error) {
    if (/^SQLITE_(BUSY|LOCKED|CANTOPEN|READONLY|PERM)/.test((error as { code?: string }).code ?? '')) throw unusable(file, error);
    // A damaged file is about to be replaced.
  }
}

/**
 * Replaces the content of a database with a backup, brought to the last migration.
 * @returns what the backup contains, and the file with the old content; null if there was none
 */
export async function restore(file: string, from: string, now: Date, progress: Progress): Promise<Backup & { kept: string | null }> {
  const source = openInOneState(from, false);
  try {
    checkIntact(from, source);
    checkNotLocked(file);
    return await withNewFile(`${file}.restoring`, async (copy) => {
      const copied = await copyPages(from, source, copy, progress);
      await openWriter(copy).close();
      const kept = existsSync(file) ? keptAs(file, 'restore', now) : null;
      await replaceContent(file, copy, kept ?? '');
      return { ...copied, kept };
    });
  } finally {
    source.close();
  }
}
