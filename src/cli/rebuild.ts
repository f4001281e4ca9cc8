import { readAsImported } from '../import-site-logs.js';
import { rebuild } from '../store/upkeep/maintenance.js';
import type { CommandLine, Given } from './command-line.js';
import { UsageError } from './failures.js';
import { count, printProblems } from './terminal.js';

export const command = {
  usage: 'rebuild',
  description: [
    'Derives everything again from the stored site logs, and repairs what differs, with the same ids and times of recording.',
    'Works while the service runs. Prints what it cannot repair to stderr, such as damaged originals; content derived from these stays.',
    'Exit codes: 0 done, 1 something cannot be repaired, 2 usage error, 3 the database cannot be used.',
  ].join('\n'),
  settings: ['database'],
  flags: {},
} as const satisfies CommandLine;

/** Rebuilds the database and returns the exit code. */
export async function run({ settings, arguments: rest }: Given<typeof command>): Promise<number> {
  if (rest.length > 0)
    throw new UsageError(
      `rebuild takes no arguments, but got "${rest[0]}"; pass the database with --database`,
    );
  const { problems, repaired } = await rebuild(settings.database, readAsImported);
  const remaining = problems.filter(({ repairable }) => !repairable);
  printProblems(remaining);
  process.stdout.write(
    repaired === 0 ? 'nothing to repair\n' : `${count(repaired, 'problem')} repaired\n`,
  );
  return remaining.length === 0 ? 0 : 1;
}
