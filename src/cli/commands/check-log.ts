import type { CorsSite, EquipmentType } from '../../../schemas/index.js';
import { readFileSync } from 'node:fs';
import { checkCalibrations } from '../../check/antex.js';
import { checkAgainstClock } from '../../check/check-log.js';
import { type CheckedLog, type Report, reportTo } from '../../check/checks.js';
import {
  checkEquipmentNames,
  type EquipmentNames,
  readEquipmentNames,
} from '../../check/equipment-names.js';
import { NetworkIndex } from '../../check/network.js';
import {
  type CheckResult,
  fingerprintOf,
  RESULT_FORMATS,
  resultOf,
  writeResults,
} from '../../check/results.js';
import { findSiteLogFiles, readFile, type SiteLogFile } from '../../import-site-logs.js';
import { openReader } from '../../store/open.js';
import { EVERYTHING } from '../../store/read/exports/tables.js';
import { visible } from '../../visible.js';
import type { CommandLine, Given } from '../line/command-line.js';
import { CommandFailed, readTextFile, UsageError } from '../line/failures.js';
import { readAntexFile } from '../antex-file.js';
import { openSchemas } from '../geodesyml-schemas.js';
import { knownIn, LONGEST_LIST } from '../line/output-format.js';
import { parseOneOf } from '../line/setting-values.js';

const LEVELS = ['info', 'warning', 'error'] as const;

export const command = {
  usage: 'check-log FILE...',
  description: [
    'Checks site logs against the rules. FILE is a site log in any form, or a folder of them.',
    'Each finding has a code that never changes, and says what to do.',
    'Exit codes: 0 nothing found, 1 something found, 2 usage error, 3 a list or baseline ' +
      'cannot be read.',
  ].join('\n'),
  settings: [],
  flags: {
    format: {
      argument: 'FORMAT',
      description: `The output: ${RESULT_FORMATS.join(', ')}. Default: text.`,
      parse: parseOneOf(RESULT_FORMATS),
    },
    level: {
      argument: 'LEVEL',
      description: 'Show findings of this level and above: info, warning, error. Default: warning.',
      parse: parseOneOf(LEVELS),
    },
    ignore: {
      argument: 'CODE',
      description: 'Leave out the findings of this code. Repeatable.',
      repeatable: true,
    },
    baseline: {
      argument: 'FILE',
      description: 'Leave out what FILE has: the output of an earlier run with --format ndjson.',
    },
    'equipment-names': {
      argument: 'FILE',
      description: 'Check types and radomes against this list: rcvr_ant.tab of the IGS.',
    },
    database: {
      argument: 'FILE',
      description:
        'Check also against the other Sites in this database: ids, positions, serial numbers.',
    },
    'geodesyml-schemas': {
      argument: 'DIR',
      description: 'Validate GeodesyML against the XML schemas in this folder.',
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
  const {
    'equipment-names': list,
    antex: calibrations,
    'geodesyml-schemas': folder,
    database,
  } = flags;
  const checks: Check[] = [];
  if (list !== undefined) {
    const names = namesIn(list);
    checks.push((log, report) => checkEquipmentNames(log, names, report));
  }
  if (calibrations !== undefined) {
    const antex = await readAntexFile(calibrations);
    checks.push((log, report) => checkCalibrations(log, antex, report));
  }
  if (folder !== undefined) {
    const validate = await openSchemas(folder);
    checks.push((_, report, { path, bytes }) =>
      validate(bytes === undefined ? readFileSync(path) : Buffer.from(bytes), report),
    );
  }
  if (database !== undefined) {
    const network = await networkIn(database);
    checks.push((log, report) => network.check(log, report));
  }
  return checks;
}

/** Checks the files, and returns the exit code. */
export async function run({ flags, arguments: paths }: Given<typeof command>): Promise<number> {
  if (paths.length === 0)
    throw new UsageError('check-log needs at least one FILE: a site log, or a folder of site logs');
  const { format = 'text', level: least = 'warning', ignore = [], baseline } = flags;
  const fingerprintsOf = (result: CheckResult): string[] => [fingerprintOf(result)];
  const known =
    baseline === undefined ? new Set() : knownIn(baseline, 'baseline', 'check-log', fingerprintsOf);
  const checks = await checksOf(flags);
  const now = new Date();
  const results = (await findSiteLogFiles(paths)).flatMap((file) => {
    const { findings } = readFile(file, (log, found) => {
      checkAgainstClock(log.log, now, found);
      for (const check of checks) check(log, reportTo(found), file);
    });
    return findings.map(resultOf).sort((a, b) => a.line - b.line);
  });
  const shown = results.filter(
    (each) =>
      LEVELS.indexOf(each.level) >= LEVELS.indexOf(least) &&
      !ignore.includes(each.code) &&
      !known.has(fingerprintOf(each)),
  );
  const text = writeResults(shown, format);
  process.stdout.write(format === 'text' ? text.split('\n').map(visible).join('\n') : text);
  return shown.length === 0 ? 0 : 1;
}
