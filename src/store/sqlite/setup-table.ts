import type { Database, Statement } from 'better-sqlite3';
import type { NewSetup, RecordedSetup, SetupTable } from '../saving/tables.js';

/** The Setups in a SQLite file, within the transaction of the caller. */
export class SqliteSetupTable implements SetupTable {
  private readonly recorded: Statement<[number], RecordedSetup>;
  private readonly periods: Statement<[number], ReturnType<SetupTable['periodsOf']>[number]>;
  private readonly insert: Statement<[NewSetup]>;
  private readonly update: Statement<[string, number]>;

  constructor(db: Database) {
    this.recorded = db.prepare(
      'SELECT id, effective_from, effective_to, equipment_in_use, written_by FROM setup WHERE site_id = ? AND superseded_at IS NULL',
    );
    this.periods = db.prepare(
      'SELECT id, effective_from, effective_to FROM setup INDEXED BY setup_valid WHERE site_id = ? AND superseded_at IS NULL',
    );
    this.insert = db.prepare(
      `INSERT INTO setup (site_id, site_log_id, effective_from, effective_to, recorded_at, equipment_in_use, written_by, checksum)
       VALUES (:site_id, :site_log_id, :effective_from, :effective_to, :recorded_at, :equipment_in_use, :written_by, :checksum)`,
    );
    this.update = db.prepare('UPDATE setup SET superseded_at = ? WHERE id = ?');
  }

  validOf(site: number): RecordedSetup[] {
    return this.recorded.all(site);
  }

  periodsOf(site: number): ReturnType<SetupTable['periodsOf']> {
    return this.periods.all(site);
  }

  add(row: NewSetup): void {
    this.insert.run(row);
  }

  supersede(id: number, at: string): void {
    this.update.run(at, id);
  }
}
