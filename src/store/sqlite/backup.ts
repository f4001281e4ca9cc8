import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { type Database as AnyDatabase, StoreUnusable } from '../database.js';
import { whyOutdated } from '../migrations.js';
import type { Backup, Problem, Progress } from '../results.js';
import { integrityProblems, schemaProblems } from './integrity.js';
import { replaceInOneStep } from '../../whole-file.js';
import {
  APPLICATION_ID,
  DamagedDatabase,
  exists,
  guarded,
  isEmpty,
  migrationOf,
  open,
  unusable,
} from './open.js';
import { SqliteTransaction } from './writes.js';

/** How many pages are copied between two reports of progress. */
export const PAGES = 2000;

/** Opens one state of a database of this version or an older one, to copy it. */
export function openSnapshot(file: string): Database.Database {
  if (!exists(file)) throw new StoreUnusable(`database "${file}" does not exist`);
  const db = open(file, { readonly: true, fileMustExist: true });
  return guarded(file, db, () => {
    if (migrationOf(file, db) === 0) throw new StoreUnusable(`database "${file}" is empty`);
    db.exec('BEGIN');
    // The snapshot starts at the first read.
    isEmpty(db);
    return db;
  });
}

/** Opens one state of a file of this version, and has SQLite check it. @throws {StoreUnusable} */
export async function openCheckedSnapshot(
  file: string,
): Promise<{ db: AnyDatabase; problems: Problem[]; close(): Promise<void> }> {
  const db = openSnapshot(file);
  return guarded(file, db, () => {
    const reason = whyOutdated(migrationOf(file, db));
    if (reason !== undefined) throw new StoreUnusable(`database "${file}" ${reason}`);
    const problems = [...integrityProblems(db), ...schemaProblems(db)];
    return { db: new SqliteTransaction(db), problems, close: async () => void db.close() };
  });
}

/** Whether a file is a database of this service. */
export function isBackup(file: string): boolean {
  try {
    const db = new Database(file, { readonly: true });
    const id = db.pragma('application_id', { simple: true });
    db.close();
    return id === APPLICATION_ID;
  } catch {
    return false;
  }
}

/**
 * Copies a database as it is now, while others use it.
 * @param target is replaced by a checked copy in one step, or not at all
 */
export async function backUpFile(
  file: string,
  target: string,
  progress: Progress,
): Promise<Backup> {
  const source = openSnapshot(file);
  try {
    return await replaceInOneStep(target, (partial) => copyPages(file, source, partial, progress));
  } finally {
    source.close();
  }
}

/** Copies all pages of an open database to a new file, and checks it. */
export async function copyPages(
  file: string,
  source: Database.Database,
  copy: string,
  progress: Progress,
): Promise<Backup> {
  try {
    await source.backup(copy, {
      progress: ({ totalPages, remainingPages }) => {
        progress(1 - remainingPages / totalPages);
        return PAGES;
      },
    });
  } catch (error) {
    // If a disk is full, it is the disk with the copy.
    throw error instanceof Database.SqliteError && error.code !== 'SQLITE_FULL'
      ? unusable(file, error)
      : error;
  }
  return checkCopy(file, copy);
}

/** Checks a copy, and makes it a single file. @param file what was copied, for messages */
export function checkCopy(file: string, copy: string): Backup {
  const db = open(copy, { fileMustExist: true });
  return guarded(copy, db, () => {
    const [problem] = integrityProblems(db);
    if (problem !== undefined)
      throw new DamagedDatabase(`database "${file}" is damaged: ${problem.text}`);
    const sites = db.prepare<[], number>('SELECT count(*) FROM site').pluck().get()!;
    // In WAL mode, a file can be read only where -wal and -shm files can be written.
    db.pragma('journal_mode = DELETE');
    db.close();
    return { bytes: statSync(copy).size, sites };
  });
}
