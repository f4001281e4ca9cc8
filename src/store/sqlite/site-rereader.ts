import type { Database, Statement } from 'better-sqlite3';
import { readOrPass, readSiteAgain, type SiteToRead } from '../saving/read-again.js';
import type { Tables } from '../saving/tables.js';
import type { ImportAgain } from '../upkeep.js';
import { withholdRecorded } from './withhold-recorded.js';

/** How many Sites one transaction brings up to date. */
const BATCH = 50;

/** Brings the Sites that an earlier version saved up to date. */
export class SiteRereader {
  private readonly next: Statement<[number], SiteToRead>;
  private readonly done: Statement<[number]>;

  constructor(
    private readonly db: Database,
    private readonly tables: Tables,
  ) {
    this.next = db.prepare(
      `SELECT site_to_read.site_id AS site, name, original FROM site_to_read
       JOIN site_log ON site_log.site_id = site_to_read.site_id AND superseded_at IS NULL ORDER BY 1 LIMIT ?`,
    );
    this.done = db.prepare('DELETE FROM site_to_read WHERE site_id = ?');
  }

  /** Whether all Sites are up to date. */
  hasNone(): boolean {
    return this.next.get(1) === undefined;
  }

  /** Reads the logs of some Sites again, within the transaction of the caller. @returns whether there may be more */
  readBatch(importAgain: ImportAgain, now: Date): boolean {
    const batch = this.next.all(BATCH);
    for (const each of batch) {
      withholdRecorded(this.db, each.site);
      const read = readOrPass(each, importAgain, now);
      if (read !== undefined) readSiteAgain(this.tables, each.site, read);
      this.done.run(each.site);
    }
    return batch.length === BATCH;
  }
}
