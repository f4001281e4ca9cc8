import type { Database, Statement } from 'better-sqlite3';
import { KnownPersons } from '../../site-log/known-persons.js';
import { persons, type RemarkRow, remarks, REMARKS_AT_ONCE, UNSEARCHED } from '../rows/persons.js';
import type { PersonTable } from '../saving/tables.js';

/** The persons whom the logs in a SQLite file name as contacts, within the transaction of the caller. */
export class SqlitePersonTable implements PersonTable {
  private readonly insert: Statement<[string]>;
  private readonly all: Statement<[], string>;
  private readonly unsearched: Statement<[], string>;

  constructor(private readonly db: Database) {
    this.insert = db.prepare('INSERT OR IGNORE INTO person (name, searched) VALUES (?, 0)');
    this.all = db.prepare<[], string>(`SELECT ${persons()}`).pluck();
    this.unsearched = db.prepare<[], string>(`SELECT ${persons(UNSEARCHED)}`).pluck();
  }

  add(names: string[]): void {
    for (const name of names) this.insert.run(name);
  }

  /** All persons. */
  known(): KnownPersons {
    return new KnownPersons(this.all.all());
  }

  /** Whether the remarks on record are still to be searched for some persons. */
  hasUnsearched(): boolean {
    return this.unsearched.get() !== undefined;
  }

  /** Searches the remarks on record for these, and marks the Sites that name one, to be read again. */
  search(): void {
    const known = new KnownPersons(this.unsearched.all());
    const mark = this.db.prepare<[number]>('INSERT OR IGNORE INTO site_to_read (site_id) VALUES (?)');
    for (const rowsOf of remarks('?', '?', 'group_concat')) {
      const find = this.db.prepare<[number, number], RemarkRow>(`SELECT ${rowsOf}`);
      for (let rows = find.all(0, REMARKS_AT_ONCE); rows.length > 0; rows = find.all(rows.at(-1)!.id, REMARKS_AT_ONCE)) {
        for (const { site, text } of rows) if (text !== null && known.areIn(text)) mark.run(site);
      }
    }
    this.db.exec(`UPDATE person SET searched = 1 WHERE ${UNSEARCHED}`);
  }
}
