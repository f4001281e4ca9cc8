import type { Database, Statement } from 'better-sqlite3';
import { entryOf, type Event, type JournalRow, NUMBERED } from '../saving/journal.js';

/** The last id of each numbered table. */
export const lastIdsOf = (db: Database): number[] =>
  NUMBERED.map((table) => db.prepare<[], number>(`SELECT coalesce(max(id), 0) FROM ${table} NOT INDEXED`).pluck().get()!);

/** Writes the journal, within the transaction of the caller. */
export class Journal {
  private readonly lastIds: Statement<[], number[]>;
  private readonly insert: Statement<[JournalRow]>;

  constructor(db: Database) {
    const maxima = ['journal', ...NUMBERED].map((table) => `(SELECT coalesce(max(id), 0) FROM ${table})`);
    this.lastIds = db.prepare<[], number[]>(`SELECT ${maxima.join(', ')}`).raw();
    this.insert = db.prepare(
      `INSERT INTO journal (id, kind, at, site_id, site_log_id, detail, sha256, digest, last_ids, checksum)
       VALUES (:id, :kind, :at, :site_id, :site_log_id, :detail, :sha256, :digest, :last_ids, :checksum)`,
    );
  }

  /** Adds an event that has just happened. @returns its number */
  add(event: Event): number {
    const [last, ...ids] = this.lastIds.get()!;
    const row = entryOf(event, last! + 1, ids);
    this.insert.run(row);
    return row.id;
  }
}
