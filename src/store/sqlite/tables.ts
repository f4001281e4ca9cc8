import type { Database, Statement } from 'better-sqlite3';
import type { Tables } from '../saving/tables.js';
import { SqliteChangeTable } from './change-table.js';
import { SqliteDeviceTable } from './device-table.js';
import { SqliteFeedTable } from './feed-table.js';
import { Journal } from './journal.js';
import { SqlitePersonTable } from './persons.js';
import { SqliteLogTable } from './log-table.js';
import { SqliteSetupTable } from './setup-table.js';
import { SqliteSiteTable } from './site-table.js';

/** The tables of a SQLite file that saving and correcting change, within the transaction of the caller. */
export class SqliteTables implements Tables {
  readonly sites: SqliteSiteTable;
  readonly logs: SqliteLogTable;
  readonly setups: SqliteSetupTable;
  readonly devices: SqliteDeviceTable;
  readonly changes: SqliteChangeTable;
  readonly journal: Journal;
  readonly feed: SqliteFeedTable;
  readonly persons: SqlitePersonTable;
  private readonly totalChanges: Statement<[], number>;

  constructor(db: Database) {
    this.sites = new SqliteSiteTable(db);
    this.logs = new SqliteLogTable(db);
    this.setups = new SqliteSetupTable(db);
    this.devices = new SqliteDeviceTable(db);
    this.changes = new SqliteChangeTable(db);
    this.journal = new Journal(db);
    this.feed = new SqliteFeedTable(db);
    this.persons = new SqlitePersonTable(db);
    this.totalChanges = db.prepare<[], number>('SELECT total_changes()').pluck();
  }

  changed(): number {
    return this.totalChanges.get()!;
  }
}
