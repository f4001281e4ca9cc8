import type { Database, Statement } from 'better-sqlite3';
import { codeOf } from '../../site-log/finding-codes.js';
import type { Finding } from '../../site-log/site-log.js';
import { type CurrentLog, lastCredibleDay, type SiteLogImport } from '../logs.js';

/** The columns line, level, message and text. */
type FindingRow = [number, string, string, string];

/** Adds the codes of findings that have none. Takes no lock if there are none. */
export function codeFindings(db: Database): void {
  if (db.prepare('SELECT 1 FROM finding WHERE code IS NULL LIMIT 1').get() === undefined) return;
  db.function('code_of', { deterministic: true }, codeOf as (message: unknown) => string);
  db.exec('UPDATE finding SET code = code_of(message) WHERE code IS NULL');
}

/** A log on record. */
export interface RecordedLog extends CurrentLog {
  id: number;
  sha256: string;
  withdrawnAt: string | null;
}
const COLUMNS = 'id, name, sha256, date_prepared AS datePrepared, withdrawn_at AS withdrawnAt';

/** Writes site logs and their findings, within the transaction of the caller. */
export class LogWriter {
  private readonly current: Statement<[number], RecordedLog>;
  private readonly best: Statement<[number, string], RecordedLog>;
  private readonly seen: Statement<[number, string], RecordedLog>;
  private readonly byId: Statement<[number, number], RecordedLog>;
  private readonly content: Statement<[number], Buffer>;
  private readonly insert: Statement<[number, string, string, string, string | null, string, string | null, Buffer], number>;
  private readonly supersede: Statement<[string, number]>;
  private readonly revive: Statement<[number]>;
  private readonly withdraw: Statement<[string | null, number]>;
  private readonly findings: Statement<[number], FindingRow>;
  private readonly deleteFindings: Statement<[number]>;
  private readonly addFinding: Statement<[number, number, ...FindingRow, string]>;

  constructor(db: Database) {
    // Not withdrawn_at, which is behind the content of the log in the row, and null for a current log.
    this.current = db.prepare(
      `SELECT ${COLUMNS.replace('withdrawn_at', 'NULL')} FROM site_log WHERE site_id = ? AND superseded_at IS NULL`,
    );
    // A log with a date in the future loses against any that has none. On a tie, the last imported wins.
    this.best = db.prepare(
      `SELECT ${COLUMNS} FROM site_log WHERE site_id = ? AND withdrawn_at IS NULL
       ORDER BY coalesce(date_prepared, '') > ?, coalesce(date_prepared, '') DESC, id DESC LIMIT 1`,
    );
    this.seen = db.prepare(`SELECT ${COLUMNS} FROM site_log WHERE site_id = ? AND sha256 = ?`);
    this.byId = db.prepare(`SELECT ${COLUMNS} FROM site_log WHERE site_id = ? AND id = ?`);
    this.content = db.prepare<[number], Buffer>('SELECT original FROM site_log WHERE id = ?').pluck();
    this.insert = db
      .prepare<[number, string, string, string, string | null, string, string | null, Buffer], number>(
        `INSERT INTO site_log (site_id, name, sha256, form, date_prepared, imported_at, superseded_at, original)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
      )
      .pluck();
    this.supersede = db.prepare('UPDATE site_log SET superseded_at = ? WHERE site_id = ? AND superseded_at IS NULL');
    this.revive = db.prepare('UPDATE site_log SET superseded_at = NULL WHERE id = ?');
    this.withdraw = db.prepare('UPDATE site_log SET withdrawn_at = ? WHERE id = ?');
    this.findings = db
      .prepare<[number], FindingRow>('SELECT line, level, message, text FROM finding WHERE site_log_id = ? ORDER BY position')
      .raw();
    this.deleteFindings = db.prepare('DELETE FROM finding WHERE site_log_id = ?');
    this.addFinding = db.prepare(
      'INSERT INTO finding (site_log_id, position, line, level, message, text, code) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
  }

  /** The current log of a Site; undefined if there is none. */
  findCurrent(site: number): RecordedLog | undefined {
    return this.current.get(site);
  }

  /** The log that should be current; undefined if all were withdrawn. */
  findBest(site: number, now: Date): RecordedLog | undefined {
    return this.best.get(site, lastCredibleDay(now));
  }

  /** The log with this content, if it was imported before. */
  findSame(site: number, sha256: string): RecordedLog | undefined {
    return this.seen.get(site, sha256);
  }

  /** A log of a Site by its number; undefined if the Site has no such log. */
  findById(site: number, id: number): RecordedLog | undefined {
    return this.byId.get(site, id);
  }

  /** The bytes of a log, as they were imported. */
  originalOf(id: number): Uint8Array {
    return this.content.get(id)!;
  }

  /** Adds a log, and returns its id. @param current whether it is the current one; otherwise it is superseded from the start */
  add(site: number, sha256: string, recordedAt: string, { name, original, log }: SiteLogImport, current: boolean): number {
    const bytes = Buffer.from(original.buffer, original.byteOffset, original.byteLength);
    return this.insert.get(site, name, sha256, log.form, log.datePrepared, recordedAt, current ? null : recordedAt, bytes)!;
  }

  /** Makes a log the current one, in place of another. */
  makeCurrent(site: number, log: number, recordedAt: string): void {
    if (this.findCurrent(site)?.id === log) return;
    this.supersede.run(recordedAt, site);
    this.revive.run(log);
  }

  /** Marks a log as withdrawn, or takes the mark away. @param at null to take it away */
  markWithdrawn(log: number, at: string | null): void {
    this.withdraw.run(at, log);
  }

  /** Saves the findings of a log. They replace earlier ones if a newer version of the reader finds something else. */
  saveFindings(log: number, findings: Finding[]): void {
    const rows = findings.map(({ line, level, message, text }): FindingRow => [line, level, message, text]);
    if (JSON.stringify(rows) === JSON.stringify(this.findings.all(log))) return;
    this.deleteFindings.run(log);
    rows.forEach((row, position) => this.addFinding.run(log, position, ...row, codeOf(row[2])));
  }
}
