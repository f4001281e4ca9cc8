import type { CorsSite } from '../../schemas/index.js';
import type { AntexIndex } from '../check/antex.js';
import type { BlankEccentricity } from '../formats/eccentricities.js';
import type { RecordedSite } from '../store/read/sites/sites.js';
import { reasonOf } from '../system-error.js';
import { calibrationOf, type HeaderCalibration } from './calibration.js';
import { type CheckedHeader, checkHeader } from './check-header.js';
import { ROUNDING } from './compare.js';
import type { Device } from './fields.js';
import { lastEpochOf, type RinexFile, readRinex, type RinexSource } from './file/files.js';
import { finding, type RinexFinding, RinexUnreadable } from './findings.js';
import { readFileName } from './header/file-name.js';
import { readHeader } from './header/header.js';
import {
  type FileIdentity,
  identify,
  idsOfFile,
  lacksEnd,
  type Span,
  type Stated,
} from './identify.js';
import { siteIdText } from '../requests/site-id.js';
import { distanceFrom } from './position.js';
import type { Records } from './record/records.js';

/** Finds the Site of each file on record, and checks its header. */

/** A file whose header was read, and which is still open. */
interface ReadFile extends Omit<FileIdentity, 'lastEpoch'>, Pick<RinexSource, 'path' | 'again'> {
  kind: 'read';
  rinex: RinexFile;
}

/** A file that was checked. */
export interface CheckedFile extends CheckedHeader, Pick<ReadFile, 'path' | 'header' | 'rinex'> {
  kind: 'checked';
  recordedSite: RecordedSite;
  span: Span;
  /** Whether only the beginning of the file is known. */
  isOpen: boolean;
  /** How far its antenna is calibrated; null if that is unknown, or was not asked for. */
  calibration: HeaderCalibration['calibration'];
  /** What explains the differences. */
  hints: RinexFinding[];
}

/**
 * A file that was not compared with anything, because its name, its marker, its position and its
 * times contradict each other or the record.
 */
export interface ContradictingFile {
  kind: 'contradicts';
  path: string;
  /** Null if it is unclear. */
  site: CorsSite | null;
  contradictions: RinexFinding[];
  hints: RinexFinding[];
}

/** A file that could not be checked, and why: it cannot be read, or its Site is not on record. */
export type UncheckedFile = { path: string; reason: RinexFinding } & (
  { kind: 'unreadable' } | { kind: 'unknown-site' }
);

/** The result for a file. */
export type FileResult = CheckedFile | ContradictingFile | UncheckedFile;

/** What is checked, and with what. */
interface CheckOptions extends Stated {
  /** The calibrations among which antennas are looked up; null for none. */
  antex: AntexIndex | null;
  /** What stands for a blank north or east where up is known. */
  blankEccentricity: BlankEccentricity;
}

/** Opens a file and reads its header. @throws {RinexUnreadable} or an error of the system */
async function open({ path, name, bytes, again }: RinexSource): Promise<ReadFile> {
  const rinex = await readRinex(bytes);
  try {
    const header = readHeader(rinex.headerLines);
    const nameOfFile = name === null ? null : readFileName(name);
    return { kind: 'read', path, again, rinex, name: nameOfFile, header };
  } catch (error) {
    await rinex.close();
    throw error;
  }
}

/** Opens a file and reads its header, or says why that is impossible. */
async function read(source: RinexSource): Promise<ReadFile | UncheckedFile> {
  try {
    return await open(source);
  } catch (error) {
    return { kind: 'unreadable', path: source.path, reason: whyUnreadable(error) };
  }
}

/** Why a file cannot be read. */
const whyUnreadable = (error: unknown): RinexFinding =>
  error instanceof RinexUnreadable
    ? error.finding
    : finding('unreadable-file', { reason: reasonOf(error) });

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
): Promise<RinexFinding[]> {
  const hints: RinexFinding[] = [];
  for (const [device, field] of SERIAL_NUMBERS) {
    const { status } = fields.find((each) => each.field === field)!;
    const isElsewhere = status === 'differs' && otherSetups.every((each) => each.device !== device);
    const serialNumber = header[field]!;
    if (!isElsewhere || !PRINTABLE.test(serialNumber)) continue;
    const found = await records.findSerialNumber(serialNumber, `gnss ${device}`);
    const others = found.filter((each) => each.site !== siteIdText(site));
    for (const installed of others.slice(0, MOST_NAMED))
      hints.push(finding('device-elsewhere', { device, serialNumber, ...installed }));
  }
  return hints;
}

/**
 * Whether a change during a file would change its header. Sensors and clocks do not appear in
 * headers.
 */
const hasChanged = (during: CheckedHeader['during']): boolean =>
  new Set(during.map(({ fields }) => JSON.stringify(fields.map(({ record }) => record)))).size > 1;

/** Why a file that is newer than the record may be right. */
function hintsOfRecord(
  { site }: RecordedSite,
  { newerDevices: devices, recordPrepared: datePrepared }: CheckedHeader,
): RinexFinding[] {
  if (devices.length === 0 || datePrepared === null) return [];
  return [finding('outdated-record', { site: siteIdText(site), devices, datePrepared })];
}

/** The largest distance of a position that the IGS allows, in metres. */
const NEAR = 1;

/** Says that a position within the tolerance is farther from the log's than the IGS allows. */
function hintsOfPosition({ site }: RecordedSite, { fields }: CheckedHeader): RinexFinding[] {
  const { header, status } = fields.find(({ field }) => field === 'position')!;
  if (header === null || status !== 'equal') return [];
  const distance = distanceFrom(header, site.location);
  const isFar = distance !== null && distance > NEAR + ROUNDING;
  return isFar ? [finding('position-off', { distance })] : [];
}

/** What the Setups of a Site say about the time of a file. */
function hintsOfSetups(
  { setups }: RecordedSite,
  { during, best, isCovered, noEquipment }: CheckedHeader,
  span: Span,
): RinexFinding[] {
  const hints: RinexFinding[] = [];
  const first = setups[0]?.effectivePeriod.from;
  if (best === null || first === undefined) return hints;
  if (!isCovered && Date.parse(span.from) < Date.parse(first))
    hints.push(finding('begins-during-file', { from: first }));
  if (!hasChanged(during)) return hints;
  const never = noEquipment.map(({ device }) => device);
  const all = during.map(({ setup: { id, effectivePeriod }, without }) => ({
    id,
    ...effectivePeriod,
    without: without.filter((device) => !never.includes(device)),
  }));
  return [...hints, finding('changed-during-file', { setups: all, best: best.id })];
}

/** What a file states, with its last epoch where nothing else says when it ends. */
async function withLastEpoch(file: ReadFile, { at }: Stated): Promise<FileIdentity> {
  const { name, header, again } = file;
  const identity = { name, header, lastEpoch: null };
  if (at !== null || again === null || !lacksEnd(identity)) return identity;
  return { ...identity, lastEpoch: await lastEpochOf(again(), header.version) };
}

async function check(
  file: ReadFile,
  sites: RecordedSite[],
  { antex, blankEccentricity, ...stated }: CheckOptions,
  records: Records,
): Promise<FileResult> {
  const { path, header, rinex } = file;
  const identified = identify(await withLastEpoch(file, stated), sites, stated);
  if (identified.kind === 'contradicts')
    return { path, ...identified, hints: [...identified.hints, ...header.remarks] };
  if (identified.kind !== 'identified') return { path, ...identified };
  const { recordedSite, span, isOpen } = identified;
  const checked = checkHeader(header, recordedSite, span, blankEccentricity);
  const calibrated = antex === null ? null : calibrationOf(checked.fields, antex);
  const hints = [
    ...identified.hints,
    ...header.remarks,
    ...checked.unclear.map((device) => finding('unclear-device', { device })),
    ...hintsOfPosition(recordedSite, checked),
    ...hintsOfRecord(recordedSite, checked),
    ...hintsOfSetups(recordedSite, checked, span),
    ...checked.otherSetups.map((other) => finding('fits-other-setup', other)),
    ...(await hintsOfOtherSites(file, recordedSite, checked, records)),
    ...(calibrated?.hints ?? []),
  ];
  const calibration = calibrated?.calibration ?? null;
  return {
    kind: 'checked',
    path,
    header,
    rinex,
    recordedSite,
    span,
    isOpen,
    ...checked,
    calibration,
    hints,
  };
}

/** How many files are open at once, and checked with one reading of their Sites. */
const AT_ONCE = 50;
/** How many ids are remembered with their Sites: archives are sorted by Site or by day. */
const MOST_REMEMBERED = 500;

const fourCharacters = (file: ReadFile): string[] => idsOfFile(file).map((id) => id.slice(0, 4));

/** The Sites of files, each read once for many files. */
class SitesOfFiles {
  /** By four characters. */
  private readonly known = new Map<string, RecordedSite[]>();

  constructor(private readonly records: Records) {}

  /** Reads the Sites that are not known yet. */
  async readFor(files: ReadFile[]): Promise<void> {
    if (this.known.size > MOST_REMEMBERED) this.known.clear();
    const needed = new Set(files.flatMap(fourCharacters));
    const missing = [...needed].filter((id) => !this.known.has(id));
    if (missing.length === 0) return;
    const sites = await this.records.findSites(missing);
    const found = Map.groupBy(sites, ({ site }) => site.fourCharacterId);
    for (const id of missing) this.known.set(id, found.get(id) ?? []);
  }

  /** The Sites that a file may be of. */
  of(file: ReadFile): RecordedSite[] {
    return [...new Set(fourCharacters(file).flatMap((id) => this.known.get(id)!))];
  }
}

/** Checks files, in their order. Each is open until the next result is asked for. */
export async function* checkFiles(
  sources: Iterable<RinexSource>,
  records: Records,
  options: CheckOptions,
): AsyncGenerator<FileResult> {
  const sites = new SitesOfFiles(records);
  let files: (ReadFile | UncheckedFile)[] = [];
  const closeAll = async (): Promise<void> => {
    for (const file of files) if (file.kind === 'read') await file.rinex.close();
    files = [];
  };
  const checkAll = async function* (): AsyncGenerator<FileResult> {
    await sites.readFor(files.filter((file) => file.kind === 'read'));
    for (const file of files) {
      if (file.kind !== 'read') yield file;
      else {
        yield await check(file, sites.of(file), options, records);
        await file.rinex.close();
      }
    }
  };
  try {
    for (const source of sources) {
      files.push(await read(source));
      if (files.length < AT_ONCE) continue;
      yield* checkAll();
      await closeAll();
    }
    yield* checkAll();
  } finally {
    await closeAll();
  }
}
