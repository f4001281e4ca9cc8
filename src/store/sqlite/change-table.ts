import type { Database, Statement } from 'better-sqlite3';
import type { ChangeTable, NewChange } from '../saving/tables.js';

/** The changes in a SQLite file, within the transaction of the caller. */
export class SqliteChangeTable implements ChangeTable {
  private readonly recorded: Statement<[number], { id: number; document: string }>;
  private readonly insert: Statement<[NewChange]>;
  private readonly ids: Statement<[number], number>;
  private readonly document: Statement<[number], string>;
  private readonly update: Statement<[string, number]>;
  private readonly updateGap: Statement<[{ id: number; counterpart: number | null; seconds: number | null }]>;

  constructor(db: Database) {
    this.recorded = db.prepare('SELECT id, document FROM change WHERE site_id = ? AND superseded_at IS NULL');
    this.insert = db.prepare(
      `INSERT INTO change (site_id, at, equipment_type, kind_position, recorded_at, document, checksum)
       VALUES (:site_id, :at, :equipment_type, :kind_position, :recorded_at, :document, :checksum)`,
    );
    this.ids = db.prepare<[number], number>('SELECT id FROM change WHERE site_id = ? AND superseded_at IS NULL').pluck();
    this.document = db.prepare<[number], string>('SELECT document FROM change WHERE id = ?').pluck();
    this.update = db.prepare('UPDATE change SET superseded_at = ?, counterpart_id = NULL, gap_before = NULL WHERE id = ?');
    this.updateGap = db.prepare(
      `UPDATE change SET counterpart_id = :counterpart, gap_before = :seconds
       WHERE id = :id AND (counterpart_id, gap_before) IS NOT (:counterpart, :seconds)`,
    );
  }

  validOf(site: number): { id: number; document: string }[] {
    return this.recorded.all(site);
  }

  idsOf(site: number): number[] {
    return this.ids.all(site);
  }

  documentOf(id: number): string {
    return this.document.get(id)!;
  }

  add(row: NewChange): number {
    return Number(this.insert.run(row).lastInsertRowid);
  }

  supersede(id: number, at: string): void {
    this.update.run(at, id);
  }

  saveGap(id: number, counterpart: number | null, seconds: number | null): void {
    this.updateGap.run({ id, counterpart, seconds });
  }
}
