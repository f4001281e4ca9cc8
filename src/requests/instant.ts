import type { Instant } from '../../schemas/index.js';
import { type TimeParts, toInstant, whyImpossible } from './calendar.js';

/** The forms that {@link parseInstant} reads, for descriptions and messages. */
export const INSTANT_FORMS =
  'an RFC 3339 time (2013-07-08T00:45:00Z), a date (2013-07-08), a year and day of year ' +
  '(2013:189), or a GPS week and day of week (1748:1)';

const FORMS = [
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?:[Tt](?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:\.\d{1,9})?)?(?<zone>[Zz]|[+-]\d{2}:\d{2})?)?$/,
  /^(?<year>\d{4}):(?<ordinal>\d{3})$/,
  /^(?<week>\d{1,4}):(?<weekday>\d)$/,
];

/** The month and day of each day that every year has: all but February 29. */
const DAYS = [
  '(?:0[1-9]|1[0-2])-(?:0[1-9]|1\\d|2[0-8])',
  '(?:0[13-9]|1[0-2])-(?:29|30)',
  '(?:0[13578]|1[02])-31',
];
const TIME = 'T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\dZ';
/** A date, or a time in UTC, of one of these days: it is possible, without arithmetic. */
const PLAIN = new RegExp(`^(?!0000)\\d{4}-(?:${DAYS.join('|')})(?:${TIME})?$`);

/**
 * The parts of a time as requests give it: an RFC 3339 time, with or without seconds; a date;
 * `2013:189`, the year and the three-digit day of year; `1748:1`, the GPS week and the day of week,
 * where Sunday is 0. A day stands for the midnight UTC at which it begins, also in the GPS form:
 * site logs are too coarse for the leap seconds between GPS time and UTC.
 * @returns null if the text has none of these forms
 */
function partsOfInstant(text: string): TimeParts | null {
  for (const form of FORMS) {
    const parts = form.exec(text)?.groups;
    if (parts !== undefined) return parts;
  }
  return null;
}

/**
 * Parses an instant.
 * @returns the instant in UTC; null if the text has none of the {@link INSTANT_FORMS} or names no
 *   real time
 */
export function parseInstant(text: string): Instant | null {
  // Most lookups have this form, and the other way takes 20 times as long.
  if (PLAIN.test(text)) return text.endsWith('Z') ? text : `${text}T00:00:00Z`;
  const parts = partsOfInstant(text);
  return parts && toInstant(parts);
}

/**
 * Says in words what is wrong with a text that {@link parseInstant} refuses; null if it has none of
 * the forms.
 */
export function whyNoInstant(text: string): string | null {
  const parts = partsOfInstant(text);
  return parts && whyImpossible(parts);
}
