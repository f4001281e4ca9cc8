import { readAsImported } from '../../import-site-logs.js';
import { IMPORT_ANEW } from '../../store/migrations.js';
import { verifyDatabase } from '../../store/upkeep/maintenance.js';
import type { Problem } from '../../store/results.js';
import type { CommandLine, Given } from '../line/command-line.js';
import { UsageError } from '../line/failures.js';
import { count, printProblems } from '../line/terminal.js';

export const command = {
  usage: 'verify',
  description: [
    'Checks the database with its engine, its schema, the SHA-256 of the stored site ' +
      'logs, and all Sites, which it derives from these again.',
    'Prints each problem to stderr as one line, and then what helps. Works while the ' +
      'service and imports run.',
    'Exit codes: 0 nothing found, 1 problems found, 2 usage error, 3 the database cannot be used.',
  ].join('\n'),
  examples: [
    ['Check the default database.', 'verify'],
    ['Check a backup.', 'verify --database backup.sqlite'],
  ],
  settings: ['database'],
  flags: {},
} as const satisfies CommandLine;

/** What cannot be derived from the logs, and so cannot be compared with them. */
const NOT_COMPARED =
  'superseded rows, events and former ids cannot be derived from logs: ' +
  "only the engine's check covers them";

/** What helps against problems. */
const REMEDIES = {
  restore:
    'to repair what cannot be derived from logs, restore a backup (PostgreSQL: into an ' +
    `empty database); without a backup, ${IMPORT_ANEW}`,
  import:
    `to repair what differs from the logs, ${IMPORT_ANEW}; a backup helps if verify finds ` +
    'nothing in it; if an earlier version derived these Sites, import their logs again instead',
};

/**
 * What helps against some problems, in lines. Restoring a backup also repairs what an import would.
 */
function remedyLines(problems: Problem[]): string[] {
  const remedies = problems.map(({ remedy }) => remedy);
  if (remedies.includes('restore')) return [REMEDIES.restore];
  if (remedies.includes('import')) return [REMEDIES.import];
  return [];
}

/** Checks the database and returns the exit code. */
export async function run({ settings, arguments: rest }: Given<typeof command>): Promise<number> {
  if (rest.length > 0)
    throw new UsageError(
      `verify takes no arguments, but got "${rest[0]}"; pass the database with --database`,
    );
  const { problems, logs, sites } = await verifyDatabase(settings.database, readAsImported);
  printProblems(problems);
  const lines = [
    `${count(sites, 'Site')}: ${count(logs, 'site log')} read again`,
    NOT_COMPARED,
    problems.length === 0 ? 'nothing found' : `${count(problems.length, 'problem')} found`,
    ...remedyLines(problems),
  ];
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
  return problems.length === 0 ? 0 : 1;
}
