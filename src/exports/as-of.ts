import type { Instant } from '../../schemas/index.js';
import { type Store, storeAsOf } from '../store/store.js';
import { asOfTime } from './parameters.js';
import { invalidParameter } from './refusals.js';

/** The filters that search only the present record, and are refused with `asOf`. */
const OF_NOW = ['q', 'conflicts'] as const;

/** A query that may ask about an earlier time. */
interface AsOfQuery {
  asOf?: string;
  q?: string;
  conflicts?: boolean;
}

/**
 * The store that a query asks: as it was at `asOf`, or now.
 * @param now the current time
 * @throws {RequestRefused} if `asOf` is not an instant, or is given with such a filter
 */
export function storeFor(store: Store, query: object, now: Date): Store {
  const { asOf, ...others } = query as AsOfQuery;
  if (asOf === undefined) return store;
  for (const name of OF_NOW) {
    const value = others[name];
    if (value === undefined || value === '') continue;
    throw invalidParameter({
      name,
      value: String(value),
      reason: 'is given together with asOf',
      allowed: `${name} without asOf: only what is on record now is searched by it.`,
    });
  }
  return storeAsOf(store, asOfTime(asOf, now));
}

/** The time that an answer is dated: that of the record, or now. */
export const timeShown = ({ asOf }: Pick<Store, 'asOf'>, now: Instant): Instant =>
  asOf === null ? now : `${asOf.slice(0, 19)}Z`;
