import { isSiteId } from '../../schemas/index.js';
import { BLANK_ECCENTRICITIES } from '../formats/eccentricities.js';
import { INSTANT_FORMS } from '../requests/instant.js';
import { siteIdText } from '../requests/site-id.js';
import type { UncheckedFile } from '../rinex/check-files.js';
import { observationFiles, type RinexSource, type Skipped } from '../rinex/file/files.js';
import { messageOf, type RinexCode, type RinexFinding } from '../rinex/findings.js';
import { sitesNamed } from '../rinex/identify.js';
import type { Records } from '../rinex/record/records.js';
import type { RecordedSite } from '../store/read/sites/sites.js';
import { UsageError } from './line/failures.js';
import { parseBaseUrl, parseTime } from './line/setting-values.js';
import { say } from './line/terminal.js';

/** What the commands about RINEX files share. */

/** The path that stands for standard input. */
export const STANDARD_INPUT = '-';

/** The flags for the records, how they are read, and the time and the Site of files. */
export const RECORD_FLAGS = {
  service: {
    argument: 'URL',
    description: 'Ask the service at this base URL, instead of a database.',
    parse: parseBaseUrl,
  },
  at: {
    argument: 'TIME',
    description:
      `The time of all files, instead of their own, in UTC: ${INSTANT_FORMS}. It ` +
      'overrides contradictory times of a file.',
    parse: parseTime,
  },
  site: {
    argument: 'ID',
    description:
      'The Site of files whose name and marker name have the id of no Site. Position and marker ' +
      'must not contradict it.',
  },
  'blank-eccentricity': {
    argument: 'VALUE',
    description:
      'What a blank north or east counts as in a text log with a value for up: zero ' +
      '(default) or unknown.',
    values: BLANK_ECCENTRICITIES,
  },
} as const;

/** What the operator can do, by code. */
const ADVICE: Partial<Record<RinexCode, string>> = {
  'no-time': 'give a time with --at',
  'no-id': 'give one with --site',
  'no-site': 'give one with --site',
  'left-agency': '--include-agency corrects it',
  'left-equipment': '--include-equipment corrects it',
  'only-spelling-of-equipment': '--include-equipment corrects them',
};

/** A finding in words, with what the operator can do. */
export function inWords(finding: RinexFinding): string {
  const advice = ADVICE[finding.code];
  const message = messageOf(finding);
  return advice === undefined ? message : `${message}; ${advice}`;
}

/**
 * The record of the service at a base URL; without a URL, that in a database.
 * @throws {StoreUnusable}
 */
export async function openRecords(database: string, service: string | undefined): Promise<Records> {
  if (service !== undefined) {
    const { openServiceRecords } = await import('../rinex/record/from-service.js');
    return openServiceRecords(service, say);
  }
  const { openStoreRecords } = await import('../rinex/record/from-store.js');
  return openStoreRecords(database);
}

/** The contradiction of a file that is not compared, in the words of the commands. */
export const CONTRADICTORY = 'name, marker, position and times contradict each other or the record';

/**
 * The Site that `--site` states for all files; null without it.
 * @throws {UsageError} if no Site on record, or more than one, has this id
 */
export async function statedSite(
  id: string | undefined,
  records: Records,
): Promise<RecordedSite | null> {
  if (id === undefined) return null;
  if (!isSiteId(id))
    throw new UsageError(
      `--site "${id}" is not a Site id; expected four characters (ALIC) or nine (ALIC00AUS)`,
    );
  const found = sitesNamed(
    id.toUpperCase(),
    await records.findSites([id.slice(0, 4).toUpperCase()]),
  );
  if (found.length === 1) return found[0]!;
  const ids = found.map(({ site }) => siteIdText(site)).join(', ');
  throw new UsageError(
    found.length === 0
      ? `--site "${id}": no Site on record has this id`
      : `--site "${id}": several Sites have this id; give one of ${ids}`,
  );
}

/**
 * The files that paths name, as {@link observationFiles}, and standard input.
 * @throws {UsageError} if standard input is named twice
 */
export function sourcesAt(paths: string[], skipped: Skipped): Iterable<RinexSource> {
  if (paths.filter((path) => path === STANDARD_INPUT).length > 1)
    throw new UsageError('standard input can be read only once; give - once');
  return sources(paths, skipped);
}

function* sources(paths: string[], skipped: Skipped): Generator<RinexSource> {
  for (const path of paths) {
    if (path === STANDARD_INPUT) yield { path, name: null, bytes: process.stdin, again: null };
    else yield* observationFiles(path, skipped);
  }
}

/** The exit codes, apart from those of all commands. */
const SOMETHING_WRONG = 1;
const NOTHING_FOUND = 2;
const SOMETHING_UNREADABLE = 3;

/** The results for all files, which decide the exit code. */
export class Outcome {
  private hasFiles = false;
  private isWrong = false;
  private isUnreadable = false;

  /** Counts the result for a file. */
  add(outcome: 'right' | 'wrong' | 'unreadable'): void {
    this.hasFiles = true;
    this.isWrong ||= outcome === 'wrong';
    this.isUnreadable ||= outcome === 'unreadable';
  }

  /** The exit code of the command. Reports if there were no files. @param verb what it does */
  exitCode(verb: 'check' | 'fix'): number {
    if (!this.hasFiles) {
      say(`nothing to ${verb}: no RINEX observation file was found`);
      return NOTHING_FOUND;
    }
    if (this.isUnreadable) return SOMETHING_UNREADABLE;
    return this.isWrong ? SOMETHING_WRONG : 0;
  }
}

/** Says why a file was not checked. */
export function sayUnchecked({ path, kind, reason }: UncheckedFile): void {
  say(`"${path}" ${kind === 'unreadable' ? '' : 'was not checked: '}${inWords(reason)}`);
}
