import type { DayPrepared } from '../../store/read/network.js';

/** The ages of logs, in years: each class begins with one. */
const AGES = [0, 1, 2, 5, 10];

/** How many current logs have an age. */
export interface LogAge {
  words: string;
  sites: number;
  /**
   * The day after the last one of the class, `YYYY-MM-DD`; null for the youngest and for unknown
   * dates.
   */
  before: string | null;
  /** How many logs are as old or older; null for unknown dates. */
  older: number | null;
}

/** The same day some years before; 29 February becomes 1 March. */
function yearsBefore(day: string, years: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCFullYear(date.getUTCFullYear() - years);
  return date.toISOString().slice(0, 10);
}

/** The words of a class. @param until the age that it does not reach; undefined for the oldest */
function wordsOf(from: number, until: number | undefined): string {
  if (until === undefined) return `more than ${from} years ago`;
  return from === 0 ? 'in the last year' : `${from} to ${until} years ago`;
}

/**
 * The age of logs in classes, the youngest first. A log of the future is as young as can be.
 * @param today `YYYY-MM-DD`
 */
export function agesOf(prepared: readonly DayPrepared[], today: string): LogAge[] {
  const countIf = (isMeant: (date: string) => boolean): number =>
    countLogs(prepared.filter(({ date }) => date !== null && isMeant(date)));
  const ages = AGES.map((from, index): LogAge => {
    const until = AGES[index + 1];
    const before = from === 0 ? null : yearsBefore(today, from);
    const since = until === undefined ? '' : yearsBefore(today, until);
    return {
      words: wordsOf(from, until),
      sites: countIf((date) => date >= since && (before === null || date < before)),
      before,
      older: countIf((date) => before === null || date < before),
    };
  });
  const unknown = prepared.find(({ date }) => date === null)?.logs ?? 0;
  if (unknown === 0) return ages;
  return [...ages, { words: 'on an unknown day', sites: unknown, before: null, older: null }];
}

/** How many logs were prepared on some days. */
export const countLogs = (prepared: readonly DayPrepared[]): number =>
  prepared.reduce((sum, { logs }) => sum + logs, 0);

/** The day by which more than half of the logs were prepared; null if no log gives its day. */
export function mostPreparedBy(prepared: readonly DayPrepared[]): string | null {
  const dated = prepared.filter(({ date }) => date !== null);
  const half = countLogs(dated) / 2;
  let before = 0;
  for (const { date, logs } of dated) {
    before += logs;
    if (before > half) return date;
  }
  return null;
}

/** The last year that most logs know; null if no log says it. */
export function knownUntil(prepared: readonly DayPrepared[]): number | null {
  const day = mostPreparedBy(prepared);
  return day === null ? null : Number(day.slice(0, 4));
}
