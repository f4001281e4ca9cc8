import type { SiteId } from '../../requests/site-id.js';
import type { FindingCount, LogEntry, LogInForce, LogReader, SiteLogRecord } from '../logs.js';
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
} from '../rows/logs.js';
import type { Placed } from '../places.js';
import type { Found } from '../search.js';
import type { OfSite } from '../site-ids.js';
import type { SitePageSearch } from '../sites.js';
import type { Connection } from './connection.js';
import { currentLog, toRecord } from './logs.js';
import { ofSite, resolveSite } from './site-ids.js';
import { findSitePage } from './site-page.js';

const BY_ID = `SELECT ${LOGS} WHERE site_log.id = ? AND withdrawn_at IS NULL`;
const IN_FORCE = `SELECT ${LOGS} ${inForce('?', '?')}`;
const EARLIEST = `SELECT ${earliest('?')}`;
const ALL = `SELECT ${entries('?')}`;
const ALL_KEPT = `SELECT ${entries('?', KEPT)}`;

/** The plus sign makes SQLite read the index of the codes in order; otherwise it sorts all findings. */
const FINDINGS = `
  SELECT level, code, count(*) AS findings FROM finding
  WHERE +site_log_id IN (SELECT id FROM site_log WHERE superseded_at IS NULL) GROUP BY code, level ORDER BY code, level`;

/** Finds the logs of Sites in one SQLite file. */
export class SqliteLogReader implements LogReader {
  constructor(private readonly connection: Connection) {}

  async findById(id: number): ReturnType<LogReader['findById']> {
    return logOrRetired(this.connection.get<SiteLogRow>(BY_ID, id));
  }

  async findCurrent(site: number): Promise<SiteLogRecord | undefined> {
    return currentLog(this.connection, site);
  }

  async findInForce(id: SiteId, day: string | null): Promise<OfSite<LogInForce>> {
    return this.connection.inOneTransaction(() =>
      ofSite(this.connection, id, (site) => {
        const log = day === null ? currentLog(this.connection, site) : toRecord(this.connection.get<SiteLogRow>(IN_FORCE, site, day));
        return { log, ...this.connection.get<Pick<LogInForce, 'earliest'>>(EARLIEST, site)! };
      }),
    );
  }

  async findKept(site: number): Promise<LogEntry[]> {
    return this.connection.all<EntryRow>(ALL_KEPT, site).map(toLogEntry);
  }

  async findCurrentPage(search: SitePageSearch): Promise<Found<number>> {
    return this.connection.inOneTransaction(() => {
      const { elements, totalElements } = findSitePage<Placed & { log: number }>(this.connection, CURRENT_LOGS, search);
      return { elements: elements.map(({ row }) => row.log), totalElements };
    });
  }

  async findOfSite(id: SiteId): Promise<OfSite<LogEntry[]>> {
    return this.connection.inOneTransaction(() => {
      const here = resolveSite(this.connection, id);
      const site = here.kind === 'retired-site' ? resolveSite(this.connection, id, () => true) : here;
      if (site.kind !== 'found') return site;
      return { kind: 'found', found: this.connection.all<EntryRow>(ALL, site.found).map(toLogEntry) };
    });
  }

  async countFindings(): Promise<FindingCount[]> {
    return this.connection.all<FindingCount>(FINDINGS);
  }
}
