import type { Database, Statement } from 'better-sqlite3';
import { readOrPass, readSiteAgain, type SiteToRead } from '../saving/read-again.js';
import type { ImportAgain } from '../upkeep.js';
import type { SqliteTables } from './tables.js';
import { withholdRecorded } from './withhold-recorded.js';

/** How many Sites one transaction brings up to date. */
const BATCH = 50;

/** Reads Sites again that an earlier version saved, or whose remarks name persons who have become known since. */
export class SiteRereader {
  private readonly next: Statement<[number], SiteToRead>;
  private readonly done: Statement<[number]>;

  constructor(
    private readonly db: Database,
    private readonly tables: SqliteTables,
  ) {
    this.next = db.prepare(
      `SELECT site_to_read.site_id AS site, name, original FROM site_to_read
       JOIN site_log ON site_log.site_id = site_to_read.site_id AND superseded_at IS NULL ORDER BY 1 LIMIT ?`,
    );
    this.done = db.prepare('DELETE FROM site_to_read WHERE site_id = ?');
  }

  /** Whether all Sites are up to date. */
  hasNone(): boolean {
    return this.next.get(1) === undefined && !this.tables.persons.hasUnsearched();
  }

  /** Reads the logs of some Sites again, within the transaction of the caller. @returns whether there may be more */
  readBatch(importAgain: ImportAgain, now: Date): boolean {
    const { persons } = this.tables;
    const batch = this.next.all(BATCH);
    if (batch.length === 0) {
      persons.search();
      return true;
    }
    const known = persons.known();
    for (const each of batch) {
      persons.add(withholdRecorded(this.db, each.site, known));
      const read = readOrPass(each, importAgain, now, known);
      if (read !== undefined) readSiteAgain(this.tables, each.site, read);
      this.done.run(each.site);
    }
    return true;
  }
}
