import type { Instant } from '../../../schemas/index.js';
import { toInstant } from './file-name.js';

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

/** The values of a header, without surrounding blanks. Null means blank, or no such record. */
export interface RinexHeader extends Record<keyof typeof TEXTS, string | null> {
  version: string;
  /** ANTENNA: DELTA H/E/N. */
  up: string | null;
  east: string | null;
  north: string | null;
  /** APPROX POSITION XYZ: three numbers; null if they are zero. */
  position: string | null;
  /** TIME OF FIRST OBS and TIME OF LAST OBS, in the time system of the file. */
  firstObservation: Instant | null;
  lastObservation: Instant | null;
  /** The records whose content cannot be read, such as a date that does not exist. */
  unreadable: { label: string; text: string }[];
}

/** A record of a header. */
export interface HeaderRecord {
  /** The whole line, with its end. */
  line: string;
  /** The content in 60 columns. */
  content: string;
  label: string;
}

/**
 * The records of a header, up to END OF HEADER. The two lines of Hatanaka compression before it are
 * records too.
 * @param text the beginning of a file
 * @returns null if END OF HEADER is not in it
 */
export function recordsOf(text: string): HeaderRecord[] | null {
  const records: HeaderRecord[] = [];
  for (const [line] of text.matchAll(/[^\n]*\n|[^\n]+$/g)) {
    const label = line.slice(CONTENT_WIDTH).trim();
    records.push({ line, content: line.slice(0, CONTENT_WIDTH).replace(/[\r\n]+$/, ''), label });
    if (label === 'END OF HEADER') return records;
  }
  return null;
}

const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)$/;

/** Three numbers as they are written: in columns, or, if they are not, separated by blanks. */
function threeNumbers(content: string): string[] | null {
  const inColumns = [0, 14, 28].map((start) => content.slice(start, start + 14).trim());
  const parts = inColumns.every((part) => NUMBER.test(part))
    ? inColumns
    : content.trim().split(/ +/);
  return parts.length === 3 && parts.every((part) => NUMBER.test(part)) ? parts : null;
}

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
  // Date.UTC makes another day of a day that does not exist.
  const exists =
    begin.getUTCFullYear() === year &&
    begin.getUTCMonth() === month - 1 &&
    begin.getUTCDate() === day &&
    begin.getUTCHours() === hour &&
    begin.getUTCMinutes() === minute;
  return exists && year >= 1980 && seconds < MOST_SECONDS
    ? toInstant(begin.getTime() + seconds * 1000)
    : null;
}

/**
 * Reads the records of a header. Of several equal records, the first counts.
 * @throws {Error} if it is not one of an observation file
 */
export function readHeader(records: HeaderRecord[]): RinexHeader {
  const contents = new Map<string, string>();
  for (const { label, content } of records) if (!contents.has(label)) contents.set(label, content);
  const first = contents.get('RINEX VERSION / TYPE');
  if (first === undefined) throw new Error('has no RINEX VERSION / TYPE');
  if (first[20]?.toUpperCase() !== 'O')
    throw new Error(`has RINEX type "${first.slice(20, 40).trim()}"; expected observation data`);
  const texts = Object.entries(TEXTS).map(([name, [label, from, to]]) => [
    name,
    contents.get(label)?.slice(from, to).trim() || null,
  ]);
  const [up = null, east = null, north = null] =
    threeNumbers(contents.get('ANTENNA: DELTA H/E/N') ?? '') ?? [];
  const position = threeNumbers(contents.get('APPROX POSITION XYZ') ?? '') ?? [];
  const [firstObservation, lastObservation] = TIMES.map((label) =>
    timeIn(contents.get(label) ?? ''),
  ) as [Instant | null, Instant | null];
  const unreadable = TIMES.map((label) => ({
    label,
    text: (contents.get(label) ?? '').trim().replace(/ +/g, ' '),
  })).filter(({ label, text }) => text !== '' && timeIn(contents.get(label)!) === null);
  return {
    ...(Object.fromEntries(texts) as Record<keyof typeof TEXTS, string | null>),
    version: first.slice(0, 20).trim(),
    up,
    east,
    north,
    position: position.every((part) => Number(part) === 0) ? null : position.join(' '),
    firstObservation,
    lastObservation,
    unreadable,
  };
}
