import type { CorsSite, EquipmentType } from '../../../schemas/index.js';
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
  type CheckResult,
  fingerprintOf,
  isKnown,
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
import type { Report } from '../../findings/findings.js';
import { readAntexFile } from '../antex-file.js';
import { knownIn, LONGEST_LIST } from '../line/output-format.js';
import { count } from '../line/terminal.js';

const LEVELS = ['info', 'warning', 'error'] as const;

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
      description: `The output: ${RESULT_FORMATS.join(', ')}. Default: text.`,
      values: RESULT_FORMATS,
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

/** Indexes what is on record in a database. */
async function networkIn(database: string): Promise<NetworkIndex> {
  const index = new NetworkIndex();
  const store = await openReader(database);
  try {
    const sites = new Map<number, CorsSite>();
    for await (const some of store.exports.readSites(EVERYTHING))
      for (const site of some) sites.set(site.id, site);
    for (const site of sites.values()) index.addSite(site);
    const devices = {
      ...EVERYTHING.devices,
      equipmentTypes: ['gnss receiver', 'gnss antenna'] as EquipmentType[],
    };
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
  const { 'equipment-names': list, antex: calibrations, database } = flags;
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
  if (database !== undefined) {
    const network = await networkIn(database);
    checks.push((log, report) => network.check(log, report));
  }
  return checks;
}

const RECREATE = 'recreate it with check-log --format ndjson';

/**
 * The fingerprint of a line of a baseline.
 * @throws {CommandFailed} if an earlier version wrote it, or its code is unknown: it would be matched
 * to nothing
 */
function knownFingerprint(result: CheckResult, baseline: string): string[] {
  const { code, occurrence } = result;
  if (typeof code !== 'string') throw new Error('not a finding');
  if (!FINDING_CODES.includes(code))
    return refuse('baseline', baseline, `has "${code}", which is no code of findings; ${RECREATE}`);
  if (typeof occurrence !== 'number')
    return refuse('baseline', baseline, `was written by an earlier version; ${RECREATE}`);
  return [fingerprintOf(result)];
}

/** The findings about the site logs, and how many there are. */
function checkFiles(
  files: SiteLogFile[],
  checks: Check[],
): { logs: number; results: CheckResult[] } {
  const now = new Date();
  let logs = 0;
  const results = files.flatMap((file) => {
    const { findings, read } = readFile(file, (log, found) => {
      checkAgainstClock(log.log, now, found);
      for (const check of checks) check(log, found.add, file);
    });
    if (read !== 'skipped') logs++;
    const site = typeof read === 'string' ? null : siteOf(read.log);
    return resultsOf(findings, site).sort((a, b) => a.line - b.line);
  });
  return { logs, results };
}

/** The summary: how many logs were checked, and how many findings they have. */
function summaryOf(logs: number, shown: CheckResult[]): string {
  const found = new Set(shown.map(({ file }) => file)).size;
  const findings = count(shown.length, 'finding');
  return `${count(logs, 'log')}, ${findings}${found === 0 ? '' : ` in ${found}`}\n`;
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
  const { logs, results } = checkFiles(await findSiteLogFiles(paths), checks);
  if (logs === 0)
    throw new UsageError(`no site logs found in ${paths.map((path) => `"${path}"`).join(', ')}`);
  const shown = results.filter(
    (each) =>
      LEVELS.indexOf(each.level) >= LEVELS.indexOf(least) &&
      !ignore.includes(each.code) &&
      !isKnown(each, known),
  );
  const text = writeResults(shown, format);
  process.stdout.write(format === 'text' ? text.split('\n').map(visible).join('\n') : text);
  const summary = format === 'text' ? process.stdout : process.stderr;
  summary.write(summaryOf(logs, shown));
  return shown.length === 0 ? 0 : 1;
}
