import { copyDatabase } from '../store/upkeep/contents.js';
import { shownDatabase } from '../store/postgres/url.js';
import { visible } from '../visible.js';
import { parseDatabase } from './setting-values.js';
import type { CommandLine, Given } from './command-line.js';
import { UsageError } from './settings.js';
import { count, progress } from './terminal.js';

export const command = {
  usage: 'copy --from FILE|URL --to FILE|URL',
  description: [
    'Copies everything from one database to an empty one: site logs, history and ids, so that all answers stay the same.',
    'Each is a SQLite file or the URL of a PostgreSQL database. The source may be in use. If the command fails, the target stays empty.',
    'Exit codes: 0 done, 2 usage error, 3 one of the databases cannot be used, or the target is not empty.',
  ].join('\n'),
  settings: [],
  flags: {
    from: { argument: 'FILE|URL', description: 'The database to copy.' },
    to: { argument: 'FILE|URL', description: 'The database to fill. Its tables are created if there are none.' },
  },
} as const satisfies CommandLine<never, 'from' | 'to'>;

/** The database that a flag names. @throws {UsageError} */
function databaseOf(flag: 'from' | 'to', text: unknown): string {
  if (typeof text !== 'string' || text === '')
    throw new UsageError(`copy needs --${flag}: a SQLite file, or the URL of a PostgreSQL database`);
  try {
    return parseDatabase(text, process.env);
  } catch (error) {
    throw new UsageError(`--${flag} "${shownDatabase(text)}": ${(error as Error).message}`);
  }
}

/** Copies a database and returns the exit code. */
export async function run({ flags, arguments: rest }: Given<never, 'from' | 'to'>): Promise<number> {
  if (rest.length > 0) throw new UsageError(`copy takes no arguments, but got "${rest[0]}"; pass the databases with --from and --to`);
  const [from, to] = [databaseOf('from', flags.from), databaseOf('to', flags.to)];
  const { sites, logs } = await copyDatabase(from, to, progress);
  process.stdout.write(`Copied to "${visible(shownDatabase(to))}": ${count(sites, 'Site')}, ${count(logs, 'site log')}\n`);
  return 0;
}
