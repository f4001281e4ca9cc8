import type { Finding } from '../../site-log/site-log.js';
import type { SiteLogRecord } from '../logs.js';
import { LOGS, type SiteLogRow, toSiteLogRecord } from '../rows/logs.js';
import type { Connection } from './connection.js';

const CURRENT_LOG = `SELECT ${LOGS} WHERE site_id = ? AND superseded_at IS NULL`;

/** The log of a row; undefined if there is no row. */
export const toRecord = (row: SiteLogRow | undefined): SiteLogRecord | undefined => row && toSiteLogRecord(row);

/** The current log of a Site that is not retired; undefined if there is none. */
export const currentLog = (connection: Connection, site: number): SiteLogRecord | undefined =>
  toRecord(connection.get<SiteLogRow>(`${CURRENT_LOG} AND retired_at IS NULL`, site));

/** The current log of a Site with its findings; two reads, within the transaction of the caller. */
export function currentLogOfSite(connection: Connection, site: number): { siteLog: SiteLogRecord; findings: Omit<Finding, 'file'>[] } {
  const row = connection.get<SiteLogRow>(CURRENT_LOG, site)!;
  const findings = connection.all<Omit<Finding, 'file'>>(
    'SELECT line, level, message, text FROM finding WHERE site_log_id = ? ORDER BY line, position',
    row.id,
  );
  return { siteLog: toSiteLogRecord(row), findings };
}
