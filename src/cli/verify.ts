import { readAsImported } from '../import-site-logs.js';
import { verifyDatabase } from '../store/upkeep/maintenance.js';
import type { CommandLine, Given } from './command-line.js';
import { UsageError } from './failures.js';
import { count, printProblems } from './terminal.js';

export const command = {
  usage: 'verify',
  description: [
    'Checks the database: the file, its references, and all content, which it derives again from the stored site logs.',
    'Prints each problem to stderr as one line. Works while the service and imports run.',
    'Exit codes: 0 nothing found, 1 problems found, 2 usage error, 3 the database cannot be used.',
  ].join('\n'),
  settings: ['database'],
  flags: {},
} as const satisfies CommandLine;

/** How many Sites are named that should be derived again. */
const MOST_NAMED = 10;

/** Says that Sites should be derived again, which is no problem. @param ids theirs */
function toDeriveText(ids: readonly string[]): string {
  const named = ids.slice(0, MOST_NAMED).join(', ') + (ids.length > MOST_NAMED ? ', …' : '');
  const [verb, whose] = ids.length === 1 ? ['was', 'its'] : ['were', 'their'];
  return `${count(ids.length, 'Site')} ${verb} derived by an older version of the readers (${named}); import ${whose} logs again`;
}

/** Checks the database and returns the exit code. */
export async function run({ settings, arguments: rest }: Given<typeof command>): Promise<number> {
  if (rest.length > 0)
    throw new UsageError(
      `verify takes no arguments, but got "${rest[0]}"; pass the database with --database`,
    );
  const { problems, logs, sites, toDeriveAgain } = await verifyDatabase(
    settings.database,
    readAsImported,
  );
  printProblems(problems);
  const repairable = problems.filter(({ repairable }) => repairable).length;
  const lines = [
    `${count(sites, 'Site')}: ${count(logs, 'site log')} read again`,
    ...(toDeriveAgain.length === 0 ? [] : [toDeriveText(toDeriveAgain)]),
    problems.length === 0
      ? 'nothing found'
      : `${count(problems.length, 'problem')} found; rebuild repairs ${repairable}`,
  ];
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
  return problems.length === 0 ? 0 : 1;
}
