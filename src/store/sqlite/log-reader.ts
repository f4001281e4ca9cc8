import type { SiteId } from '../../requests/site-id.js';
import type { FindingCount, LogEntry, LogReader, SiteLogRecord } from '../logs.js';
import type { OfSite } from '../site-ids.js';
import type { Connection } from './connection.js';
import { currentLog } from './logs.js';
import { resolveSite } from './site-ids.js';

const LOGS = `
  SELECT id, name, date_prepared AS datePrepared, sha256, form, imported_at AS importedAt, withdrawn_at AS withdrawnAt,
    superseded_at IS NULL AS current
  FROM site_log WHERE site_id = ? ORDER BY coalesce(date_prepared, '') DESC, id DESC`;

/** The plus sign makes SQLite read the index of the codes in order; otherwise it sorts all findings. */
const FINDINGS = `
  SELECT level, code, count(*) AS findings FROM finding
  WHERE +site_log_id IN (SELECT id FROM site_log WHERE superseded_at IS NULL) GROUP BY code, level ORDER BY code, level`;

/** Finds the logs of Sites in one SQLite file. */
export class SqliteLogReader implements LogReader {
  constructor(private readonly connection: Connection) {}

  async findCurrent(site: number): Promise<SiteLogRecord | undefined> {
    return currentLog(this.connection, site);
  }

  async findOfSite(id: SiteId): Promise<OfSite<LogEntry[]>> {
    return this.connection.inOneTransaction(() => {
      const here = resolveSite(this.connection, id);
      const site = here.kind === 'retired-site' ? resolveSite(this.connection, id, () => true) : here;
      if (site.kind !== 'found') return site;
      const rows = this.connection.all<Omit<LogEntry, 'current'> & { current: number }>(LOGS, site.found);
      return { kind: 'found', found: rows.map((row) => ({ ...row, current: row.current === 1 })) };
    });
  }

  async countFindings(): Promise<FindingCount[]> {
    return this.connection.all<FindingCount>(FINDINGS);
  }
}
