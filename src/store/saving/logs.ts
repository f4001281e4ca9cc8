import type { Finding } from '../../site-log/site-log.js';
import { lastCredibleDay, type SiteLogImport } from '../logs.js';
import type { FindingRow, LogTable, RecordedLog } from './tables.js';

/** The current one of the logs of a Site; undefined if there is none. */
export const currentLog = (logs: RecordedLog[]): RecordedLog | undefined => logs.find(({ supersededAt }) => supersededAt === null);

/**
 * The log that should be current; undefined if all were withdrawn. The latest Date Prepared wins; a log with a date in the
 * future loses against any that has none. On a tie, the last imported wins.
 */
export function bestLog(logs: RecordedLog[], now: Date): RecordedLog | undefined {
  const lastDay = lastCredibleDay(now);
  const isFuture = ({ datePrepared }: RecordedLog): boolean => (datePrepared ?? '') > lastDay;
  const isBetter = (one: RecordedLog, other: RecordedLog): boolean => {
    if (isFuture(one) !== isFuture(other)) return isFuture(other);
    const [a, b] = [one.datePrepared ?? '', other.datePrepared ?? ''];
    return a === b ? one.id > other.id : a > b;
  };
  return logs
    .filter(({ withdrawnAt }) => withdrawnAt === null)
    .reduce<RecordedLog | undefined>((best, log) => (best === undefined || isBetter(log, best) ? log : best), undefined);
}

/** Adds a log of a Site. @param current whether it is the current one; otherwise it is superseded from the start */
export function addLog(
  table: LogTable,
  site: number,
  sha256: string,
  recordedAt: string,
  { name, original, log }: SiteLogImport,
  current: boolean,
): RecordedLog {
  const { form, datePrepared } = log;
  const supersededAt = current ? null : recordedAt;
  const row = { site_id: site, name, sha256, form, date_prepared: datePrepared, imported_at: recordedAt, superseded_at: supersededAt };
  return { id: table.add({ ...row, original }), name, sha256, datePrepared, withdrawnAt: null, supersededAt };
}

/** Makes one of the logs of a Site the current one, in place of another. */
export function makeCurrent(table: LogTable, site: number, logs: RecordedLog[], log: number, recordedAt: string): void {
  if (currentLog(logs)?.id === log) return;
  table.supersedeCurrent(site, recordedAt);
  table.revive(log);
}

/** Saves the findings of a log. They replace earlier ones if a newer version of the reader finds something else. */
export function saveFindings(table: LogTable, log: number, findings: Finding[]): void {
  const rows = findings.map(({ line, level, message, text }): FindingRow => [line, level, message, text]);
  if (JSON.stringify(rows) !== JSON.stringify(table.findingsOf(log))) table.replaceFindings(log, rows);
}
