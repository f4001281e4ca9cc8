import { closeSync, constants, copyFileSync, existsSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { type Backup, checkIntact, copyPages, flush, openInOneState, PAGES, type Progress, withNewFile } from './backup.js';
import { guarded, open, openWriter, unusable } from './open.js';

/** Whether a file begins as a database does, so that SQLite can overwrite its content. */
function hasHeader(file: string): boolean {
  const header = Buffer.alloc(16);
  const descriptor = openSync(file, 'r');
  readSync(descriptor, header, 0, 16, 0);
  closeSync(descriptor);
  return header.toString('latin1') === 'SQLite format 3\0';
}

/** Copies a file as it is, with what is only in its -wal file. */
function keep(file: string, as: string): void {
  for (const end of ['', '-wal']) {
    if (!existsSync(file + end) || (end !== '' && statSync(file + end).size === 0)) continue;
    copyFileSync(file + end, as + end, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    flush(as + end);
  }
}

/**
 * Puts the content of another database into a file, in one transaction: readers see the old content or the new one.
 * @param as the name under which the old content is kept
 * @param locked called when no other process can write the file any more; an error from it leaves the file as it is
 */
export async function replaceContent(file: string, by: string, as: string, locked: () => void = () => undefined): Promise<void> {
  if (!existsSync(file)) {
    renameSync(by, file);
    return flush(dirname(resolve(file)));
  }
  const source = new Database(by);
  let kept = false;
  try {
    if (!hasHeader(file)) throw new Database.SqliteError('not a database', 'SQLITE_NOTADB');
    await source.backup(file, {
      progress: () => {
        if (!kept) {
          locked();
          keep(file, as);
          kept = true;
        }
        return PAGES;
      },
    });
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
    if (!/^SQLITE_(NOTADB|CORRUPT)/.test(error.code)) throw unusable(file, error);
    // Nobody can read such a file, so nobody sees the moment between these.
    source.close();
    if (!kept) keep(file, as);
    for (const end of ['-wal', '-shm', '-journal']) rmSync(file + end, { force: true });
    renameSync(by, file);
    return flush(dirname(resolve(file)));
  } finally {
    source.close();
  }
  emptyWal(file);
}

/** Moves what was committed to the database, so that its -wal file does not stay as large as it. */
function emptyWal(file: string): void {
  const db = open(file, { fileMustExist: true });
  guarded(file, db, () => db.pragma('wal_checkpoint(TRUNCATE)'));
  db.close();
}

/** The name under which the content of a file is kept before something. */
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
 * Puts the content of a backup into a database, brought to the last migration.
 * @returns what the backup contains, and under which name the old content is kept; null if there was none
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
