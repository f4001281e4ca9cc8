import sql from 'sql-template-tag';
import type { Database } from '../database.js';
import { isPostgres } from '../address.js';
import { recordTimeInFuture } from '../clock.js';
import type { ImportAgain } from '../save/corrections.js';
import { readContents } from './contents.js';
import { hasChangesToCompare } from '../save/compare-again.js';
import { countLogsToRead } from '../save/read-again.js';
import { deriveAgain } from './derive-again.js';
import { hasWrongCounts } from './type-counts.js';
import type { Backup, Problem, Progress, Restoring, Verification } from '../results.js';

/** Gives `work` one state of a database, and what its engine finds wrong with it. */
async function readChecked<T>(
  database: string,
  work: (db: Database, problems: Problem[]) => Promise<T>,
): Promise<T> {
  if (isPostgres(database)) {
    const { schemaProblems } = await import('../postgres/integrity.js');
    return readContents(database, async (db) => work(db, await schemaProblems(db)));
  }
  const { db, problems, close } = await (
    await import('../sqlite/backup.js')
  ).openCheckedSnapshot(database);
  return work(db, problems).finally(close);
}

/** How many Sites are derived again at once. */
const BATCH = 20;

/** Derives all Sites again, and compares that with what is on record. @param db in one state */
async function examine(db: Database, importAgain: ImportAgain, now: Date): Promise<Verification> {
  const rows = await db.all<{ id: number }>(sql`SELECT id FROM site ORDER BY id`);
  const numbers = rows.map(({ id }) => id);
  // By text, because a device may be at Sites of several batches.
  const problems = new Map<string, Problem>();
  let logs = 0;
  for (let first = 0; first < numbers.length; first += BATCH) {
    const derived = await deriveAgain(db, numbers.slice(first, first + BATCH), importAgain);
    for (const problem of derived.problems) problems.set(problem.text, problem);
    logs += derived.logs;
  }
  if (await hasWrongCounts(db)) {
    const text = 'equipment_type_count does not match the devices';
    problems.set(text, { text, remedy: 'import' });
  }
  const toRead = await countLogsToRead(db);
  if (toRead > 0) {
    const text =
      `site logs that have not been read again since the migration: ${toRead}; their findings ` +
      'and the names of their agencies are missing; run: gnss-site-setups migrate';
    problems.set(text, { text, remedy: null });
  }
  if (await hasChangesToCompare(db)) {
    const text =
      'changes that have not been compared since the migration: recordedSince finds too many of ' +
      'them; run: gnss-site-setups migrate';
    problems.set(text, { text, remedy: null });
  }
  const last = await db.get<{ at: string | null }>(sql`SELECT max(at) AS at FROM event`);
  const future = recordTimeInFuture(last!.at, now);
  if (future !== null) {
    const text =
      `the last record time, ${future}, lies in the future: an import had a wrong clock, or this ` +
      'clock is wrong; until then, nothing can be imported or corrected, and asOf does not find ' +
      'what was saved since';
    problems.set(text, { text, remedy: 'restore' });
  }
  return { problems: [...problems.values()], logs, sites: numbers.length };
}

/**
 * Checks a database: by its engine, its schema, and all that follows from the stored logs.
 * Superseded rows and events follow from no log. Does not block other processes.
 * @throws {StoreUnusable}
 */
export async function verifyDatabase(
  database: string,
  importAgain: ImportAgain,
): Promise<Verification> {
  let found: Problem[] = [];
  try {
    return await readChecked(database, async (db, problems) => {
      found = problems;
      const { problems: more, logs, sites } = await examine(db, importAgain, new Date());
      return { problems: [...problems, ...more], logs, sites };
    });
  } catch (error) {
    // The engine says what is wrong with what cannot be read.
    if (found.length === 0 || (error as { code?: string }).code === 'SQLITE_FULL') throw error;
    const text = `the content cannot be read: ${(error as Error).message}`;
    return { problems: [...found, { text, remedy: 'restore' }], logs: 0, sites: 0 };
  }
}

/**
 * Copies a database to a SQLite file as it is now, and checks the copy.
 * @param target is replaced in one step, or not at all
 */
export async function backUpDatabase(
  database: string,
  target: string,
  progress: Progress,
): Promise<Backup> {
  if (isPostgres(database)) {
    const { backUpPostgres } = await import('./postgres-maintenance.js');
    return backUpPostgres(database, target, progress);
  }
  const { backUpFile } = await import('../sqlite/backup.js');
  return backUpFile(database, target, progress);
}

/**
 * Replaces the content of a database with a backup, brought to the last migration.
 * @param importAgain reads the logs of an older backup again
 * @throws {StoreUnusable}
 */
export async function restoreDatabase(
  database: string,
  from: string,
  now: Date,
  progress: Progress,
  importAgain: ImportAgain,
): Promise<Restoring> {
  if (isPostgres(database)) {
    const { restorePostgres } = await import('./postgres-maintenance.js');
    return restorePostgres(database, from, now, progress, importAgain);
  }
  const { restoreFile } = await import('../sqlite/restore.js');
  return restoreFile(database, from, now, progress, importAgain);
}
