import sql from 'sql-template-tag';
import type { KnownPersons } from '../../site-log/known-persons.js';
import type { Database, Transaction } from '../database.js';
import { flush } from './flush.js';
import { load, loadOriginals, sitesWithNumbers } from './load.js';
import { currentLog, logsOf } from './logs.js';
import { addPersons, hasUnsearched, knownPersons, searchForPersons } from './persons.js';
import { toSummaryRow } from './record.js';
import { saveFor } from './save-site-log.js';
import type { SiteLogImport } from './site-log-import.js';
import { updateSite } from './sites.js';
import { UnitOfWork } from './unit-of-work.js';
import { withholdRecorded } from './withhold-recorded.js';

/**
 * Reads a log as its import did at the time, with its findings.
 * @param known persons whom other logs name as contacts
 * @throws {Error} if this version cannot read it
 */
export type ImportAgain = (log: { name: string; original: Uint8Array; importedAt: Date }, known: KnownPersons) => SiteLogImport;

/** How many Sites one transaction brings up to date. */
const BATCH = 20;

const NEXT = sql`SELECT site_id AS id FROM site_to_read ORDER BY site_id LIMIT ${BATCH}`;

/** Whether there are Sites to be read again: those whose remarks name persons who have become known since. */
export const hasSitesToRead = async (db: Database): Promise<boolean> => (await db.get(NEXT)) !== undefined || hasUnsearched(db);

/** Reads the current logs of some Sites again, as if they were imported again. A log that cannot be read is skipped. */
export async function readSitesAgain(transaction: Transaction, importAgain: ImportAgain, now: Date): Promise<void> {
  const numbers = (await transaction.all<{ id: number }>(NEXT)).map(({ id }) => id);
  if (numbers.length === 0) return searchForPersons(transaction);
  const known = await knownPersons(transaction);
  // Before the rows are read that saving compares with.
  for (const number of numbers) await addPersons(transaction, await withholdRecorded(transaction, number, known));
  const logs = await transaction.all<{ id: number; site_id: number; name: string; sha256: string }>(
    sql`SELECT id, site_id, name, sha256 FROM site_log WHERE ${transaction.dialect.isOneOf('site_id', numbers)} AND superseded_at IS NULL`,
  );
  const originals = await loadOriginals(
    transaction,
    logs.map(({ id }) => id),
  );
  const read = new Map<number, SiteLogImport>();
  for (const { id, site_id, name } of logs) {
    const original = originals.find((each) => each.id === id)!.original;
    const siteLog = readOrPass(() => importAgain({ name, original, importedAt: now }, known));
    if (siteLog !== undefined) read.set(site_id, siteLog);
  }
  const sites = await sitesWithNumbers(transaction, numbers);
  const records = [...read.values()];
  const sha256s = logs.map(({ sha256 }) => sha256);
  const unit = new UnitOfWork(await load(transaction, { sites, renames: [] }, { records, sha256s, originals }));
  for (const [number, siteLog] of read) {
    const site = unit.sites.get(number);
    if (currentLog(logsOf(unit, number)) === undefined) continue;
    updateSite(unit, site, siteLog.log.identification);
    // A retired Site has the summary of the time when it was retired.
    if (site.retired_at === null) unit.summaries.set(number, [toSummaryRow(number, siteLog.summary)]);
    saveFor(unit, site, siteLog);
  }
  if (unit.changed > 0) await flush(transaction, unit);
  await transaction.run(sql`DELETE FROM site_to_read WHERE ${transaction.dialect.isOneOf('site_id', numbers)}`);
}

/** Reads a log; undefined if this version cannot. Then the record stays as it is, and `verify` reports a damaged log. */
function readOrPass(read: () => SiteLogImport): SiteLogImport | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
