import type { Database } from '../database.js';
import { isPostgres } from '../postgres/url.js';
import { readContents } from './contents.js';
import { examine } from './examine.js';
import type { Problem, Rereading, Verification } from './types.js';

/** Gives `work` one state of a database, and what its engine finds wrong with it. */
async function readChecked<T>(database: string, work: (db: Database, problems: Problem[]) => Promise<T>): Promise<T> {
  if (isPostgres(database)) {
    const { schemaProblems } = await import('../postgres/integrity.js');
    return readContents(database, async (db) => work(db, await schemaProblems(db)));
  }
  const { db, problems, close } = await (await import('../sqlite/snapshot.js')).openCheckedSnapshot(database);
  return work(db, problems).finally(close);
}

/** Checks the content of a database against itself and its stored logs. Does not block other processes. @throws {StoreUnusable} */
export async function verifyDatabase(database: string, rereading: Rereading): Promise<Verification> {
  let found: Problem[] = [];
  try {
    return await readChecked(database, async (db, problems) => {
      found = problems;
      const { problems: more, toDeriveAgain, logs, sites } = await examine(db, rereading);
      return { problems: [...problems, ...more], toDeriveAgain, logs, sites };
    });
  } catch (error) {
    // The engine says what is wrong with what cannot be read.
    if (found.length === 0 || (error as { code?: string }).code === 'SQLITE_FULL') throw error;
    const unreadable = { text: `the content cannot be read: ${(error as Error).message}`, repairable: false };
    return { problems: [...found, unreadable], toDeriveAgain: [], logs: 0, sites: 0 };
  }
}
