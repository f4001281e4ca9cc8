import type pg from 'pg';
import sql, { raw, type Sql } from 'sql-template-tag';
import type { Database, Transaction, WriterOptions, Writes } from '../database.js';
import { POSTGRES } from '../dialect.js';
import { MARK } from '../migrations.js';
import { columnsOf, columnKind, type TableName, TABLE_NAMES, TABLES } from '../schema.js';
import { explained, UnfitDatabase } from './failures.js';
import { TAKE_WRITE_LOCK } from './mark.js';
import { databaseOf, openPool, Session } from './pool.js';
import { ONE_STATE } from './reads.js';
import type { DatabaseUrl } from '../address.js';

/** How to write. */
export type WriteOptions = Required<Omit<WriterOptions, 'create'>> & {
  /** How long a statement may take, in milliseconds. */
  longest: number;
};

/**
 * How long a transaction may wait for this process, in milliseconds. After that the server ends it,
 * and so releases its locks.
 */
const LONGEST_IDLE = 300_000;
/**
 * How long to wait for an answer after the time that a statement may take, in milliseconds. After
 * that, the server counts as unreachable.
 */
const GRACE = 1000;

/** Rows as SQL: one parameter in JSON. */
function given(table: TableName, columns: readonly string[], rows: readonly object[]): Sql {
  const toJson = (value: unknown): unknown =>
    value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value;
  const sent = rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([column, value]) => [column, toJson(value)])),
  );
  const types = columns.map((column) => `${column} ${POSTGRES.types[columnKind(table, column)]}`);
  return sql`json_to_recordset(${JSON.stringify(sent)}::json) AS given (${raw(types.join(', '))})`;
}

/**
 * A transaction.
 * @param shown the database in messages, because `work` may use another one as well
 */
function transactionOf(session: Session, shown: string): Transaction {
  const execute = (statement: Sql) =>
    session.execute(statement).catch((error: unknown) => {
      throw explained(shown, error);
    });
  const run = async (statement: Sql): Promise<number> => (await execute(statement)).rowCount ?? 0;
  return {
    ...databaseOf({ execute }),
    run,
    insert: async (table, rows) => {
      if (rows.length === 0) return;
      const columns = columnsOf(table);
      const names = raw(columns.join(', '));
      await run(
        sql`INSERT INTO ${raw(table)} (${names})
          SELECT ${names} FROM ${given(table, columns, rows)}`,
      );
    },
    update: async (table, rows) => {
      if (rows.length === 0) return;
      const key: readonly string[] = TABLES[table].key;
      const columns = Object.keys(rows[0]!).filter((column) => !key.includes(column));
      const values = raw(columns.map((column) => `${column} = given.${column}`).join(', '));
      const same = raw(key.map((column) => `${table}.${column} = given.${column}`).join(' AND '));
      await run(
        sql`UPDATE ${raw(table)} SET ${values}
          FROM ${given(table, [...key, ...columns], rows)} WHERE ${same}`,
      );
    },
  };
}

/**
 * Writes to the server that answers at the address. A transaction whose connection breaks is rolled
 * back; the next one connects again.
 */
export class PostgresWrites implements Writes {
  private readonly pool: pg.Pool;
  /** The session of a dry run, from its first transaction on. */
  private rehearsal: Promise<Session> | null = null;
  /** Every transaction that writes begins with this. */
  private readonly begin: string;

  constructor(
    private readonly url: DatabaseUrl,
    private readonly options: WriteOptions,
  ) {
    this.pool = openPool(url, 1);
    this.begin = [
      // After the wait for the write lock, a statement must see what the other process has
      // committed, whatever the default is.
      'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE',
      `SET LOCAL lock_timeout = ${options.patience}`,
      `SET LOCAL statement_timeout = ${options.longest}`,
      `SET LOCAL idle_in_transaction_session_timeout = ${LONGEST_IDLE}`,
      // A plan that was made while the tables were empty would read all of them for each row.
      'SET LOCAL plan_cache_mode = force_custom_plan',
    ].join('; ');
  }

  read<T>(work: (db: Database) => Promise<T>): Promise<T> {
    return this.within(ONE_STATE, work);
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.unlocked(async (transaction) => {
      if ((await transaction.run(TAKE_WRITE_LOCK)) === 0)
        throw new UnfitDatabase(`is damaged: its table ${MARK} is empty`);
      return work(transaction);
    });
  }

  /**
   * Runs a transaction without increasing the revision, so that others may write meanwhile.
   * @throws {StoreUnusable}
   */
  unlocked<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.within(this.begin, work);
  }

  async tidyUp(): Promise<void> {
    const tables = raw(`ANALYZE ${[MARK, ...TABLE_NAMES].join(', ')}`);
    // Without statistics the database works, only slower. Only the owner of the tables can gather
    // them.
    await this.unlocked((transaction) => transaction.run(tables)).catch(() => undefined);
  }

  async close(): Promise<void> {
    const session = await this.rehearsal?.catch(() => null);
    await session?.script('ROLLBACK').catch(() => undefined);
    session?.release();
    await this.pool.end();
  }

  /** @param begin the statements that begin a transaction */
  private async within<T>(
    begin: string,
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    const { shown } = this.url;
    try {
      if (!this.options.dryRun) return await this.commit(begin, work);
      this.rehearsal ??= this.open(this.begin);
      return await work(transactionOf(await this.rehearsal, shown));
    } catch (error) {
      throw explained(shown, error);
    }
  }

  /** Runs a transaction to its end. */
  private async commit<T>(
    begin: string,
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    const session = await this.open(begin);
    try {
      const result = await work(transactionOf(session, this.url.shown));
      const { command } = await session.script('COMMIT');
      if (command !== 'COMMIT')
        throw new Error('the transaction was rolled back, because a statement in it had failed');
      return result;
    } catch (error) {
      await session.script('ROLLBACK').catch(() => undefined);
      throw error;
    } finally {
      session.release();
    }
  }

  /** Takes a connection, and begins a transaction. @param begin the statements that begin it */
  private async open(begin: string): Promise<Session> {
    const session = await Session.take(this.pool, this.url, () => this.options.longest + GRACE);
    try {
      await session.script(begin);
      return session;
    } catch (error) {
      session.release();
      throw error;
    }
  }
}
