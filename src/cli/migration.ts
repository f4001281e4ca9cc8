import { migrateDatabase } from '../store/open.js';
import { visible } from '../visible.js';
import { count, printProblems } from './line/terminal.js';

/**
 * Brings a database up to date, and prints which logs cannot be read any more. Returns a line about
 * what was done, and whether anything was.
 * @param importAgain reads logs again, for what a migration left out; null leaves that to the next
 *   import
 */
export async function migrateAndTell(
  database: string,
  importAgain: Parameters<typeof migrateDatabase>[2],
): Promise<{ line: string; isChanged: boolean }> {
  const begin = performance.now();
  const { from, to, kept, logs, problems } = await migrateDatabase(
    database,
    new Date(),
    importAgain,
  );
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  printProblems(problems);
  const read = logs === 0 ? '' : `; ${count(logs, 'site log')} read again`;
  if (from === to)
    return { line: `Database is up to date (migration ${to})${read}`, isChanged: logs > 0 };
  if (from === null) return { line: 'Database created', isChanged: true };
  const backup = kept === null ? '' : `; backup: "${visible(kept)}"`;
  const line = `Database migrated from version ${from} to ${to} in ${seconds} s${read}${backup}`;
  return { line, isChanged: true };
}
