import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Database, Transaction } from '../database.js';
import { MARK } from '../migrations.js';
import { isPostgres } from '../postgres/url.js';
import { columnsOf, type RowOf, type TableName, TABLE_NAMES, TABLES } from '../schema.js';
import type { Progress } from './types.js';

/** How many rows are copied at once. A log has up to two megabytes. */
const BATCH = 500;
const BATCH_OF_LOGS = 10;

/** What a message calls the rows of a table. */
const NAMES: Partial<Record<TableName, readonly [one: string, several: string]>> = {
  site: ['Site', 'Sites'],
  site_log: ['site log', 'site logs'],
  rejected_file: ['rejected file', 'rejected files'],
};

/** Reads all of a database in one state. @throws {StoreUnusable} if it is missing, damaged or of another version */
export async function readContents<T>(database: string, read: (db: Database) => Promise<T>): Promise<T> {
  if (isPostgres(database)) {
    const snapshot = await (await import('../postgres/open.js')).openSnapshot(database);
    return read(snapshot.db).finally(() => snapshot.close());
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

/** All rows of a table, some at a time, in the order of its key. */
async function* batchesOf(db: Database, table: TableName): AsyncGenerator<RowOf<TableName>[]> {
  const key: readonly string[] = TABLES[table].key;
  const [columns, order] = [raw(columnsOf(table).join(', ')), raw(key.join(', '))];
  const limit = table === 'site_log' ? BATCH_OF_LOGS : BATCH;
  let after: Sql | undefined;
  for (;;) {
    const where = after === undefined ? sql`` : sql`WHERE (${order}) > (${after})`;
    const rows = await db.all<RowOf<TableName>>(sql`SELECT ${columns} FROM ${raw(table)} ${where} ORDER BY ${order} LIMIT ${limit}`);
    if (rows.length > 0) yield rows;
    if (rows.length < limit) return;
    const last = rows.at(-1) as Record<string, unknown>;
    after = join(key.map((column) => last[column]));
  }
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
    for await (const rows of batchesOf(source, table)) {
      await target.insert(table, rows);
      copied += rows.length;
      progress(copied / total);
    }
  }
  const { documents } = (await source.get<{ documents: number }>(sql`SELECT documents FROM ${raw(MARK)}`))!;
  await target.run(sql`UPDATE ${raw(MARK)} SET documents = ${documents}`);
  return counts;
}
