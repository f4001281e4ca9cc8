import type { Finding } from '../../site-log/site-log.js';
import type { SiteLogRecord } from '../logs.js';
import { type SiteLogRow, toSiteLogRecord } from '../rows/logs.js';
import type { Connection } from './connection.js';

const CURRENT_LOG = `
  SELECT id, name, date_prepared, sha256, form, imported_at, original FROM site_log WHERE site_id = ? AND superseded_at IS NULL`;

/** The current log of a Site that is not retired; undefined if there is none. */
export const currentLog = (connection: Connection, site: number): SiteLogRecord | undefined => {
  const row = connection.get<SiteLogRow>(`${CURRENT_LOG} AND (SELECT retired_at FROM site WHERE id = site_id) IS NULL`, site);
  return row && toSiteLogRecord(row);
};

/** The current log of a Site with its findings; two reads, within the transaction of the caller. */
export function currentLogOfSite(connection: Connection, site: number): { siteLog: SiteLogRecord; findings: Omit<Finding, 'file'>[] } {
  const row = connection.get<SiteLogRow>(CURRENT_LOG, site)!;
  const findings = connection.all<Omit<Finding, 'file'>>(
    'SELECT line, level, message, text FROM finding WHERE site_log_id = ? ORDER BY line, position',
    row.id,
  );
  return { siteLog: toSiteLogRecord(row), findings };
}
