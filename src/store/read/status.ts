import sql from 'sql-template-tag';
import type { LastImport } from '../../../schemas/index.js';
import type { Reads } from '../database.js';
import { lastCredibleDay } from '../../derive/log-order.js';

/** The state of the database. */
export interface StoreStatus {
  /** The number of the last migration. */
  migration: number;
  /** The number of Sites. */
  sites: number;
  /** The last completed import; null if there is none. */
  lastImport: LastImport | null;
  /**
   * The Date Prepared of the newest current log, `YYYY-MM-DD`, unless it is in the future; null if
   * none has one.
   */
  newestLog: string | null;
  /** The number of rejected files. */
  rejectedFiles: number;
  /** The last record time, `YYYY-MM-DDThh:mm:ss.sssZ`; null if nothing is on record. */
  lastRecorded: string | null;
}

/** The counts of the last import; `finishedAt` is null before the first one. */
type StatusRow = Pick<StoreStatus, 'sites' | 'newestLog' | 'rejectedFiles' | 'lastRecorded'> & {
  [Name in keyof LastImport]: LastImport[Name] | null;
};

/** Finds out about the database as a whole. */
export class Status {
  /**
   * What was found at a version, for a day. Between commits, only the version is read, which no
   * lock on a table can delay.
   */
  private last: { version: number; day: string; found: Omit<StoreStatus, 'migration'> } | null =
    null;

  constructor(private readonly reads: Reads) {}

  /**
   * The state of the database.
   * @param now the current time
   * @throws {StoreUnusable} if it cannot be used
   */
  async find(now: Date): Promise<StoreStatus> {
    const migration = await this.reads.check();
    const version = this.reads.seenVersion();
    const day = lastCredibleDay(now);
    if (this.last?.version !== version || this.last.day !== day)
      this.last = { version, day, found: await this.read(day) };
    return { migration, ...this.last.found };
  }

  /**
   * The record time of the newest event, `YYYY-MM-DDThh:mm:ss.sssZ`; null if there is none. Record
   * times only grow, so what is on record at that time never changes.
   */
  async findRecordTime(): Promise<string | null> {
    const row = await this.reads.get<{ at: string | null }>(sql`SELECT max(at) AS at FROM event`);
    return row!.at;
  }

  private async read(day: string): Promise<Omit<StoreStatus, 'migration'>> {
    const row = await this.reads.get<StatusRow>(sql`
      SELECT (SELECT count(*) FROM site WHERE retired_at IS NULL) AS sites,
        (SELECT max(date_prepared) FROM site_log
          WHERE superseded_at IS NULL AND withdrawn_at IS NULL
            AND date_prepared <= ${day}) AS "newestLog",
        (SELECT count(*) FROM rejected_file) AS "rejectedFiles",
        (SELECT max(at) FROM event) AS "lastRecorded",
        finished_at AS "finishedAt", saved, unchanged, outdated, rejected, skipped
      FROM (SELECT 1 AS id) AS always LEFT JOIN last_import ON last_import.id = always.id`);
    const { sites, newestLog, rejectedFiles, lastRecorded, ...counts } = row!;
    return {
      sites,
      lastImport: counts.finishedAt === null ? null : (counts as LastImport),
      newestLog,
      rejectedFiles,
      lastRecorded,
    };
  }
}
