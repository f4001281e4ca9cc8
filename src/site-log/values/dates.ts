import type { Instant } from '../../../schemas/index.js';
import { HOUR, instantAt, MINUTE } from '../../requests/units-of-time.js';
import { LONGEST_VALUE } from './limits.js';
import { type Reading, readString, unknown, unreadable } from './reading.js';

const DATE =
  /^(?<year>\d{4})(?<separator>[-/.])(?<month>\d{1,2})\k<separator>(?<day>\d{1,2})(?!\d)(?:(?:\s*T\s*|\s+(?=\d{1,2}:\d{2}))(?<hour>\d{1,2})(?::?(?<minute>\d{2})(?::?(?<second>\d{2})(?:[.,]\d+)?)?)?(?!\d))?\s*(?<zone>Z|UTC?|[+-]\d{2}(?::?\d{2})?(?![\d:]))?(?<rest>.*)$/is;
/** A date exactly as the form asks for it, as most are. */
const EXACT = /^(\d{4})-(\d{2})-(\d{2})(?:T([01]\d|2[0-3]):([0-5]\d)Z)?$/;
const TIME_PLACEHOLDER = /^T?hh(:mm)?(:ss)?Z?\)?$/i;
const DAY = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th)?(?!\d)`;
const MONTH = String.raw`(?<month>[a-z]{3,9})\.?`;
const YEAR = String.raw`(?<year>\d{4})(?!\d)`;
const BETWEEN = String.raw`[-\s/.,]{0,2}`;
/**
 * A date with a month in letters, as the form asked for until 2000: `16-DEC-1998 01:08 UT`, or in
 * another order: `December 16, 1998`, `1998 Dec 16`.
 */
const LETTERS = [
  [DAY, MONTH, YEAR],
  [MONTH, DAY, YEAR],
  [YEAR, MONTH, DAY],
].map((parts) => new RegExp(`^${parts.join(BETWEEN)}`, 'i'));
const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
/**
 * A date and a time of day without the `T` between them: `2009-10-20:00:00Z`, `2015-07-16Z08:00Z`,
 * `2015-07-16 0830Z`, `2015-03-030:00:00`. Four digits from 1800 on may be a year.
 */
const SLIP =
  /^(?<date>\d{4}-\d{2}-\d{2})(?:[:Z]\s*|\s+(?=\d{4}Z|(?:0\d|1[0-7])\d\d)|(?=\d{1,2}:))(?<time>\d{1,2}:?\d{2}(?::\d{2})?)\s*(?:Z|UTC?)?$/i;
/** A date and a time of day with other signs: `2015-07-16 08.30`, `2015-07-16T08h30`. */
const OTHER_SIGNS =
  /^(?<date>\d{4}-\d{2}-\d{2})(?:\s*T\s*|\s+)(?<hour>\d{1,2})(?:\.(?<minute>\d{2})|\s?h\s?(?<minutes>\d{2})?(?:\s?m)?)\s*(?:Z|UTC?)?$/i;
/** A time of day behind a date, possible or not: `T46:00Z`, `1:5`. */
const TIME_LIKE =
  /^(?:[T:Z]\s*(?:T\s*)?|(?=\d{1,2}[:.h]))\d{1,2}(?:[:.h]?\d{1,2}){0,2}\s*(?:Z|UTC?|GMT)?$/i;
/** The last year of a date. */
const LATEST = 2199;
/** UTC by another name, but no difference from it. */
const UNIVERSAL = /^\(?(?:GMT|UT)\b(?!\s*[+-]\s*\d)/i;
/** A difference from UTC behind its name: `UTC+3`. */
const DIFFERENCE = /^[+-]\s*\d{1,2}(?::?\d{2})?(?!\d)/;
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

/** A date whose month is in letters with the month in digits; any other text as it is. */
function withMonthInDigits(text: string): string {
  if (!/[a-z]{3}/i.test(text)) return text;
  const found = LETTERS.map((order) => order.exec(text)).find((each) => each !== null);
  if (found == null) return text;
  const { day, month, year } = found.groups!;
  const name = month!.toLowerCase();
  const isMonth = (each: string): boolean =>
    each === name || each.slice(0, 3) === name || (name === 'sept' && each === 'september');
  const number = MONTHS.findIndex(isMonth) + 1;
  if (number === 0) return text;
  const date = [year, String(number).padStart(2, '0'), day!.padStart(2, '0')].join('-');
  return date + text.slice(found[0].length);
}

/** A date with the signs that belong around the time; any other text as it is. */
function withoutSlip(text: string): string {
  const { date, time } = SLIP.exec(text)?.groups ?? {};
  if (date !== undefined) return `${date}T${time}Z`;
  const other = OTHER_SIGNS.exec(text)?.groups;
  if (other === undefined) return text;
  return `${other.date}T${other.hour}:${other.minute ?? other.minutes ?? '00'}Z`;
}

/** A date that was read although it deviates from the form. */
const deviating = (value: Instant, deviation: string): Reading<Instant> => ({
  value,
  remark: { code: 'deviating-value', deviation, read: value },
});

/** A date of which a part could not be read. */
const partial = (value: Instant, deviation: string): Reading<Instant> => ({
  value,
  remark: { code: 'deviating-value', deviation, read: value, isPartial: true },
});

/** What {@link DATE} finds in a date. */
type DateGroups = Partial<Record<string, string>>;

/** The start of a day in milliseconds; null if the calendar has no such day. */
function midnightOf(year: number, month: number, day: number): number | null {
  const midnight = Date.UTC(year, month - 1, day);
  const calendar = new Date(midnight);
  const isDay = calendar.getUTCMonth() === month - 1 && calendar.getUTCDate() === day;
  return isDay ? midnight : null;
}

/** The time of day in milliseconds, midnight without one; null if there is no such time. */
function timeOf({ hour = '0', minute = '0', second = '0' }: DateGroups): number | null {
  const [hours, minutes, seconds] = [Number(hour), Number(minute), Number(second)];
  const isEndOfDay = hours === 24 && minutes === 0 && seconds === 0;
  if ((hours > 23 && !isEndOfDay) || minutes > 59 || seconds > 59) return null;
  return ((hours * 60 + minutes) * 60 + seconds) * 1000;
}

/** The difference of a time zone from UTC in milliseconds; null if it is none. */
function offsetOf({ hour, zone = '' }: DateGroups): number | null {
  const found = /^([+-])(\d{2})(:?)(\d{2})?$/.exec(zone);
  if (found === null) return 0;
  const [, sign, hours, colon, minutes = '0'] = found;
  // After a date without a time, digits without a colon may belong to another date
  // (`2010-01-13-2011`).
  const isOtherDate = hour === undefined && colon === '';
  if (Number(hours) > 14 || Number(minutes) > 59 || isOtherDate) return null;
  return (sign === '-' ? -1 : 1) * (Number(hours) * HOUR + Number(minutes) * MINUTE);
}

/** Reads a date exactly as the form asks for it; undefined if it is another, or there is none. */
function readExactly(text: string, earliest: number): Instant | undefined {
  const [, year, month, day, hour = '00', minute = '00'] = EXACT.exec(text) ?? [];
  if (year === undefined || Number(year) < earliest || Number(year) > LATEST) return undefined;
  if (midnightOf(Number(year), Number(month), Number(day)) === null) return undefined;
  return `${year}-${month}-${day}T${hour}:${minute}:00Z`;
}

/**
 * Reads a date with or without a time as an instant in UTC; a date alone means midnight. A date of
 * nines (`9999-99-99T99:99Z`) and the letters of the blank form mean no date. Text after a date is
 * ignored. The day counts if the time after it is impossible. A month may be in English letters.
 * @param earliest the first year; a tide gauge can be from the 19th century
 */
export function readInstant(text: string, earliest = 1800): Reading<Instant> {
  const exact = readExactly(text, earliest);
  if (exact !== undefined) return { value: exact };
  const raw = readString(text);
  if (raw === null) return unknown;
  if (raw.length > LONGEST_VALUE) return unreadable(EXPECTED_DATE);
  const value = withoutParentheses(raw);
  if (value === '') return unknown;
  if (/^(CCYY|YYYY)(\b|-?MM-?DD)/i.test(value))
    return /\d/.test(value) ? unreadable(EXPECTED_DATE) : unknown;
  if (/^9999\b/.test(value)) return unknown;
  const inDigits = withMonthInDigits(value);
  const written = withoutSlip(inDigits);
  const groups = DATE.exec(written)?.groups;
  if (groups === undefined) return unreadable(EXPECTED_DATE);
  const year = Number(groups.year);
  if (year < earliest && year >= 1800) return unreadable(`${EXPECTED_DATE} from ${earliest} on`);
  const midnight = midnightOf(year, Number(groups.month), Number(groups.day));
  if (year < earliest || year > LATEST) return unreadable(EXPECTED_DATE);
  if (midnight === null) return unreadable('a day of the calendar (CCYY-MM-DD)');
  const rest = groups.rest!.trim();
  const isFromUtc = groups.zone !== undefined && DIFFERENCE.test(rest);
  const time = timeOf(groups);
  if (time === null || TIME_LIKE.test(rest))
    return partial(instantAt(midnight), 'time of day unreadable');
  const offset = offsetOf(groups);
  if (offset === null) return unreadable(EXPECTED_DATE);
  const result = instantAt(midnight + time - offset);
  if (rest === '' || TIME_PLACEHOLDER.test(rest)) {
    if (inDigits !== value) return deviating(result, 'month in letters');
    if (SLIP.test(value)) return deviating(result, 'no T between date and time');
    if (written !== value) return deviating(result, 'other signs in the time of day');
    return { value: result };
  }
  // Digits directly after a date are an invalid time (`2011-07-20 1:5`) or another date, not a
  // remark.
  if (!isFromUtc && /^(T\s*)?[-/.:]?\d+([-/.:]|$)/i.test(rest)) return unreadable(EXPECTED_DATE);
  const isWithoutZone = groups.zone === undefined && !UNIVERSAL.test(rest);
  const isLocal = groups.hour !== undefined && (isWithoutZone || isFromUtc);
  if (!isLocal) return deviating(result, 'text after the date ignored');
  return partial(result, 'text after the time ignored, and UTC assumed');
}

/** Reads the date of a GNSS receiver or antenna: there was none before 1980. */
export const readInstantSince1980 = (text: string): Reading<Instant> => readInstant(text, 1980);

/** Operators write PRESENT for the open end of a period. */
const isPresent = (text: string): boolean => /^\s*present\s*$/i.test(text);

/** Reads the date when a GNSS receiver or antenna was removed; unknown if it is in use. */
export const readRemoval = (text: string): Reading<Instant> =>
  isPresent(text.replace(/[()]/g, '')) ? unknown : readInstantSince1980(text);

/** An instant as short as the form has it: without midnight, and without seconds that are 0. */
export const shortened = (instant: Instant): string =>
  instant.replace(/T00:00:00Z$/, '').replace(/:00Z$/, 'Z');

/** Reads Date Prepared: the day of a date, `YYYY-MM-DD`. */
export function readDay(text: string): Reading<string> {
  const { value, ...rest } = readInstant(text);
  return { value: value?.slice(0, 10) ?? null, ...rest };
}

/** What separates two dates, besides a slash. */
const BETWEEN_DATES = new RegExp(
  String.raw` (?:-|to|until) (?=\d|present|(?:${MONTHS.map((month) => month.slice(0, 3)).join('|')})[a-z]*\b)`,
  'i',
);

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
  const separator = /\//.exec(bare) ?? BETWEEN_DATES.exec(bare);
  if (separator === null) return { from: readInstant(bare), to: unknown };
  const start = bare.slice(0, separator.index);
  const end = bare.slice(separator.index + separator[0].length);
  return { from: readInstant(start), to: isPresent(end) ? unknown : readInstant(end) };
}

/**
 * The date that site log file names contain by convention (`alic_20170223.log`), as `YYYY-MM-DD`;
 * null if there is none.
 */
export function dateInFileName(name: string): string | null {
  const found = /_(\d{4})(\d{2})(\d{2})(?=[^\d/\\]*$)/.exec(name);
  return found === null ? null : readDay(`${found[1]}-${found[2]}-${found[3]}`).value;
}
