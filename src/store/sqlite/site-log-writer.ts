import { hash } from 'node:crypto';
import Database, { type Statement } from 'better-sqlite3';
import type { SiteId } from '../../requests/site-id.js';
import { lastCredibleDay, type SaveOutcome, type SiteLogImport } from '../logs.js';
import type { Correction, CorrectionOutcome, ReadAgain } from '../corrections.js';
import type { StoreWriter } from '../store.js';
import { readsOf } from './connection.js';
import { LogWriter } from './log-writer.js';
import { RecordWriter } from './record-writer.js';
import { RejectedFiles } from './rejected-files.js';
import type { SavedSetups } from './setup-writer.js';
import { Refused, SiteCorrector } from './site-corrector.js';
import { idOf, SiteWriter } from './site-writer.js';

/** Writes one SQLite file through one connection. */
export class SiteLogWriter implements StoreWriter {
  private readonly sites: SiteWriter;
  private readonly logs: LogWriter;
  private readonly record: RecordWriter;
  private readonly corrector: SiteCorrector;
  private readonly rejected: RejectedFiles;
  private readonly latestRecord: Statement<[{ site: number }], string | null>;
  private readonly totalChanges: Statement<[], number>;
  private readonly transaction: Database.Transaction<(work: () => unknown) => unknown>;

  /** @param unusable converts an error of SQLite to one that says what to do */
  constructor(
    private readonly db: Database.Database,
    private readonly unusable: (error: unknown) => Error,
  ) {
    this.sites = new SiteWriter(db);
    this.logs = new LogWriter(db);
    this.record = new RecordWriter(db);
    this.rejected = new RejectedFiles(db);
    const { sites, logs, record } = this;
    this.corrector = new SiteCorrector(readsOf(db), { sites, logs, record, recordTime: this.recordTime.bind(this) });
    this.latestRecord = db
      .prepare<[{ site: number }], string | null>(
        `SELECT max(at) FROM (SELECT max(imported_at) AS at FROM site_log WHERE site_id = :site
         UNION ALL SELECT max(withdrawn_at) FROM site_log WHERE site_id = :site
         UNION ALL SELECT max(superseded_at) FROM setup WHERE site_id = :site
         UNION ALL SELECT max(recorded_at) FROM setup WHERE site_id = :site)`,
      )
      .pluck();
    this.totalChanges = db.prepare<[], number>('SELECT total_changes()').pluck();
    this.transaction = db.transaction((work: () => unknown) => work());
  }

  async saveSiteLogs(siteLogs: SiteLogImport[]): Promise<SaveOutcome[]> {
    return this.inOneTransaction(() => siteLogs.map((siteLog) => this.save(siteLog)));
  }

  async correct(site: SiteId, correction: Correction, now: Date, readAgain: ReadAgain): Promise<CorrectionOutcome> {
    try {
      return this.inOneTransaction(() => this.corrector.correct(site, correction, now, readAgain));
    } catch (error) {
      if (error instanceof Refused) return { kind: 'refused', reason: error.message };
      throw error;
    }
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

  /** Saves a log, within the transaction of the caller. */
  private save(siteLog: SiteLogImport): SaveOutcome {
    const { identification, datePrepared } = siteLog.log;
    const sha256 = hash('sha256', siteLog.original);
    const site = this.sites.findOfLog(identification);
    if (Array.isArray(site)) return { kind: 'ambiguous', candidates: site.map(idOf) };
    if (site === null) return this.saveNewSite(siteLog, sha256);
    const stored = this.logs.findSame(site.id, sha256);
    if (stored !== undefined && stored.withdrawnAt !== null) return { kind: 'withdrawn', since: stored.withdrawnAt, isNew: false };

    const changesBefore = this.totalChanges.get();
    this.sites.complete(site, identification);
    const before = this.logs.findCurrent(site.id);
    const recordedAt = this.recordTime(site.id, siteLog.importedAt);
    const isNew = (): boolean => this.totalChanges.get() !== changesBefore;
    const log = stored?.id ?? this.logs.add(site.id, sha256, recordedAt, siteLog, false);
    this.logs.saveFindings(log, siteLog.findings);
    const best = this.logs.findBest(site.id, siteLog.importedAt)!;
    if (best.id !== log) {
      const current = before ?? best;
      const isFuture = (datePrepared ?? '') > lastCredibleDay(siteLog.importedAt);
      const isOlder = (datePrepared ?? '') < (current.datePrepared ?? '');
      return { kind: 'older', because: isFuture ? 'future date' : isOlder ? 'date' : 'replaced before', current, isNew: isNew() };
    }
    this.logs.makeCurrent(site.id, log, recordedAt);
    this.sites.save(site.id, identification);
    if (site.retiredAt !== null) return { kind: 'retired', since: site.retiredAt, isNew: isNew() };
    const setups = this.record.save({ site: site.id, recordedAt, log }, siteLog);
    if (!isNew()) return { kind: 'unchanged' };
    return {
      kind: 'saved',
      replaces: before === undefined || before.id === log ? null : before,
      renamedTo: site.fourCharacterId === identification.fourCharacterId && isSame(site, identification) ? null : idOf(site),
      sharedWith: [],
      ...countsOf(setups),
    };
  }

  /** Saves the first log of a Site. Nothing is on record that it could be compared with. */
  private saveNewSite(siteLog: SiteLogImport, sha256: string): SaveOutcome {
    const { identification } = siteLog.log;
    const sharing = this.sites.findSharing(identification.fourCharacterId);
    const { id: site } = this.sites.create(identification);
    const recordedAt = siteLog.importedAt.toISOString();
    const log = this.logs.add(site, sha256, recordedAt, siteLog, true);
    this.logs.saveFindings(log, siteLog.findings);
    const setups = this.record.save({ site, recordedAt, log }, siteLog);
    return { kind: 'saved', replaces: null, renamedTo: null, sharedWith: sharing.map(idOf), ...countsOf(setups) };
  }

  /** The record time: now, but never before the last record time of the Site, even if the clock was set back. */
  private recordTime(site: number, now: Date): string {
    const latest = this.latestRecord.get({ site }) ?? '';
    const time = now.toISOString();
    return time > latest ? time : latest;
  }
}

/** How many Setups are new, stayed the same, and were superseded. */
const countsOf = ({ added, kept, invalidated }: SavedSetups) => ({ added: added.length, kept, invalidated });

/** Whether two nine-character ids are the same, as far as both are known. */
const isSame = (a: { nineCharacterId: string | null }, b: { nineCharacterId: string | null }): boolean =>
  a.nineCharacterId === null || b.nineCharacterId === null || a.nineCharacterId === b.nineCharacterId;
