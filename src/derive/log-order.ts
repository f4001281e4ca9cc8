import { DAY } from '../requests/units-of-time.js';
/** The last Date Prepared that can be right, `YYYY-MM-DD`: a day from now, for other time zones. */
export const lastCredibleDay = (now: Date): string =>
  new Date(now.getTime() + DAY).toISOString().slice(0, 10);

/** A log on record. */
export interface DatedLog {
  /** Logs are numbered in the order of their import. */
  id: number;
  /** `YYYY-MM-DD`; null if unknown. */
  datePrepared: string | null;
}

/**
 * Whether one log of a Site wins over another one. The latest Date Prepared wins; a log with a date
 * in the future loses against any that has none. On a tie, the last imported wins.
 */
export function isBetterLog(one: DatedLog, other: DatedLog, now: Date): boolean {
  const lastDay = lastCredibleDay(now);
  const isFuture = ({ datePrepared }: DatedLog): boolean => (datePrepared ?? '') > lastDay;
  if (isFuture(one) !== isFuture(other)) return isFuture(other);
  const day = one.datePrepared ?? '';
  const otherDay = other.datePrepared ?? '';
  return day === otherDay ? one.id > other.id : day > otherDay;
}

/**
 * The log before another one of its Site: the best of those that it wins over; undefined if there
 * is none.
 */
export function logBefore<T extends DatedLog>(
  logs: readonly T[],
  log: DatedLog,
  now: Date,
): T | undefined {
  let before: T | undefined;
  for (const each of logs) {
    if (!isBetterLog(log, each, now) || each.id === log.id) continue;
    if (before === undefined || isBetterLog(each, before, now)) before = each;
  }
  return before;
}
