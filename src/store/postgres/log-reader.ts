import type { SiteId } from '../../requests/site-id.js';
import type { FindingCount, LogEntry, LogReader, SiteLogRecord } from '../logs.js';
import type { OfSite } from '../site-ids.js';
import { type SiteLogRow, toSiteLogRecord } from '../rows/logs.js';
import type { Reads } from './client.js';
import { isId } from './selection.js';
import { findSharing, toSite } from './site-ids.js';

const LOGS = `
  SELECT id, name, date_prepared AS "datePrepared", sha256, form, imported_at AS "importedAt", withdrawn_at AS "withdrawnAt",
    superseded_at IS NULL AS current
  FROM site_log WHERE site_id = $1 ORDER BY coalesce(date_prepared, '') DESC, id DESC`;

const CURRENT = `
  SELECT site_log.id, site_log.name, date_prepared, sha256, form, imported_at, original
  FROM site_log JOIN site ON site.id = site_id WHERE site_id = $1 AND superseded_at IS NULL AND retired_at IS NULL`;

const FINDINGS = `
  SELECT level, code, count(*) AS findings FROM finding JOIN site_log ON site_log.id = site_log_id
  WHERE superseded_at IS NULL GROUP BY code, level ORDER BY code, level`;

/** Finds the logs of Sites in a PostgreSQL database. */
export class PostgresLogReader implements LogReader {
  constructor(private readonly reads: Reads) {}

  async findCurrent(site: number): Promise<SiteLogRecord | undefined> {
    const row = isId(site) ? await this.reads.get<SiteLogRow>(CURRENT, site) : undefined;
    return row && toSiteLogRecord(row);
  }

  findOfSite(id: SiteId): Promise<OfSite<LogEntry[]>> {
    return this.reads.inOneState(async (snapshot) => {
      const sharing = await findSharing(snapshot, id);
      const here = toSite(sharing, id);
      const site = here.kind === 'retired-site' ? toSite(sharing, id, () => true) : here;
      return site.kind === 'found' ? { kind: 'found', found: await snapshot.all<LogEntry>(LOGS, site.found) } : site;
    });
  }

  countFindings(): Promise<FindingCount[]> {
    return this.reads.all<FindingCount>(FINDINGS);
  }
}
