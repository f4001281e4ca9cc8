import sql from 'sql-template-tag';
import { publishedVersion } from '../../site-log/published-log.js';
import type { Database, Transaction, Writes } from '../database.js';
import type { Problem } from '../results.js';
import { compareChangesAgain, hasChangesToCompare } from './compare-again.js';
import type { ImportAgain } from './corrections.js';
import { loadOriginals } from './load.js';
import type { LoadedRow } from './loaded-rows.js';
import { findingRows, publishedRow, sha256Of } from './logs.js';
import type { SiteLogImport } from './site-log-import.js';

/** What is needed of a log to read it as its import did. */
type StoredLog = Pick<LoadedRow<'site_log'>, 'id' | 'name' | 'sha256' | 'imported_at'>;

/** The logs that could be read again, by number, with what is in them. */
export type ReadLogs = ReadonlyMap<number, SiteLogImport>;

/** Reads logs again whose bytes are those that were imported. */
export async function readLogs(
  db: Database,
  logs: readonly StoredLog[],
  importAgain: ImportAgain,
): Promise<{ read: ReadLogs; problems: Problem[] }> {
  const read = new Map<number, SiteLogImport>();
  const problems: Problem[] = [];
  const byId = new Map(logs.map((log) => [log.id, log]));
  for (const { id, original } of await loadOriginals(db, [...byId.keys()])) {
    const { name, sha256, imported_at } = byId.get(id)!;
    if (sha256Of(original) !== sha256) {
      const text = `site_log ${id}: the original does not match its SHA-256`;
      problems.push({ text, remedy: 'restore' });
      continue;
    }
    try {
      read.set(id, importAgain({ name, original, importedAt: new Date(imported_at) }));
    } catch (error) {
      const text = `site_log ${id} cannot be read by this version: ${(error as Error).message}`;
      problems.push({ text, remedy: 'import' });
    }
  }
  return { read, problems };
}

/** How many logs are read again in one transaction. A log has up to two megabytes. */
const BATCH = 10;

/** How many logs were imported before migration 2, and have not been read again. */
export const countLogsToRead = async (db: Database): Promise<number> =>
  (await db.get<{ logs: number }>(
    sql`SELECT count(*) AS logs FROM site_log WHERE agencies IS NULL`,
  ))!.logs;

/** How many logs there are of which another version made what is published. */
const countLogsToPublish = async (db: Database): Promise<number> =>
  (await db.get<{ logs: number }>(
    sql`SELECT count(*) AS logs FROM published_log WHERE version <> ${publishedVersion()}`,
  ))!.logs;

/**
 * The next logs to be read again. What is published of a log that came before migration 2 is
 * missing, too.
 * @param after the number of the last one before
 */
const nextLogs = (db: Database, after: number): Promise<StoredLog[]> =>
  db.all(sql`
    SELECT id, name, sha256, imported_at FROM site_log WHERE id IN (
      SELECT site_log_id FROM published_log
      WHERE version <> ${publishedVersion()} AND site_log_id > ${after}
      ORDER BY site_log_id LIMIT ${BATCH})
    ORDER BY id`);

/** Saves what followed from logs that were read again, unless another process did. */
async function saveRead(transaction: Transaction, read: ReadLogs): Promise<void> {
  const published = [...read].map(([id, { published }]) => publishedRow(id, published));
  await transaction.update('published_log', published);
  await saveFindings(transaction, read);
}

/** Saves the findings and agencies of logs that have none since migration 2. */
async function saveFindings(transaction: Transaction, read: ReadLogs): Promise<void> {
  const isOneOfThem = transaction.dialect.isOneOf('id', [...read.keys()]);
  const rows = await transaction.all<{ id: number }>(
    sql`SELECT id FROM site_log WHERE agencies IS NULL AND ${isOneOfThem}`,
  );
  const ids = rows.map(({ id }) => id);
  await transaction.run(
    sql`DELETE FROM finding WHERE ${transaction.dialect.isOneOf('site_log_id', ids)}`,
  );
  const findings = ids.flatMap((id) => findingRows(id, read.get(id)!.findings));
  await transaction.insert('finding', findings);
  const agencies = (id: number): string => JSON.stringify(read.get(id)!.log.agencies);
  await transaction.update(
    'site_log',
    ids.map((id) => ({ id, agencies: agencies(id) })),
  );
}

/** Whether nothing is left to make of what a migration or another version left. */
export const isCompletelyMigrated = async (db: Database): Promise<boolean> =>
  (await countLogsToPublish(db)) === 0 && !(await hasChangesToCompare(db));

/**
 * Makes what a migration left out: the findings of logs, the names of their agencies, and how
 * changes compare; and anew, what another version made to be published. A few logs at a time are
 * complete or untouched; if this is killed, the next call goes on.
 * @returns how many logs were read, and why others cannot be read; these stay without findings
 */
export async function readLogsAgain(
  writes: Writes,
  importAgain: ImportAgain,
): Promise<{ logs: number; problems: Problem[] }> {
  await compareChangesAgain(writes);
  const problems: Problem[] = [];
  let count = 0;
  let last = 0;
  for (;;) {
    const after = last;
    const next = await writes.read(async (db) => {
      const logs = await nextLogs(db, after);
      return { ids: logs.map(({ id }) => id), ...(await readLogs(db, logs, importAgain)) };
    });
    problems.push(...next.problems);
    if (next.ids.length === 0) break;
    last = next.ids.at(-1)!;
    if (next.read.size === 0) continue;
    await writes.transaction((transaction) => saveRead(transaction, next.read));
    count += next.read.size;
  }
  if (count > 0) await writes.tidyUp();
  return { logs: count, problems };
}
