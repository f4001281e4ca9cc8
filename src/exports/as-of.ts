import type { Instant } from '../../schemas/index.js';
import { FINAL_AFTER } from '../store/clock.js';
import type { Soon } from '../store/database.js';
import { type Store, storeAsOf } from '../store/store.js';
import { recordTimeOf } from './parameters.js';
import { invalidParameter, RequestRefused } from './refusals.js';

/** The filters that search only the present record, and are refused with `asOf`. */
const OF_NOW = ['q', 'conflicts'] as const;

/** A query that may ask about an earlier time. */
interface AsOfQuery {
  asOf?: string;
  q?: string;
  conflicts?: boolean;
}

/**
 * Parses `asOf`: a record time whose answers are final, `YYYY-MM-DDThh:mm:ss.sssZ`. If something
 * may still be recorded with that time, this is the time of the newest event until then.
 * @returns null for now: `asOf` is left out, or nothing is on record
 * @throws {RequestRefused} if it is not an instant
 */
export function asOfTime(store: Store, text: string | undefined, now: Date): Soon<string | null> {
  const time = recordTimeOf('asOf', text);
  if (time === null) return null;
  const isFinal = time <= new Date(now.getTime() - FINAL_AFTER).toISOString();
  return isFinal ? time : storeAsOf(store, time).recordTime();
}

/**
 * The store that a query asks: as it was at `asOf`, or now.
 * @param now the current time
 * @throws {RequestRefused} if `asOf` is not an instant, or is given with such a filter, or if
 *   nothing was on record then
 */
export async function storeFor(store: Store, query: object, now: Date): Promise<Store> {
  const { asOf, ...others } = query as AsOfQuery;
  if (asOf === undefined) return store;
  for (const name of OF_NOW) {
    const value = others[name];
    if (value === undefined || value === '') continue;
    throw invalidParameter({
      name,
      value: String(value),
      reason: 'searches only what is on record now',
      allowed: `${name} without asOf, and not in a citation.`,
    });
  }
  const then = storeAsOf(store, await asOfTime(store, asOf, now));
  await newestRecordTime(then);
  return then;
}

/**
 * The record time of the newest event.
 * @param store as it is, or was
 * @throws {RequestRefused} if nothing was on record
 */
export async function newestRecordTime(store: Store): Promise<string> {
  const time = await store.recordTime();
  if (time !== null) return time;
  throw new RequestRefused({ kind: 'nothing-recorded', asOf: store.asOf });
}

/** The time that a page is dated: that of the record, or now. */
export const timeShown = ({ asOf }: Pick<Store, 'asOf'>, now: Instant): Instant =>
  asOf === null ? now : `${asOf.slice(0, 19)}Z`;
