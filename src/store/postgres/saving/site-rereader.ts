import { readOrPass, readSiteAgain, type SiteToRead } from '../../saving/read-again.js';
import type { ImportAgain } from '../../upkeep.js';
import type { Snapshot, Transaction } from '../client.js';
import { addPersons, knownPersons, searchForPersons } from '../persons.js';
import { flush } from './flush.js';
import { loadRecord, loadSites } from './load.js';
import { LoadedTables } from './loaded-tables.js';
import { withholdRecorded } from './withhold-recorded.js';

/** How many Sites one transaction brings up to date. */
const BATCH = 10;

const NEXT = `
  SELECT site_log.site_id AS site, site_log.name, original, sha256,
    four_character_id AS "fourCharacterId", nine_character_id AS "nineCharacterId"
  FROM site_to_read JOIN site_log ON site_log.site_id = site_to_read.site_id AND superseded_at IS NULL
  JOIN site ON site.id = site_log.site_id ORDER BY 1 LIMIT $1`;

const SOME = 'SELECT FROM site_to_read JOIN site_log ON site_log.site_id = site_to_read.site_id AND superseded_at IS NULL LIMIT 1';

/** A Site to read, with its ids. */
interface Row extends SiteToRead {
  sha256: string;
  fourCharacterId: string;
  nineCharacterId: string | null;
}

/** Whether there are Sites to be read again. */
export async function hasSitesToRead(snapshot: Snapshot): Promise<boolean> {
  return (await snapshot.get(SOME)) !== undefined;
}

/** Reads the logs of some Sites again. @returns whether there may be more */
export async function readBatch(transaction: Transaction, importAgain: ImportAgain, now: Date): Promise<boolean> {
  const batch = await transaction.all<Row>(NEXT, BATCH);
  if (batch.length === 0) {
    await searchForPersons(transaction);
    return true;
  }
  const known = await knownPersons(transaction);
  const read = batch.flatMap((row) => {
    const siteLog = readOrPass(row, importAgain, now, known);
    return siteLog === undefined ? [] : [{ row, siteLog }];
  });
  // Before the rows are read that saving compares with.
  for (const { site } of batch) await addPersons(transaction, await withholdRecorded(transaction, site, known));
  const sites = await loadSites(transaction, batch);
  const records = read.map(({ siteLog }) => siteLog);
  const sha256s = batch.map(({ sha256 }) => sha256);
  const tables = new LoadedTables(await loadRecord(transaction, sites, { records, sha256s, originals: [] }));
  for (const { row, siteLog } of read) readSiteAgain(tables, row.site, siteLog);
  if (tables.changed() > 0) await flush(transaction, tables);
  await transaction.run(
    'DELETE FROM site_to_read WHERE site_id = ANY($1)',
    batch.map(({ site }) => site),
  );
  return true;
}
