import { hash } from 'node:crypto';
import type { LastImport } from '../../../schemas/index.js';
import type { KnownPersons } from '../../site-log/known-persons.js';
import type { SiteId } from '../../requests/site-id.js';
import type { Correction, CorrectionOutcome, ReadAgain } from '../corrections.js';
import type { SaveOutcome, SiteLogImport } from '../logs.js';
import { checksumOf } from '../saving/checksums.js';
import { correctSite, Refused } from '../saving/correct-site.js';
import { saveSiteLog } from '../saving/save-site-log.js';
import type { StoreWriter } from '../store.js';
import type { ImportAgain } from '../upkeep.js';
import type { Transaction, Writes } from './client.js';
import { hasUnsearchedPersons, knownPersons } from './persons.js';
import { addRejected, wasRejected } from './rejected-files.js';
import { insertRows } from './rows.js';
import { loadForCorrection } from './saving/correction.js';
import { flush } from './saving/flush.js';
import { loadRecord, loadSites } from './saving/load.js';
import { LoadedTables } from './saving/loaded-tables.js';
import { hasSitesToRead, readBatch } from './saving/site-rereader.js';

/** Ends a transaction that has changed nothing, so that readers need not read anew. */
class NothingToSave<T> extends Error {
  override readonly name = 'NothingToSave';

  constructor(readonly result: T) {
    super('nothing to save');
  }
}

/** Writes one PostgreSQL database through one connection to its primary. */
export class PostgresWriter implements StoreWriter {
  constructor(private readonly writes: Writes) {}

  async saveSiteLogs(siteLogs: SiteLogImport[]): Promise<SaveOutcome[]> {
    return this.inOneTransaction(async (transaction) => {
      const sites = await loadSites(
        transaction,
        siteLogs.map(({ log }) => log.identification),
      );
      const sha256s = siteLogs.map(({ original }) => hash('sha256', original));
      const tables = new LoadedTables(await loadRecord(transaction, sites, { records: siteLogs, sha256s, originals: [] }));
      const outcomes = siteLogs.map((siteLog) => saveSiteLog(tables, siteLog));
      if (tables.changed() === 0) throw new NothingToSave(outcomes);
      await flush(transaction, tables);
      return outcomes;
    });
  }

  async correct(site: SiteId, correction: Correction, now: Date, readAgain: ReadAgain): Promise<CorrectionOutcome> {
    try {
      return await this.inOneTransaction(async (transaction) => {
        const known = await knownPersons(transaction);
        const found = await loadForCorrection(transaction, site, correction, now, (log) => readAgain(log, known));
        if (found.kind !== 'found') throw new NothingToSave(found);
        const { tables, number, readKept } = found.found;
        const outcome = correctSite(tables, number, correction, now, readKept);
        await flush(transaction, tables);
        return outcome;
      });
    } catch (error) {
      if (error instanceof Refused) return { kind: 'refused', reason: error.message };
      throw error;
    }
  }

  async knownPersons(): Promise<KnownPersons> {
    return this.writes.unlocked(knownPersons);
  }

  async readSitesAgain(importAgain: ImportAgain, now: Date): Promise<boolean> {
    // Most imports find none, and take no lock for that.
    if (!(await this.writes.unlocked(async (snapshot) => (await hasSitesToRead(snapshot)) || hasUnsearchedPersons(snapshot)))) return false;
    return this.inOneTransaction((transaction) => readBatch(transaction, importAgain, now));
  }

  async saveLastImport({ finishedAt, saved, unchanged, outdated, rejected, skipped }: LastImport): Promise<void> {
    const checksum = checksumOf([finishedAt, saved, unchanged, outdated, rejected, skipped]);
    await this.inOneTransaction(async (transaction) => {
      await transaction.run('DELETE FROM last_import');
      await insertRows(transaction, 'last_import', [
        { id: 1, finished_at: finishedAt, saved, unchanged, outdated, rejected, skipped, checksum },
      ]);
    });
  }

  async wasRejected(sha256: string): Promise<boolean> {
    return this.writes.unlocked((transaction) => wasRejected(transaction, sha256));
  }

  async rememberRejected(sha256s: string[], now: Date): Promise<void> {
    if (sha256s.length === 0) return;
    await this.inOneTransaction(async (transaction) => {
      if ((await addRejected(transaction, sha256s, now.toISOString())) === 0) throw new NothingToSave(undefined);
    });
  }

  /** Closes the connection. Rolls back a dry run. */
  async close(): Promise<void> {
    await this.writes.close();
  }

  private async inOneTransaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    try {
      return await this.writes.transaction(work);
    } catch (error) {
      if (error instanceof NothingToSave) return error.result as T;
      throw error;
    }
  }
}
