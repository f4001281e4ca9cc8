import { chownSync, closeSync, existsSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import type { Sql } from 'sql-template-tag';
import {
  type Database as AnyDatabase,
  type Statement,
  StoreUnusable,
  type Transaction,
  type WriterOptions,
  type Writes,
} from '../database.js';
import { SQLITE } from '../dialect.js';
import { migrate, MIGRATIONS } from '../migrations.js';
import { columnsOf, type TableName, TABLES } from '../schema.js';
import { type Statements, statementsOf } from './connection.js';
import {
  BUSY_TIMEOUT,
  checkWritable,
  CREATE_HINT,
  exists,
  guarded,
  mark,
  migrationOf,
  open,
  unusable,
} from './open.js';

/** How much of the file an import caches, in KiB. */
const CACHE = 8 * 1024;
/**
 * After how many pages in the -wal file an import moves them to the database: each page only once,
 * even if several logs change it.
 */
const CHECKPOINT_PAGES = 4000;
/**
 * How many rows of an index the statistics are made of. More would not only take longer: with
 * samples of all values, SQLite plans each statement anew.
 */
const ANALYSIS_LIMIT = 400;

/**
 * The values of some columns as SQLite binds them. Of a larger buffer, only the part in view is
 * bound.
 */
const boundOf = (row: object, columns: readonly string[]): unknown[] =>
  columns.map((column) => {
    const value = (row as Record<string, unknown>)[column];
    return value instanceof Uint8Array && !Buffer.isBuffer(value)
      ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
      : value;
  });

/** The statements of a connection to a SQLite file. */
export class SqliteTransaction implements Transaction {
  readonly dialect = SQLITE;
  private readonly statements: Statements;

  constructor(db: Database.Database) {
    this.statements = statementsOf(db);
  }

  async all<Row extends object>(statement: Statement): Promise<Row[]> {
    return this.statements.memo(statement.sql).all(...statement.values) as Row[];
  }

  async get<Row extends object>(statement: Statement): Promise<Row | undefined> {
    return this.statements.memo(statement.sql).get(...statement.values) as Row | undefined;
  }

  async run(statement: Sql): Promise<number> {
    return this.statements.memo(statement.sql).run(...statement.values).changes;
  }

  async insert(table: TableName, rows: readonly object[]): Promise<void> {
    if (rows.length === 0) return;
    const columns = columnsOf(table);
    const add = this.statements.memo(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    );
    for (const row of rows) add.run(...boundOf(row, columns));
  }

  async update(table: TableName, rows: readonly object[]): Promise<void> {
    if (rows.length === 0) return;
    const key: readonly string[] = TABLES[table].key;
    const columns = Object.keys(rows[0]!).filter((column) => !key.includes(column));
    const pairs = (names: readonly string[]): string[] => names.map((name) => `${name} = ?`);
    const change = this.statements.memo(
      `UPDATE ${table} SET ${pairs(columns).join(', ')} WHERE ${pairs(key).join(' AND ')}`,
    );
    for (const row of rows) change.run(...boundOf(row, [...columns, ...key]));
  }
}

/** Writes a SQLite file through one connection. */
class SqliteWrites implements Writes {
  private readonly statements: SqliteTransaction;

  /** @param db within a transaction for a dry run, which {@link close} rolls back */
  constructor(
    private readonly file: string,
    private readonly db: Database.Database,
    private readonly dryRun: boolean,
  ) {
    this.statements = new SqliteTransaction(db);
  }

  async read<T>(work: (db: AnyDatabase) => Promise<T>): Promise<T> {
    return this.explaining(() => work(this.statements));
  }

  async transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const [begin, commit, rollback] = this.dryRun
      ? ['SAVEPOINT rehearsed', 'RELEASE rehearsed', 'ROLLBACK TO rehearsed; RELEASE rehearsed']
      : ['BEGIN IMMEDIATE', 'COMMIT', 'ROLLBACK'];
    return this.explaining(async () => {
      this.db.exec(begin);
      try {
        const result = await work(this.statements);
        this.db.exec(commit);
        return result;
      } catch (error) {
        // A full disk can have ended the transaction already.
        if (this.db.inTransaction) this.db.exec(rollback);
        throw error;
      }
    });
  }

  async tidyUp(): Promise<void> {
    if (!this.dryRun) this.ifPossible(`analysis_limit = ${ANALYSIS_LIMIT}`, 'optimize');
  }

  async close(): Promise<void> {
    if (this.db.inTransaction) this.db.exec('ROLLBACK');
    // An empty -wal file cannot mix with a backup that is copied over the database.
    else if (this.db.open) this.ifPossible('wal_checkpoint(TRUNCATE)');
    this.db.close();
  }

  /**
   * Runs pragmas that may fail, for example on a full disk. Then everything stays as it is, which
   * is just as safe.
   */
  private ifPossible(...pragmas: string[]): void {
    try {
      for (const pragma of pragmas) this.db.pragma(pragma);
    } catch (error) {
      if (!(error instanceof Database.SqliteError)) throw error;
    }
  }

  private async explaining<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw error instanceof Database.SqliteError ? unusable(this.file, error) : error;
    }
  }
}

/**
 * Creates an empty file unless it exists. Others cannot read it. If root creates it, it gets the
 * owner and group of its folder. SQLite gives its -wal and -shm files the same mode.
 */
function createFile(file: string): void {
  try {
    if (existsSync(file)) return;
    closeSync(openSync(file, 'a', 0o640));
    // Otherwise, the service could not read what root imports. For other users this may fail, which
    // does no harm.
    const { uid, gid } = statSync(dirname(file));
    chownSync(file, uid, gid);
  } catch {
    // SQLite will fail as well, with a better message.
  }
}

/**
 * Opens a file for writing. Creates it if it does not exist, and brings it to the last migration.
 * @throws {StoreUnusable}
 */
export async function openWrites(
  file: string,
  { dryRun = false, create = true, patience = BUSY_TIMEOUT }: WriterOptions = {},
): Promise<SqliteWrites> {
  if (!exists(file) && !create)
    throw new StoreUnusable(`database "${file}" does not exist; ${CREATE_HINT}`);
  if (!existsSync(dirname(file))) {
    throw new StoreUnusable(
      `database "${file}" cannot be created: there is no folder "${dirname(file)}"`,
    );
  }
  const inMemory = dryRun && !existsSync(file);
  if (!inMemory) {
    checkWritable(file);
    createFile(file);
  }
  const db = open(inMemory ? ':memory:' : file, { timeout: patience });
  guarded(file, db, () => {
    migrationOf(file, db);
    db.pragma('foreign_keys = ON');
    db.pragma('synchronous = NORMAL');
    if (dryRun) db.exec('BEGIN IMMEDIATE');
    else db.pragma('journal_mode = WAL');
    db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    db.pragma(`cache_size = -${CACHE}`);
  });
  const writes = new SqliteWrites(file, db, dryRun);
  try {
    if (migrationOf(file, db) < MIGRATIONS.length)
      await writes.transaction((transaction) => bringUpToDate(file, db, transaction));
    // Keeps in memory what SQLite needs to undo a statement that fails. In a file, this was more
    // than half of what an import wrote. A migration may change whole tables in a statement.
    if (!dryRun) db.pragma('temp_store = MEMORY');
    return writes;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** In one transaction, so that a killed import leaves a new file either empty or complete. */
async function bringUpToDate(
  file: string,
  db: Database.Database,
  transaction: Transaction,
): Promise<void> {
  // Another process may have done it since the check.
  const migration = migrationOf(file, db);
  if (migration === MIGRATIONS.length) return;
  if (migration === 0) mark(db);
  await migrate(transaction, migration);
}
