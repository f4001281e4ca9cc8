import { openUpToDate, readStoredLog } from '../import-site-logs.js';
import {
  type Correction,
  type CorrectionOutcome,
  type LogsSince,
  type NumberedLog,
  Refused,
} from '../store/save/corrections.js';
import { visible } from '../visible.js';
import { UsageError } from './line/failures.js';
import { siteIdOf, unresolved } from './line/site-ids.js';
import { say } from './line/terminal.js';

type Corrected = Extract<CorrectionOutcome, { kind: 'corrected' }>;

/** Says why nothing was done, and returns the exit code. */
export function refuse(reason: string): number {
  say(reason);
  return 1;
}

/** The error for an action that a command does not have. */
export const unknownAction = (
  command: string,
  action: string | undefined,
  expected: string,
): UsageError =>
  new UsageError(
    `${command}${action === undefined ? ' needs an action' : ` "${action}"`}: expected ${expected}`,
  );

/** What happened to the nine characters of a Site when a log was withdrawn. */
function aboutNine(site: string, formerly: string, unfoundedNine: string | null): string {
  if (formerly !== site) return `; no log gives ${formerly} any more`;
  if (unfoundedNine === null) return '';
  const four = site.slice(0, 4);
  return (
    `; no log gives ${site} any more, but the Site keeps it, because another Site has or ` +
    `had ${four}`
  );
}

const logName = ({ id, name }: NumberedLog): string => `log ${id} (${name})`;

/** Which log is the current one after a correction. */
function currentAfter({ site, isCurrent, current }: Corrected): string {
  if (current === null) return `${site} has no other log, and so no Setups`;
  return `${logName(current)} ${isCurrent ? 'is current again' : 'stays current'}`;
}

/** What a correction did, in one line. */
function whatHappened({ kind }: Correction, corrected: Corrected): string {
  const { site, formerly, unfoundedNine, log, isCurrent, current } = corrected;
  const rest = currentAfter(corrected);
  switch (kind) {
    case 'withdraw':
      return (
        `withdrew ${logName(log!)} of ${site}; ` +
        `${rest}${aboutNine(site, formerly, unfoundedNine)}`
      );
    case 'restore':
      return `restored ${logName(log!)} of ${site}; ${isCurrent ? 'it is current again' : rest}`;
    case 'retire':
      return `retired ${site}`;
    case 'unretire':
      return current === null
        ? `${site} is no longer retired`
        : `${site} is no longer retired; ${logName(current)} is current`;
    case 'rename':
      return `renamed ${formerly} to ${site}`;
  }
}

/** Withdraws or restores the logs since a time, prints what changed, and returns the exit code. */
export async function correctSince(
  database: string,
  dryRun: boolean,
  logs: LogsSince,
): Promise<number> {
  const store = await openUpToDate(database, { dryRun, create: false });
  try {
    const corrected = await store.correctSince(logs, () => new Date(), readStoredLog);
    if (corrected instanceof Refused) return refuse(`nothing was changed: ${corrected.message}`);
    const lines = corrected.map(({ correction, outcome }) => whatHappened(correction, outcome));
    const outcomes = corrected.map(({ outcome }) => outcome);
    const added = outcomes.reduce((sum, outcome) => sum + outcome.added, 0);
    const superseded = outcomes.reduce((sum, outcome) => sum + outcome.invalidated, 0);
    lines.push(
      `${logs.kind === 'withdraw' ? 'Withdrawn' : 'Restored'}: ${corrected.length} site logs`,
      `Setups: ${added} added, ${superseded} superseded`,
    );
    const without = sitesWithoutLog(outcomes);
    if (without > 0) lines.push(`Sites left without a log: ${without}`);
    if (dryRun) lines.push('Dry run: nothing was saved.');
    process.stdout.write(`${lines.map(visible).join('\n')}\n`);
    return 0;
  } finally {
    await store.close();
  }
}

/** How many Sites have no log in force after some corrections, whose lines name them. */
function sitesWithoutLog(outcomes: Corrected[]): number {
  const last = new Map(outcomes.map((outcome) => [outcome.siteNumber, outcome]));
  return [...last.values()].filter(({ current }) => current === null).length;
}

/** Makes a correction, prints what it changed, and returns the exit code. */
export async function correct(
  database: string,
  dryRun: boolean,
  site: string,
  correction: Correction,
): Promise<number> {
  const id = siteIdOf(site);
  const store = await openUpToDate(database, { dryRun, create: false });
  try {
    const outcome = await store.correct(id, correction, () => new Date(), readStoredLog);
    if (outcome.kind === 'refused') return refuse(outcome.reason);
    if (outcome.kind !== 'corrected') return refuse(unresolved(site.toUpperCase(), outcome));
    const others = outcome.sharedWith.join(' and ');
    process.stdout.write(
      `${visible(whatHappened(correction, outcome))}\n` +
        `Setups: ${outcome.added} added, ${outcome.invalidated} superseded\n` +
        (others === ''
          ? ''
          : `${others} has the same first four characters; ` +
            'use nine-character ids for these Sites from now on\n') +
        (dryRun ? 'Dry run: nothing was saved.\n' : ''),
    );
    return 0;
  } finally {
    await store.close();
  }
}
