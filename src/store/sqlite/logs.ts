import type { Finding } from '../../site-log/site-log.js';
import type { SiteLogRecord } from '../logs.js';
import type { Connection } from './connection.js';

/** A row of `site_log`. */
interface SiteLogRow {
  id: number;
  name: string;
  date_prepared: string | null;
  sha256: string;
  form: string;
  imported_at: string;
  original: Uint8Array;
}

const CURRENT_LOG = `
  SELECT id, name, date_prepared, sha256, form, imported_at, original FROM site_log WHERE site_id = ? AND superseded_at IS NULL`;

function toSiteLogRecord(row: SiteLogRow): SiteLogRecord {
  return {
    name: row.name,
    datePrepared: row.date_prepared,
    sha256: row.sha256,
    form: row.form,
    importedAt: row.imported_at,
    original: row.original,
  };
}

/** The current log of a Site that is not retired, as a row; undefined if there is none. */
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
