import type { Instant } from '../../schemas/index.js';

/** Arithmetic of calendar dates in UTC, for the readers of instants. */

/** An instant as the contract writes it, `YYYY-MM-DDThh:mm:ssZ`; null where the calendar has no such date, or it is before year 1 or after 9999. */
export function toInstant(year: number, month: number, day: number, seconds = 0): Instant | null {
  const midnight = new Date(0);
  midnight.setUTCFullYear(year, month - 1, day);
  if (midnight.getUTCFullYear() !== year || midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== day) return null;
  const instant = new Date(midnight.getTime() + seconds * 1000);
  const inRange = instant.getUTCFullYear() >= 1 && instant.getUTCFullYear() <= 9999;
  return inRange ? instant.toISOString().replace(/\.\d+Z$/, 'Z') : null;
}

/** Seconds of the day, less the offset from UTC in seconds; a leap second is the midnight after it; null where there is no such time. */
export function secondsOf(hour: number, minute: number, second: number, offset = 0): number | null {
  if (hour > 23 || minute > 59 || second > (hour === 23 && minute === 59 ? 60 : 59) || !(Math.abs(offset) <= 18 * 3600)) return null;
  return (hour * 60 + minute) * 60 + second - offset;
}

/** An offset from UTC, `Z`, `+10`, `+1000` or `+10:00`, in seconds; NaN where its minutes are none (RFC 3339, section 5.6). */
export function offsetOf(zone: string): number {
  const [, sign, hours, minutes = '0'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  if (Number(minutes) > 59) return NaN;
  return hours === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60;
}
/** The midnight that begins a day of a year, from 1. */
export function fromDayOfYear(year: number, day: number, seconds = 0): Instant | null {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return day < 1 || day > (leap ? 366 : 365) ? null : toInstant(year, 1, 1, (day - 1) * 86_400 + seconds);
}
