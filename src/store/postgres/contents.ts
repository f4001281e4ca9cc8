import { type TableName, TABLES } from '../columns.js';
import type { ContentRow, ContentSource, ContentTarget, LastId } from '../contents.js';
import { StoreUnusable } from '../store.js';
import { READ_REVISION, type Snapshot, type Transaction, type Writes } from './client.js';
import { openMigrated, openPrimaryToRead } from './open.js';
import { insertRows } from './rows.js';

/** All content of a PostgreSQL database, in one state. */
export class PostgresSource implements ContentSource {
  constructor(private readonly snapshot: Snapshot) {}

  async count(table: TableName): Promise<number> {
    return (await this.snapshot.get<{ rows: number }>(`SELECT count(*) AS rows FROM ${table}`))!.rows;
  }

  async next(table: TableName, after: ContentRow | null, limit: number): Promise<ContentRow[]> {
    const { key, columns } = TABLES[table];
    const where = after === null ? '' : `WHERE (${key.join(', ')}) > (${key.map((_, index) => `$${index + 2}`).join(', ')})`;
    const sql = `SELECT ${Object.keys(columns).join(', ')} FROM ${table} ${where} ORDER BY ${key.join(', ')} LIMIT $1`;
    return this.snapshot.all<ContentRow>(sql, limit, ...(after === null ? [] : key.map((column) => after[column]!)));
  }

  async lastIds(): Promise<LastId[]> {
    return this.snapshot.all<LastId>('SELECT table_name AS "table", id FROM last_id ORDER BY table_name');
  }

  /** The revision of this state. */
  async revision(): Promise<number> {
    return (await this.snapshot.get<{ number: number }>(READ_REVISION))!.number;
  }
}

/** The tables whose triggers keep counts and last ids. */
const COUNTED = ['setup', 'equipment', 'installation', 'journal', 'last_import'];

/** A PostgreSQL database that is being filled. */
export class PostgresTarget extends PostgresSource implements ContentTarget {
  constructor(private readonly transaction: Transaction) {
    super(transaction);
  }

  /**
   * Fills the tables without triggers. Within one transaction the server does not analyze the tables and cannot remove old
   * versions of the counts, so with triggers each row would take longer than the one before.
   */
  async withoutTriggers<T>(fill: () => Promise<T>): Promise<T> {
    for (const table of COUNTED) await this.transaction.run(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    const result = await fill();
    for (const table of COUNTED) await this.transaction.run(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
    return result;
  }

  async clear(table: TableName): Promise<void> {
    await this.transaction.run(`DELETE FROM ${table}`);
  }

  async add(table: TableName, rows: ContentRow[]): Promise<void> {
    await insertRows(this.transaction, table, rows);
  }

  async setLastIds(lastIds: LastId[]): Promise<void> {
    await this.transaction.run('DELETE FROM last_id');
    for (const { table, id } of lastIds) await this.transaction.run('INSERT INTO last_id (table_name, id) VALUES ($1, $2)', table, id);
  }
}

const ANALYZE = `ANALYZE ${Object.keys(TABLES).join(', ')}`;

/** Does what can wait after a commit. If it fails, the commit stays, so the failure must not look like one of the commit. */
export async function tidyUp(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof StoreUnusable)) throw error;
  }
}

/** Has the server look at the filled tables. Until it does so by itself, it would plan for empty ones. */
export const analyze = (writes: Writes): Promise<void> => tidyUp(() => writes.unlocked((transaction) => transaction.run(ANALYZE)));

/** Reads the content of a database in one state, from its primary. @throws {StoreUnusable} if it cannot be read, or is of another version */
export async function readContents<T>(database: string, read: (source: PostgresSource) => Promise<T>): Promise<T> {
  const writes = await openPrimaryToRead(database);
  try {
    return await writes.unlocked(async (transaction) => {
      await transaction.run('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      return read(new PostgresSource(transaction));
    });
  } finally {
    await writes.close();
  }
}

/** Fills a database, whose tables it creates if there are none, in one transaction. @throws {StoreUnusable} if it cannot be written */
export async function writeContents<T>(database: string, write: (target: ContentTarget) => Promise<T>): Promise<T> {
  const writes = await openMigrated(database, {});
  try {
    const result = await writes.transaction((transaction) => {
      const target = new PostgresTarget(transaction);
      return target.withoutTriggers(() => write(target));
    });
    await analyze(writes);
    return result;
  } finally {
    await writes.close();
  }
}
