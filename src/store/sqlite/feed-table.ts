import type { Database, Statement } from 'better-sqlite3';
import type { FeedRow, FeedTable } from '../saving/tables.js';

/** The feed in a SQLite file, within the transaction of the caller. */
export class SqliteFeedTable implements FeedTable {
  private readonly insert: Statement<[FeedRow]>;

  constructor(db: Database) {
    this.insert = db.prepare(
      'INSERT INTO feed (id, site_id, site_log_id, document, checksum) VALUES (:id, :site_id, :site_log_id, :document, :checksum)',
    );
  }

  add(row: FeedRow): void {
    this.insert.run(row);
  }
}
