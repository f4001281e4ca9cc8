import Database from 'better-sqlite3';
import postgres from 'postgres';
import { isPostgres } from '../src/store/postgres/url.js';

/** The tables whose content does not follow from the logs alone. */
const OTHER_TABLES = ['last_import', 'revision', 'sqlite_sequence', 'last_id'];

/** A database, past the store. Its SQL must be that of both engines, and its booleans may be numbers. */
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

/** Runs some work with a connection to a PostgreSQL database. */
async function withPostgres<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const large = { to: 20, from: [20, 1700], serialize: String, parse: Number };
  const sql = postgres(url, { max: 1, onnotice: () => undefined, types: { large } });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

const inPostgres = (url: string): RawDatabase => ({
  all: <Row>(sql: string) => withPostgres(url, async (connection) => [...(await connection.unsafe(sql))] as Row[]),
  exec: (sql) => withPostgres(url, async (connection) => void (await connection.unsafe(sql))),
  insert: (table, rows) =>
    withPostgres(url, async (connection) => {
      const columns = Object.keys(rows[0]!);
      // A statement binds at most 65,535 values.
      const most = Math.floor(60_000 / columns.length);
      for (let first = 0; first < rows.length; first += most) {
        const some = rows.slice(first, first + most) as Record<string, string>[];
        await connection`INSERT INTO ${connection(table)} ${connection(some, ...columns)}`;
      }
    }),
  tables: () =>
    withPostgres(url, async (connection) => {
      const rows = await connection<{ name: string }[]>`SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()`;
      return rows.map(({ name }) => name);
    }),
});

/** Runs some work with a SQLite file. */
function withSqlite<T>(file: string, work: (db: Database.Database) => T): T {
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
      const add = db.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((column) => `:${column}`).join(', ')})`);
      db.transaction(() => rows.forEach((row) => add.run(row)))();
    }),
  tables: async () => withSqlite(file, (db) => db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all()),
});

/** A database, past the store. */
export const rawDatabase = (database: string): RawDatabase => (isPostgres(database) ? inPostgres(database) : inSqlite(database));

/** All rows of each table, in an order that does not depend on the engine. */
export async function contentsOf(database: string): Promise<Record<string, unknown[]>> {
  const raw = rawDatabase(database);
  const contents: Record<string, unknown[]> = {};
  for (const table of (await raw.tables()).filter((name) => !OTHER_TABLES.includes(name)).sort()) {
    const rows = (await raw.all<object>(`SELECT * FROM ${table}`)).map((row) => [JSON.stringify(row), row] as const);
    contents[table] = rows.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  }
  return contents;
}
