import Database from 'better-sqlite3';
import { type TableName, TABLES } from '../columns.js';
import type { ContentRow, ContentSource, ContentTarget, LastId } from '../contents.js';
import { openInOneState } from './backup.js';
import { openToWrite, unusable } from './open.js';

const columnsOf = (table: TableName): string[] => Object.keys(TABLES[table].columns);
const keyOf = (table: TableName): readonly string[] => TABLES[table].key;

/** All content of a SQLite file, within the transaction of the caller. */
export class SqliteContents implements ContentSource, ContentTarget {
  constructor(
    private readonly file: string,
    private readonly db: Database.Database,
  ) {}

  async count(table: TableName): Promise<number> {
    return this.using((db) => db.prepare<[], number>(`SELECT count(*) FROM ${table} NOT INDEXED`).pluck().get()!);
  }

  async next(table: TableName, after: ContentRow | null, limit: number): Promise<ContentRow[]> {
    const key = keyOf(table);
    const where = after === null ? '' : `WHERE (${key.join(', ')}) > (${key.map(() => '?').join(', ')})`;
    const sql = `SELECT ${columnsOf(table).join(', ')} FROM ${table} ${where} ORDER BY ${key.join(', ')} LIMIT ?`;
    const bound = after === null ? [] : key.map((column) => after[column]);
    return this.using((db) => db.prepare<unknown[], ContentRow>(sql).all(...bound, limit));
  }

  async lastIds(): Promise<LastId[]> {
    return this.using((db) => db.prepare<[], LastId>('SELECT name AS "table", seq AS id FROM sqlite_sequence ORDER BY name').all());
  }

  async clear(table: TableName): Promise<void> {
    this.using((db) => db.exec(`DELETE FROM ${table}`));
  }

  async add(table: TableName, rows: ContentRow[]): Promise<void> {
    const columns = columnsOf(table);
    const values = columns.map((column) => `:${column}`);
    this.using((db) => {
      const insert = db.prepare<[ContentRow]>(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${values.join(', ')})`);
      for (const row of rows) insert.run(row);
    });
  }

  async setLastIds(lastIds: LastId[]): Promise<void> {
    this.using((db) => {
      db.exec('DELETE FROM sqlite_sequence');
      const insert = db.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)');
      for (const { table, id } of lastIds) insert.run(table, id);
      // Triggers only change these rows, and other engines have none where nothing is counted.
      db.exec('INSERT OR IGNORE INTO setup_count (invalidated, current, setups) VALUES (0, 0, 0), (0, 1, 0), (1, 0, 0)');
    });
  }

  /** Errors of SQLite name the file already here, because a copy uses two databases. */
  private using<T>(work: (db: Database.Database) => T): T {
    try {
      return work(this.db);
    } catch (error) {
      throw explained(this.file, error);
    }
  }
}

/** Reads the content of a file in one state. @throws {StoreUnusable} if it is missing, damaged or of another version */
export async function readContents<T>(file: string, read: (source: ContentSource) => Promise<T>): Promise<T> {
  const db = openInOneState(file, true);
  try {
    return await read(new SqliteContents(file, db));
  } finally {
    db.close();
  }
}

/** Fills a file, which it creates if there is none, in one transaction. @throws {StoreUnusable} if it cannot be written */
export async function writeContents<T>(file: string, write: (target: ContentTarget) => Promise<T>): Promise<T> {
  const db = openToWrite(file);
  try {
    db.exec('BEGIN IMMEDIATE');
    const result = await write(new SqliteContents(file, db));
    db.exec('COMMIT');
    db.pragma('wal_checkpoint(TRUNCATE)');
    return result;
  } catch (error) {
    throw explained(file, error);
  } finally {
    // Closing rolls back what was not committed.
    db.close();
  }
}

/** An error of SQLite as one that says what to do; other errors are our own. */
const explained = (file: string, error: unknown): unknown => (error instanceof Database.SqliteError ? unusable(file, error) : error);
