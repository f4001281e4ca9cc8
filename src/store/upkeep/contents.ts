import sql, { raw } from 'sql-template-tag';
import { type Database, StoreUnusable, type Transaction } from '../database.js';
import { MARK } from '../migrations.js';
import { isPostgres, shownDatabase } from '../address.js';
import { columnsOf, type RowOf, type TableName, TABLE_NAMES } from '../schema.js';
import { batchesOf } from '../page.js';
import type { Progress } from '../results.js';

/**
 * Reads all of a database in one state.
 * @throws {StoreUnusable} if it is missing, damaged or of another version
 */
export async function readContents<T>(
  database: string,
  read: (db: Database) => Promise<T>,
): Promise<T> {
  if (isPostgres(database)) {
    return (await import('../postgres/open.js')).readSnapshot(database, read);
  }
  const reads = new (await import('../sqlite/connection.js')).Connection(database);
  return reads.inOneState(read).finally(() => reads.close());
}

/**
 * Fills or replaces a database in one transaction. Creates its tables if there are none.
 * @throws {StoreUnusable} if it cannot be written
 */
export async function writeContents<T>(
  database: string,
  write: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const engine = isPostgres(database)
    ? await import('../postgres/open.js')
    : await import('../sqlite/writes.js');
  const writes = await engine.openWrites(database);
  try {
    const result = await writes.transaction(write);
    await writes.tidyUp();
    return result;
  } finally {
    await writes.close();
  }
}

const countRows = async (db: Database, table: TableName): Promise<number> =>
  (await db.get<{ rows: number }>(sql`SELECT count(*) AS rows FROM ${raw(table)}`))!.rows;

/** Whether a database has nothing but what its creation puts there. */
export async function hasNoContents(db: Database): Promise<boolean> {
  // All other rows are about Sites.
  const found = await db.get(sql`
    SELECT 1 AS found FROM last_import WHERE finished_at IS NOT NULL
    UNION ALL SELECT 1 FROM rejected_file
    UNION ALL SELECT 1 FROM site
    LIMIT 1`);
  return found === undefined;
}

/**
 * Copies everything into a database without content.
 * @returns how many rows of each table were copied
 */
export async function copyContents(
  source: Database,
  target: Transaction,
  progress: Progress,
): Promise<Record<TableName, number>> {
  const counts = {} as Record<TableName, number>;
  for (const table of TABLE_NAMES) counts[table] = await countRows(source, table);
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  let copied = 0;
  // The only row of an empty database.
  await target.run(sql`DELETE FROM last_import`);
  for (const table of TABLE_NAMES) {
    for await (const rows of batchesOf<RowOf<TableName>>(source, table, columnsOf(table))) {
      await target.insert(table, rows);
      copied += rows.length;
      progress(copied / total);
    }
  }
  const { documents } = (await source.get<{ documents: number }>(
    sql`SELECT text_version AS documents FROM ${raw(MARK)}`,
  ))!;
  await target.run(sql`UPDATE ${raw(MARK)} SET text_version = ${documents}`);
  return counts;
}

/**
 * Copies everything to an empty database, with the same ids, in one transaction. If it fails, a
 * file that did not exist still does not.
 * @returns how much was copied
 * @throws {StoreUnusable | FileUnusable}
 */
export function copyDatabase(
  from: string,
  to: string,
  progress: Progress,
): Promise<{ sites: number; logs: number }> {
  return readContents(from, async (source) => {
    const copyTo = (database: string) => copyInto(source, database, progress);
    if (isPostgres(to)) return copyTo(to);
    return (await import('../sqlite/new-file.js')).fillFile(to, copyTo);
  });
}

function copyInto(
  source: Database,
  to: string,
  progress: Progress,
): Promise<{ sites: number; logs: number }> {
  return writeContents(to, async (target) => {
    if (!(await hasNoContents(target)))
      throw new StoreUnusable(
        `database "${shownDatabase(to)}" is not empty; copy to an empty database`,
      );
    const { site: sites, site_log: logs } = await copyContents(source, target, progress);
    return { sites, logs };
  });
}
