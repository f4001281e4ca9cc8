import type { SiteLogRecord } from '../logs.js';

/** A row of `site_log`. */
export interface SiteLogRow {
  id: number;
  name: string;
  date_prepared: string | null;
  sha256: string;
  form: string;
  imported_at: string;
  original: Uint8Array;
}

/** A log with its content. */
export function toSiteLogRecord(row: SiteLogRow): SiteLogRecord {
  return {
    name: row.name,
    datePrepared: row.date_prepared,
    sha256: row.sha256,
    form: row.form,
    importedAt: row.imported_at,
    original: row.original,
  };
}
