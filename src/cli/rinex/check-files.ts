import { basename } from 'node:path';
import type { CorsSite, Instant, Period } from '../../../schemas/index.js';
import { type CheckedHeader, checkHeader, type Device } from '../../check/rinex/check-header.js';
import { readFileName } from '../../check/rinex/file-name.js';
import { readHeader } from '../../check/rinex/header.js';
import { type FileIdentity, identify, idsOfFile, type Span } from '../../check/rinex/identify.js';
import type { RecordedSite } from '../../check/rinex/recorded-site.js';
import type { AntexIndex } from '../../check/antex.js';
import { calibrationOf, type HeaderCalibration } from '../../check/rinex/calibration.js';
import type { BlankEccentricity } from '../../formats/eccentricities.js';
import { reasonOf } from '../../system-error.js';
import { siteIdText } from '../../requests/site-id.js';
import { readFileHeader, STANDARD_INPUT } from './files.js';
import type { Records } from './records.js';

/** Finds the Site of each file on record, and checks its header. */

/** A file whose header was read. */
interface ReadFile extends FileIdentity {
  kind: 'read';
  path: string;
}

/** A file that was checked. */
export interface CheckedFile extends CheckedHeader, Pick<ReadFile, 'path' | 'header'> {
  kind: 'checked';
  record: RecordedSite;
  span: Span;
  /** How far its antenna is calibrated; null if that is unknown, or was not asked for. */
  calibration: HeaderCalibration['calibration'];
  /** What explains the differences, in sentences. */
  hints: string[];
}

/**
 * A file that was not compared with anything, because its name, its marker and its times contradict
 * each other.
 */
export interface ContradictingFile {
  kind: 'contradicts';
  path: string;
  /** Null if it is unclear. */
  site: CorsSite | null;
  /** In sentences, like the hints. */
  contradictions: string[];
  hints: string[];
}

/** A file that could not be checked, and why: it cannot be read, or its Site is not on record. */
export type UncheckedFile = { path: string; reason: string } & (
  { kind: 'unreadable' } | { kind: 'unknown-site' }
);

/** The result for a file. */
export type FileResult = CheckedFile | ContradictingFile | UncheckedFile;

/** What is checked, and with what. */
export interface CheckOptions {
  /** The time of all files; null for the time of each. */
  at: Instant | null;
  /** The calibrations among which antennas are looked up; null for none. */
  antex: AntexIndex | null;
  /** What stands for a blank north or east where up is known. */
  blankEccentricity: BlankEccentricity;
}

async function read(path: string): Promise<ReadFile | UncheckedFile> {
  try {
    const header = readHeader(await readFileHeader(path));
    const name = path === STANDARD_INPUT ? null : readFileName(basename(path));
    return { kind: 'read', path, name, header };
  } catch (error) {
    const isOfSystem = (error as NodeJS.ErrnoException).syscall !== undefined;
    const reason = isOfSystem ? `cannot be read: ${reasonOf(error)}` : (error as Error).message;
    return { kind: 'unreadable', path, reason };
  }
}

const inWords = ({ from, to }: Period): string => `${from} to ${to ?? 'now'}`;

/** What is searched at other Sites, and in which field of the header. */
const SERIAL_NUMBERS = [
  ['receiver', 'receiverSerialNumber'],
  ['antenna', 'antennaSerialNumber'],
] as const satisfies [Device, string][];
/** The largest number of Sites for which this is reported. */
const MOST_NAMED = 3;
/** No serial number contains control characters, and PostgreSQL refuses some of them. */
const PRINTABLE = /^[\x20-\x7e\xa0-\xff]+$/;

/** Where a serial number in a header is on record, if no Setup of the Site has it. */
async function hintsOfOtherSites(
  { header }: ReadFile,
  { site }: RecordedSite,
  { fields, otherSetups }: CheckedHeader,
  records: Records,
): Promise<string[]> {
  const hints: string[] = [];
  for (const [device, field] of SERIAL_NUMBERS) {
    const { status } = fields.find((each) => each.field === field)!;
    const isElsewhere = status === 'differs' && otherSetups.every((each) => each.device !== device);
    if (!isElsewhere || !PRINTABLE.test(header[field]!)) continue;
    const found = await records.findSerialNumber(header[field]!, `gnss ${device}`);
    const others = found.filter((each) => each.site !== siteIdText(site));
    for (const { site: other, ...period } of others.slice(0, MOST_NAMED))
      hints.push(`The ${device} ${header[field]!} is on record at ${other}, ${inWords(period)}.`);
  }
  return hints;
}

/**
 * Whether a change during a file would change its header. Sensors and clocks do not appear in
 * headers.
 */
const hasChanged = (during: CheckedHeader['during']): boolean =>
  new Set(during.map(({ fields }) => JSON.stringify(fields.map(({ record }) => record)))).size > 1;

/** Says of which kinds it is unclear which device in use a header is about. */
const hintsOfDevices = ({ unclear }: CheckedHeader): string[] =>
  unclear.map(
    (device) =>
      `Several ${device}s are in use, and neither serial number nor type in the header says which: compared with the one that matches best.`,
  );

/** Why a file that is newer than the record may be right. */
function hintsOfRecord(record: RecordedSite, checked: CheckedHeader): string[] {
  const { newerDevices, recordPrepared } = checked;
  if (newerDevices.length === 0) return [];
  const verb = newerDevices.length === 1 ? 'differs' : 'differ';
  const differ = `the ${newerDevices.join(' and the ')} ${verb} from its last Setup`;
  const site = siteIdText(record.site);
  const prepared = `The log of ${site} was prepared ${recordPrepared}, before this file`;
  return [`${prepared}, and ${differ}: the file is probably right, and the record outdated.`];
}

/** Why the Setups of a Site cannot decide much about a file. */
function hintsOfSetups(
  { setups }: RecordedSite,
  { during, best }: CheckedHeader,
  span: Span,
): string[] {
  const first = setups[0]?.effectivePeriod.from;
  if (first === undefined) return ['The Site has no Setup.'];
  if (best === null) {
    const isBefore = Date.parse(span.from) < Date.parse(first);
    return [
      isBefore
        ? `The first Setup begins ${first}, after this file.`
        : 'No Setup is in effect during this file.',
    ];
  }
  if (!hasChanged(during)) return [];
  const all = during.map(
    ({ setup: { id, effectivePeriod } }) => `Setup ${id} (${inWords(effectivePeriod)})`,
  );
  return [
    `The equipment changed during this file: ${all.join(', ')}; Setup ${best.id} matches best.`,
  ];
}

async function check(
  file: ReadFile,
  sites: RecordedSite[],
  { at, antex, blankEccentricity }: CheckOptions,
  records: Records,
): Promise<FileResult> {
  const { path, header } = file;
  const identified = identify(file, sites, at);
  if (identified.kind === 'contradicts')
    return { path, ...identified, hints: [...identified.hints, ...header.remarks] };
  if (identified.kind !== 'identified') return { path, ...identified };
  const { record, span } = identified;
  const checked = checkHeader(header, record, span, blankEccentricity);
  const calibrated = antex === null ? null : calibrationOf(checked.fields, antex);
  const ofOtherSetups = checked.otherSetups.map(
    ({ device, which, id, ...period }) =>
      `The ${device} fits the ${which} Setup, ${id} (${inWords(period)}).`,
  );
  const hints = [
    ...identified.hints,
    ...header.remarks,
    ...hintsOfDevices(checked),
    ...hintsOfRecord(record, checked),
    ...hintsOfSetups(record, checked, span),
    ...ofOtherSetups,
    ...(await hintsOfOtherSites(file, record, checked, records)),
    ...(calibrated?.hints ?? []),
  ];
  const calibration = calibrated?.calibration ?? null;
  return { kind: 'checked', path, header, record, span, ...checked, calibration, hints };
}

/** How many files are checked with one reading of their Sites. */
const AT_ONCE = 500;

const fourCharacters = (file: ReadFile): string[] => idsOfFile(file).map((id) => id.slice(0, 4));

/** Checks files, in their order. */
export async function* checkFiles(
  paths: Iterable<string>,
  records: Records,
  options: CheckOptions,
): AsyncGenerator<FileResult> {
  let files: (ReadFile | UncheckedFile)[] = [];
  /** The Sites of the last files, by four characters: archives are sorted by Site or by day. */
  let known = new Map<string, RecordedSite[]>();
  const checkAll = async function* (): AsyncGenerator<FileResult> {
    const needed = new Set(
      files.flatMap((file) => (file.kind === 'read' ? fourCharacters(file) : [])),
    );
    const missing = [...needed].filter((id) => !known.has(id));
    const found = Map.groupBy(await records.findSites(missing), ({ site }) => site.fourCharacterId);
    known = new Map([...needed].map((id) => [id, known.get(id) ?? found.get(id) ?? []]));
    for (const file of files) {
      if (file.kind !== 'read') {
        yield file;
        continue;
      }
      const sites = new Set(fourCharacters(file).flatMap((id) => known.get(id)!));
      yield await check(file, [...sites], options, records);
    }
    files = [];
  };
  for (const path of paths) {
    files.push(await read(path));
    if (files.length === AT_ONCE) yield* checkAll();
  }
  yield* checkAll();
}
