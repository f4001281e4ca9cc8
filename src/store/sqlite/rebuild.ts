import Database from 'better-sqlite3';
import type { Rebuilding, Rereading, Verification } from '../upkeep.js';
import { openInOneState, withNewFile } from './backup.js';
import { prepareTarget, replaceContent } from './restore.js';
import { deriveAnew, prepareReplay } from './verification.js';

/** Checks the content of a database against its stored logs. Does not block other processes. */
export function verifyDatabase(file: string, rereading: Rereading): Verification {
  const recorded = openInOneState(file, true);
  const replayed = new Database('');
  try {
    prepareReplay(replayed);
    return deriveAnew(recorded, replayed, rereading);
  } finally {
    recorded.close();
    replayed.close();
  }
}

/** Derives everything again, and replaces the content if it differs. @throws {StoreUnusable} if it changed in the meantime */
export async function rebuild(database: string, rereading: Rereading, now: Date): Promise<Rebuilding> {
  const file = prepareTarget(database);
  const recorded = openInOneState(file, true);
  try {
    return await withNewFile(`${file}.rebuilding`, async (copy) => {
      const replayed = new Database(copy);
      const version = () => recorded.pragma('data_version', { simple: true });
      let derived;
      try {
        prepareReplay(replayed);
        derived = deriveAnew(recorded, replayed, rereading);
      } finally {
        replayed.close();
      }
      if (!derived.journalDamaged && !derived.problems.some(({ repairable }) => repairable)) return { ...derived, kept: null };
      const before = version();
      recorded.exec('ROLLBACK');
      return { ...derived, kept: await replaceContent(file, copy, 'rebuild', now, () => version() === before) };
    });
  } finally {
    recorded.close();
  }
}
