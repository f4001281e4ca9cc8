import { createHash } from 'node:crypto';
import Database, { type Statement } from 'better-sqlite3';
import type { SaveOutcome, SiteLogImport } from '../logs.js';
import type { StoreWriter } from '../store.js';
import { ChangeWriter } from './change-writer.js';
import { DeviceWriter } from './device-writer.js';
import { LogWriter } from './log-writer.js';
import { SetupWriter } from './setup-writer.js';
import { SiteWriter } from './site-writer.js';

/** Writes one SQLite file through one connection. */
export class SiteLogWriter implements StoreWriter {
  private readonly sites: SiteWriter;
  private readonly logs: LogWriter;
  private readonly setups: SetupWriter;
  private readonly devices: DeviceWriter;
  private readonly changes: ChangeWriter;
  private readonly latestRecord: Statement<[{ site: number }], string | null>;
  private readonly totalChanges: Statement<[], number>;
  private readonly save: Database.Transaction<(siteLog: SiteLogImport) => SaveOutcome>;

  /** @param unusable converts an error of SQLite to one that says what to do */
  constructor(
    private readonly db: Database.Database,
    private readonly unusable: (error: unknown) => Error,
  ) {
    this.sites = new SiteWriter(db);
    this.logs = new LogWriter(db);
    this.setups = new SetupWriter(db);
    this.devices = new DeviceWriter(db);
    this.changes = new ChangeWriter(db);
    this.latestRecord = db
      .prepare<[{ site: number }], string | null>(
        `SELECT max(at) FROM (SELECT max(imported_at) AS at FROM site_log WHERE site_id = :site
         UNION ALL SELECT max(superseded_at) FROM setup WHERE site_id = :site
         UNION ALL SELECT max(recorded_at) FROM setup WHERE site_id = :site)`,
      )
      .pluck();
    this.totalChanges = db.prepare<[], number>('SELECT total_changes()').pluck();
    this.save = db.transaction((siteLog: SiteLogImport) => this.saveInTransaction(siteLog));
  }

  async saveSiteLog(siteLog: SiteLogImport): Promise<SaveOutcome> {
    try {
      return this.save.immediate(siteLog);
    } catch (error) {
      throw error instanceof Database.SqliteError ? this.unusable(error) : error;
    }
  }

  /** Closes the file. Rolls back a dry run. */
  async close(): Promise<void> {
    if (this.db.inTransaction) this.db.exec('ROLLBACK');
    // An empty -wal file cannot mix with a backup that is copied over the database.
    else if (this.db.open) this.db.pragma('wal_checkpoint(TRUNCATE)');
    this.db.close();
  }

  private saveInTransaction(siteLog: SiteLogImport): SaveOutcome {
    const { log } = siteLog;
    const sha256 = createHash('sha256').update(siteLog.original).digest('hex');
    const recorded = this.sites.find(log.identification.fourCharacterId);
    const current = recorded && this.logs.findCurrent(recorded.id);
    const sameLog = current?.sha256 === sha256;
    if (recorded !== undefined && current !== undefined && !sameLog) {
      const seenBefore = this.logs.hasSeen(recorded.id, sha256);
      // A log that was seen before and is not current was replaced by one of the same or a later date.
      if ((log.datePrepared ?? '') < (current.datePrepared ?? '') || seenBefore) return { kind: 'older', current, seenBefore };
    }
    const changesBefore = this.totalChanges.get();
    const site = this.sites.save(recorded, log.identification);
    const recordedAt = this.recordTime(site, siteLog.importedAt);
    const saving = { site, recordedAt, log: sameLog ? current.id : this.logs.replace(site, current, sha256, recordedAt, siteLog) };
    this.logs.saveFindings(saving.log, siteLog.findings);
    const setups = this.setups.save(saving, siteLog.setups);
    this.devices.save(saving, siteLog.devices, setups.added);
    this.changes.save(saving, siteLog.changes);
    this.sites.saveSummary(site, siteLog.summary);
    if (this.totalChanges.get() === changesBefore) return { kind: 'unchanged' };
    return {
      kind: 'saved',
      replaces: sameLog ? null : (current ?? null),
      previousNineCharacterId: recorded?.nineCharacterId ?? null,
      added: setups.added.length,
      kept: setups.kept,
      invalidated: setups.invalidated,
    };
  }

  /** The record time: now, but never before the last record time of the Site, even if the clock was set back. */
  private recordTime(site: number, now: Date): string {
    const latest = this.latestRecord.get({ site }) ?? '';
    const time = now.toISOString();
    return time > latest ? time : latest;
  }
}
