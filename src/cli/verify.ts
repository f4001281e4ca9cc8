import { verifyDatabase } from '../store/maintenance.js';
import type { CommandLine, Given } from './command-line.js';
import { UsageError } from './settings.js';
import { count } from './terminal.js';
import { derivedText, printProblems, rereading } from './upkeep.js';

export const command = {
  usage: 'verify',
  description: [
    'Checks the database: the file, its references, and all content, which it derives again from the stored site logs.',
    'Prints each problem to stderr as one line. Works while the service and imports run.',
    'Exit codes: 0 nothing found, 1 problems found, 2 usage error, 3 the database cannot be used.',
  ].join('\n'),
  settings: ['database'],
  flags: {},
} as const satisfies CommandLine<'database', never>;

/** Checks the database and returns the exit code. */
export async function run({ settings, arguments: rest }: Given<'database', never>): Promise<number> {
  if (rest.length > 0) throw new UsageError(`verify takes no arguments, but got "${rest[0]}"; pass the database with --database`);
  const verification = await verifyDatabase(settings.database, rereading);
  const { problems } = verification;
  printProblems(problems);
  const repairable = problems.filter(({ repairable }) => repairable).length;
  process.stdout.write(
    `${derivedText(verification)}${problems.length === 0 ? 'nothing found' : `${count(problems.length, 'problem')} found; rebuild repairs ${repairable}`}\n`,
  );
  return problems.length === 0 ? 0 : 1;
}
