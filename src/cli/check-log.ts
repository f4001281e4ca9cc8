import type { CorsSite, EquipmentType } from '../../schemas/index.js';
import { readFileSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { AntexIndex, checkCalibrations } from '../check/antex.js';
import { checkAgainstClock } from '../check/check-log.js';
import { type CheckedLog, reportTo } from '../check/checks.js';
import { checkEquipmentNames, type EquipmentNames, readEquipmentNames } from '../check/equipment-names.js';
import { NetworkIndex } from '../check/network.js';
import { type CheckResult, fingerprintOf, RESULT_FORMATS, resultOf, writeResults } from '../check/results.js';
import { findSiteLogFiles, readFile, type SiteLogFile } from '../import-site-logs.js';
import type { Findings } from '../site-log/site-log.js';
import { reasonOf } from '../system-error.js';
import { openReader } from '../store/open.js';
import { EVERYTHING } from '../store/read/export-tables.js';
import { visible } from '../visible.js';
import type { CommandLine, Given } from './command-line.js';
import { GeodesymlSchemas } from './geodesyml-schemas.js';
import { CommandFailed, UsageError } from './settings.js';

type Flag = 'format' | 'level' | 'ignore' | 'baseline' | 'equipment-names' | 'antex' | 'database' | 'geodesyml-schemas';

const LEVELS = ['info', 'warning', 'error'] as const;

export const command = {
  usage: 'check-log FILE...',
  description: [
    'Checks site logs against the rules. FILE is a site log in any form, or a folder of them.',
    'Each finding has a code that never changes, and says what to do.',
    'Exit codes: 0 nothing found, 1 something found, 2 usage error, 3 a list or baseline cannot be read.',
  ].join('\n'),
  settings: [],
  flags: {
    format: { argument: 'FORMAT', description: `The output: ${RESULT_FORMATS.join(', ')}. Default: text.` },
    level: { argument: 'LEVEL', description: 'Show findings of this level and above: info, warning, error. Default: warning.' },
    ignore: { argument: 'CODE', description: 'Leave out the findings of this code. Repeatable.', repeatable: true },
    baseline: { argument: 'FILE', description: 'Leave out what FILE has: the output of an earlier run with --format ndjson.' },
    'equipment-names': { argument: 'FILE', description: 'Check types and radomes against this list: rcvr_ant.tab of the IGS.' },
    database: { argument: 'FILE', description: 'Check also against the other Sites in this database: ids, positions, serial numbers.' },
    'geodesyml-schemas': { argument: 'DIR', description: 'Validate GeodesyML against the XML schemas in this folder.' },
    antex: { argument: 'FILE', description: 'Check that this ANTEX file has a calibration of each antenna.' },
  },
} as const satisfies CommandLine<never, Flag>;

/** One of the values that a flag can have. @throws {UsageError} */
function choice<T extends string>(flag: string, text: unknown, values: readonly T[], standard: T): T {
  if (text === undefined) return standard;
  const value = values.find((each) => each === text);
  if (value === undefined) throw new UsageError(`--${flag} "${String(text)}": expected ${values.join(', ')}`);
  return value;
}

const cannotRead = (flag: string, path: string, why: string): CommandFailed => new CommandFailed(`--${flag} "${path}" ${why}`);

/** The largest list or baseline, in bytes. */
const LARGEST_LIST = 64 * 1024 ** 2;

/** The text of a file that a flag names; null if the flag is not given. */
function textOf(flag: string, path: unknown, encoding: 'utf8' | 'latin1'): string | null {
  if (typeof path !== 'string') return null;
  try {
    if (statSync(path).size > LARGEST_LIST) throw cannotRead(flag, path, `is larger than ${LARGEST_LIST} bytes`);
    return readFileSync(path, encoding);
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    throw cannotRead(flag, path, `cannot be read: ${reasonOf(error)}`);
  }
}

function namesIn(path: unknown): EquipmentNames | null {
  const text = textOf('equipment-names', path, 'latin1');
  const names = text === null ? null : readEquipmentNames(text);
  if (text !== null && names === null) throw cannotRead('equipment-names', String(path), 'has no names; expected rcvr_ant.tab of the IGS');
  return names;
}

/** The index of an ANTEX file, which is read line by line: it can have 40 MB. */
async function antexIn(path: unknown): Promise<AntexIndex | null> {
  if (typeof path !== 'string') return null;
  const index = new AntexIndex();
  try {
    const file = await open(path);
    for await (const line of file.readLines({ encoding: 'latin1' })) index.add(line);
  } catch (error) {
    throw cannotRead('antex', path, `cannot be read: ${reasonOf(error)}`);
  }
  if (index.size === 0) throw cannotRead('antex', path, 'has no calibrations; expected an ANTEX file');
  return index;
}

/** What is on record in a database; null if the flag is not given. */
async function networkIn(database: unknown): Promise<NetworkIndex | null> {
  if (typeof database !== 'string') return null;
  const index = new NetworkIndex();
  const store = await openReader(database);
  try {
    const sites = new Map<number, CorsSite>();
    for await (const some of store.exports.readSites(EVERYTHING)) for (const site of some) sites.set(site.id, site);
    for (const site of sites.values()) index.addSite(site);
    const devices = { ...EVERYTHING.devices, equipmentTypes: ['gnss receiver', 'gnss antenna'] as EquipmentType[] };
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

/** The fingerprints in a baseline. */
function baselineIn(path: unknown): Set<string> {
  const lines = textOf('baseline', path, 'utf8')?.split('\n') ?? [];
  try {
    return new Set(lines.filter((line) => line !== '').map((line) => fingerprintOf(JSON.parse(line) as CheckResult)));
  } catch {
    throw cannotRead('baseline', String(path), 'is not the output of check-log --format ndjson');
  }
}

/** Checks one file. @param also further checks of a log that could be read */
function check(file: SiteLogFile, also: (log: CheckedLog, findings: Findings) => void): CheckResult[] {
  return readFile(file, also)
    .findings.map(resultOf)
    .sort((a, b) => a.line - b.line);
}

/** Checks the files, and returns the exit code. */
export async function run({ flags, arguments: paths }: Given<never, Flag>): Promise<number> {
  if (paths.length === 0) throw new UsageError('check-log needs at least one FILE: a site log, or a folder of site logs');
  const format = choice('format', flags.format, RESULT_FORMATS, 'text');
  const least = LEVELS.indexOf(choice('level', flags.level, LEVELS, 'warning'));
  const ignored = (flags.ignore ?? []) as string[];
  const known = baselineIn(flags.baseline);
  const names = namesIn(flags['equipment-names']);
  const antex = await antexIn(flags.antex);
  const schemas = typeof flags['geodesyml-schemas'] === 'string' ? await GeodesymlSchemas.open(flags['geodesyml-schemas']) : null;
  const network = await networkIn(flags.database);
  const now = new Date();
  const results = (await findSiteLogFiles(paths)).flatMap((file) =>
    check(file, (log, findings) => {
      checkAgainstClock(log.log, now, findings);
      if (names !== null) checkEquipmentNames(log, names, reportTo(findings));
      if (antex !== null) checkCalibrations(log, antex, reportTo(findings));
      schemas?.check(readFileSync(file.bytes === undefined ? file.path : Buffer.from(file.bytes)), reportTo(findings));
      network?.check(log, reportTo(findings));
    }),
  );
  const shown = results.filter(
    (result) => LEVELS.indexOf(result.level) >= least && !ignored.includes(result.code) && !known.has(fingerprintOf(result)),
  );
  const text = writeResults(shown, format);
  process.stdout.write(format === 'text' ? text.split('\n').map(visible).join('\n') : text);
  return shown.length === 0 ? 0 : 1;
}
