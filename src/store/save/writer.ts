import sql from 'sql-template-tag';
import type { LastImport } from '../../../schemas/index.js';
import type { SiteId } from '../../requests/site-id.js';
import { LONGEST_TRANSACTION } from '../clock.js';
import type { Transaction, Writes } from '../database.js';
import type { Problem } from '../results.js';
import { correctSite } from './correct-site.js';
import {
  type CorrectedLog,
  type Correction,
  type CorrectionOutcome,
  type ImportAgain,
  loadForCorrection,
  type LogsSince,
  logsSince,
  type ReadAgain,
  Refused,
} from './corrections.js';
import { flush } from './flush.js';
import { findSites, load } from './load.js';
import { readLogsAgain } from './read-again.js';
import { type RejectedFile, saveRejectedFiles } from './rejected-files.js';
import { type SaveOutcome, type SiteLogImport, type UndatedLog } from './site-log-import.js';
import { writeTexts } from './texts.js';
import { beginUnitOfWork, recordTimeAfter } from './unit-of-work.js';
import { saveLogs } from './whose-log.js';

/** Ends a transaction that has changed nothing, so that readers need not read anew. */
class NothingToSave<T> extends Error {
  override readonly name = 'NothingToSave';

  constructor(readonly result: T) {
    super('nothing to save');
  }
}

/** A transaction took too long. The caller must roll back. */
class TooLate extends Refused {
  constructor() {
    super(
      `this took more than ${LONGEST_TRANSACTION / 1000} seconds in one transaction; ` +
        'saving it now could change answers about the past',
    );
  }
}

type Work<T> = (transaction: Transaction) => Promise<T>;

/** Work with a record time, which fails if it takes too long. @throws {TooLate} */
const inTime =
  <T>(work: Work<T>): Work<T> =>
  async (transaction) => {
    // The record time is taken later than this.
    const start = performance.now();
    const result = await work(transaction);
    if (performance.now() - start > LONGEST_TRANSACTION) throw new TooLate();
    return result;
  };

/** Saves and corrects site logs. */
export class StoreWriter {
  private changed = false;

  private constructor(private readonly writes: Writes) {}

  /** Opens a writer, after bringing texts of other versions up to date. @throws {StoreUnusable} */
  static async open(writes: Writes): Promise<StoreWriter> {
    try {
      await writeTexts(writes);
      return new StoreWriter(writes);
    } catch (error) {
      await writes.close();
      throw error;
    }
  }

  /** Makes what a migration left out, as {@link readLogsAgain}. @throws {StoreUnusable} */
  readLogsAgain(importAgain: ImportAgain): Promise<{ logs: number; problems: Problem[] }> {
    return readLogsAgain(this.writes, importAgain);
  }

  /**
   * Saves logs in one transaction; those that give the same four characters are decided about
   * together. Rows that stay the same keep their ids; others are superseded.
   * @param now the clock
   * @param date adds the record time to a log; called again if the transaction is repeated
   * @throws {StoreUnusable}
   */
  saveSiteLogs<Log extends UndatedLog>(
    siteLogs: Log[],
    now: () => Date,
    date: (siteLog: Log, recordedAt: Date) => SiteLogImport,
  ): Promise<SaveOutcome[]> {
    const work = async (transaction: Transaction): Promise<SaveOutcome[]> => {
      const sites = await findSites(
        transaction,
        siteLogs.map(({ log }) => log.identification),
      );
      const sha256s = siteLogs.map(({ sha256 }) => sha256);
      const recorded = await load(transaction, sites, {
        records: siteLogs,
        sha256s,
        domesNumbers: siteLogs.flatMap(({ log }) => log.identification.domesNumber ?? []),
      });
      const recordedAt = recordTimeAfter(recorded, now());
      const unit = beginUnitOfWork(recorded);
      const dated = siteLogs.map((siteLog) => date(siteLog, recordedAt));
      const outcomes = saveLogs(unit, dated);
      if (unit.changed === 0) throw new NothingToSave(outcomes);
      await flush(transaction, unit);
      return outcomes;
    };
    return this.inOneTransaction(inTime(work));
  }

  /**
   * Corrects what is on record about a Site, in one transaction.
   * @param now the clock
   * @param readAgain reads the log that becomes current
   * @throws {StoreUnusable}
   */
  async correct(
    site: SiteId,
    correction: Correction,
    now: () => Date,
    readAgain: ReadAgain,
  ): Promise<CorrectionOutcome> {
    const work = async (transaction: Transaction): Promise<CorrectionOutcome> => {
      const found = await loadForCorrection(transaction, site, correction, now, readAgain);
      if (found.kind !== 'found') throw new NothingToSave(found);
      const outcome = correctSite(found.found, correction);
      await flush(transaction, found.found.unit);
      return outcome;
    };
    try {
      return await this.inOneTransaction(inTime(work));
    } catch (error) {
      if (error instanceof Refused) return { kind: 'refused', reason: error.message };
      throw error;
    }
  }

  /**
   * Withdraws or restores all logs since a time, in one transaction. If one cannot be corrected,
   * none is.
   * @param now the clock
   * @param readAgain reads the logs that become current
   * @throws {StoreUnusable}
   */
  async correctSince(
    logs: LogsSince,
    now: () => Date,
    readAgain: ReadAgain,
  ): Promise<CorrectedLog[] | Refused> {
    const work = async (transaction: Transaction): Promise<CorrectedLog[]> => {
      const corrected: CorrectedLog[] = [];
      for (const { log, site } of await logsSince(transaction, logs)) {
        const correction: Correction = { kind: logs.kind, log };
        const found = await loadForCorrection(transaction, site, correction, now, readAgain);
        if (found.kind !== 'found') throw new Error(`Site ${site} is not on record`);
        const outcome = correctSite(found.found, correction);
        await flush(transaction, found.found.unit);
        corrected.push({ correction, outcome });
      }
      if (corrected.length === 0) throw new NothingToSave(corrected);
      return corrected;
    };
    try {
      return await this.inOneTransaction(inTime(work));
    } catch (error) {
      if (error instanceof Refused) return error;
      throw error;
    }
  }

  /**
   * Records a completed import, in place of the previous one.
   * @throws {StoreUnusable} if the database cannot be written
   */
  async saveLastImport({ finishedAt, ...counts }: LastImport): Promise<void> {
    const row = { id: 1, finished_at: finishedAt, ...counts };
    await this.inOneTransaction(async (transaction) => {
      await transaction.run(sql`DELETE FROM last_import`);
      await transaction.insert('last_import', [row]);
    });
  }

  /** The last record time, and the time of the last import; null if there is none. */
  async lastTimes(): Promise<{ recorded: string | null; imported: string | null }> {
    const row = await this.writes.read(async (db) =>
      db.get<{ recorded: string | null; imported: string | null }>(sql`
        SELECT (SELECT max(at) FROM event) AS recorded,
          (SELECT finished_at FROM last_import) AS imported`),
    );
    return row!;
  }

  /**
   * Whether the store remembers that a file with this content was rejected.
   * @param sha256 in hexadecimal
   */
  wasRejected(sha256: string): Promise<boolean> {
    return this.writes.read(
      async (db) =>
        (await db.get(sql`SELECT 1 AS found FROM rejected_file WHERE sha256 = ${sha256}`)) !==
        undefined,
    );
  }

  /**
   * Records the files that an import rejected, and forgets those that are no longer rejected.
   * @param isOver whether a file that is not among them is no longer a rejected one
   * @throws {StoreUnusable}
   */
  saveRejectedFiles(
    rejected: readonly RejectedFile[],
    isOver: (path: string) => boolean,
    now: Date,
  ): Promise<void> {
    return this.inOneTransaction(async (transaction) => {
      const hasChanged = await saveRejectedFiles(transaction, rejected, isOver, now);
      if (!hasChanged) throw new NothingToSave(undefined);
    });
  }

  /** Closes the connection. Rolls back a dry run. */
  async close(): Promise<void> {
    if (this.changed) await this.writes.tidyUp();
    await this.writes.close();
  }

  private async inOneTransaction<T>(work: Work<T>): Promise<T> {
    try {
      const result = await this.writes.transaction(work);
      this.changed = true;
      return result;
    } catch (error) {
      if (error instanceof NothingToSave) return error.result as T;
      throw error;
    }
  }
}
