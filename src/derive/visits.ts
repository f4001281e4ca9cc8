import type { Instant } from '../../schemas/index.js';
import { DAY } from '../requests/units-of-time.js';

/**
 * Many logs end an item minutes or hours before the next one begins, although both happen in one
 * visit to the station.
 */

/** The longest gap that counts as one change by default, in seconds: a day. */
export const LONGEST_GAP = DAY / 1000;

/** The time between two instants, in seconds. */
export const secondsBetween = (from: Instant, to: Instant): number =>
  (Date.parse(to) - Date.parse(from)) / 1000;

/** Whether an end and the next start belong to one visit to the station. */
export const isOneVisit = (end: Instant | null, begin: Instant): boolean =>
  end !== null && end <= begin && secondsBetween(end, begin) <= LONGEST_GAP;
