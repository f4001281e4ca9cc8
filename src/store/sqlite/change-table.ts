import type { Database, Statement } from 'better-sqlite3';
import type { ChangeTable, NewChange } from '../saving/tables.js';

/** The changes in a SQLite file, within the transaction of the caller. */
export class SqliteChangeTable implements ChangeTable {
  private readonly recorded: Statement<[number], { id: number; document: string }>;
  private readonly insert: Statement<[NewChange]>;
  private readonly update: Statement<[string, number]>;

  constructor(db: Database) {
    this.recorded = db.prepare('SELECT id, document FROM change WHERE site_id = ? AND superseded_at IS NULL');
    this.insert = db.prepare(
      `INSERT INTO change (site_id, at, equipment_type, kind_position, recorded_at, document, checksum)
       VALUES (:site_id, :at, :equipment_type, :kind_position, :recorded_at, :document, :checksum)`,
    );
    this.update = db.prepare('UPDATE change SET superseded_at = ? WHERE id = ?');
  }

  validOf(site: number): { id: number; document: string }[] {
    return this.recorded.all(site);
  }

  add(row: NewChange): void {
    this.insert.run(row);
  }

  supersede(id: number, at: string): void {
    this.update.run(at, id);
  }
}
