import sql, { raw } from 'sql-template-tag';
import type { Instant } from '../../../../schemas/index.js';
import type { Reads } from '../../database.js';

/** A site log as a file in a folder. */
export interface LogFile {
  /** The number that identifies the log. */
  id: number;
  /** The nine-character id of its Site, or the four-character id. */
  site: string;
  /** `YYYY-MM-DD`; null if unknown. */
  datePrepared: string | null;
  /** `YYYY-MM-DDThh:mm:ss.sssZ` */
  importedAt: string;
}

/** Which logs of those that were not withdrawn are in a folder. */
const FOLDERS = {
  current: 'retired_at IS NULL AND superseded_at IS NULL',
  earlier: 'retired_at IS NULL AND superseded_at IS NOT NULL',
  /** All logs of retired Sites. */
  retired: 'retired_at IS NOT NULL',
} as const;
export type LogFolder = keyof typeof FOLDERS;

/** Finds the logs of Sites as files in folders. */
export class LogFiles {
  constructor(private readonly reads: Reads) {}

  /**
   * The logs in a folder, as files: the newest of each Site and Date Prepared, sorted by Site and
   * date.
   * @param of the numbers of the Sites, or one file
   */
  findFiles(
    folder: LogFolder,
    of: number[] | Pick<LogFile, 'site' | 'datePrepared'>,
  ): Promise<LogFile[]> {
    const site = raw('coalesce(nine_character_id, four_character_id)');
    const isAsked = Array.isArray(of)
      ? this.reads.dialect.isOneOf('site.id', of)
      : sql`${site} = ${of.site} AND coalesce(date_prepared, '') = ${of.datePrepared ?? ''}`;
    return this.reads.all<LogFile>(sql`
      SELECT max(site_log.id) AS id, ${site} AS site,
        date_prepared AS "datePrepared", max(imported_at) AS "importedAt"
      FROM site_log JOIN site ON site.id = site_id
      WHERE ${raw(FOLDERS[folder])} AND withdrawn_at IS NULL AND ${isAsked}
      GROUP BY site.id, four_character_id, ${site}, date_prepared
      ORDER BY four_character_id, site.id, coalesce(date_prepared, '')`);
  }

  /** When a log was last imported or corrected; null if never. */
  async lastChange(): Promise<Instant | null> {
    const [last] = await this.reads.all<{ at: Instant }>(
      sql`SELECT at FROM event ORDER BY id DESC LIMIT 1`,
    );
    return last?.at ?? null;
  }

  /**
   * When a Site was last corrected, by a withdrawn log for example; null if never.
   * @param site its number
   */
  async lastCorrection(site: number): Promise<string | null> {
    const found = await this.reads.get<{ at: string | null }>(
      sql`SELECT max(at) AS at FROM event WHERE site_id = ${site} AND correction IS NOT NULL`,
    );
    return found!.at;
  }
}
