import type { Instant } from '../../schemas/index.js';
import { fromDayOfYear, offsetOf, secondsOf, toInstant } from './calendar.js';

/** The first day of GPS week 0. Weeks are counted through, not modulo 1024 as older receivers broadcast them. */
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
