import type { Instant } from '../../../schemas/index.js';
import { instantAt } from '../../requests/units-of-time.js';
import { finding, type RinexFinding, RinexUnreadable } from '../findings.js';
import { DEVICES, ECCENTRICITY_FIELDS, type Field } from '../fields.js';
import {
  AGENCY,
  ANTENNA,
  AZIMUTH,
  ECCENTRICITY,
  isMisspelt,
  isRepeatable,
  labelMeantBy,
  POSITION,
  RECEIVER,
  VERSION,
} from './labels.js';
import { BYTE_ORDER_MARK, decoded, type HeaderLine, otherColumnOf, withoutTabs } from './lines.js';

/** Reads the station records of a RINEX observation header, versions 2.10 to 4.02. */

/**
 * The text fields of a header: the label of the record, the start column from 0, and the end
 * column, exclusive.
 */
const TEXTS = {
  markerName: ['MARKER NAME', 0, 60],
  markerNumber: ['MARKER NUMBER', 0, 20],
  markerType: ['MARKER TYPE', 0, 20],
  agency: [AGENCY, 20, 60],
  receiverSerialNumber: [RECEIVER, 0, 20],
  receiverType: [RECEIVER, 20, 40],
  firmwareVersion: [RECEIVER, 40, 60],
  antennaSerialNumber: [ANTENNA, 0, 20],
  antennaType: [ANTENNA, 20, 36],
  radomeType: [ANTENNA, 36, 40],
  /** Type and radome together, as written. */
  antenna: [ANTENNA, 20, 40],
} as const;

/** The records with the times of the first and the last observation. */
const TIMES = ['TIME OF FIRST OBS', 'TIME OF LAST OBS'] as const;
const DELTA_XYZ = 'ANTENNA: DELTA X/Y/Z';

/** The fields of the records that no header can have twice with different content. */
const FIELDS_OF = new Map<string, readonly Field[]>([
  [RECEIVER, DEVICES.receiver],
  [ANTENNA, DEVICES.antenna],
  [ECCENTRICITY, ECCENTRICITY_FIELDS],
  [AZIMUTH, ['azimuth']],
  [POSITION, ['position']],
]);

/** The values of a header, without surrounding blanks. Null means blank, or no such record. */
export interface RinexHeader extends Record<keyof typeof TEXTS, string | null> {
  version: string;
  /** ANTENNA: DELTA H/E/N. */
  up: string | null;
  east: string | null;
  north: string | null;
  /** ANTENNA: ZERODIR AZI, in degrees. */
  azimuth: string | null;
  /** APPROX POSITION XYZ: three numbers; null if they are zero. */
  position: string | null;
  /** TIME OF FIRST OBS and TIME OF LAST OBS, in the time system of the file. */
  firstObservation: Instant | null;
  lastObservation: Instant | null;
  /**
   * What cannot be read, such as a date that does not exist, stars instead of a number, or records
   * that contradict each other.
   */
  unreadable: Unreadable[];
  /** Whether it has ANTENNA: DELTA X/Y/Z, which gives the same offset in other axes. */
  hasDeltaXyz: boolean;
  /** What is odd about the form of the header. */
  remarks: RinexFinding[];
}

/** A part of a record that cannot be read. */
interface Unreadable {
  label: string;
  /** The fields that it would be; none of a time. */
  fields: readonly Field[];
  /** As written. */
  text: string;
}

/** A field without surrounding blanks. */
const fieldText = (columns: string): string => decoded(columns).trim();

/** A number as headers have it. */
export const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)$/;
const NUMBER_COLUMNS = [0, 14, 28] as const;
const NUMBER_WIDTH = 14;

/** The values of a record of three numbers. */
interface Numbers {
  /** As written; null if blank or not a number. */
  values: (string | null)[];
  /** What is not a number, as written; null where nothing is. */
  unreadable: (string | null)[];
}

/** Whether something that is not blank, or the stars of a number too long, crosses a column. */
const isCrossed = (content: string, column: number): boolean =>
  /^[^\s*][^\s*]$/.test(content.slice(column - 1, column + 1));

/**
 * Three numbers as they are written: in columns, or, if they are not, separated by blanks. If
 * neither gives three numbers, each is read from its columns, unless the columns are unclear.
 */
function threeNumbers(content: string): Numbers {
  const none = [null, null, null];
  const inColumns = NUMBER_COLUMNS.map((start) =>
    content.slice(start, start + NUMBER_WIDTH).trim(),
  );
  if (inColumns.every((part) => part === '') && content.trim() === '')
    return { values: none, unreadable: none };
  if (inColumns.every((part) => NUMBER.test(part))) return { values: inColumns, unreadable: none };
  const separate = content.trim().split(/ +/);
  if (separate.length === 3 && separate.every((part) => NUMBER.test(part)))
    return { values: separate, unreadable: none };
  const ends = NUMBER_COLUMNS.map((start) => start + NUMBER_WIDTH);
  if (ends.some((column) => isCrossed(content, column))) {
    const all = shortened(content);
    return { values: none, unreadable: [all, all, all] };
  }
  return {
    values: inColumns.map((part) => (NUMBER.test(part) ? part : null)),
    unreadable: inColumns.map((part) => (part === '' || NUMBER.test(part) ? null : part)),
  };
}

/** A text with single blanks. */
const shortened = (content: string): string => content.trim().replace(/ +/g, ' ');

/** A whole number, and one with a fraction, in their columns. Blanks are zero. */
const WHOLE = /^ *\d* *$/;
const SECONDS = /^ *\d*\.?\d* *$/;
/** The seconds of a minute with a leap second are below this. */
const MOST_SECONDS = 61;

/** The time in a record (5I6,F13.7), in whole seconds; null if it is blank, or is not a time. */
function timeIn(content: string): Instant | null {
  const parts = [0, 6, 12, 18, 24].map((start) => content.slice(start, start + 6));
  const secondsPart = content.slice(30, 43);
  if (!parts.every((part) => WHOLE.test(part)) || !SECONDS.test(secondsPart)) return null;
  const [year, month, day, hour, minute] = parts.map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const seconds = Math.floor(Number(secondsPart));
  const begin = new Date(Date.UTC(year, month - 1, day, hour, minute));
  // Date.UTC turns a day that does not exist into another day.
  const exists =
    begin.getUTCFullYear() === year &&
    begin.getUTCMonth() === month - 1 &&
    begin.getUTCDate() === day &&
    begin.getUTCHours() === hour &&
    begin.getUTCMinutes() === minute;
  return exists && year >= 1980 && seconds < MOST_SECONDS
    ? instantAt(begin.getTime() + seconds * 1000)
    : null;
}

/** The first major version that is not known. */
const LATER_MAJOR = 5;

/** The different contents of the records with a label, without blank ones. */
function contentsOf(lines: readonly HeaderLine[]): string[] {
  const contents = new Set(lines.map(({ content }) => shortened(content)));
  contents.delete('');
  return [...contents];
}

/** The records that the header has several times with different content. */
function contradictingRecords(headerLines: HeaderLine[]): Unreadable[] {
  const found: Unreadable[] = [];
  for (const [label, fields] of FIELDS_OF) {
    const contents = contentsOf(headerLines.filter((each) => each.label === label));
    if (contents.length > 1) found.push({ label, fields, text: contents.join('; ') });
  }
  return found;
}

/** What is odd about the form of a header. */
function remarksOf(headerLines: HeaderLine[], version: string): RinexFinding[] {
  const remarks: RinexFinding[] = [];
  if (headerLines[0]?.line.startsWith(BYTE_ORDER_MARK))
    remarks.push(finding('byte-order-mark', {}));
  if (Number.parseFloat(version) >= LATER_MAJOR)
    remarks.push(finding('later-version', { version }));
  const labels = Map.groupBy(headerLines, ({ label }) => label);
  const isMeant = (label: string): boolean => labelMeantBy(label) !== null;
  const misspelt = headerLines.filter(({ written, label }) => isMisspelt(written, label));
  if (misspelt.length > 0) {
    const pairs = new Map(misspelt.map(({ written, label }) => [label, written]));
    const all = [...pairs].map(([label, written]) => ({ label, written }));
    remarks.push(finding('misspelt-labels', { labels: all }));
  }
  const displaced = headerLines.filter(({ isDisplaced }) => isDisplaced);
  if (displaced.length > 0)
    remarks.push(finding('displaced-labels', { labels: displaced.map(({ label }) => label) }));
  for (const [label, all] of labels)
    if (all.length > 1 && !isRepeatable(label) && isMeant(label)) {
      const isContradicted = FIELDS_OF.has(label) && contentsOf(all).length > 1;
      remarks.push(finding('repeated-label', { label, times: all.length, isContradicted }));
    }
  // A line with tabs may have no label in its columns: it is named as a whole.
  const unknown = [...labels]
    .filter(([label]) => !isMeant(label))
    .map(([label, all]) => (label === '' ? shortened(withoutTabs(all[0]!.line)) : label));
  if (unknown.length > 0) remarks.push(finding('unknown-labels', { labels: unknown }));
  if (labels.has(DELTA_XYZ) && !labels.has(ECCENTRICITY)) remarks.push(finding('other-axes', {}));
  const foreign = headerLines.filter(({ line }) =>
    /[\x80-\xff]/.test(line.replace(BYTE_ORDER_MARK, '')),
  );
  if (foreign.length > 0) {
    const names = [...new Set(foreign.map(({ label }) => label))];
    remarks.push(finding('not-ascii', { labels: names }));
  }
  return remarks;
}

/**
 * Reads the records of a header. Of several with one label, the first counts; if they contradict
 * each other, their fields are unreadable.
 * @throws {RinexUnreadable} if it is not one of an observation file
 */
export function readHeader(headerLines: HeaderLine[]): RinexHeader {
  const contents = new Map<string, string>();
  for (const { label, content } of headerLines)
    if (!contents.has(label)) contents.set(label, content);
  const first = contents.get(VERSION);
  if (first === undefined) {
    const column = otherColumnOf(VERSION, headerLines.map(({ line }) => line).join(''));
    throw new RinexUnreadable(
      column === null
        ? finding('no-version', {})
        : finding('label-elsewhere', { label: VERSION, column }),
    );
  }
  if (first[20]?.toUpperCase() !== 'O')
    throw new RinexUnreadable(finding('other-type', { type: first.slice(20, 40).trim() }));
  const version = first.slice(0, 20).trim();
  const texts = Object.entries(TEXTS).map(([name, [label, from, to]]) => [
    name,
    fieldText(contents.get(label)?.slice(from, to) ?? '') || null,
  ]);
  const eccentricity = threeNumbers(contents.get(ECCENTRICITY) ?? '');
  const [up, east, north] = eccentricity.values as [string | null, string | null, string | null];
  const position = threeNumbers(contents.get(POSITION) ?? '');
  const isPosition = position.values.every((part) => part !== null);
  const isZero = position.values.every((part) => Number(part) === 0);
  const [firstObservation, lastObservation] = TIMES.map((label) =>
    timeIn(contents.get(label) ?? ''),
  ) as [Instant | null, Instant | null];
  const unreadable = contradictingRecords(headerLines);
  for (const label of TIMES) {
    const text = shortened(contents.get(label) ?? '');
    if (text !== '' && timeIn(contents.get(label)!) === null)
      unreadable.push({ label, fields: [], text });
  }
  for (const [index, field] of ECCENTRICITY_FIELDS.entries()) {
    const text = eccentricity.unreadable[index] ?? null;
    if (text !== null) unreadable.push({ label: ECCENTRICITY, fields: [field], text });
  }
  const azimuth = shortened(contents.get(AZIMUTH) ?? '');
  const isAzimuth = NUMBER.test(azimuth);
  if (azimuth !== '' && !isAzimuth)
    unreadable.push({ label: AZIMUTH, fields: ['azimuth'], text: azimuth });
  const positionText = shortened(contents.get(POSITION) ?? '');
  if (!isPosition && positionText !== '')
    unreadable.push({ label: POSITION, fields: ['position'], text: positionText });
  return {
    ...(Object.fromEntries(texts) as Record<keyof typeof TEXTS, string | null>),
    version,
    up,
    east,
    north,
    azimuth: isAzimuth ? azimuth : null,
    position: isPosition && !isZero ? position.values.join(' ') : null,
    firstObservation,
    lastObservation,
    unreadable,
    hasDeltaXyz: contents.has(DELTA_XYZ),
    remarks: remarksOf(headerLines, version),
  };
}
