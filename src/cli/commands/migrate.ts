import { readAsImported } from '../../import-site-logs.js';
import type { CommandLine, Given } from '../line/command-line.js';
import { UsageError } from '../line/failures.js';
import { migrateAndTell } from '../migration.js';

export const command = {
  usage: 'migrate',
  description: [
    'Brings a database of an earlier version up to date. A SQLite file is first backed up ' +
      'beside itself. Creates a database that',
    'does not exist. Reads the stored site logs again if this version finds more in them; if it ' +
      'is stopped meanwhile, run it again. To go back, install the earlier version, and restore ' +
      'the backup.',
    'Exit codes: 0 done or nothing to do, 2 usage error, 3 the database cannot be used.',
  ].join('\n'),
  examples: [
    ['Bring the default database up to date.', 'migrate'],
    ['Bring another one up to date.', 'migrate --database network.sqlite'],
  ],
  settings: ['database'],
  flags: {},
} as const satisfies CommandLine;

/** Migrates, and returns the exit code. */
export async function run({
  settings: { database },
  arguments: rest,
}: Given<typeof command>): Promise<number> {
  if (rest.length > 0)
    throw new UsageError(`migrate takes no arguments: "${rest[0]!}" is one too many`);
  const { line } = await migrateAndTell(database, readAsImported);
  process.stdout.write(`${line}\n`);
  return 0;
}
