import { readAsImported } from '../../import-site-logs.js';
import { migrateDatabase } from '../../store/open.js';
import { visible } from '../../visible.js';
import type { CommandLine, Given } from '../line/command-line.js';
import { UsageError } from '../line/failures.js';
import { count, printProblems } from '../line/terminal.js';

export const command = {
  usage: 'migrate',
  description: [
    'Brings a database of an earlier version up to date. A SQLite file is first backed up ' +
      'beside itself. Creates a database that',
    'does not exist. Reads the stored site logs again if this version finds more in them; if it is ' +
      'stopped meanwhile, run it again. To go back, install the earlier version, and restore the ' +
      'backup.',
    'Exit codes: 0 done or nothing to do, 2 usage error, 3 the database cannot be used.',
  ].join('\n'),
  examples: [
    ['Bring the default database up to date.', 'migrate'],
    ['Bring another one up to date.', 'migrate --database network.sqlite'],
  ],
  settings: ['database'],
  flags: {},
} as const satisfies CommandLine;

/**
 * Brings a database up to date, and prints which logs cannot be read any more. Returns a line about
 * what was done, and whether anything was.
 */
export async function migrateAndTell(
  database: string,
): Promise<{ line: string; isChanged: boolean }> {
  const begin = performance.now();
  const { from, to, kept, logs, problems } = await migrateDatabase(
    database,
    new Date(),
    readAsImported,
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

/** Migrates, and returns the exit code. */
export async function run({
  settings: { database },
  arguments: rest,
}: Given<typeof command>): Promise<number> {
  if (rest.length > 0)
    throw new UsageError(`migrate takes no arguments: "${rest[0]!}" is one too many`);
  const { line } = await migrateAndTell(database);
  process.stdout.write(`${line}\n`);
  return 0;
}
