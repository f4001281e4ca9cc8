import { hash } from 'node:crypto';
import Database, { type Statement } from 'better-sqlite3';
import type { LastImport } from '../../../schemas/index.js';
import type { SiteId } from '../../requests/site-id.js';
import { NOTHING } from '../feed.js';
import { lastCredibleDay, type SaveOutcome, type SiteLogImport } from '../logs.js';
import type { Correction, CorrectionOutcome, ReadAgain } from '../corrections.js';
import type { StoreWriter } from '../store.js';
import { checksumOf, LAST_IMPORT } from './checksums.js';
import { readsOf } from './connection.js';
import { FeedWriter } from './feed-writer.js';
import { digestOf, Journal } from './journal.js';
import { LogWriter } from './log-writer.js';
import { RecordWriter } from './record-writer.js';
import { RejectedFiles } from './rejected-files.js';
import type { SavedSetups } from './setup-writer.js';
import { Refused, SiteCorrector } from './site-corrector.js';
import { SiteRereader } from './site-rereader.js';
import { idOf, type RecordedSite, SiteWriter } from './site-writer.js';

/** What saving a log changed, and the numbers of the Site and the log. */
interface Saved {
  outcome: SaveOutcome;
  site: number;
  log: number;
}

/** Writes one SQLite file through one connection. */
export class SiteLogWriter implements StoreWriter {
  private readonly sites: SiteWriter;
  private readonly logs: LogWriter;
  private readonly record: RecordWriter;
  private readonly corrector: SiteCorrector;
  private readonly journal: Journal;
  private readonly feed: FeedWriter;
  private readonly rejected: RejectedFiles;
  private readonly rereader: SiteRereader;
  private readonly latestRecord: Statement<[{ site: number }], string | null>;
  private readonly recordImport: Statement<(string | number)[]>;
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
    this.journal = new Journal(db);
    this.feed = new FeedWriter(db);
    this.rejected = new RejectedFiles(db);
    this.rereader = new SiteRereader(db);
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
    this.recordImport = db.prepare(
      `INSERT OR REPLACE INTO last_import (id, ${LAST_IMPORT.join(', ')}, checksum) VALUES (1${', ?'.repeat(LAST_IMPORT.length + 1)})`,
    );
    this.totalChanges = db.prepare<[], number>('SELECT total_changes()').pluck();
    this.transaction = db.transaction((work: () => unknown) => work());
  }

  async saveSiteLogs(siteLogs: SiteLogImport[]): Promise<SaveOutcome[]> {
    return this.inOneTransaction(() => siteLogs.map((siteLog) => this.save(siteLog)));
  }

  async correct(site: SiteId, correction: Correction, now: Date, readAgain: ReadAgain): Promise<CorrectionOutcome> {
    try {
      return this.inOneTransaction(() => {
        const found = this.corrector.find(site);
        return found.kind === 'found' ? this.correctSite(found.found, correction, now, readAgain) : found;
      });
    } catch (error) {
      if (error instanceof Refused) return { kind: 'refused', reason: error.message };
      throw error;
    }
  }

  async readSitesAgain(readAgain: ReadAgain): Promise<boolean> {
    return this.inOneTransaction(() => this.rereader.readBatch(readAgain));
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

  /** Saves a log again for the Site that it was saved for, within the transaction of the caller. @param site its number; a new Site gets the next one */
  replayImport(site: number, siteLog: SiteLogImport): void {
    this.saveFor(this.sites.findIfThere(site), siteLog);
  }

  /** Makes one correction of a Site, within the transaction of the caller. @throws {Refused} if it is not possible */
  correctSite(site: number, correction: Correction, now: Date, readAgain: ReadAgain): CorrectionOutcome {
    let digest: string | null = null;
    const before = this.feed.stateOf(site);
    const outcome = this.corrector.correct(site, correction, now, (log) => {
      const read = readAgain(log);
      digest = digestOf({ ...read, findings: [] });
      return read;
    });
    const event = { kind: correction.kind, at: now.toISOString(), site, log: null, detail: JSON.stringify(correction), sha256: null };
    this.feed.add(this.journal.add({ ...event, digest }), site, before);
    return outcome;
  }

  /** Saves a log, within the transaction of the caller. */
  private save(siteLog: SiteLogImport): SaveOutcome {
    const site = this.sites.findOfLog(siteLog.log.identification);
    return Array.isArray(site) ? { kind: 'ambiguous', candidates: site.map(idOf) } : this.saveFor(site, siteLog);
  }

  private saveFor(known: RecordedSite | null, siteLog: SiteLogImport): SaveOutcome {
    const before = known === null ? NOTHING : this.feed.stateOf(known.id);
    const changesBefore = this.totalChanges.get();
    const sha256 = hash('sha256', siteLog.original);
    const { outcome, site, log } = known === null ? this.saveNewSite(siteLog, sha256) : this.saveKnownSite(known, siteLog, sha256);
    if (this.totalChanges.get() === changesBefore) return nothingNew(outcome);
    const event = { kind: 'import', at: siteLog.importedAt.toISOString(), site, log, detail: siteLog.name, sha256 };
    this.feed.add(this.journal.add({ ...event, digest: digestOf(siteLog) }), site, before);
    return outcome;
  }

  private saveKnownSite(site: RecordedSite, siteLog: SiteLogImport, sha256: string): Saved {
    const { identification, datePrepared } = siteLog.log;
    const stored = this.logs.findSame(site.id, sha256);
    if (stored !== undefined && stored.withdrawnAt !== null) {
      return { outcome: { kind: 'withdrawn', since: stored.withdrawnAt, isNew: false }, site: site.id, log: stored.id };
    }
    this.sites.complete(site, identification);
    const before = this.logs.findCurrent(site.id);
    const recordedAt = this.recordTime(site.id, siteLog.importedAt);
    const log = stored?.id ?? this.logs.add(site.id, sha256, recordedAt, siteLog, false);
    const saved = (outcome: SaveOutcome): Saved => ({ outcome, site: site.id, log });
    this.logs.saveFindings(log, siteLog.findings);
    const best = this.logs.findBest(site.id, siteLog.importedAt)!;
    if (best.id !== log) {
      const current = before ?? best;
      const isFuture = (datePrepared ?? '') > lastCredibleDay(siteLog.importedAt);
      const isOlder = (datePrepared ?? '') < (current.datePrepared ?? '');
      return saved({ kind: 'older', because: isFuture ? 'future date' : isOlder ? 'date' : 'replaced before', current, isNew: true });
    }
    this.logs.makeCurrent(site.id, log, recordedAt);
    this.sites.save(site.id, identification);
    if (site.retiredAt !== null) return saved({ kind: 'retired', since: site.retiredAt, isNew: true });
    const setups = this.record.save({ site: site.id, recordedAt, log }, siteLog);
    return saved({
      kind: 'saved',
      replaces: before === undefined || before.id === log ? null : before,
      renamedTo: site.fourCharacterId === identification.fourCharacterId && isSame(site, identification) ? null : idOf(site),
      sharedWith: [],
      ...countsOf(setups),
    });
  }

  /** Saves the first log of a Site. Nothing is on record that it could be compared with. */
  private saveNewSite(siteLog: SiteLogImport, sha256: string): Saved {
    const { identification } = siteLog.log;
    const sharing = this.sites.findSharing(identification.fourCharacterId);
    const { id: site } = this.sites.create(identification);
    const recordedAt = siteLog.importedAt.toISOString();
    const log = this.logs.add(site, sha256, recordedAt, siteLog, true);
    this.logs.saveFindings(log, siteLog.findings);
    const setups = this.record.save({ site, recordedAt, log }, siteLog);
    const sharedWith = sharing.map(idOf);
    return { outcome: { kind: 'saved', replaces: null, renamedTo: null, sharedWith, ...countsOf(setups) }, site, log };
  }

  /** The record time: now, but never before the last record time of the Site, even if the clock was set back. */
  private recordTime(site: number, now: Date): string {
    const latest = this.latestRecord.get({ site }) ?? '';
    const time = now.toISOString();
    return time > latest ? time : latest;
  }
}

/** The outcome of saving a log if nothing changed. */
const nothingNew = (outcome: SaveOutcome): SaveOutcome =>
  outcome.kind === 'saved' ? { kind: 'unchanged' } : 'isNew' in outcome ? { ...outcome, isNew: false } : outcome;

/** How many Setups are new, stayed the same, and were superseded. */
const countsOf = ({ added, kept, invalidated }: SavedSetups) => ({ added: added.length, kept, invalidated });

/** Whether two nine-character ids are the same, as far as both are known. */
const isSame = (a: { nineCharacterId: string | null }, b: { nineCharacterId: string | null }): boolean =>
  a.nineCharacterId === null || b.nineCharacterId === null || a.nineCharacterId === b.nineCharacterId;
