import Database from 'better-sqlite3';
import pg from 'pg';
import { isPostgres } from '../src/store/address.js';

/** The tables whose content does not follow from the logs alone. */
const OTHER_TABLES = [
  'last_import',
  'gnss_site_setups',
  'sqlite_sequence',
  'sqlite_stat1',
  'sqlite_stat4',
];

/**
 * A database, past the store. Its SQL must be that of both engines, and its booleans may be
 * numbers.
 */
export interface RawDatabase {
  /** The rows of a query. */
  all<Row>(sql: string): Promise<Row[]>;
  /** Runs statements. */
  exec(sql: string): Promise<void>;
  /** Adds rows, which have the same columns. */
  insert(table: string, rows: object[]): Promise<void>;
  /** The names of the tables. */
  tables(): Promise<string[]>;
}

/** The types that arrive as numbers: bigint and numeric. */
const LARGE = [20, 1700];
const TYPES = {
  getTypeParser: ((type: number, format: 'text') =>
    LARGE.includes(type) ? Number : pg.types.getTypeParser(type, format)) as never,
};

/** Runs some work with a connection to a PostgreSQL database. */
async function withPostgres<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, types: TYPES });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const inPostgres = (url: string): RawDatabase => ({
  all: <Row>(sql: string) =>
    withPostgres(url, async (client) => (await client.query(sql)).rows as Row[]),
  exec: (sql) => withPostgres(url, async (client) => void (await client.query(sql))),
  insert: (table, rows) =>
    withPostgres(url, async (client) => {
      const columns = Object.keys(rows[0]!);
      // A statement binds at most 65,535 values.
      const most = Math.floor(60_000 / columns.length);
      for (let first = 0; first < rows.length; first += most) {
        const some = rows.slice(first, first + most);
        const places = some.map(
          (_, row) =>
            `(${columns.map((_, column) => `$${row * columns.length + column + 1}`).join(', ')})`,
        );
        const values = some.flatMap((row) =>
          columns.map((column) => (row as Record<string, unknown>)[column]),
        );
        await client.query(
          `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${places.join(', ')}`,
          values,
        );
      }
    }),
  tables: () =>
    withPostgres(url, async (client) => {
      const { rows } = await client.query<{ name: string }>(
        'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
      );
      return rows.map(({ name }) => name);
    }),
});

/** Runs some work with a SQLite file. */
export function withSqlite<T>(file: string, work: (db: Database.Database) => T): T {
  const db = new Database(file);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

const inSqlite = (file: string): RawDatabase => ({
  all: async <Row>(sql: string) => withSqlite(file, (db) => db.prepare(sql).all() as Row[]),
  exec: async (sql) => withSqlite(file, (db) => void db.exec(sql)),
  insert: async (table, rows) =>
    withSqlite(file, (db) => {
      const columns = Object.keys(rows[0]!);
      const add = db.prepare(
        `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((column) => `:${column}`).join(', ')})`,
      );
      db.transaction(() => rows.forEach((row) => add.run(row)))();
    }),
  tables: async () =>
    withSqlite(file, (db) =>
      db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all(),
    ),
});

/** A database, past the store. */
export const rawDatabase = (database: string): RawDatabase =>
  isPostgres(database) ? inPostgres(database) : inSqlite(database);

/** All rows of each table, in an order that does not depend on the engine. */
export async function contentsOf(database: string): Promise<Record<string, unknown[]>> {
  const raw = rawDatabase(database);
  const contents: Record<string, unknown[]> = {};
  for (const table of (await raw.tables()).filter((name) => !OTHER_TABLES.includes(name)).sort()) {
    const rows = (await raw.all<object>(`SELECT * FROM ${table}`)).map(
      (row) => [JSON.stringify(row), row] as const,
    );
    contents[table] = rows.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  }
  return contents;
}
