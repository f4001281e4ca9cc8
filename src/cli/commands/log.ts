import type { LogEntry } from '../../store/read/logs/logs.js';
import type { RejectedFileOnRecord } from '../../store/read/rejected-files.js';
import { INSTANT_FORMS } from '../../requests/instant.js';
import { openReader } from '../../store/open.js';
import { visible } from '../../visible.js';
import { correct, correctSince, refuse, unknownAction } from '../correction.js';
import type { CommandLine, Given } from '../line/command-line.js';
import { UsageError } from '../line/failures.js';
import { parseTime } from '../line/setting-values.js';
import { siteIdOf, unresolved } from '../line/site-ids.js';
import { columns, count } from '../line/terminal.js';
import { logNamed } from '../named-log.js';

export const command = {
  usage:
    'log list SITE | log withdraw SITE LOG | log restore SITE LOG | ' +
    'log withdraw --recorded-since TIME | log restore --withdrawn-since TIME | log rejected',
  description: [
    'Lists the site logs of a Site, withdraws a wrong one, or restores it. LOG is its ' +
      'number in the list, its file name, or the beginning of its SHA-256.',
    'After withdraw or restore, the remaining log with the latest Date Prepared becomes ' +
      'current. Nothing is deleted. A Site whose logs',
    'were all withdrawn has no Setups, until a log is imported or restored. Nine ' +
      'characters that no remaining log gives are removed.',
    'To undo a bad import, --recorded-since withdraws all logs recorded since then; ' +
      '--withdrawn-since restores all logs withdrawn since then.',
    'log rejected lists the files that the last import of their path rejected, by reason.',
    'Works while the service runs. Exit codes: 0 done, 1 not possible, 2 usage error, 3 the ' +
      'database cannot be used.',
  ].join('\n'),
  examples: [
    ['List the site logs of a Site.', 'log list ALIC'],
    ['See what a withdrawal of log 12 would change.', 'log withdraw ALIC 12 --dry-run'],
  ],
  completes: ['list', 'withdraw', 'restore', 'rejected'],
  settings: ['database'],
  flags: {
    'dry-run': { description: 'Report what would change, without saving anything.' },
    'recorded-since': {
      argument: 'TIME',
      description:
        'With withdraw: all logs recorded at this time or later, in UTC: ' + `${INSTANT_FORMS}.`,
      parse: parseTime,
    },
    'withdrawn-since': {
      argument: 'TIME',
      description: 'With restore: all logs that were withdrawn at this time or later.',
      parse: parseTime,
    },
  },
} as const satisfies CommandLine;

const line = (
  log: string,
  prepared: string,
  imported: string,
  sha256: string,
  state: string,
  file: string,
): string =>
  [
    log.padStart(6),
    prepared.padEnd(10),
    imported.padEnd(10),
    sha256.padEnd(12),
    state.padEnd(20),
    `${visible(file)}\n`,
  ].join('  ');

/** Whether a log is withdrawn or current, in the list. */
function stateOf({ withdrawnAt, current }: LogEntry): string {
  if (withdrawnAt !== null) return `withdrawn ${withdrawnAt.slice(0, 10)}`;
  return current ? 'current' : '';
}

function row(log: LogEntry): string {
  return line(
    String(log.id),
    log.datePrepared ?? 'unknown',
    log.importedAt.slice(0, 10),
    log.sha256.slice(0, 12),
    stateOf(log),
    log.name,
  );
}

/** The time since which an action changes all logs; undefined if there is none. */
function sinceOf(action: string, flags: Given<typeof command>['flags']): string | undefined {
  const recordedSince = flags['recorded-since'];
  const withdrawnSince = flags['withdrawn-since'];
  if (recordedSince !== undefined && action !== 'withdraw')
    throw new UsageError('--recorded-since belongs to log withdraw');
  if (withdrawnSince !== undefined && action !== 'restore')
    throw new UsageError('--withdrawn-since belongs to log restore');
  return recordedSince ?? withdrawnSince;
}

/** A table of the rejected files of each reason, the most frequent reason first. */
function rejectedByReason(files: readonly RejectedFileOnRecord[]): string[] {
  const groups = [...Map.groupBy(files, ({ code }) => code)];
  groups.sort(([, some], [, others]) => others.length - some.length);
  return groups.map(([code, group]) => {
    const rows = group.map(({ path, reason, firstRejectedAt, lastRejectedAt }) => [
      firstRejectedAt,
      lastRejectedAt,
      path,
      reason,
    ]);
    const table = columns([['First rejected', 'Last rejected', 'File', 'Reason'], ...rows]);
    return `${code}: ${count(group.length, 'file')}\n${table}`;
  });
}

/** Prints the rejected files, and returns the exit code. */
async function listRejected(database: string): Promise<number> {
  const reader = await openReader(database);
  const files = await reader.rejectedFiles().finally(() => reader.close());
  if (files.length === 0) process.stdout.write('No rejected files.\n');
  else process.stdout.write(rejectedByReason(files).join('\n'));
  return 0;
}

/** Lists the logs of a Site, or withdraws or restores one or many, and returns the exit code. */
export async function run({
  settings,
  flags,
  arguments: [action, site, log, ...rest],
}: Given<typeof command>): Promise<number> {
  if (action === 'rejected') {
    if (site !== undefined) throw new UsageError('log rejected takes no SITE');
    return listRejected(settings.database);
  }
  const changes = action === 'withdraw' || action === 'restore';
  if (!changes && action !== 'list')
    throw unknownAction('log', action, 'list, withdraw, restore or rejected');
  const since = sinceOf(action, flags);
  if (since !== undefined && changes) {
    if (site !== undefined) throw new UsageError(`log ${action} takes a SITE and a LOG, or a time`);
    const from = since.replace('Z', '.000Z');
    const isDryRun = flags['dry-run'] === true;
    return correctSince(settings.database, isDryRun, { kind: action, since: from });
  }
  if (site === undefined || (log !== undefined) !== changes || rest.length > 0) {
    throw new UsageError(`log ${action} takes ${changes ? 'one SITE and one LOG' : 'one SITE'}`);
  }
  const reader = await openReader(settings.database);
  const found = await reader.logs.findOfSite(siteIdOf(site)).finally(() => reader.close());
  if (found.kind !== 'found') return refuse(unresolved(site.toUpperCase(), found));
  const { logs, retiredAt } = found.found;
  if (!changes) {
    process.stdout.write(
      line('Log', 'Prepared', 'Imported', 'SHA-256', '', 'File') + logs.map(row).join(''),
    );
    if (retiredAt !== null)
      process.stdout.write(`${site.toUpperCase()} was retired at ${retiredAt}\n`);
    return 0;
  }
  const entry = logNamed(logs, log!, site);
  if (typeof entry === 'string') return refuse(entry);
  return correct(settings.database, flags['dry-run'] === true, site, {
    kind: action,
    log: entry.id,
  });
}
