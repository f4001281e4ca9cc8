import sql, { raw } from 'sql-template-tag';
import type { Database, Transaction } from '../database.js';
import { MARK } from '../migrations.js';
import { isPostgres } from '../postgres/url.js';
import { columnsOf, type RowOf, type TableName, TABLE_NAMES } from '../schema.js';
import { batchesOf } from './batches.js';
import type { Progress } from './types.js';

/** What a message calls the rows of a table. */
const NAMES: Partial<Record<TableName, readonly [one: string, several: string]>> = {
  site: ['Site', 'Sites'],
  site_log: ['site log', 'site logs'],
  rejected_file: ['rejected file', 'rejected files'],
};

/** Reads all of a database in one state. @throws {StoreUnusable} if it is missing, damaged or of another version */
export async function readContents<T>(database: string, read: (db: Database) => Promise<T>): Promise<T> {
  if (isPostgres(database)) {
    return (await import('../postgres/open.js')).readSnapshot(database, read);
  }
  const reads = (await import('../sqlite/open.js')).openReads(database);
  return reads.inOneState(read).finally(() => reads.close());
}

/** Fills or replaces a database in one transaction. Creates its tables if there are none. @throws {StoreUnusable} if it cannot be written */
export async function writeContents<T>(database: string, write: (transaction: Transaction) => Promise<T>): Promise<T> {
  const engine = isPostgres(database) ? await import('../postgres/open.js') : await import('../sqlite/writes.js');
  const writes = await engine.openWrites(database);
  try {
    const result = await writes.transaction(write);
    await writes.tidyUp();
    return result;
  } finally {
    await writes.close();
  }
}

async function countRows(db: Database, table: TableName, condition = '1 = 1'): Promise<number> {
  return (await db.get<{ rows: number }>(sql`SELECT count(*) AS rows FROM ${raw(table)} WHERE ${raw(condition)}`))!.rows;
}

/** Says what is in a database, in a few words; null if it is empty. */
export async function describeContents(db: Database): Promise<string | null> {
  const named: string[] = [];
  const others: string[] = [];
  for (const table of TABLE_NAMES) {
    const rows = await countRows(db, table, table === 'last_import' ? 'finished_at IS NOT NULL' : undefined);
    if (rows === 0) continue;
    const name = NAMES[table];
    if (name === undefined) others.push(`rows in ${table}`);
    else named.push(`${rows} ${name[rows === 1 ? 0 : 1]}`);
  }
  const found = named.length > 0 ? named : others;
  return found.length === 0 ? null : found.join(', ');
}

/** Copies everything into a database without content. @returns how many rows of each table were copied */
export async function copyContents(source: Database, target: Transaction, progress: Progress): Promise<Record<TableName, number>> {
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
  const { documents } = (await source.get<{ documents: number }>(sql`SELECT documents FROM ${raw(MARK)}`))!;
  await target.run(sql`UPDATE ${raw(MARK)} SET documents = ${documents}`);
  return counts;
}
