import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Database } from './database.js';
import { type TableName, TABLES } from './schema.js';

/** How many rows are read at once. A log has up to two megabytes. */
const BATCH = 2000;
const BATCH_OF_LOGS = 10;

/** All rows of a table in the order of its key, some at a time. @param columns with the key */
export async function* batchesOf<Row extends object>(db: Database, table: TableName, columns: readonly string[]): AsyncGenerator<Row[]> {
  const key: readonly string[] = TABLES[table].key;
  const order = raw(key.join(', '));
  const limit = columns.includes('original') ? BATCH_OF_LOGS : BATCH;
  let after: Sql | undefined;
  for (;;) {
    const where = after === undefined ? sql`` : sql`WHERE (${order}) > (${after})`;
    const rows = await db.all<Row>(sql`SELECT ${raw(columns.join(', '))} FROM ${raw(table)} ${where} ORDER BY ${order} LIMIT ${limit}`);
    if (rows.length > 0) yield rows;
    if (rows.length < limit) return;
    const last = rows.at(-1) as Record<string, unknown>;
    after = join(key.map((column) => last[column]));
  }
}
