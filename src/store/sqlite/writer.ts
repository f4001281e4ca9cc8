import Database, { type Statement } from 'better-sqlite3';
import type { LastImport } from '../../../schemas/index.js';
import type { KnownPersons } from '../../site-log/known-persons.js';
import type { SiteId } from '../../requests/site-id.js';
import type { SaveOutcome, SiteLogImport } from '../logs.js';
import type { Correction, CorrectionOutcome, ReadAgain } from '../corrections.js';
import { checksumOf, LAST_IMPORT } from '../saving/checksums.js';
import { correctSite, Refused } from '../saving/correct-site.js';
import { siteToCorrect } from '../saving/owner.js';
import { saveSiteLog } from '../saving/save-site-log.js';
import type { StoreWriter } from '../store.js';
import type { ImportAgain } from '../upkeep.js';
import { RejectedFiles } from './rejected-files.js';
import { SiteRereader } from './site-rereader.js';
import { SqliteTables } from './tables.js';

/** Writes one SQLite file through one connection. */
export class SqliteWriter implements StoreWriter {
  private readonly tables: SqliteTables;
  private readonly rejected: RejectedFiles;
  private readonly rereader: SiteRereader;
  private readonly recordImport: Statement<(string | number)[]>;
  private readonly transaction: Database.Transaction<(work: () => unknown) => unknown>;

  /** @param unusable converts an error of SQLite to one that says what to do */
  constructor(
    private readonly db: Database.Database,
    private readonly unusable: (error: unknown) => Error,
  ) {
    // Keeps in memory what SQLite needs to undo a statement that fails. In a file, this was more than half of what an import
    // wrote. It is set only now, because a migration can change whole tables in one statement, and not in a dry run, which is in a
    // transaction, where SQLite refuses it.
    if (!db.inTransaction) db.pragma('temp_store = MEMORY');
    this.tables = new SqliteTables(db);
    this.rejected = new RejectedFiles(db);
    this.rereader = new SiteRereader(db, this.tables);
    this.recordImport = db.prepare(
      `INSERT OR REPLACE INTO last_import (id, ${LAST_IMPORT.join(', ')}, checksum) VALUES (1${', ?'.repeat(LAST_IMPORT.length + 1)})`,
    );
    this.transaction = db.transaction((work: () => unknown) => work());
  }

  async saveSiteLogs(siteLogs: SiteLogImport[]): Promise<SaveOutcome[]> {
    return this.inOneTransaction(() => siteLogs.map((siteLog) => saveSiteLog(this.tables, siteLog)));
  }

  async correct(site: SiteId, correction: Correction, now: Date, readAgain: ReadAgain): Promise<CorrectionOutcome> {
    try {
      return this.inOneTransaction(() => {
        const found = siteToCorrect(this.tables.sites, site);
        return found.kind === 'found'
          ? correctSite(this.tables, found.found, correction, now, (log) => readAgain(log, this.tables.persons.known()))
          : found;
      });
    } catch (error) {
      if (error instanceof Refused) return { kind: 'refused', reason: error.message };
      throw error;
    }
  }

  async knownPersons(): Promise<KnownPersons> {
    try {
      return this.tables.persons.known();
    } catch (error) {
      throw this.unusable(error);
    }
  }

  async readSitesAgain(importAgain: ImportAgain, now: Date): Promise<boolean> {
    // Most imports find none, and take no lock for that.
    return this.rereader.hasNone() ? false : this.inOneTransaction(() => this.rereader.readBatch(importAgain, now));
  }

  async saveLastImport({ finishedAt, saved, unchanged, outdated, rejected, skipped }: LastImport): Promise<void> {
    const values = [finishedAt, saved, unchanged, outdated, rejected, skipped];
    this.inOneTransaction(() => this.recordImport.run(...values, checksumOf(values)));
  }

  async wasRejected(sha256: string): Promise<boolean> {
    try {
      return this.rejected.has(sha256);
    } catch (error) {
      throw this.unusable(error);
    }
  }

  async rememberRejected(sha256s: string[], now: Date): Promise<void> {
    if (sha256s.length > 0) this.inOneTransaction(() => this.rejected.add(sha256s, now.toISOString()));
  }

  /** Closes the file. Rolls back a dry run. */
  async close(): Promise<void> {
    if (this.db.inTransaction) this.db.exec('ROLLBACK');
    else if (this.db.open) this.emptyWal();
    this.db.close();
  }

  /**
   * Moves what was committed from the -wal file to the database: an empty one cannot mix with a backup that is copied over
   * the database. Without space for that, it stays in the -wal file, where it is as safe.
   */
  private emptyWal(): void {
    try {
      this.db.pragma('wal_checkpoint(TRUNCATE)');
    } catch (error) {
      if (!(error instanceof Database.SqliteError)) throw error;
    }
  }

  private inOneTransaction<T>(work: () => T): T {
    try {
      return this.transaction.immediate(work) as T;
    } catch (error) {
      throw error instanceof Database.SqliteError ? this.unusable(error) : error;
    }
  }
}
