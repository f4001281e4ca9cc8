import type { Instant } from '../../schemas/index.js';
import { fromDayOfYear, offsetOf, secondsOf, toInstant } from './calendar.js';

/** The start of GPS week 0, in milliseconds. Weeks count up from there; they do not wrap at 1024, as those in the broadcast do. */
const GPS_EPOCH = Date.UTC(1980, 0, 6);
/** In milliseconds. */
const DAY = 86_400_000;

/** The forms that {@link parseInstant} reads, for descriptions and messages. */
export const INSTANT_FORMS =
  'an RFC 3339 time (2013-07-08T00:45:00Z), a date (2013-07-08), a year and day of year (2013:189), or a GPS week and day of week (1748:1)';

/**
 * Parses an instant as requests give it: an RFC 3339 time, with or without seconds; a date; `2013:189`, the year and the
 * three-digit day of year; `1748:1`, the GPS week and the day of week, where Sunday is 0. A day stands for the midnight
 * UTC at which it begins, also in the GPS form: site logs are too coarse for the leap seconds between GPS time and UTC.
 * @returns the instant in UTC, cut to whole seconds; null if the text has none of these forms or names no real date
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
