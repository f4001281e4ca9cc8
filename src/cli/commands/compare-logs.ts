import { statSync } from 'node:fs';
import {
  type ComparedLog,
  isSiteId,
  type LogComparison,
  type SiteLogSections,
} from '../../../schemas/index.js';
import { compareLogs } from '../../derive/log-comparison.js';
import { logBefore } from '../../derive/log-order.js';
import { logChangeLine, logChangesSummary } from '../../formats/log-comparison.js';
import { dateInFileName } from '../../site-log/values/dates.js';
import { publishedTogether, readStored } from '../../site-log/read-published.js';
import { Findings, SiteLogRejected } from '../../findings/findings.js';
import { openReader } from '../../store/open.js';
import type { LogEntry } from '../../store/read/logs/logs.js';
import { reasonOf } from '../../system-error.js';
import { visible } from '../../visible.js';
import type { CommandLine, Given } from '../line/command-line.js';
import { CommandFailed, UsageError } from '../line/failures.js';
import { siteIdOf, unresolved } from '../line/site-ids.js';
import { logNamed } from '../named-log.js';
import { readBytes } from '../site-log-bytes.js';

const FORMATS = ['text', 'json'] as const;

export const command = {
  usage: 'compare-logs A B | compare-logs SITE [LOG] [LOG]',
  description: [
    'Shows what changed between two versions of a site log, by section. A is the older one, B ' +
      'the newer one: files in any form.',
    'Or compares two logs of a Site in the database, the older one first. LOG is its number in ' +
      'log list SITE, its file name, or the beginning of its SHA-256; it may be withdrawn.',
    'One LOG alone is compared with the log before it; without LOG, the current one is.',
    'Not compared are section 0, what one of the two forms has no place for, and contacts ' +
      '(persons, telephone numbers, email addresses) unless --publish-contacts is given.',
    'A new place or number of an item alone is not a change.',
    'Exit codes: 0 no differences, 1 differences, 2 usage error, 3 a log cannot be found or read.',
  ].join('\n'),
  examples: [
    ['Compare two files, the older one first.', 'compare-logs alic_20170201.log alic_20170223.log'],
    [
      'Compare the current log of a Site with the one before it.',
      'compare-logs ALIC --format json',
    ],
  ],
  completes: 'files',
  settings: ['database'],
  flags: {
    format: {
      argument: 'FORMAT',
      description: `The output: ${FORMATS.join(', ')}. Default: text, with one line per change.`,
      values: FORMATS,
    },
    'publish-contacts': { description: 'Compare and show contacts, too.' },
  },
} as const satisfies CommandLine;

/** A log to compare. */
interface Chosen {
  log: ComparedLog;
  content: Uint8Array;
}

/** A site log in a file. @throws {CommandFailed} if it cannot be read */
function chosenFile(path: string): Chosen {
  const findings = new Findings(path);
  try {
    const content = readBytes(path, findings);
    return { log: { id: null, name: path, datePrepared: dateInFileName(path) }, content };
  } catch (error) {
    const reason = error instanceof SiteLogRejected ? error.message : reasonOf(error);
    throw new CommandFailed(`"${path}" cannot be read: ${reason}`);
  }
}

/** The current log of a Site. */
function currentLog(logs: LogEntry[], site: string): LogEntry {
  const log = logs.find(({ current }) => current);
  if (log === undefined) throw new CommandFailed(`${site} has no current log; name one`);
  return log;
}

/** The log that a text names. @throws {CommandFailed} if there is none, or several */
function knownLog(logs: LogEntry[], text: string, site: string): LogEntry {
  const log = logNamed(logs, text, site);
  if (typeof log === 'string') throw new CommandFailed(log);
  return log;
}

/** The log that precedes another one, of those that were not withdrawn. */
function earlierLog(logs: LogEntry[], log: LogEntry, site: string): LogEntry {
  const kept = logs.filter(({ withdrawnAt }) => withdrawnAt === null);
  const before = logBefore(kept, log, new Date());
  if (before === undefined)
    throw new CommandFailed(`${site} has no log before log ${log.id} (${log.name})`);
  return before;
}

/** Two logs of a Site. @param named the older one and the newer one, or only the newer one */
async function chosenOfSite(
  database: string,
  site: string,
  named: string[],
): Promise<[Chosen, Chosen]> {
  const id = siteIdOf(site);
  const asked = site.toUpperCase();
  const reader = await openReader(database);
  try {
    const found = await reader.logs.findOfSite(id);
    if (found.kind !== 'found') throw new CommandFailed(unresolved(asked, found));
    const { logs } = found.found;
    const [older, newer] = named.map((text) => knownLog(logs, text, site));
    const last = newer ?? older ?? currentLog(logs, asked);
    const first = newer === undefined ? earlierLog(logs, last, asked) : older!;
    const chosen = async (log: LogEntry): Promise<Chosen> => ({
      log: { id: log.id, name: log.name, datePrepared: log.datePrepared },
      content: (await reader.logs.findContent(log.id))!,
    });
    return [await chosen(first), await chosen(last)];
  } finally {
    await reader.close();
  }
}

const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

/** The two logs that the arguments name. */
async function chosen(database: string, names: string[]): Promise<[Chosen, Chosen]> {
  const [first, second, third] = names;
  if (first === undefined || names.length > 3)
    throw new UsageError('compare-logs takes two files, or one SITE and up to two LOGs');
  const isOfSite = second === undefined || third !== undefined;
  if (isOfSite || (isSiteId(first) && !isThere(first)))
    return chosenOfSite(database, first, names.slice(1));
  return [chosenFile(first), chosenFile(second)];
}

/** Compares two logs. @throws {CommandFailed} if one is not a site log that can be read */
function compare(
  older: Chosen,
  newer: Chosen,
  withContacts: boolean,
): Omit<LogComparison, '_links' | 'page'> {
  const read = ({ log, content }: Chosen): SiteLogSections =>
    readStored({ name: log.name, original: content }, withContacts);
  try {
    const [before, after] = publishedTogether(read(older), read(newer), withContacts);
    const dated = ({ log }: Chosen, { formInformation }: SiteLogSections): ComparedLog => ({
      ...log,
      datePrepared: formInformation.datePrepared?.value ?? log.datePrepared,
    });
    return {
      older: dated(older, before),
      newer: dated(newer, after),
      contactsCompared: withContacts,
      changes: compareLogs(before, after, withContacts),
    };
  } catch (error) {
    if (!(error instanceof SiteLogRejected)) throw error;
    const reason = error.findings.at(-1)!;
    throw new CommandFailed(`"${reason.file}" cannot be read: ${error.message}`);
  }
}

/** Compares two logs, and returns the exit code. */
export async function run({
  settings,
  flags,
  arguments: names,
}: Given<typeof command>): Promise<number> {
  const [older, newer] = await chosen(settings.database, names);
  const comparison = compare(older, newer, flags['publish-contacts'] === true);
  const { changes } = comparison;
  if (flags.format === 'json') {
    process.stdout.write(`${JSON.stringify(comparison, null, 2)}\n`);
  } else {
    const summary = logChangesSummary(comparison.older, comparison.newer, changes);
    for (const line of [...changes.map(logChangeLine), summary])
      process.stdout.write(`${visible(line)}\n`);
  }
  return changes.length === 0 ? 0 : 1;
}
