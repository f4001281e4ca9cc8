import type { Database } from '../database.js';
import { isPostgres } from '../postgres/url.js';
import { examine } from './examine.js';
import type { Problem, Rereading, Verification } from './types.js';

/** A database in one state, and what its engine finds wrong with it. */
interface Snapshot {
  db: Database;
  problems: Problem[];
  close(): Promise<void>;
}

async function openSnapshot(database: string): Promise<Snapshot> {
  if (isPostgres(database)) {
    const snapshot = await (await import('../postgres/open.js')).openSnapshot(database);
    try {
      const { schemaProblems } = await import('../postgres/integrity.js');
      return { ...snapshot, problems: await schemaProblems(snapshot.db), close: () => snapshot.close() };
    } catch (error) {
      await snapshot.close();
      throw error;
    }
  }
  return (await import('../sqlite/snapshot.js')).openCheckedSnapshot(database);
}

/** Checks the content of a database against itself and its stored logs. Does not block other processes. @throws {StoreUnusable} */
export async function verifyDatabase(database: string, rereading: Rereading): Promise<Verification> {
  const { db, problems, close } = await openSnapshot(database);
  try {
    const { problems: more, toDeriveAgain, logs, sites } = await examine(db, rereading);
    return { problems: [...problems, ...more], toDeriveAgain, logs, sites };
  } catch (error) {
    // The engine says what is wrong with what cannot be read.
    if (problems.length === 0 || (error as { code?: string }).code === 'SQLITE_FULL') throw error;
    return {
      problems: [...problems, { text: `the content cannot be read: ${(error as Error).message}`, repairable: false }],
      toDeriveAgain: [],
      logs: 0,
      sites: 0,
    };
  } finally {
    await close();
  }
}
