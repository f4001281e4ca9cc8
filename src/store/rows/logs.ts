import type { LogEntry, SiteLogRecord } from '../logs.js';
import { SITE_PROPERTIES } from './sites.js';

/** Pages of current logs. They are filtered and sorted by their own properties, and by those of their Sites with other names. */
export const CURRENT_LOGS = {
  from: 'site JOIN site_log ON site_log.site_id = site.id AND site_log.superseded_at IS NULL',
  columns: 'site.id, latitude, longitude, site_log.id AS log',
  where: 'site.retired_at IS NULL',
  id: 'site.id',
  properties: {
    ...SITE_PROPERTIES,
    id: 'site_log.id',
    name: 'site_log.name',
    form: 'site_log.form',
    datePrepared: 'site_log.date_prepared',
    importedAt: 'site_log.imported_at',
    sha256: 'site_log.sha256',
  },
  known: ['id', 'fourCharacterId', 'name', 'form', 'importedAt', 'sha256'],
  constant: ['siteStatus'],
};

/** A row of `site_log`, with the ids of its Site. */
export interface SiteLogRow {
  id: number;
  site_id: number;
  four_character_id: string;
  nine_character_id: string | null;
  name: string;
  date_prepared: string | null;
  sha256: string;
  form: string;
  imported_at: string;
  current: boolean | number;
  retired_at: string | null;
  original: Uint8Array;
}

/** The columns and tables of a {@link SiteLogRow}; a condition follows. */
export const LOGS = `
  site_log.id, site_id, four_character_id, nine_character_id, site_log.name, date_prepared, sha256, form, imported_at,
    superseded_at IS NULL AS current, retired_at, original
  FROM site_log JOIN site ON site.id = site_id`;

/** The condition that selects the log in force on a day. @param site the value to bind @param day the value to bind */
export const inForce = (site: string, day: string): string => `
  WHERE site_id = ${site} AND withdrawn_at IS NULL AND date_prepared <= ${day}
  ORDER BY date_prepared DESC, superseded_at IS NULL DESC, site_log.id DESC LIMIT 1`;

/** The first Date Prepared of the logs of a Site. @param site the value to bind */
export const earliest = (site: string): string =>
  `min(date_prepared) AS earliest FROM site_log WHERE site_id = ${site} AND withdrawn_at IS NULL`;

/** The logs of a Site without their content, the newest first. @param site the value to bind @param which a further condition */
export const entries = (site: string, which = 'true'): string => `
  site_log.id, site_log.name, date_prepared AS "datePrepared", sha256, form, imported_at AS "importedAt",
    withdrawn_at AS "withdrawnAt", superseded_at IS NULL AS current
  FROM site_log JOIN site ON site.id = site_id WHERE site_id = ${site} AND ${which}
  ORDER BY coalesce(date_prepared, '') DESC, site_log.id DESC`;

/** The condition that a log is not withdrawn, and its Site not retired. */
export const KEPT = 'withdrawn_at IS NULL AND retired_at IS NULL';

/** A log with its content. */
export function toSiteLogRecord(row: SiteLogRow): SiteLogRecord {
  return {
    id: row.id,
    siteId: row.site_id,
    fourCharacterId: row.four_character_id,
    nineCharacterId: row.nine_character_id,
    name: row.name,
    datePrepared: row.date_prepared,
    sha256: row.sha256,
    form: row.form,
    importedAt: row.imported_at,
    current: Boolean(row.current),
    original: row.original,
  };
}

/** The log of a row, or why there is none. */
export const logOrRetired = (row: SiteLogRow | undefined): SiteLogRecord | { kind: 'retired-site'; since: string } | undefined =>
  row === undefined ? undefined : row.retired_at === null ? toSiteLogRecord(row) : { kind: 'retired-site', since: row.retired_at };

/** A row of {@link entries}. */
export type EntryRow = Omit<LogEntry, 'current'> & { current: boolean | number };

/** A log as a list shows it. */
export const toLogEntry = (row: EntryRow): LogEntry => ({ ...row, current: Boolean(row.current) });
