import type { Instant } from '../../../schemas/index.js';
import { DAY, HOUR, instantAt, MINUTE, SECOND } from '../../requests/units-of-time.js';

/**
 * What the name of a RINEX observation file says (RINEX 2.11, section 4; RINEX 3 and 4, appendix
 * A1).
 */
export interface NameOfFile {
  /** Four characters, or nine of a long name, in upper case. */
  site: string;
  /** The characters of the name that give the beginning. */
  begin: string;
  /** When it has observations; null if that day or time does not exist. */
  period: StatedPeriod | null;
}

/** The period that a name states. */
export interface StatedPeriod {
  from: Instant;
  /** Null if the name says that the length is unspecified. */
  to: Instant | null;
}

const COMPRESSED = /\.(?:gz|z)$/i;
/** `ALIC00AUS_R_20131890000_01D_30S_MO.rnx` */
const LONG =
  /^([a-z0-9_]{4}\d\d[a-z]{3})_[a-z]_(\d{4})(\d{3})(\d\d)(\d\d)_(\d\d)([smhdyu])_(?:\d\d[a-z]_)?[a-z]o\.(?:rnx|crx)$/i;
/** `alic1890.13o`, `alic1891.13o` (the first part of a day), `alic189a.13d`, `alic189a15.13o` */
const SHORT = /^([a-z0-9_]{4})(\d{3})([a-z0-9])(\d\d)?\.(\d\d)[od]$/i;
/** Names of observation files that identify nothing, such as those of converters. */
const OTHER_NAME = /\.(?:obs|rnx|crx|\d\d[od])$/i;
/** The end of a long name of data that are no observations. */
const OTHER_DATA = /_[a-z][a-np-z]\.rnx$/i;
/** The hours of a day have the letters a to x. */
const LAST_HOUR = 'x';

/** The units of the length of a file. */
const UNITS: Record<string, number> = { S: SECOND, M: MINUTE, H: HOUR, D: DAY, Y: 365 * DAY };

/** Two-digit years are those from 1980 to 2079. */
export const fullYear = (year: number): number => (year < 80 ? 2000 + year : 1900 + year);

/** The beginning that a name states. */
interface Begin {
  year: number;
  /** The day of the year. */
  day: number;
  hour: number;
  minute: number;
}

/**
 * The period from a beginning; null if that day or time does not exist.
 * @param length null if it is unspecified
 */
function periodFrom(
  { year, day, hour, minute }: Begin,
  length: number | null,
): StatedPeriod | null {
  const from = new Date(Date.UTC(year, 0, day, hour, minute));
  const isDayOfYear = day >= 1 && new Date(Date.UTC(year, 0, day)).getUTCFullYear() === year;
  if (!isDayOfYear || hour > 23 || minute > 59) return null;
  return {
    from: instantAt(from.getTime()),
    to: length === null ? null : instantAt(from.getTime() + length),
  };
}

function readLongName(bare: string): NameOfFile | null {
  const parts = LONG.exec(bare);
  if (parts === null) return null;
  const [, site, year, day, hour, minute, count, unit] = parts as unknown as string[];
  const begin = {
    year: Number(year),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
  };
  const unitLength = UNITS[unit!.toUpperCase()];
  const length = unitLength === undefined ? null : Number(count) * unitLength;
  return {
    site: site!.toUpperCase(),
    begin: `${year}${day}${hour}${minute}`,
    period: periodFrom(begin, length),
  };
}

function readShortName(bare: string): NameOfFile | null {
  const parts = SHORT.exec(bare);
  if (parts === null) return null;
  const [, site, day, session, minute = '', year] = parts as unknown as [
    string,
    string,
    string,
    string,
    string | undefined,
    string,
  ];
  // Parts of a day with a number, or with y or z, have no definite times.
  const isDay = /\d/.test(session) || session.toLowerCase() > LAST_HOUR;
  const hour = isDay ? 0 : session.toLowerCase().charCodeAt(0) - 'a'.charCodeAt(0);
  const ofHour = minute === '' ? HOUR : 15 * MINUTE;
  const begin = { year: fullYear(Number(year)), day: Number(day), hour, minute: Number(minute) };
  return {
    site: site.toUpperCase(),
    begin: `${day}${session}${minute}.${year}`,
    period: periodFrom(begin, isDay ? DAY : ofHour),
  };
}

/**
 * Reads the name of a file, without its folder. Null if it is not the name of an observation file.
 */
export function readFileName(name: string): NameOfFile | null {
  const bare = name.replace(COMPRESSED, '');
  return readLongName(bare) ?? readShortName(bare);
}

/** Whether a file of this name, without its folder, is an observation file. */
export function isObservationFileName(name: string): boolean {
  const bare = name.replace(COMPRESSED, '');
  return readFileName(name) !== null || (OTHER_NAME.test(bare) && !OTHER_DATA.test(bare));
}
