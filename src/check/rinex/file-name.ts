import type { Instant } from '../../../schemas/index.js';

/** What the name of a RINEX observation file says (RINEX 2.11, section 4; RINEX 3 and 4, appendix A1). */
export interface NameOfFile {
  /** Four characters, or nine of a long name, in upper case. */
  site: string;
  from: Instant;
  /** The end that the name gives. */
  to: Instant;
}

const COMPRESSED = /\.(?:gz|z)$/i;
/** `ALIC00AUS_R_20131890000_01D_30S_MO.rnx` */
const LONG =
  /^([a-z0-9]{4}\d\d[a-z]{3})_[a-z]_(\d{4})(\d{3})(\d\d)(\d\d)_(\d\d)([mhdyu])_(?:\d\d[a-z]_)?[a-z]o\.(?:rnx|crx)$/i;
/** `alic1890.13o`, `alic189a.13d`, `alic189a15.13o` */
const SHORT = /^([a-z0-9]{4})(\d{3})([a-x0])(\d\d)?\.(\d\d)[od]$/i;

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
/** The units of the length of a file. U is unknown: taken as an instant. */
const UNITS: Record<string, number> = { M: MINUTE, H: HOUR, D: DAY, Y: 365 * DAY, U: 0 };

const toInstant = (milliseconds: number): Instant =>
  new Date(milliseconds).toISOString().replace('.000Z', 'Z');

/** Two-digit years are those from 1980 to 2079. */
const fullYear = (year: number): number => (year < 80 ? 2000 + year : 1900 + year);

function span(
  site: string,
  time: { year: number; day: number; hour: number; minute: number },
  length: number,
): NameOfFile | null {
  const { year, day, hour, minute } = time;
  if (day < 1 || day > 366 || hour > 23 || minute > 59) return null;
  const from = Date.UTC(year, 0, day, hour, minute);
  return { site: site.toUpperCase(), from: toInstant(from), to: toInstant(from + length) };
}

/** Reads the name of a file, without its folder. Null if it is not the name of an observation file. */
export function readFileName(name: string): NameOfFile | null {
  const bare = name.replace(COMPRESSED, '');
  const long = LONG.exec(bare);
  if (long !== null) {
    const [, site, year, day, hour, minute, count, unit] = long as unknown as string[];
    return span(
      site!,
      { year: Number(year), day: Number(day), hour: Number(hour), minute: Number(minute) },
      Number(count) * UNITS[unit!.toUpperCase()]!,
    );
  }
  const short = SHORT.exec(bare);
  if (short === null) return null;
  const [, site, day, session, minute, year] = short as unknown as [
    string,
    string,
    string,
    string,
    string | undefined,
    string,
  ];
  const isDay = session === '0';
  const hour = isDay ? 0 : session.toLowerCase().charCodeAt(0) - 'a'.charCodeAt(0);
  const length = isDay ? DAY : minute === undefined ? HOUR : 15 * MINUTE;
  return span(
    site,
    { year: fullYear(Number(year)), day: Number(day), hour, minute: Number(minute ?? 0) },
    length,
  );
}
