import { MINUTE, SECOND } from '../requests/units-of-time.js';
import { StoreUnusable } from './database.js';

/**
 * How far a clock may be behind the last record time, in milliseconds: the clocks of several
 * machines differ a little.
 */
const TOLERANCE = MINUTE;

/**
 * How old a record time must be so that its answers are final, in milliseconds, unless something
 * was recorded after it. What is being saved has taken its record time already, and is on record
 * before this time has passed.
 */
export const FINAL_AFTER = MINUTE;

/**
 * How long a transaction may take, in milliseconds: less than {@link FINAL_AFTER}, so that what it
 * saves is on record by then.
 */
export const LONGEST_TRANSACTION = FINAL_AFTER - 10 * SECOND;

/** The last record time if it lies in the future, otherwise null. One of the clocks was wrong. */
export const recordTimeInFuture = (lastRecorded: string | null, now: Date): string | null =>
  lastRecorded !== null && Date.parse(lastRecorded) - now.getTime() > TOLERANCE
    ? lastRecorded
    : null;

/**
 * The clock is behind the last record time. What would be saved now would be on record only from
 * then on, and `asOf` would not find it before.
 */
export class ClockBehind extends StoreUnusable {
  override readonly name = 'ClockBehind';

  /** @param lastRecorded the last record time */
  constructor(now: Date, lastRecorded: string) {
    super(
      `the clock says ${now.toISOString()}, but the last record time is ${lastRecorded}, so ` +
        'nothing can be saved: if the clock is wrong, set it; if it is right, an earlier import ' +
        'had a wrong clock: wait until that time, or restore a backup from before that import',
    );
  }
}
