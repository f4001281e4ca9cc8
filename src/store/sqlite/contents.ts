import type Database from 'better-sqlite3';
import { type TableName, TABLES } from '../columns.js';
import type { ContentRow, ContentSource, ContentTarget, LastId } from '../contents.js';
import { StoreUnusable } from '../store.js';
import { openInOneState } from './backup.js';
import { openToWrite, unusable } from './open.js';

const columnsOf = (table: TableName): string[] => Object.keys(TABLES[table].columns);
const keyOf = (table: TableName): readonly string[] => TABLES[table].key;

/** All content of a SQLite file, within the transaction of the caller. */
export class SqliteContents implements ContentSource, ContentTarget {
  constructor(private readonly db: Database.Database) {}

  async count(table: TableName): Promise<number> {
    return this.db.prepare<[], number>(`SELECT count(*) FROM ${table} NOT INDEXED`).pluck().get()!;
  }

  async next(table: TableName, after: ContentRow | null, limit: number): Promise<ContentRow[]> {
    const key = keyOf(table);
    const where = after === null ? '' : `WHERE (${key.join(', ')}) > (${key.map(() => '?').join(', ')})`;
    const sql = `SELECT ${columnsOf(table).join(', ')} FROM ${table} ${where} ORDER BY ${key.join(', ')} LIMIT ?`;
    return this.db.prepare<unknown[], ContentRow>(sql).all(...(after === null ? [] : key.map((column) => after[column])), limit);
  }

  async lastIds(): Promise<LastId[]> {
    return this.db.prepare<[], LastId>('SELECT name AS "table", seq AS id FROM sqlite_sequence ORDER BY name').all();
  }

  async clear(table: TableName): Promise<void> {
    this.db.exec(`DELETE FROM ${table}`);
  }

  async add(table: TableName, rows: ContentRow[]): Promise<void> {
    const columns = columnsOf(table);
    const insert = this.db.prepare<[ContentRow]>(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((column) => `:${column}`).join(', ')})`,
    );
    for (const row of rows) insert.run(row);
  }

  async setLastIds(lastIds: LastId[]): Promise<void> {
    this.db.exec('DELETE FROM sqlite_sequence');
    const insert = this.db.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)');
    for (const { table, id } of lastIds) insert.run(table, id);
    // Triggers only change these rows, and other engines have none where nothing is counted.
    this.db.exec('INSERT OR IGNORE INTO setup_count (invalidated, current, setups) VALUES (0, 0, 0), (0, 1, 0), (1, 0, 0)');
  }
}

/** Reads the content of a file in one state. @throws {StoreUnusable} if it is missing, damaged or of another version */
export async function readContents<T>(file: string, read: (source: ContentSource) => Promise<T>): Promise<T> {
  const db = openInOneState(file, true);
  try {
    return await converted(file, () => read(new SqliteContents(db)));
  } finally {
    db.close();
  }
}

/** Fills a file, which it creates if there is none, in one transaction. @throws {StoreUnusable} if it cannot be written */
export async function writeContents<T>(file: string, write: (target: ContentTarget) => Promise<T>): Promise<T> {
  const db = openToWrite(file);
  try {
    return await converted(file, async () => {
      db.exec('BEGIN IMMEDIATE');
      const result = await write(new SqliteContents(db));
      db.exec('COMMIT');
      db.pragma('wal_checkpoint(TRUNCATE)');
      return result;
    });
  } finally {
    // Closing rolls back what was not committed.
    db.close();
  }
}

async function converted<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isOfSqlite = (error as { code?: string }).code?.startsWith('SQLITE_') === true;
    throw isOfSqlite && !(error instanceof StoreUnusable) ? unusable(file, error) : error;
  }
}
