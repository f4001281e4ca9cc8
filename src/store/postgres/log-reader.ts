import type { SiteId } from '../../requests/site-id.js';
import type { FindingCount, LogEntry, LogInForce, LogReader, SiteLogRecord } from '../logs.js';
import type { Placed } from '../places.js';
import {
  CURRENT_LOGS,
  earliest,
  entries,
  type EntryRow,
  inForce,
  KEPT,
  logOrRetired,
  LOGS,
  type SiteLogRow,
  toLogEntry,
  toSiteLogRecord,
} from '../rows/logs.js';
import type { Found } from '../search.js';
import type { OfSite } from '../site-ids.js';
import type { SitePageSearch } from '../sites.js';
import type { Reads } from './client.js';
import { CURRENT_LOG } from './logs.js';
import { isId, type Table } from './selection.js';
import { findSharing, ofSite, toSite } from './site-ids.js';
import { findSitePage } from './site-page.js';

const BY_ID = `SELECT ${LOGS} WHERE site_log.id = $1 AND withdrawn_at IS NULL`;
const CURRENT = `${CURRENT_LOG} AND retired_at IS NULL`;
const IN_FORCE = `SELECT ${LOGS} ${inForce('$1', '$2')}`;
const EARLIEST = `SELECT ${earliest('$1')}`;
const ALL = `SELECT ${entries('$1')}`;
const ALL_KEPT = `SELECT ${entries('$1', KEPT)}`;

/** The columns are numbers. */
const CURRENT_PAGE: Table = { ...CURRENT_LOGS, size: '0' };

const FINDINGS = `
  SELECT level, code, count(*) AS findings FROM finding JOIN site_log ON site_log.id = site_log_id
  WHERE superseded_at IS NULL GROUP BY code, level ORDER BY code, level`;

/** Finds the logs of Sites in a PostgreSQL database. */
export class PostgresLogReader implements LogReader {
  constructor(private readonly reads: Reads) {}

  async findById(id: number): ReturnType<LogReader['findById']> {
    return isId(id) ? logOrRetired(await this.reads.get<SiteLogRow>(BY_ID, id)) : undefined;
  }

  async findCurrent(site: number): Promise<SiteLogRecord | undefined> {
    const row = isId(site) ? await this.reads.get<SiteLogRow>(CURRENT, site) : undefined;
    return row && toSiteLogRecord(row);
  }

  findInForce(id: SiteId, day: string | null): Promise<OfSite<LogInForce>> {
    return this.reads.inOneState((snapshot) =>
      ofSite(snapshot, id, async (site) => {
        const [row, first] = await Promise.all([
          day === null ? snapshot.get<SiteLogRow>(CURRENT, site) : snapshot.get<SiteLogRow>(IN_FORCE, site, day),
          snapshot.get<Pick<LogInForce, 'earliest'>>(EARLIEST, site),
        ]);
        return { log: row && toSiteLogRecord(row), earliest: first!.earliest };
      }),
    );
  }

  async findKept(site: number): Promise<LogEntry[]> {
    return isId(site) ? (await this.reads.all<EntryRow>(ALL_KEPT, site)).map(toLogEntry) : [];
  }

  async findCurrentPage(search: SitePageSearch): Promise<Found<number>> {
    const { elements, totalElements } = await findSitePage<Placed & { log: number }>(this.reads, CURRENT_PAGE, search);
    return { elements: elements.map(({ row }) => row.log), totalElements };
  }

  findOfSite(id: SiteId): Promise<OfSite<LogEntry[]>> {
    return this.reads.inOneState(async (snapshot) => {
      const sharing = await findSharing(snapshot, id);
      const here = toSite(sharing, id);
      const site = here.kind === 'retired-site' ? toSite(sharing, id, () => true) : here;
      if (site.kind !== 'found') return site;
      return { kind: 'found', found: (await snapshot.all<EntryRow>(ALL, site.found)).map(toLogEntry) };
    });
  }

  countFindings(): Promise<FindingCount[]> {
    return this.reads.all<FindingCount>(FINDINGS);
  }
}
