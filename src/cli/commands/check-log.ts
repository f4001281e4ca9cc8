import { type CorsSite, GNSS_EQUIPMENT_TYPES } from '../../../schemas/index.js';
import { checkCalibrations } from '../../check/antex.js';
import { checkAgainstClock } from '../../check/check-log.js';
import type { CheckedLog } from '../../check/checked-log.js';
import {
  checkEquipmentNames,
  type EquipmentNames,
  readEquipmentNames,
} from '../../check/equipment-names.js';
import { checkExports } from '../../check/exports.js';
import { checkDateInFileName } from '../../check/identity.js';
import { NetworkIndex } from '../../check/network.js';
import {
  checkReferencePoints,
  readReferencePoints,
  type ReferencePoints,
} from '../../check/reference-points.js';
import {
  type CheckResult,
  isKnown,
  knownKeys,
  RESULT_FORMATS,
  resultsOf,
  writeResults,
} from '../../check/results.js';
import { findSiteLogFiles, readFile, type SiteLogFile, siteOf } from '../../import-site-logs.js';
import { openReader } from '../../store/open.js';
import { EVERYTHING } from '../../store/read/exports/tables.js';
import { visible } from '../../visible.js';
import type { CommandLine, Given } from '../line/command-line.js';
import { CommandFailed, didYouMean, readTextFile, UsageError } from '../line/failures.js';
import { FINDING_CODES, type FindingCode } from '../../findings/codes.js';
import type { FindingLevel } from '../../findings/finding.js';
import type { Finding, Report } from '../../findings/findings.js';
import { valueLines } from '../../site-log/text/value-lines.js';
import { type MailedSheet, renderMailedSheets } from '../../web/mailed-sheets.js';
import { basename } from 'node:path';
import { readAntexFile } from '../antex-file.js';
import { knownIn, LONGEST_LIST } from '../line/output-format.js';
import { count } from '../line/terminal.js';
import { compareTexts } from '../../words.js';

const LEVELS = ['info', 'warning', 'error'] as const;

/** The formats of the output. */
const FORMATS = [...RESULT_FORMATS, 'html'] as const;
type Format = (typeof FORMATS)[number];

/** Parses the code of a finding. */
function parseCode(text: string): FindingCode {
  const code = FINDING_CODES.find((each) => each === text);
  if (code !== undefined) return code;
  const suggestion = didYouMean(text, FINDING_CODES);
  throw new Error(
    `expected the code of a finding${suggestion}; codes: ${FINDING_CODES.join(', ')}`,
  );
}

export const command = {
  usage: 'check-log FILE...',
  description: [
    'Checks site logs against the rules. FILE is a site log in any form, or a folder of them.',
    'Each finding has a code that never changes, and says what to do.',
    'The last line says how many logs were checked; with other formats than text, on stderr.',
    'Exit codes: 0 nothing found, 1 something found, 2 usage error or no site log, 3 a ' +
      'list or baseline cannot be read.',
  ].join('\n'),
  examples: [
    [
      'Show the errors only, for the annotations of a build on GitHub.',
      'check-log --level error --format github site-logs',
    ],
    ['Show what is new since an earlier run.', 'check-log --baseline known.ndjson site-logs'],
  ],
  completes: 'files',
  settings: [],
  flags: {
    format: {
      argument: 'FORMAT',
      description:
        `The output: ${FORMATS.join(', ')}. Default: text. html is a sheet for each log, to ` +
        'send by mail.',
      values: FORMATS,
    },
    level: {
      argument: 'LEVEL',
      description: 'Show findings of this level and above: info, warning, error. Default: warning.',
      values: LEVELS,
    },
    ignore: {
      argument: 'CODE',
      description: 'Leave out the findings of this code. Repeatable.',
      repeatable: true,
      parse: parseCode,
    },
    baseline: {
      argument: 'FILE',
      description:
        'Leave out the findings in FILE: the output of an earlier run with --format ndjson.',
    },
    exports: {
      description:
        'Also report each period for which SINEX, station.info or STA would have no line, and why.',
    },
    'equipment-names': {
      argument: 'FILE',
      description: 'Check types and radomes against this list: rcvr_ant.tab of the IGS.',
    },
    database: {
      argument: 'FILE',
      description:
        'Also check against the other Sites in this database: ids, positions, serial numbers.',
    },
    'antenna-gra': {
      argument: 'FILE',
      description:
        'Check that the reference point of each antenna is that of this file: antenna.gra of ' +
        'the IGS.',
    },
    antex: {
      argument: 'FILE',
      description:
        'Check that this ANTEX file, which may be gzip, has a calibration of each antenna.',
    },
  },
} as const satisfies CommandLine;

const refuse = (flag: string, path: string, why: string): never => {
  throw new CommandFailed(`--${flag} "${path}" ${why}`);
};

function namesIn(path: string): EquipmentNames {
  const text = readTextFile(
    `--equipment-names "${path}" cannot be read`,
    path,
    LONGEST_LIST,
    'latin1',
  );
  return (
    readEquipmentNames(text) ??
    refuse('equipment-names', path, 'has no names; expected rcvr_ant.tab of the IGS')
  );
}

function pointsIn(path: string): ReferencePoints {
  const text = readTextFile(`--antenna-gra "${path}" cannot be read`, path, LONGEST_LIST, 'latin1');
  return (
    readReferencePoints(text) ??
    refuse('antenna-gra', path, 'has no reference points; expected antenna.gra of the IGS')
  );
}

/** Indexes what is on record in a database. */
async function networkIn(database: string): Promise<NetworkIndex> {
  const index = new NetworkIndex();
  const store = await openReader(database);
  try {
    const sites = new Map<number, CorsSite>();
    for await (const some of store.exports.readSites(EVERYTHING))
      for (const site of some) sites.set(site.id, site);
    for (const site of sites.values()) index.addSite(site);
    const devices = { ...EVERYTHING.devices, equipmentTypes: [...GNSS_EQUIPMENT_TYPES] };
    for await (const some of store.exports.readInstallations({ ...EVERYTHING, devices })) {
      for (const { siteId, device, period } of some) {
        const site = sites.get(siteId);
        if (site !== undefined) index.addDevice({ site, device, period });
      }
    }
  } finally {
    await store.close();
  }
  return index;
}

type Check = (log: CheckedLog, report: Report, file: SiteLogFile) => void;

/** The checks that the flags ask for, using the lists that the flags name. */
async function checksOf(flags: Given<typeof command>['flags']): Promise<Check[]> {
  const { 'equipment-names': list, antex: calibrations, 'antenna-gra': drawings, database } = flags;
  const checks: Check[] = [(log, report, { path }) => checkDateInFileName(log, path, report)];
  if (flags.exports === true) checks.push(checkExports);
  if (list !== undefined) {
    const names = namesIn(list);
    checks.push((log, report) => checkEquipmentNames(log, names, report));
  }
  if (calibrations !== undefined) {
    const antex = await readAntexFile(calibrations);
    checks.push((log, report) => checkCalibrations(log, antex, report));
  }
  if (drawings !== undefined) {
    const points = pointsIn(drawings);
    checks.push((log, report) => checkReferencePoints(log, points, report));
  }
  if (database !== undefined) {
    const network = await networkIn(database);
    checks.push((log, report) => network.check(log, report));
  }
  return checks;
}

const RECREATE = 'recreate it with check-log --format ndjson';

/**
 * The fingerprint of a line of a baseline.
 * @throws {CommandFailed} if an earlier version wrote it, or its code is unknown: it would be
 * matched to nothing
 */
function knownFingerprint(result: CheckResult, baseline: string): string[] {
  const { code, occurrence, others } = result;
  if (typeof code !== 'string') throw new Error('not a finding');
  if (!FINDING_CODES.includes(code))
    return refuse('baseline', baseline, `has "${code}", which is no code of findings; ${RECREATE}`);
  if (typeof occurrence !== 'number' || !Array.isArray(others))
    return refuse('baseline', baseline, `was written by an earlier version; ${RECREATE}`);
  return knownKeys(result);
}

/** A file that was checked. */
interface CheckedFile {
  path: string;
  /** The id in the log; null if the file was rejected. */
  site: string | null;
  datePrepared: string | null;
  /** The lines of the log that a sheet shows, by their numbers; none for other formats. */
  lines: ReadonlyMap<number, string>;
  /** What was found, in the order of the lines, as data and as it is written. */
  found: { finding: Finding; result: CheckResult }[];
  /** How many findings are not shown because of their level. */
  hidden: number;
}

/** Checks a file; null if it is not a site log and was not named. */
function checkFile(
  file: SiteLogFile,
  checks: Check[],
  { now, format }: { now: Date; format: Format },
): CheckedFile | null {
  let lines: ReadonlyMap<number, string> = new Map();
  const { findings, read } = readFile(file, (log, found) => {
    checkAgainstClock(log.log, now, found);
    for (const check of checks) check(log, found.add, file);
    if (format === 'html') lines = valueLines(log.sections);
  });
  if (read === 'skipped') return null;
  const log = read === 'rejected' ? null : read.log;
  const site = log && siteOf(log);
  const results = resultsOf(findings, site);
  const found = findings
    .map((finding, index) => ({ finding, result: results[index]! }))
    .sort((a, b) => a.result.line - b.result.line);
  return { path: file.path, site, datePrepared: log && log.datePrepared, lines, found, hidden: 0 };
}

const isAtLeast = (level: FindingLevel, least: FindingLevel): boolean =>
  LEVELS.indexOf(level) >= LEVELS.indexOf(least);

/** How many logs have findings of each code, the most frequent code first. */
function countsByCode(files: CheckedFile[]): string {
  const found = files.flatMap(({ path, found }) => found.map(({ result }) => ({ path, result })));
  const codes = [...Map.groupBy(found, ({ result }) => result.code)].map(([code, all]) => ({
    code,
    findings: all.length,
    logs: new Set(all.map(({ path }) => path)).size,
  }));
  codes.sort((a, b) => b.logs - a.logs || compareTexts(a.code, b.code));
  return codes
    .map(
      ({ code, findings, logs }) =>
        `${code}: ${count(findings, 'finding')} in ${count(logs, 'log')}\n`,
    )
    .join('');
}

/**
 * The summary: how many logs were checked, how many findings they have, and what is not shown.
 * @param skipped how many files of folders are not site logs
 */
function summaryOf(shown: CheckedFile[], least: FindingLevel, skipped: number): string {
  const hidden = shown.reduce((sum, file) => sum + file.hidden, 0);
  const logs = shown.filter(({ found }) => found.length > 0).length;
  const findings = shown.reduce((sum, { found }) => sum + found.length, 0);
  const below = LEVELS.slice(0, LEVELS.indexOf(least)).reverse().join(' or ');
  const more = hidden === 0 ? '' : `; ${hidden} more at level ${below}: --level ${LEVELS[0]}`;
  const total = `${count(findings, 'finding')}${logs === 0 ? '' : ` in ${logs}`}`;
  const byCode = shown.length > 1 ? countsByCode(shown) : '';
  const others = skipped === 0 ? '' : `; ${count(skipped, 'file')} skipped (not site logs)`;
  return `${byCode}${count(shown.length, 'log')}, ${total}${more}${others}\n`;
}

/** The sheet of a log, to send by mail. */
const sheetOf = ({ path, found, ...log }: CheckedFile): MailedSheet => ({
  ...log,
  file: basename(path),
  findings: found.map(({ finding }) => finding),
});

/** What is shown, in a format. */
function write(shown: CheckedFile[], format: Format): string {
  if (format === 'html') return renderMailedSheets(shown.map(sheetOf));
  const results = shown.flatMap(({ found }) => found.map(({ result }) => result));
  const text = writeResults(results, format);
  return format === 'text' ? text.split('\n').map(visible).join('\n') : text;
}

/** Checks the files, and returns the exit code. */
export async function run({ flags, arguments: paths }: Given<typeof command>): Promise<number> {
  if (paths.length === 0)
    throw new UsageError('check-log needs at least one FILE: a site log, or a folder of site logs');
  const { format = 'text', level: least = 'warning', ignore = [], baseline } = flags;
  const known =
    baseline === undefined
      ? new Set<string>()
      : knownIn<CheckResult>(baseline, 'baseline', 'check-log', (result) =>
          knownFingerprint(result, baseline),
        );
  const checks = await checksOf(flags);
  const found = await findSiteLogFiles(paths);
  const files = found.flatMap((file) => checkFile(file, checks, { now: new Date(), format }) ?? []);
  if (files.length === 0)
    throw new UsageError(`no site logs found in ${paths.map((path) => `"${path}"`).join(', ')}`);
  const asked = files.map((file) => ({
    ...file,
    found: file.found.filter(
      ({ result }) => !ignore.includes(result.code) && !isKnown(result, known),
    ),
  }));
  const shown = asked.map((file) => {
    const found = file.found.filter(({ result }) => isAtLeast(result.level, least));
    return { ...file, found, hidden: file.found.length - found.length };
  });
  process.stdout.write(write(shown, format));
  const summary = format === 'text' ? process.stdout : process.stderr;
  summary.write(summaryOf(shown, least, found.length - files.length));
  return shown.some(({ found }) => found.length > 0) ? 1 : 0;
}
