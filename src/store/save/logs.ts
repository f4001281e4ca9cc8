import { hash } from 'node:crypto';
import { type DatedLog, isBetterLog } from '../../derive/log-order.js';
import { siteIdText } from '../../requests/site-id.js';
import type { Finding } from '../../findings/findings.js';
import type { PublishedLog } from '../../site-log/published-log.js';
import type { RowOf } from '../schema.js';
import type { LoadedRow } from './loaded-rows.js';
import type { SiteLogImport } from './site-log-import.js';
import type { UnitOfWork } from './unit-of-work.js';

/** A log on record. */
export type LogRecord = LoadedRow<'site_log'>;

/** The logs of a Site, in the order of their numbers. */
export const logsOf = ({ logs }: UnitOfWork, site: number): LogRecord[] =>
  logs.filter(({ site_id }) => site_id === site);

/**
 * The current one of the logs of a Site, or the last one if all were withdrawn; undefined if there
 * is none.
 */
export const currentLog = (logs: LogRecord[]): LogRecord | undefined =>
  logs.find(({ superseded_at }) => superseded_at === null);

const toDated = ({ id, date_prepared: datePrepared }: LogRecord): DatedLog => ({
  id,
  datePrepared,
});

/** The log that should be current; undefined if all were withdrawn. */
export const bestLog = (logs: LogRecord[], now: Date): LogRecord | undefined =>
  logs
    .filter(({ withdrawn_at }) => withdrawn_at === null)
    .sort((a, b) => (isBetterLog(toDated(a), toDated(b), now) ? -1 : 1))[0];

/** The SHA-256 of a log or a text, in hexadecimal. */
export const sha256Of = (content: Uint8Array | string): string => hash('sha256', content);

/** The row of what is published of a log. */
export const publishedRow = (log: number, published: PublishedLog): RowOf<'published_log'> => ({
  site_log_id: log,
  ...published,
});

/**
 * Adds a log of a Site.
 * @param current whether it is the current one; otherwise it is superseded from the start
 */
export function addLog(
  unit: UnitOfWork,
  site: number,
  recordedAt: string,
  { name, original, sha256, log, published }: SiteLogImport,
  current: boolean,
): LogRecord {
  const row = unit.logs.add({
    site_id: site,
    name,
    sha256,
    form: log.form,
    given_id: siteIdText(log.identification),
    agency: log.agency,
    agencies: JSON.stringify(log.agencies),
    date_prepared: log.datePrepared,
    imported_at: recordedAt,
    superseded_at: current ? null : recordedAt,
    withdrawn_at: null,
  });
  unit.originals.set(row.id, original);
  unit.published.push(publishedRow(row.id, published));
  return row;
}

/** Makes one of the logs of a Site the current one, in place of another. */
export function makeCurrent(
  { logs }: UnitOfWork,
  log: LogRecord,
  all: LogRecord[],
  recordedAt: string,
): void {
  const current = currentLog(all);
  if (current?.id === log.id) return;
  if (current !== undefined) logs.change(current, { superseded_at: recordedAt });
  logs.change(log, { superseded_at: null });
}

/** The rows of the findings of a log. */
export const findingRows = (log: number, findings: readonly Finding[]): LoadedRow<'finding'>[] =>
  findings.map((finding, position) => {
    const { line, lastLine, section, item, label, level, code, text } = finding;
    return {
      site_log_id: log,
      position,
      line,
      last_line: lastLine,
      section,
      item,
      label,
      level,
      code,
      text,
      details: JSON.stringify(finding.values),
      others: JSON.stringify(finding.others),
    };
  });
