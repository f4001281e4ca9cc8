import type { Instant } from '../../schemas/index.js';

/** Calendar arithmetic in UTC, for the parsers of instants. */

/**
 * The instant at a number of seconds after the midnight that begins a date, as `YYYY-MM-DDThh:mm:ssZ`.
 * @param seconds may be negative, or more than a day
 * @returns null if there is no such date, or if the instant lies before year 1 or after year 9999
 */
export function toInstant(year: number, month: number, day: number, seconds = 0): Instant | null {
  const midnight = new Date(0);
  midnight.setUTCFullYear(year, month - 1, day);
  if (midnight.getUTCFullYear() !== year || midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== day) return null;
  const instant = new Date(midnight.getTime() + seconds * 1000);
  const inRange = instant.getUTCFullYear() >= 1 && instant.getUTCFullYear() <= 9999;
  return inRange ? instant.toISOString().replace(/\.\d+Z$/, 'Z') : null;
}

/**
 * The seconds since midnight UTC at a time of day. A leap second, 23:59:60, counts as the midnight after it.
 * @param offset the offset of the time from UTC, in seconds
 * @returns null if there is no such time, or if the offset is more than 18 hours
 */
export function secondsOf(hour: number, minute: number, second: number, offset = 0): number | null {
  if (hour > 23 || minute > 59 || second > (hour === 23 && minute === 59 ? 60 : 59) || !(Math.abs(offset) <= 18 * 3600)) return null;
  return (hour * 60 + minute) * 60 + second - offset;
}

/** Parses an offset from UTC: `Z`, `+10`, `+1000` or `+10:00`. @returns seconds; NaN if it has more than 59 minutes (RFC 3339, section 5.6) */
export function offsetOf(zone: string): number {
  const [, sign, hours, minutes = '0'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  if (Number(minutes) > 59) return NaN;
  return hours === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60;
}

/**
 * The instant at a number of seconds after the midnight that begins a day of a year.
 * @param day counts from 1
 * @returns null if the year has no such day
 */
export function fromDayOfYear(year: number, day: number, seconds = 0): Instant | null {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return day < 1 || day > (leap ? 366 : 365) ? null : toInstant(year, 1, 1, (day - 1) * 86_400 + seconds);
}
