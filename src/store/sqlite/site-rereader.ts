import type { Database, Statement } from 'better-sqlite3';
import type { ReadAgain } from '../corrections.js';
import { updateSite } from '../saving/owner.js';
import { toSummaryRow } from '../saving/save-record.js';
import { SqliteSiteTable } from './site-table.js';

/** How many Sites one transaction brings up to date. */
const BATCH = 50;

/** A Site whose current log an earlier version read, with that log. */
interface SiteToRead {
  site: number;
  name: string;
  original: Buffer;
}

/** Brings the Sites that an earlier version saved up to date: their identification, place and summary. */
export class SiteRereader {
  private readonly next: Statement<[number], SiteToRead>;
  private readonly done: Statement<[number]>;
  private readonly sites: SqliteSiteTable;

  constructor(db: Database) {
    this.next = db.prepare(
      `SELECT site_to_read.site_id AS site, name, original FROM site_to_read
       JOIN site_log ON site_log.site_id = site_to_read.site_id AND superseded_at IS NULL ORDER BY 1 LIMIT ?`,
    );
    this.done = db.prepare('DELETE FROM site_to_read WHERE site_id = ?');
    this.sites = new SqliteSiteTable(db);
  }

  /** Whether all Sites are up to date. */
  hasNone(): boolean {
    return this.next.get(1) === undefined;
  }

  /** Reads the logs of some Sites again, within the transaction of the caller. @returns whether there may be more */
  readBatch(readAgain: ReadAgain): boolean {
    const batch = this.next.all(BATCH);
    for (const each of batch) {
      this.read(each, readAgain);
      this.done.run(each.site);
    }
    return batch.length === BATCH;
  }

  private read({ site, name, original }: SiteToRead, readAgain: ReadAgain): void {
    let read;
    try {
      read = readAgain({ name, original });
    } catch {
      // A damaged log: `verify` reports it. What is on record stays.
      return;
    }
    updateSite(this.sites, site, read.log.identification);
    // A retired Site has the summary of the time when it was retired.
    if (this.sites.find(site)!.retiredAt === null) this.sites.saveSummary(toSummaryRow(site, read.summary));
  }
}
