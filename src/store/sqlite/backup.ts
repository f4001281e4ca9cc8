import { closeSync, existsSync, fsyncSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { StoreUnusable } from '../store.js';
import type { Backup, Progress } from '../upkeep.js';
import { APPLICATION_ID, MIGRATIONS, migrationOf } from './migrations.js';
import { checkOwner, guarded, open, unusable } from './open.js';
import { tablesOf } from './table-comparison.js';
import { damageOfFile } from './verification.js';

/** How many pages are copied between two reports of progress. */
export const PAGES = 2000;

/** Opens a snapshot of a database, to check or copy it. @param current whether it must have all migrations */
export function openInOneState(file: string, current: boolean): Database.Database {
  if (!existsSync(file)) throw new StoreUnusable(`database "${file}" does not exist`);
  const db = open(file, { readonly: true, fileMustExist: true });
  return guarded(file, db, () => {
    checkOwner(file, db);
    const migration = migrationOf(db);
    if (migration === 0) throw new StoreUnusable(`database "${file}" is empty`);
    if (current && migration < MIGRATIONS.length) {
      throw new StoreUnusable(
        `database "${file}" is from an older version (migration ${migration} of ${MIGRATIONS.length}); bring it up to date by importing a site log`,
      );
    }
    db.exec('BEGIN');
    // The snapshot starts at the first read.
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    return db;
  });
}

/** Runs `work` with a new file that no other process uses, and then deletes the file. @throws {StoreUnusable} if another process uses it */
export async function withNewFile<T>(file: string, work: (file: string) => Promise<T>): Promise<T> {
  const lock = join(dirname(file), `.${basename(file)}.lock`);
  let claim: Database.Database;
  try {
    // A SQLite lock ends with its process, so a killed process does not block the next one.
    claim = new Database(lock, { timeout: 0 });
    claim.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    if ((error as { code?: string }).code === 'SQLITE_BUSY') throw new StoreUnusable(`"${file}" is being written by another process`);
    throw new StoreUnusable(`"${file}" cannot be written: ${(error as Error).message}`);
  }
  const remove = (): void => {
    for (const end of ['', '-journal', '-wal', '-shm']) rmSync(file + end, { force: true });
  };
  try {
    remove();
    closeSync(openSync(file, 'wx', 0o640));
    return await work(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code?.startsWith('E') === true) throw new StoreUnusable(`"${file}" cannot be written: ${message}`, { cause: error });
    throw error;
  } finally {
    remove();
    rmSync(lock, { force: true });
    claim.close();
  }
}

export function flush(path: string): void {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** The number of rows in each table. */
function rowCounts(db: Database.Database): Record<string, number> {
  return Object.fromEntries(
    tablesOf(db).map((table) => [table, db.prepare<[], number>(`SELECT count(*) FROM ${table} NOT INDEXED`).pluck().get()!]),
  );
}

/** @throws {StoreUnusable} if SQLite finds damage */
export function checkIntact(file: string, db: Database.Database): void {
  for (const { text } of damageOfFile(db)) throw new StoreUnusable(`database "${file}" is damaged: ${text}`);
}

/** Where the header of a SQLite file has the application id, in bytes. */
const APPLICATION_ID_AT = 68;

/** Whether a file has the header of a database of this service. @throws {StoreUnusable} if it cannot be read */
export function isBackup(file: string): boolean {
  const header = Buffer.alloc(APPLICATION_ID_AT + 4);
  try {
    const descriptor = openSync(file, 'r');
    try {
      readSync(descriptor, header, 0, header.length, 0);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw new StoreUnusable(`"${file}" cannot be read: ${(error as Error).message}`, { cause: error });
  }
  return header.toString('latin1', 0, 16) === 'SQLite format 3\0' && header.readUInt32BE(APPLICATION_ID_AT) === APPLICATION_ID;
}

/**
 * Copies a database as it is now, while others read and write it. The copy is checked before it replaces the target.
 * @param target is replaced in one step, or not at all
 */
export async function backUp(file: string, target: string, progress: Progress): Promise<Backup> {
  const source = openInOneState(file, false);
  try {
    return await replaceInOneStep(target, (partial) => copyPages(file, source, partial, progress));
  } finally {
    source.close();
  }
}

/** Writes a file under another name, and gives it its name only when it is complete. */
export async function replaceInOneStep<T>(target: string, write: (partial: string) => Promise<T>): Promise<T> {
  return withNewFile(`${target}.partial`, async (partial) => {
    const result = await write(partial);
    flush(partial);
    renameSync(partial, target);
    flush(dirname(resolve(target)));
    return result;
  });
}

/** Copies all pages of an open database to a new file, and checks it. */
export async function copyPages(file: string, source: Database.Database, copy: string, progress: Progress): Promise<Backup> {
  try {
    await source.backup(copy, {
      progress: ({ totalPages, remainingPages }) => {
        progress(1 - remainingPages / totalPages);
        return PAGES;
      },
    });
  } catch (error) {
    throw error instanceof Database.SqliteError ? unusable(file, error) : error;
  }
  return checkCopy(file, copy, rowCounts(source));
}

/**
 * Checks a copy, and makes one file of it.
 * @param file what was copied, for messages
 * @param expected how many rows each table should have
 */
export function checkCopy(file: string, copy: string, expected: Record<string, number>): Backup {
  const db = new Database(copy);
  return guarded(copy, db, () => {
    checkIntact(file, db);
    const is = rowCounts(db);
    const wrong = Object.keys(expected).find((table) => is[table] !== expected[table]);
    if (wrong !== undefined)
      throw new StoreUnusable(`the copy of "${file}" has ${is[wrong]} rows in ${wrong}; expected ${expected[wrong]}`);
    const sites = db.prepare<[], number>('SELECT count(*) FROM site').pluck().get()!;
    // In WAL mode, a file can be read only where -wal and -shm files can be written.
    db.pragma('journal_mode = DELETE');
    db.close();
    return { bytes: statSync(copy).size, sites };
  });
}
