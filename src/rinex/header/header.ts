import type { Instant } from '../../../schemas/index.js';
import { instantAt } from '../../requests/units-of-time.js';
import { finding, type RinexFinding, RinexUnreadable } from '../findings.js';
import { DEVICES, type Field } from '../fields.js';
import { isMisspelt, isRepeatable, labelAtEnd, labelMeantBy } from './labels.js';

/** Reads the station records of a RINEX observation header, versions 2.10 to 4.02. */

/** The longest header that is read, in bytes. */
export const LONGEST_HEADER = 256 * 1024;
/** The columns of the content of a record. The label follows. */
export const CONTENT_WIDTH = 60;

/**
 * The text fields of a header: the label of the record, the start column from 0, and the end
 * column, exclusive.
 */
const TEXTS = {
  markerName: ['MARKER NAME', 0, 60],
  markerNumber: ['MARKER NUMBER', 0, 20],
  markerType: ['MARKER TYPE', 0, 20],
  agency: ['OBSERVER / AGENCY', 20, 60],
  receiverSerialNumber: ['REC # / TYPE / VERS', 0, 20],
  receiverType: ['REC # / TYPE / VERS', 20, 40],
  firmwareVersion: ['REC # / TYPE / VERS', 40, 60],
  antennaSerialNumber: ['ANT # / TYPE', 0, 20],
  antennaType: ['ANT # / TYPE', 20, 36],
  radomeType: ['ANT # / TYPE', 36, 40],
  /** Type and radome together, as written. */
  antenna: ['ANT # / TYPE', 20, 40],
} as const;

/** The records with the times of the first and the last observation. */
const TIMES = ['TIME OF FIRST OBS', 'TIME OF LAST OBS'] as const;
const VERSION = 'RINEX VERSION / TYPE';
const POSITION = 'APPROX POSITION XYZ';
const DELTA_HEN = 'ANTENNA: DELTA H/E/N';
const ZERO_DIRECTION = 'ANTENNA: ZERODIR AZI';
const DELTA_XYZ = 'ANTENNA: DELTA X/Y/Z';

/** The fields of the records that no header can have twice with different content. */
const FIELDS_OF: ReadonlyMap<string, readonly Field[]> = new Map<string, readonly Field[]>([
  ['REC # / TYPE / VERS', DEVICES.receiver],
  ['ANT # / TYPE', DEVICES.antenna],
  [DELTA_HEN, ['up', 'east', 'north']],
  [ZERO_DIRECTION, ['azimuth']],
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

/** A record of a header. */
export interface HeaderLine {
  /** The whole line, with its end, each byte as one character. */
  line: string;
  /** The content in 60 columns. */
  content: string;
  /** As RINEX spells it, if it is known. */
  label: string;
  /** The label as written. */
  written: string;
  /** Whether the label is not in its columns. The content is what stands before it. */
  isDisplaced: boolean;
}

/** The text of bytes in UTF-8; null if they are ASCII or not UTF-8. @param bytes as characters */
function utf8In(bytes: string): string | null {
  if (!/[\x80-\xff]/.test(bytes) || /[^\0-\xff]/.test(bytes)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(bytes, 'latin1'));
  } catch {
    return null;
  }
}

/** A character of UTF-8 whose end is cut off. */
const CUT_CHARACTER = /[\xc2-\xf4][\x80-\xbf]{0,2}$/;

/** Columns of a header, decoded as UTF-8 if they are valid UTF-8, otherwise as ISO 8859-1. */
export const decoded = (columns: string): string =>
  utf8In(columns) ?? utf8In(columns.replace(CUT_CHARACTER, '')) ?? columns;

/** A field without surrounding blanks. */
const fieldText = (columns: string): string => decoded(columns).trim();

/** The mark at the beginning of a text in UTF-8, which RINEX does not know. */
export const BYTE_ORDER_MARK = '\xef\xbb\xbf';

/**
 * A line in its columns. In UTF-8, some programs count characters, and some bytes: the label says
 * which. Bytes stay as they are.
 */
function columnsOf(line: string): string {
  const text = utf8In(line);
  if (text === null) return line;
  const isOfCharacters = /\S/.test(text[CONTENT_WIDTH] ?? '');
  return isOfCharacters && labelMeantBy(text.slice(CONTENT_WIDTH)) !== null ? text : line;
}

/** The columns between tab stops. */
const TAB = 8;

/** A line with blanks instead of tabs. */
function withoutTabs(line: string): string {
  let text = '';
  for (const character of line) {
    const blanks = TAB - (text.length % TAB);
    text += character === '\t' ? ' '.repeat(blanks) : character;
  }
  return text;
}

/** Whether the content of a line runs into the columns of its label. */
const isOverflowing = (line: string): boolean =>
  /^\S\S$/.test(line.slice(CONTENT_WIDTH - 1, CONTENT_WIDTH + 1));

/**
 * The record of a line whose label is not in its columns, because of tabs, or because its content
 * is too long; null if the line is no such record.
 */
function displacedIn(line: string): Pick<HeaderLine, 'content' | 'label' | 'written'> | null {
  if (!line.includes('\t') && !isOverflowing(line)) return null;
  const text = withoutTabs(line).trimEnd();
  const label = labelAtEnd(text);
  if (label === null) return null;
  return { content: text.slice(0, -label.length).trimEnd(), label, written: label };
}

/**
 * The records of a header, up to END OF HEADER. The two lines of Hatanaka compression before it are
 * records too.
 * @param text the beginning of a file
 * @returns null if END OF HEADER is not in it
 */
export function headerLinesOf(text: string): HeaderLine[] | null {
  const headerLines: HeaderLine[] = [];
  for (const [line] of text.matchAll(/[^\n]*\n|[^\n]+$/g)) {
    const isMarked = headerLines.length === 0 && line.startsWith(BYTE_ORDER_MARK);
    const columns = columnsOf(isMarked ? line.slice(BYTE_ORDER_MARK.length) : line);
    const content = columns.slice(0, CONTENT_WIDTH).replace(/[\r\n]+$/, '');
    const written = columns.slice(CONTENT_WIDTH).trim();
    const meant = labelMeantBy(written);
    const displaced = meant === null ? displacedIn(columns) : null;
    const label = meant ?? displaced?.label ?? written;
    const isDisplaced = displaced !== null;
    headerLines.push({ line, content, written, ...displaced, label, isDisplaced });
    if (label === 'END OF HEADER') return headerLines;
  }
  return null;
}

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
  if (labels.has(DELTA_XYZ) && !labels.has(DELTA_HEN)) remarks.push(finding('other-axes', {}));
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
 * Reads the records of a header. Of several records with one label, the first counts.
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
  const eccentricity = threeNumbers(contents.get(DELTA_HEN) ?? '');
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
  for (const [index, field] of (['up', 'east', 'north'] as const).entries()) {
    const text = eccentricity.unreadable[index] ?? null;
    if (text !== null) unreadable.push({ label: DELTA_HEN, fields: [field], text });
  }
  const azimuth = shortened(contents.get(ZERO_DIRECTION) ?? '');
  const isAzimuth = NUMBER.test(azimuth);
  if (azimuth !== '' && !isAzimuth)
    unreadable.push({ label: ZERO_DIRECTION, fields: ['azimuth'], text: azimuth });
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

/** The column in which a label stands elsewhere, from 1; null if it is in no other column. */
function otherColumnOf(label: string, text: string): number | null {
  for (const line of text.split('\n')) {
    const column = line.indexOf(label);
    if (column !== -1 && column !== CONTENT_WIDTH) return column + 1;
  }
  return null;
}

const MARKS_OF_UTF16 = ['\xff\xfe', '\xfe\xff'];

/**
 * Why a text has no header that can be read.
 * @param text the beginning of a file, each byte as one character
 * @param isWhole whether the file ends there
 */
export function whyNoHeader(text: string, isWhole: boolean): RinexFinding {
  if (text === '') return finding('empty-file', {});
  if (MARKS_OF_UTF16.some((mark) => text.startsWith(mark))) return finding('utf-16', {});
  if (text.includes('\r') && !text.includes('\n')) return finding('carriage-returns', {});
  for (const label of [VERSION, 'END OF HEADER']) {
    const column = otherColumnOf(label, text);
    if (column !== null) return finding('label-elsewhere', { label, column });
  }
  const [first = ''] = text.split('\n', 1);
  const isRinex = /^.{60} *(?:RINEX|CRINEX) VERS/.test(first);
  if (!isRinex) return finding('not-rinex', { begin: first });
  return isWhole ? finding('header-cut-off', {}) : finding('header-too-long', {});
}
