import type { Instant } from '../schemas/index.js';

/** Reading the instants that requests give: RFC 3339, dates, GNSS time, and the date patterns of the reference service. */

/** An instant as it is held, `YYYY-MM-DDThh:mm:ssZ`; null where the calendar has no such date, or it is before year 1 or after 9999. */
function toInstant(year: number, month: number, day: number, seconds = 0): Instant | null {
  const midnight = new Date(0);
  midnight.setUTCFullYear(year, month - 1, day);
  if (midnight.getUTCFullYear() !== year || midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== day) return null;
  const instant = new Date(midnight.getTime() + seconds * 1000);
  const inRange = instant.getUTCFullYear() >= 1 && instant.getUTCFullYear() <= 9999;
  return inRange ? instant.toISOString().replace(/\.\d+Z$/, 'Z') : null;
}

/** Seconds of the day, less the offset from UTC in seconds; a leap second is the midnight behind it; null where there is no such time. */
function secondsOf(hour: number, minute: number, second: number, offset = 0): number | null {
  if (hour > 23 || minute > 59 || second > (hour === 23 && minute === 59 ? 60 : 59) || !(Math.abs(offset) <= 18 * 3600)) return null;
  return (hour * 60 + minute) * 60 + second - offset;
}

/** An offset from UTC, `Z`, `+10`, `+1000` or `+10:00`, in seconds; NaN where its minutes are none (RFC 3339, section 5.6). */
function offsetOf(zone: string): number {
  const [, sign, hours, minutes = '0'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  if (Number(minutes) > 59) return NaN;
  return hours === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60;
}

/** The first day of GPS week 0. Weeks are counted through, not modulo 1024 as receivers of old broadcast them. */
const GPS_EPOCH = Date.UTC(1980, 0, 6);
const DAY = 86_400_000;

/** What {@link parseInstant} reads, in words. */
export const INSTANT_FORMS =
  'an instant (2013-07-08T00:45:00Z), a date (2013-07-08, its midnight), a year and day of year (2013:189) or a GPS week and day (1748:1)';

/**
 * An instant as requests give it, in UTC: RFC 3339 with seconds or without, a date (its midnight), `2013:189` (year and
 * day of year, three digits), `1748:1` (GPS week and day of week from Sunday, one digit). Days of GNSS time begin at
 * midnight UTC here: the leap seconds between are fewer than site logs resolve.
 * @returns null where the text is none of these
 */
export function parseInstant(text: string): Instant | null {
  const calendar = /^(\d{4})-(\d{2})-(\d{2})(?:[Tt](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?([Zz]|[+-]\d{2}:\d{2}))?$/.exec(text);
  if (calendar !== null) {
    const [, year, month, day, hour = '0', minute = '0', second = '0', zone = 'Z'] = calendar;
    const seconds = secondsOf(Number(hour), Number(minute), Number(second), offsetOf(zone));
    return seconds === null ? null : toInstant(Number(year), Number(month), Number(day), seconds);
  }
  const dayOfYear = /^(\d{4}):(\d{3})$/.exec(text);
  if (dayOfYear !== null) return fromDayOfYear(Number(dayOfYear[1]), Number(dayOfYear[2]));
  const gpsDay = /^(\d{1,4}):([0-6])$/.exec(text);
  if (gpsDay !== null) return new Date(GPS_EPOCH + (Number(gpsDay[1]) * 7 + Number(gpsDay[2])) * DAY).toISOString().replace('.000Z', 'Z');
  return null;
}

/** The midnight that begins a day of a year, from 1. */
function fromDayOfYear(year: number, day: number, seconds = 0): Instant | null {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return day < 1 || day > (leap ? 366 : 365) ? null : toInstant(year, 1, 1, (day - 1) * 86_400 + seconds);
}

/** The letters of a pattern that are understood, and what each matches by how often it stands. */
const LETTERS: Record<string, (count: number) => string | null> = {
  u: (count) => (count === 4 ? '(?<year>\\d{4})' : count === 1 ? '(?<year>\\d{1,4})' : null),
  y: (count) => (count === 4 ? '(?<year>\\d{4})' : count === 1 ? '(?<year>\\d{1,4})' : null),
  M: (count) => (count === 2 ? '(?<month>\\d{2})' : count === 1 ? '(?<month>\\d{1,2})' : null),
  d: (count) => (count === 2 ? '(?<day>\\d{2})' : count === 1 ? '(?<day>\\d{1,2})' : null),
  D: (count) => (count === 3 ? '(?<ordinal>\\d{3})' : count === 1 ? '(?<ordinal>\\d{1,3})' : null),
  H: (count) => (count === 2 ? '(?<hour>\\d{2})' : count === 1 ? '(?<hour>\\d{1,2})' : null),
  m: (count) => (count === 2 ? '(?<minute>\\d{2})' : count === 1 ? '(?<minute>\\d{1,2})' : null),
  s: (count) => (count === 2 ? '(?<second>\\d{2})' : count === 1 ? '(?<second>\\d{1,2})' : null),
  S: (count) => (count <= 9 ? `\\d{${count}}` : null),
  X: (count) =>
    count === 1
      ? '(?<zone>Z|[+-]\\d{2}(?:\\d{2})?)'
      : count === 2
        ? '(?<zone>Z|[+-]\\d{4})'
        : count === 3
          ? '(?<zone>Z|[+-]\\d{2}:\\d{2})'
          : null,
};

/** What {@link compilePattern} understands, in words. */
export const PATTERN_FORMS =
  "a date pattern of uuuu or yyyy (year), MM (month), dd (day), DDD (day of year), HH, mm, ss, S (fraction), X, XX or XXX (offset), 'quoted text' and signs";

/** The default pattern of the period search. */
export const DEFAULT_PATTERN = 'uuuu-MM-dd';

/**
 * Compiles a date pattern as the reference service's clients send it (java.time.format.DateTimeFormatter), as far as it
 * can name an instant. What it leaves out of the time is 0; without an offset, times are UTC.
 * @returns a reader of texts of the pattern, which gives null for any other; null where the pattern is not understood
 */
export function compilePattern(pattern: string): ((text: string) => Instant | null) | null {
  if (pattern.length > 100) return null;
  let source = '';
  const seen = new Set<string>();
  for (const [token, quoted] of pattern.matchAll(/'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z]/g)) {
    if (token.startsWith("'")) {
      if (quoted === undefined) return null;
      source += escape(quoted === '' ? "'" : quoted.replaceAll("''", "'"));
    } else if (/^[A-Za-z]/.test(token)) {
      const letter = token[0]!;
      const known = letter === 'y' ? 'u' : letter;
      const part = Object.hasOwn(LETTERS, letter) && !seen.has(known) ? LETTERS[letter]!(token.length) : null;
      if (part === null) return null;
      seen.add(known);
      source += part;
    } else if (/[[\]{}#]/.test(token)) {
      // Kept by java.time for optional parts and for what may come.
      return null;
    } else {
      source += escape(token);
    }
  }
  const dated = seen.has('u') && (seen.has('D') ? !seen.has('M') && !seen.has('d') : seen.has('M') && seen.has('d'));
  if (!dated) return null;
  const expression = new RegExp(`^${source}$`);
  return (text) => {
    const parts = text.length > 200 ? undefined : expression.exec(text)?.groups;
    if (parts === undefined) return null;
    const number = (name: string): number => Number(parts[name] ?? 0);
    const seconds = secondsOf(number('hour'), number('minute'), number('second'), offsetOf(parts.zone ?? 'Z'));
    if (seconds === null) return null;
    return seen.has('D')
      ? fromDayOfYear(number('year'), number('ordinal'), seconds)
      : toInstant(number('year'), number('month'), number('day'), seconds);
  };
}

const escape = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
