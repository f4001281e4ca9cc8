import type { Instant } from '../../schemas/index.js';

/** Units of time in milliseconds, as the difference of two instants is. */

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A time as an instant, cut to whole seconds. @param time a date, or milliseconds since 1970 */
export const instantAt = (time: Date | number): Instant =>
  `${new Date(time).toISOString().slice(0, -'.000Z'.length)}Z`;

/** The last instant that can be written. */
export const LAST_INSTANT: Instant = '9999-12-31T23:59:59Z';
