import { copyDatabase } from '../../store/upkeep/contents.js';
import { shownDatabase } from '../../store/address.js';
import { visible } from '../../visible.js';
import { parseDatabase } from '../line/setting-values.js';
import type { CommandLine, Given } from '../line/command-line.js';
import { UsageError } from '../line/failures.js';
import { count, progress } from '../line/terminal.js';

const EXPECTED = 'a SQLite file, or the URL of a PostgreSQL database';

function databaseOf(text: string): string {
  if (text === '') throw new Error(`expected ${EXPECTED}`);
  return parseDatabase(text, process.env);
}

export const command = {
  usage: 'copy --from FILE|URL --to FILE|URL',
  description: [
    'Copies everything from one database to an empty one: site logs, history and ids, so ' +
      'that all answers stay the same.',
    'Each is a SQLite file or the URL of a PostgreSQL database. The source may be in use. ' +
      'If the command fails, it leaves no new file, and an empty target stays empty.',
    'Exit codes: 0 done, 2 usage error, 3 one of the databases cannot be used, or the ' +
      'target is not empty.',
  ].join('\n'),
  examples: [
    [
      'Copy a SQLite file to PostgreSQL.',
      'copy --from network.sqlite --to postgres://gnss@db/gnss',
    ],
    ['Copy it back to a new file.', 'copy --from postgres://gnss@db/gnss --to copy.sqlite'],
  ],
  settings: [],
  flags: {
    from: { argument: 'FILE|URL', description: 'The database to copy.', parse: databaseOf },
    to: {
      argument: 'FILE|URL',
      description: 'The database to fill. Its tables are created if there are none.',
      parse: databaseOf,
    },
  },
} as const satisfies CommandLine;

/** Copies a database and returns the exit code. */
export async function run({ flags, arguments: rest }: Given<typeof command>): Promise<number> {
  if (rest.length > 0)
    throw new UsageError(
      `copy takes no arguments, but got "${rest[0]}"; pass the databases with --from and --to`,
    );
  const { from, to } = flags;
  if (from === undefined || to === undefined)
    throw new UsageError(`copy needs --${from === undefined ? 'from' : 'to'}: ${EXPECTED}`);
  const { sites, logs } = await copyDatabase(from, to, progress);
  process.stdout.write(
    `Copied to "${visible(shownDatabase(to))}": ${count(sites, 'Site')}, ` +
      `${count(logs, 'site log')}\n`,
  );
  return 0;
}
