import type { Database, Statement } from 'better-sqlite3';
import { MOST_REJECTED } from '../logs.js';

/** Remembers the contents of rejected files, within the transaction of the caller. */
export class RejectedFiles {
  private readonly find: Statement<[string], number>;
  private readonly insert: Statement<{ sha256: string; now: string }>;
  private readonly forget: Statement<[number]>;

  constructor(db: Database) {
    this.find = db.prepare<[string], number>('SELECT 1 FROM rejected_file WHERE sha256 = ?').pluck();
    // Once a day, so that an import that finds nothing new writes nothing.
    this.insert = db.prepare(
      `INSERT INTO rejected_file (sha256, first_rejected_at, last_rejected_at) VALUES (:sha256, :now, :now)
       ON CONFLICT (sha256) DO UPDATE SET last_rejected_at = :now WHERE substr(last_rejected_at, 1, 10) < substr(:now, 1, 10)`,
    );
    this.forget = db.prepare(
      `DELETE FROM rejected_file WHERE sha256 IN (
         SELECT sha256 FROM rejected_file ORDER BY last_rejected_at DESC, first_rejected_at DESC, sha256 LIMIT -1 OFFSET ?)`,
    );
  }

  /** Whether a file with this content was rejected before. */
  has(sha256: string): boolean {
    return this.find.get(sha256) !== undefined;
  }

  /** Adds contents, and forgets those rejected least recently if there are too many. */
  add(sha256s: string[], now: string): void {
    for (const sha256 of sha256s) this.insert.run({ sha256, now });
    this.forget.run(MOST_REJECTED);
  }
}
