import type { Database, Statement } from 'better-sqlite3';
import type { Finding } from '../../site-log/site-log.js';
import type { CurrentLog, SiteLogImport } from '../logs.js';

/** The columns line, level, message and text. */
type FindingRow = [number, string, string, string];

/** The current log of a Site. */
export interface RecordedLog extends CurrentLog {
  id: number;
  sha256: string;
}

/** Writes site logs and their findings, within the transaction of the caller. */
export class LogWriter {
  private readonly current: Statement<[number], RecordedLog>;
  private readonly seen: Statement<[number, string], number>;
  private readonly add: Statement<[number, string, string, string, string | null, string, Buffer], number>;
  private readonly supersede: Statement<[string, number]>;
  private readonly findings: Statement<[number], FindingRow>;
  private readonly deleteFindings: Statement<[number]>;
  private readonly addFinding: Statement<[number, number, ...FindingRow]>;

  constructor(db: Database) {
    this.current = db.prepare(
      'SELECT id, name, sha256, date_prepared AS datePrepared FROM site_log WHERE site_id = ? AND superseded_at IS NULL',
    );
    this.seen = db.prepare<[number, string], number>('SELECT id FROM site_log WHERE site_id = ? AND sha256 = ?').pluck();
    this.add = db
      .prepare<[number, string, string, string, string | null, string, Buffer], number>(
        'INSERT INTO site_log (site_id, name, sha256, form, date_prepared, imported_at, original) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id',
      )
      .pluck();
    this.supersede = db.prepare('UPDATE site_log SET superseded_at = ? WHERE id = ?');
    this.findings = db
      .prepare<[number], FindingRow>('SELECT line, level, message, text FROM finding WHERE site_log_id = ? ORDER BY position')
      .raw();
    this.deleteFindings = db.prepare('DELETE FROM finding WHERE site_log_id = ?');
    this.addFinding = db.prepare('INSERT INTO finding (site_log_id, position, line, level, message, text) VALUES (?, ?, ?, ?, ?, ?)');
  }

  /** The current log of a Site; undefined if there is none. */
  findCurrent(site: number): RecordedLog | undefined {
    return this.current.get(site);
  }

  /** Whether a log with this content was imported before. */
  hasSeen(site: number, sha256: string): boolean {
    return this.seen.get(site, sha256) !== undefined;
  }

  /** Adds a log in place of the current one, and returns its id. */
  replace(site: number, current: RecordedLog | undefined, sha256: string, recordedAt: string, siteLog: SiteLogImport): number {
    const { name, original, log } = siteLog;
    if (current !== undefined) this.supersede.run(recordedAt, current.id);
    const bytes = Buffer.from(original.buffer, original.byteOffset, original.byteLength);
    return this.add.get(site, name, sha256, log.form, log.datePrepared, recordedAt, bytes)!;
  }

  /** Saves the findings of a log. They replace earlier ones if a newer version of the reader finds something else. */
  saveFindings(log: number, findings: Finding[]): void {
    const rows = findings.map(({ line, level, message, text }): FindingRow => [line, level, message, text]);
    if (JSON.stringify(rows) === JSON.stringify(this.findings.all(log))) return;
    this.deleteFindings.run(log);
    rows.forEach((row, position) => this.addFinding.run(log, position, ...row));
  }
}
