import type { Instant } from '../../schemas/index.js';
import { DAY, instantAt } from './units-of-time.js';

/**
 * A time as a text gives it: a day of a month, of a year, or of a GPS week, and perhaps the time of
 * that day. All parts but the zone are digits. Weeks count up from 1980-01-06; they do not wrap at
 * 1024, as those in the broadcast do.
 */
export type TimeParts = Partial<
  Record<
    | 'year'
    | 'month'
    | 'day'
    | 'ordinal'
    | 'week'
    | 'weekday'
    | 'hour'
    | 'minute'
    | 'second'
    | 'zone',
    string
  >
>;

const GPS_EPOCH = Date.UTC(1980, 0, 6);
/** The seconds of an hour. */
const HOUR_SECONDS = 3600;
/** The longest offset from UTC, in seconds. */
const LONGEST_OFFSET = 18 * HOUR_SECONDS;

/** The midnight UTC that begins a day, which may lie outside its month. */
function midnightOf(year: number, month: number, day: number): Date {
  const midnight = new Date(0);
  midnight.setUTCFullYear(year, month - 1, day);
  return midnight;
}

const daysOfMonth = (year: number, month: number): number =>
  midnightOf(year, month + 1, 0).getUTCDate();
const daysOfYear = (year: number): number => (daysOfMonth(year, 2) === 29 ? 366 : 365);

/**
 * Parses an offset from UTC: `Z`, `+10`, `+1000` or `+10:00`.
 * @returns seconds; NaN if it has more than 59 minutes (RFC 3339, section 5.6)
 */
function offsetOf(zone: string): number {
  const [, sign, hours, minutes = '0'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  if (Number(minutes) > 59) return NaN;
  if (hours === undefined) return 0;
  const seconds = Number(hours) * HOUR_SECONDS + Number(minutes) * 60;
  return sign === '-' ? -seconds : seconds;
}

/**
 * The moment that parts describe, if they are possible. A leap second, 23:59:60, counts as the
 * midnight after it.
 */
function momentOf({
  year,
  month = '1',
  day = '1',
  ordinal,
  week,
  weekday,
  hour = '0',
  minute = '0',
  second = '0',
  zone = 'Z',
}: TimeParts) {
  const inYear = ordinal === undefined ? [month, day] : ['1', ordinal];
  const midnight =
    week === undefined
      ? midnightOf(Number(year), Number(inYear[0]), Number(inYear[1])).getTime()
      : GPS_EPOCH + (Number(week) * 7 + Number(weekday)) * DAY;
  const seconds =
    Number(hour) * HOUR_SECONDS + Number(minute) * 60 + Number(second) - offsetOf(zone);
  return new Date(midnight + seconds * 1000);
}

/** The moment that parts describe, or what is wrong with them, in words. */
function momentOrReason(parts: TimeParts): Date | string {
  const {
    year = '1',
    month = '1',
    day = '1',
    ordinal = '1',
    weekday = '0',
    hour = '0',
    minute = '0',
    second = '0',
    zone = 'Z',
  } = parts;
  const isIn = (text: string, first: number, last: number): boolean =>
    Number(text) >= first && Number(text) <= last;
  if (!isIn(year, 1, 9999)) return 'years are 0001 to 9999';
  if (!isIn(month, 1, 12)) return 'months are 01 to 12';
  const ofMonth = daysOfMonth(Number(year), Number(month));
  if (!isIn(day, 1, ofMonth)) return `${year}-${month.padStart(2, '0')} has ${ofMonth} days`;
  // Most times have no day of the year, and this is read at each lookup.
  if (ordinal !== '1') {
    const ofYear = daysOfYear(Number(year));
    if (!isIn(ordinal, 1, ofYear)) return `${year} has ${ofYear} days`;
  }
  if (!isIn(weekday, 0, 6)) return 'the days of a GPS week are 0 (Sunday) to 6';
  if (!isIn(hour, 0, 23)) return 'hours are 00 to 23';
  if (!isIn(minute, 0, 59)) return 'minutes are 00 to 59';
  const isLast = Number(hour) === 23 && Number(minute) === 59;
  if (!isIn(second, 0, isLast ? 60 : 59)) return 'seconds are 00 to 59';
  if (parts.hour !== undefined && parts.zone === undefined) return 'add Z: times are UTC';
  if (!(Math.abs(offsetOf(zone)) <= LONGEST_OFFSET))
    return 'offsets are at most 18:00, with minutes 00 to 59';
  const moment = momentOf(parts);
  const isInYears = isIn(String(moment.getUTCFullYear()), 1, 9999);
  return isInYears ? moment : 'in UTC, years are 0001 to 9999';
}

/** Says in words what is wrong with a time; null if nothing is. */
export function whyImpossible(parts: TimeParts): string | null {
  const moment = momentOrReason(parts);
  return typeof moment === 'string' ? moment : null;
}

/**
 * The instant in UTC, cut to whole seconds, as `YYYY-MM-DDThh:mm:ssZ`; null if there is no such
 * time.
 */
export function toInstant(parts: TimeParts): Instant | null {
  const moment = momentOrReason(parts);
  return typeof moment === 'string' ? null : instantAt(moment);
}
