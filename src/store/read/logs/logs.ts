import sql, { raw, type Sql } from 'sql-template-tag';
import type { Provenance, SiteOfSetup } from '../../../../schemas/index.js';
import type { Placed } from '../../../derive/places.js';
import type { OfSite, RetiredSite } from '../../../derive/site-identity.js';
import type { SiteId } from '../../../requests/site-id.js';
import type { FindingCode } from '../../../findings/codes.js';
import type { Finding } from '../../../findings/findings.js';
import { findingOf, OWN_COLUMNS, type OwnColumns } from '../findings.js';
import type { Database, Reads, Soon } from '../../database.js';
import type { Found, PageTable } from '../../page.js';
import { ofSite, resolveAlsoRetired } from '../sites/ids.js';
import { findSitePage, type SitePageSearch } from '../sites/page.js';
import { namesOf, SITE_PROPERTIES } from '../sites/rows.js';

/**
 * The current site log of a Site: of all that were imported and not withdrawn, the one with the
 * latest credible Date Prepared.
 */
export type CurrentLog = Pick<Provenance['siteLog'], 'name' | 'datePrepared'>;

/**
 * A site log as the list of the logs of a Site shows it: its number, and whether it is the current
 * log of its Site.
 */
export type LogEntry = Provenance['siteLog'] & { id: number; sha256: string; current: boolean };

/**
 * A site log that was not withdrawn, with its Site. The log may give other ids: those that the Site
 * had before.
 */
export interface SiteLogRecord extends Omit<LogEntry, 'withdrawnAt'>, Omit<SiteOfSetup, 'name'> {
  siteId: number;
  /** The organisation that maintains the log; null if it is unknown. */
  agency: string | null;
  /** The names and abbreviations of the agencies in sections 12 and 11. */
  agencies: string[];
}

/** The number of findings of one level and code in the current logs. */
export type FindingCount = Pick<Finding, 'level'> & { code: FindingCode; findings: number };

/** What was found at a Site for a day. */
interface LogInForce {
  /** Undefined if the Site had no log yet. */
  log: SiteLogRecord | undefined;
  /** The first day on which it had one, `YYYY-MM-DD`; null if no log has a Date Prepared. */
  earliest: string | null;
}

/**
 * Current logs. They are filtered and sorted by their own properties, and by those of their Sites
 * with other names.
 */
const CURRENT_LOGS: PageTable = {
  from: `site JOIN site_log
    ON site_log.site_id = site.id
      AND site_log.superseded_at IS NULL AND site_log.withdrawn_at IS NULL`,
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
  },
  known: ['id', 'fourCharacterId', 'name', 'form', 'importedAt'],
  constant: ['siteStatus'],
};

/** The current log of a Site, with the findings of its import. */
export interface LogOnRecord {
  /** null if all logs of the Site were withdrawn. */
  siteLog: SiteLogRecord | null;
  findings: Omit<Finding, 'file'>[];
}

type SiteLogRow = Omit<SiteLogRecord, 'current' | 'agencies'> & {
  current: number;
  agencies: string | null;
  retiredAt: string | null;
};

const toSiteLogRecord = ({ retiredAt: _, ...row }: SiteLogRow): SiteLogRecord => ({
  ...row,
  agencies: namesOf(row.agencies),
  current: row.current === 1,
});

/** What every answer about a log has. */
const LOG_COLUMNS = raw(`site_log.id, site_log.name, date_prepared AS "datePrepared",
  sha256, form, imported_at AS "importedAt",
  CASE WHEN superseded_at IS NULL AND withdrawn_at IS NULL THEN 1 ELSE 0 END AS "current"`);

/**
 * The statement for logs.
 * @param chosen the conditions, with an order and a limit where several logs meet them
 */
const selectRows = (chosen: Sql): Sql => sql`
  SELECT ${LOG_COLUMNS}, site_id AS "siteId",
    four_character_id AS "fourCharacterId", nine_character_id AS "nineCharacterId",
    retired_at AS "retiredAt", site_log.agency, agencies
  FROM site_log JOIN site ON site.id = site_id WHERE ${chosen}`;

/** Reads one log. */
const findRow = (db: Database, chosen: Sql): Soon<SiteLogRow | undefined> =>
  db.get<SiteLogRow>(selectRows(chosen));

async function findLog(db: Database, chosen: Sql): Promise<SiteLogRecord | undefined> {
  const row = await findRow(db, chosen);
  return row && toSiteLogRecord(row);
}

/** The conditions on logs that were not withdrawn. */
const withNumbers = ({ dialect }: Database, ids: readonly number[]): Sql =>
  sql`${dialect.isOneOf('site_log.id', ids)} AND withdrawn_at IS NULL`;

/** The conditions on the current log of a Site that is not retired. */
const currentOf = ({ dialect }: Database, site: number): Sql => sql`
  ${dialect.isOneOf('site_id', [site])}
  AND superseded_at IS NULL AND withdrawn_at IS NULL AND retired_at IS NULL`;

/** The conditions on the log of a Site that was the newest on a day, and what chooses it. */
const inForce = (site: number, day: string): Sql => sql`
  site_id = ${site} AND withdrawn_at IS NULL AND date_prepared <= ${day}
  ORDER BY date_prepared DESC,
    CASE WHEN superseded_at IS NULL THEN 0 ELSE 1 END, site_log.id DESC
  LIMIT 1`;

async function findEntries(db: Database, conditions: Sql): Promise<LogEntry[]> {
  const rows = await db.all<Omit<LogEntry, 'current'> & { current: number }>(sql`
    SELECT ${LOG_COLUMNS}, withdrawn_at AS "withdrawnAt"
    FROM site_log JOIN site ON site.id = site_id WHERE ${conditions}
    ORDER BY coalesce(date_prepared, '') DESC, site_log.id DESC`);
  return rows.map((row) => ({ ...row, current: row.current === 1 }));
}

/** The current log of a Site, by the number of the Site. */
const currentLogOf = (db: Database, site: number): Promise<SiteLogRecord | undefined> =>
  findLog(db, currentOf(db, site));

/** The current log of a Site with its findings; several reads, in one state. */
export async function currentLogOfSite(db: Database, site: number): Promise<LogOnRecord> {
  const [siteLog, rows] = await Promise.all([
    currentLogOf(db, site),
    db.all<OwnColumns>(sql`
      SELECT ${raw(OWN_COLUMNS)} FROM finding
      WHERE site_log_id = (
        SELECT id FROM site_log
        WHERE site_id = ${site} AND superseded_at IS NULL AND withdrawn_at IS NULL)
      ORDER BY line, position`),
  ]);
  return { siteLog: siteLog ?? null, findings: rows.map(findingOf) };
}

/** The most bytes of what is sent of a log besides what is stored: its name, agencies and links. */
const SUMMARY_BYTES = 2048;

/** The size of a page of all logs. */
const ALL = 2 ** 31;

/** The positions of the first elements of pages. */
const pageStarts = (elements: number, size: number): number[] =>
  Array.from({ length: Math.ceil(elements / size) }, (_, page) => page * size);

/** Finds the logs of Sites. */
export class Logs {
  constructor(private readonly reads: Reads) {}

  /** A log by its number; undefined if there is none, or if it was withdrawn. */
  async findById(id: number): Promise<SiteLogRecord | RetiredSite | undefined> {
    const row = await findRow(this.reads, withNumbers(this.reads, [id]));
    if (row === undefined) return undefined;
    return row.retiredAt === null
      ? toSiteLogRecord(row)
      : { kind: 'retired-site', since: row.retiredAt };
  }

  /** The same; a log of a retired Site too. */
  findAlsoRetired(id: number): Promise<SiteLogRecord | undefined> {
    return findLog(this.reads, withNumbers(this.reads, [id]));
  }

  /** Some logs by their numbers, in that order, without those that were withdrawn or retired. */
  async findMany(ids: readonly number[]): Promise<SiteLogRecord[]> {
    const rows = await this.reads.all<SiteLogRow>(selectRows(withNumbers(this.reads, ids)));
    const kept = rows.filter(({ retiredAt }) => retiredAt === null).map(toSiteLogRecord);
    const byId = new Map(kept.map((log) => [log.id, log]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  /**
   * The log with the latest Date Prepared on or before a day, of those not withdrawn.
   * @param day `YYYY-MM-DD`; null for the current log
   */
  findInForce(id: SiteId, day: string | null): Promise<OfSite<LogInForce>> {
    return this.reads.inOneState((db) =>
      ofSite(db, id, async (site) => {
        const [log, first] = await Promise.all([
          findLog(db, day === null ? currentOf(db, site) : inForce(site, day)),
          db.get<Pick<LogInForce, 'earliest'>>(
            sql`SELECT min(date_prepared) AS earliest FROM site_log
              WHERE site_id = ${site} AND withdrawn_at IS NULL`,
          ),
        ]);
        return { log, earliest: first!.earliest };
      }),
    );
  }

  /**
   * The logs of the Site with a number that were not withdrawn, the newest first; empty if there is
   * no such Site, or if it is retired.
   */
  findKept(site: number): Promise<LogEntry[]> {
    return findEntries(
      this.reads,
      sql`${this.reads.dialect.isOneOf('site_id', [site])}
        AND withdrawn_at IS NULL AND retired_at IS NULL`,
    );
  }

  /**
   * The current log of the Site with a number; undefined if there is no such Site, or if it is
   * retired.
   */
  findCurrent(site: number): Promise<SiteLogRecord | undefined> {
    return currentLogOf(this.reads, site);
  }

  /**
   * A page of current logs: their numbers. Filters and order are by properties of the logs and of
   * their Sites.
   */
  async findCurrentPage(search: SitePageSearch): Promise<Found<number>> {
    const { elements, totalElements } = await this.reads.inOneState((db) =>
      findSitePage<Placed & { log: number }>(db, CURRENT_LOGS, search),
    );
    return { elements: elements.map(({ row }) => row.log), totalElements };
  }

  /**
   * The size of pages of a search, or the half of it as often as needed, so that no page has too
   * many bytes. All pages of a search give the same.
   * @param isWritten whether each value as written is sent, too
   */
  async sizeThatFits(
    search: SitePageSearch,
    isWritten: boolean,
    mostBytes: number,
  ): Promise<number> {
    const { elements } = await this.findCurrentPage({ ...search, page: 0, size: ALL });
    const bytesOf = raw(isWritten ? 'bytes' : 'octet_length(content)');
    const rows = await this.reads.all<{ id: number; bytes: number }>(sql`
      SELECT site_log_id AS id, ${bytesOf} + ${raw(String(SUMMARY_BYTES))} AS bytes
      FROM published_log
      WHERE ${this.reads.dialect.isOneOf('site_log_id', elements)}`);
    const bytes = new Map(rows.map((row) => [row.id, row.bytes]));
    const isTooLarge = (first: number, size: number): boolean =>
      elements.slice(first, first + size).reduce((sum, id) => sum + bytes.get(id)!, 0) > mostBytes;
    let { size } = search;
    while (size > 1 && pageStarts(elements.length, size).some((first) => isTooLarge(first, size)))
      size = Math.ceil(size / 2);
    return size;
  }

  /**
   * When the current logs were prepared, `YYYY-MM-DD`: half of them before the median; null if none
   * says it.
   */
  async datesPrepared(): Promise<{ median: string; newest: string } | null> {
    const rows = await this.reads.all<{ date: string }>(sql`
      SELECT date_prepared AS date FROM site_log
      WHERE superseded_at IS NULL AND withdrawn_at IS NULL AND date_prepared IS NOT NULL
      ORDER BY date_prepared`);
    if (rows.length === 0) return null;
    return { median: rows[Math.floor(rows.length / 2)]!.date, newest: rows.at(-1)!.date };
  }

  /**
   * All logs of a Site, the newest first; those of a retired Site too, with the time when it was
   * retired.
   */
  findOfSite(id: SiteId): Promise<OfSite<{ logs: LogEntry[]; retiredAt: string | null }>> {
    return this.reads.inOneState(async (db) => {
      const site = await resolveAlsoRetired(db, id);
      if (site.kind !== 'found') return site;
      const row = await db.get<{ retiredAt: string | null }>(
        sql`SELECT retired_at AS "retiredAt" FROM site WHERE id = ${site.found}`,
      );
      return {
        kind: 'found',
        found: { logs: await findEntries(db, sql`site_id = ${site.found}`), ...row! },
      };
    });
  }

  /**
   * The content of the file of a log, also of one that was withdrawn; undefined if there is none.
   */
  async findContent(id: number): Promise<Uint8Array | undefined> {
    const row = await this.reads.get<{ original: Uint8Array }>(
      sql`SELECT original FROM site_log WHERE id = ${id}`,
    );
    return row?.original;
  }

  /** The number of findings in the current logs, by level and code. */
  countFindings(): Promise<FindingCount[]> {
    return this.reads.all<FindingCount>(sql`
      SELECT level, code, count(*) AS findings
      FROM finding JOIN site_log ON site_log.id = site_log_id
      WHERE superseded_at IS NULL AND withdrawn_at IS NULL
      GROUP BY code, level ORDER BY code, level`);
  }
}
