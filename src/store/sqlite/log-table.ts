import type { Database, Statement } from 'better-sqlite3';
import { codeOf } from '../../site-log/finding-codes.js';
import type { FindingRow, LogTable, NewLog, RecordedLog } from '../saving/tables.js';

/** Adds the codes of findings that have none. Takes no lock if there are none. */
export function codeFindings(db: Database): void {
  if (db.prepare('SELECT 1 FROM finding WHERE code IS NULL LIMIT 1').get() === undefined) return;
  db.function('code_of', { deterministic: true }, codeOf as (message: unknown) => string);
  db.exec('UPDATE finding SET code = code_of(message) WHERE code IS NULL');
}

/** The site logs and their findings in a SQLite file, within the transaction of the caller. */
export class SqliteLogTable implements LogTable {
  private readonly logs: Statement<[number], RecordedLog>;
  private readonly current: Statement<[number], number>;
  private readonly content: Statement<[number], Buffer>;
  private readonly insert: Statement<[NewLog], number>;
  private readonly supersede: Statement<[string, number]>;
  private readonly setCurrent: Statement<[number]>;
  private readonly withdraw: Statement<[string | null, number]>;
  private readonly findings: Statement<[number], FindingRow>;
  private readonly deleteFindings: Statement<[number]>;
  private readonly addFinding: Statement<[number, number, ...FindingRow, string]>;

  constructor(db: Database) {
    this.logs = db.prepare(
      `SELECT id, name, sha256, date_prepared AS datePrepared, withdrawn_at AS withdrawnAt, superseded_at AS supersededAt
       FROM site_log WHERE site_id = ? ORDER BY id`,
    );
    this.current = db.prepare<[number], number>('SELECT id FROM site_log WHERE site_id = ? AND superseded_at IS NULL').pluck();
    this.content = db.prepare<[number], Buffer>('SELECT original FROM site_log WHERE id = ?').pluck();
    this.insert = db
      .prepare<[NewLog], number>(
        `INSERT INTO site_log (site_id, name, sha256, form, date_prepared, imported_at, superseded_at, original)
         VALUES (:site_id, :name, :sha256, :form, :date_prepared, :imported_at, :superseded_at, :original) RETURNING id`,
      )
      .pluck();
    this.supersede = db.prepare('UPDATE site_log SET superseded_at = ? WHERE site_id = ? AND superseded_at IS NULL');
    this.setCurrent = db.prepare('UPDATE site_log SET superseded_at = NULL WHERE id = ?');
    this.withdraw = db.prepare('UPDATE site_log SET withdrawn_at = ? WHERE id = ?');
    this.findings = db
      .prepare<[number], FindingRow>('SELECT line, level, message, text FROM finding WHERE site_log_id = ? ORDER BY position')
      .raw();
    this.deleteFindings = db.prepare('DELETE FROM finding WHERE site_log_id = ?');
    this.addFinding = db.prepare(
      'INSERT INTO finding (site_log_id, position, line, level, message, text, code) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
  }

  ofSite(site: number): RecordedLog[] {
    return this.logs.all(site);
  }

  /** Selects only the id, which the index has: for the columns after `original`, SQLite would read the whole original. */
  currentOf(site: number): number | undefined {
    return this.current.get(site);
  }

  originalOf(log: number): Uint8Array {
    return this.content.get(log)!;
  }

  add({ original, ...row }: NewLog): number {
    return this.insert.get({ ...row, original: Buffer.from(original.buffer, original.byteOffset, original.byteLength) })!;
  }

  supersedeCurrent(site: number, at: string): void {
    this.supersede.run(at, site);
  }

  revive(log: number): void {
    this.setCurrent.run(log);
  }

  setWithdrawn(log: number, at: string | null): void {
    this.withdraw.run(at, log);
  }

  findingsOf(log: number): FindingRow[] {
    return this.findings.all(log);
  }

  replaceFindings(log: number, findings: FindingRow[]): void {
    this.deleteFindings.run(log);
    findings.forEach((row, position) => this.addFinding.run(log, position, ...row, codeOf(row[2])));
  }
}
