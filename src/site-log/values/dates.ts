import type { Instant } from '../../../schemas/index.js';
import { LONGEST_VALUE, type Reading, readString, unknown, unreadable } from './reading.js';

const DATE =
  /^(?<year>\d{4})(?<separator>[-/.])(?<month>\d{1,2})\k<separator>(?<day>\d{1,2})(?!\d)(?:(?:\s*T\s*|\s+(?=\d{1,2}:\d{2}))(?<hour>\d{1,2})(?::?(?<minute>\d{2})(?::?(?<second>\d{2})(?:[.,]\d+)?)?)?(?!\d))?\s*(?<zone>Z|UTC?|[+-]\d{2}(?::?\d{2})?(?![\d:]))?(?<rest>.*)$/is;
const TIME_PLACEHOLDER = /^T?hh(:mm)?(:ss)?Z?\)?$/i;
const EXPECTED_DATE = 'a date (CCYY-MM-DD or CCYY-MM-DDThh:mmZ)';

/**
 * The text without the parentheses around it, balanced or not. No pattern: `\)+$` takes quadratic
 * time.
 */
function withoutParentheses(text: string): string {
  let start = 0;
  let end = text.length;
  while (text[start] === '(') start++;
  while (end > start && text[end - 1] === ')') end--;
  return text.slice(start, end).trim();
}

/**
 * Reads a date with or without a time as an instant in UTC; a date alone means midnight. A date of
 * nines (`9999-99-99T99:99Z`) and the letters of the blank form mean no date. Text after a date is
 * ignored.
 * @param earliest the first year; a tide gauge can be from the 19th century
 */
export function readInstant(text: string, earliest = 1800): Reading<Instant> {
  const raw = readString(text);
  if (raw === null) return unknown;
  if (raw.length > LONGEST_VALUE) return unreadable(EXPECTED_DATE);
  const value = withoutParentheses(raw);
  if (value === '') return unknown;
  if (/^(CCYY|YYYY)(\b|-?MM-?DD)/i.test(value))
    return /\d/.test(value) ? unreadable(EXPECTED_DATE) : unknown;
  if (/^9999\b/.test(value)) return unknown;
  const groups = DATE.exec(value)?.groups;
  if (groups === undefined) return unreadable(EXPECTED_DATE);
  const year = Number(groups.year);
  const month = Number(groups.month);
  const day = Number(groups.day);
  const hour = Number(groups.hour ?? 0);
  const minute = Number(groups.minute ?? 0);
  const second = Number(groups.second ?? 0);
  const endOfDay = hour === 24 && minute === 0 && second === 0;
  if (year < earliest && year >= 1800) return unreadable(`${EXPECTED_DATE} from ${earliest} on`);
  if (year < earliest || year > 2199 || (hour > 23 && !endOfDay) || minute > 59 || second > 59)
    return unreadable(EXPECTED_DATE);
  const midnight = Date.UTC(year, month - 1, day);
  const calendar = new Date(midnight);
  if (calendar.getUTCMonth() !== month - 1 || calendar.getUTCDate() !== day)
    return unreadable(EXPECTED_DATE);
  let instant = midnight + ((hour * 60 + minute) * 60 + second) * 1000;
  const offset = /^([+-])(\d{2})(:?)(\d{2})?$/.exec(groups.zone ?? '');
  if (offset !== null) {
    const [, sign, hours, colon, minutes = '0'] = offset;
    // After a date without a time, digits without a colon may belong to another date
    // (`2010-01-13-2011`).
    if (Number(hours) > 14 || Number(minutes) > 59 || (groups.hour === undefined && colon === ''))
      return unreadable(EXPECTED_DATE);
    instant -= (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  }
  const result = new Date(instant).toISOString().replace(/\.000Z$/, 'Z');
  const rest = groups.rest!.trim();
  if (rest === '' || TIME_PLACEHOLDER.test(rest)) return { value: result };
  // Digits directly after a date are an invalid time (`2011-07-20 1:5`) or another date, not a
  // remark.
  if (/^(T\s*)?[-/.:]?\d+([-/.:]|$)/i.test(rest)) return unreadable(EXPECTED_DATE);
  return {
    value: result,
    remark: { code: 'deviating-value', deviation: 'text after the date ignored', read: result },
  };
}

/** Reads the date of a GNSS receiver or antenna: there was none before 1980. */
export const readInstantSince1980 = (text: string): Reading<Instant> => readInstant(text, 1980);

/** Reads Date Prepared: the day of a date, `YYYY-MM-DD`. */
export function readDay(text: string): Reading<string> {
  const { value, ...rest } = readInstant(text);
  return { value: value?.slice(0, 10) ?? null, ...rest };
}

/** The start and end of Effective Dates, each with its own remark. */
interface EffectiveDates {
  from: Reading<Instant>;
  to: Reading<Instant>;
}

/**
 * Reads Effective Dates of sections 6 and 8: `a/b`, `a/`, `a/(CCYY-MM-DD)`,
 * `(CCYY-MM-DD/CCYY-MM-DD)`, or `a` alone as a start. Parentheses are ignored, balanced or not.
 */
export function readEffectiveDates(text: string): EffectiveDates {
  const raw = readString(text);
  if (raw === null) return { from: unknown, to: unknown };
  if (raw.length > LONGEST_VALUE)
    return { from: unreadable('effective dates (CCYY-MM-DD/CCYY-MM-DD)'), to: unknown };
  const bare = raw.replace(/[()\s]+/g, ' ');
  const separator = /\//.exec(bare) ?? / (?:-|to|until) (?=\d)/i.exec(bare);
  if (separator === null) return { from: readInstant(bare), to: unknown };
  const start = bare.slice(0, separator.index);
  const end = bare.slice(separator.index + separator[0].length);
  return { from: readInstant(start), to: readInstant(end) };
}

/**
 * The date that site log file names contain by convention (`alic_20170223.log`), as `YYYY-MM-DD`;
 * null if there is none.
 */
export function dateInFileName(name: string): string | null {
  const found = /_(\d{4})(\d{2})(\d{2})(?=[^\d/\\]*$)/.exec(name);
  return found === null ? null : readDay(`${found[1]}-${found[2]}-${found[3]}`).value;
}
