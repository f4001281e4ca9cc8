import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DERIVED_TABLES, type TableName } from '../columns.js';
import { type ContentSource, copyContents } from '../contents.js';
import { checkCopy, checkIntact, copyPages, openInOneState, replaceInOneStep } from '../sqlite/backup.js';
import { writeContents } from '../sqlite/contents.js';
import { openToWrite } from '../sqlite/open.js';
import * as sqlite from '../sqlite/rebuild.js';
import { nameOfKept } from '../sqlite/restore.js';
import type { Backup, Progress, Rebuilding, Rereading, Restoring, Verification } from '../upkeep.js';
import { readContents } from './contents.js';
import { replaceContents } from './replace.js';
import { parseDatabaseUrl, shownDatabase } from './url.js';

/** What maintains a PostgreSQL database. It does the work on a SQLite file with the same content. */

const quietly = (): void => undefined;

/** Runs `work` with a folder for temporary files, and then deletes it. */
async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'gnss-site-setups-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Copies all content to a new SQLite file. */
async function copyToFile(database: string, source: ContentSource, file: string, progress: Progress): Promise<Backup> {
  const expected = await writeContents(file, (target) => copyContents(source, target, progress));
  // Counts of nothing may be rows in one engine only.
  const counted = Object.entries(expected).filter(([table]) => !DERIVED_TABLES.includes(table as TableName));
  return checkCopy(shownDatabase(database), file, Object.fromEntries(counted));
}

/** The file with the old content, in the current folder. */
const nameOfOld = (database: string, reason: string, now: Date): string =>
  nameOfKept(resolve(`${parseDatabaseUrl(database).database.replace(/[^\w.-]/g, '_')}.sqlite`), reason, now);

/** Checks the content of a database against its stored logs. Does not block other processes. @throws {StoreUnusable} */
export const verifyDatabase = (database: string, rereading: Rereading): Promise<Verification> =>
  withFolder(async (folder) => {
    const copy = join(folder, 'recorded.sqlite');
    await readContents(database, (source) => copyToFile(database, source, copy, quietly));
    return sqlite.verifyDatabase(copy, rereading);
  });

/** Derives everything again, and replaces the content if it differs. @throws {StoreUnusable} if it changed in the meantime */
export const rebuild = (database: string, rereading: Rereading, now: Date): Promise<Rebuilding> =>
  withFolder(async (folder) => {
    const copy = join(folder, 'recorded.sqlite');
    const revision = await readContents(database, async (source) => {
      await copyToFile(database, source, copy, quietly);
      return source.revision();
    });
    const { kept: old, ...derived } = await sqlite.rebuild(copy, rereading, now);
    if (old === null) return { ...derived, kept: null };
    const keep = async (): Promise<string> => {
      const kept = nameOfOld(database, 'rebuild', now);
      const source = openInOneState(old, true);
      try {
        await replaceInOneStep(kept, (partial) => copyPages(old, source, partial, quietly));
      } finally {
        source.close();
      }
      return kept;
    };
    return { ...derived, kept: await replaceContents(database, copy, { keep, revision }, quietly) };
  });

/** Copies a database to a SQLite file as it is now, while others read and write it. @param target is replaced in one step, or not at all */
export const backUp = (database: string, target: string, progress: Progress): Promise<Backup> =>
  readContents(database, (source) => replaceInOneStep(target, (partial) => copyToFile(database, source, partial, progress)));

/** Replaces the content of a database with a backup, brought to the last migration. @throws {StoreUnusable} */
export async function restore(database: string, from: string, now: Date, progress: Progress): Promise<Restoring> {
  const source = openInOneState(from, false);
  try {
    checkIntact(from, source);
    return await withFolder(async (folder) => {
      const copy = join(folder, 'restored.sqlite');
      const copied = await copyPages(from, source, copy, quietly);
      openToWrite(copy).close();
      const keep = async (old: ContentSource): Promise<string> => {
        const kept = nameOfOld(database, 'restore', now);
        await replaceInOneStep(kept, (partial) => copyToFile(database, old, partial, quietly));
        return kept;
      };
      return { ...copied, kept: await replaceContents(database, copy, { keep, revision: null }, progress) };
    });
  } finally {
    source.close();
  }
}
