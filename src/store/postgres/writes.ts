import sql, { raw, type Sql } from 'sql-template-tag';
import { type Database, StoreUnusable, type Transaction, type Writes } from '../database.js';
import { MARK } from '../migrations.js';
import { columnsOf, kindOf, type TableName, TABLE_NAMES, TABLES } from '../schema.js';
import { connect, type Connection, databaseOf } from './connection.js';
import { explained, UnfitDatabase, whyUnused } from './failures.js';
import { TAKE_WRITE_LOCK } from './mark.js';
import { ONE_STATE, READ_ROLE } from './server.js';
import { type Address, type DatabaseUrl, nameOf } from './url.js';

/** How to write. */
export interface WriteOptions {
  /** Save nothing: everything happens in one transaction, which `close` rolls back. */
  dryRun: boolean;
  /** How long to wait for another process that writes, in milliseconds. */
  patience: number;
  /** How long a statement may take, in milliseconds. After that the server counts as silent, and the transaction as lost. */
  silence: number;
}

/** How long a transaction may wait for this process, in milliseconds. After that the server ends it, and so releases its locks. */
const LONGEST_IDLE = 300_000;

/** A server, or why it cannot be written. */
type Candidate = { server: string; connection: Connection } | { server: string; failure: string };

async function ask(address: Address, url: DatabaseUrl): Promise<Candidate> {
  const server = nameOf(address);
  let connection: Connection | undefined;
  try {
    connection = await connect(address, url);
    if (!((await connection.script(READ_ROLE)).rows[0] as { replica: boolean }).replica) return { server, connection };
    await connection.close();
    return { server, failure: 'is a replica' };
  } catch (error) {
    await connection?.close();
    return { server, failure: whyUnused(error) };
  }
}

/**
 * Connects to the one server that takes writes.
 * @param name the database in messages
 * @throws {StoreUnusable} if there is none, or if there are two, which would lead to two histories
 */
export async function openPrimary(name: string, url: DatabaseUrl): Promise<Connection> {
  const candidates = await Promise.all(url.servers.map((address) => ask(address, url)));
  const primaries = candidates.filter((each) => 'connection' in each);
  if (primaries.length === 1) return primaries[0]!.connection;
  await Promise.all(primaries.map(({ connection }) => connection.close()));
  const reasons = candidates.map((each) => `${each.server}: ${'failure' in each ? each.failure : 'accepts writes'}`).join('; ');
  const problem = primaries.length === 0 ? 'cannot be written' : 'has several primaries; stop all but one';
  throw new StoreUnusable(`database "${name}" ${problem}; ${reasons}`);
}

/** The types of columns in a list of rows in JSON, which has bytes as text in base64. */
const JSON_TYPES = { integer: 'bigint', number: 'double precision', text: 'text', bytes: 'text' };

/** Rows as SQL: one parameter in JSON. */
function given(table: TableName, columns: readonly string[], rows: readonly object[]): Sql {
  const binary = columns.filter((column) => kindOf(table, column) === 'bytes');
  const sent = rows.map((row) => {
    const values = row as Record<string, unknown>;
    const encoded = binary.map((column) => [column, Buffer.from(values[column] as Uint8Array).toString('base64')]);
    return Object.fromEntries([...columns.map((column) => [column, values[column]]), ...encoded]) as object;
  });
  const types = columns.map((column) => `${column} ${JSON_TYPES[kindOf(table, column)]}`);
  return sql`json_to_recordset(${JSON.stringify(sent)}::json) AS given (${raw(types.join(', '))})`;
}

/** A transaction. @param name the database in messages, because `work` may use another one as well */
function transactionOf(connection: Connection, name: string): Transaction {
  const execute = async (statement: Sql) => {
    try {
      return await connection.execute(statement);
    } catch (error) {
      throw explained(name, error);
    }
  };
  const run = async (statement: Sql): Promise<number> => (await execute(statement)).rowCount ?? 0;
  return {
    ...databaseOf(execute),
    run,
    insert: async (table, rows) => {
      if (rows.length === 0) return;
      const columns = columnsOf(table);
      const values = columns.map((column) => (kindOf(table, column) === 'bytes' ? `decode(${column}, 'base64')` : column));
      const target = raw(`${table} (${columns.join(', ')}) SELECT ${values.join(', ')}`);
      await run(sql`INSERT INTO ${target} FROM ${given(table, columns, rows)}`);
    },
    update: async (table, columns, rows) => {
      if (rows.length === 0) return;
      const key: readonly string[] = TABLES[table].key;
      const values = raw(columns.map((column) => `${column} = given.${column}`).join(', '));
      const same = raw(key.map((column) => `${table}.${column} = given.${column}`).join(' AND '));
      await run(sql`UPDATE ${raw(table)} SET ${values} FROM ${given(table, [...key, ...columns], rows)} WHERE ${same}`);
    },
  };
}

/** Writes to the primary. After its connection was lost, the next transaction looks for the primary again. */
export class PrimaryWrites implements Writes {
  private connection: Connection | null = null;
  /** Whether the transaction of a dry run has begun. */
  private begun = false;

  /** @param name the database in messages */
  constructor(
    private readonly name: string,
    private readonly url: DatabaseUrl,
    private readonly options: WriteOptions,
  ) {}

  async read<T>(work: (db: Database) => Promise<T>): Promise<T> {
    return this.options.dryRun ? this.unlocked(work) : this.within(ONE_STATE, work);
  }

  async transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.unlocked(async (transaction) => {
      if ((await transaction.run(TAKE_WRITE_LOCK)) === 0) throw new UnfitDatabase(`is damaged: its table ${MARK} is empty`);
      return work(transaction);
    });
  }

  /** Runs a transaction without increasing the revision, so that others may write meanwhile. @throws {StoreUnusable} */
  async unlocked<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const { dryRun, patience, silence } = this.options;
    const settings = {
      lock_timeout: patience,
      statement_timeout: silence,
      idle_in_transaction_session_timeout: LONGEST_IDLE,
      // A plan that was made while the tables were empty would read all of them for each row.
      plan_cache_mode: 'force_custom_plan',
    };
    // After the wait for the write lock, a statement must see what the other process has committed, whatever the default is.
    const mode = [
      'ISOLATION LEVEL READ COMMITTED READ WRITE',
      ...Object.entries(settings).map(([setting, value]) => `SET LOCAL ${setting} = ${value}`),
    ].join('; ');
    return dryRun ? this.rehearse(mode, work) : this.within(mode, work);
  }

  async tidyUp(): Promise<void> {
    const tables = raw(`ANALYZE ${[MARK, ...TABLE_NAMES].join(', ')}`);
    // Without statistics the database works, only slower. Only the owner of the tables can gather them.
    await this.unlocked((transaction) => transaction.run(tables)).catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.connection?.close();
  }

  private async within<T>(mode: string, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    try {
      const connection = await this.connected();
      return await connection.inTransaction(mode, 'SELECT', () => work(transactionOf(connection, this.name)));
    } catch (error) {
      throw explained(this.name, error);
    }
  }

  /** A transaction within the one of the dry run. */
  private async rehearse<T>(mode: string, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    try {
      const connection = await this.connected();
      if (!this.begun) await connection.begin(mode);
      this.begun = true;
      await connection.script('SAVEPOINT rehearsed');
      try {
        const result = await work(transactionOf(connection, this.name));
        await connection.script('RELEASE SAVEPOINT rehearsed');
        return result;
      } catch (error) {
        await connection.script('ROLLBACK TO SAVEPOINT rehearsed').catch(() => undefined);
        throw error;
      }
    } catch (error) {
      throw explained(this.name, error);
    }
  }

  private async connected(): Promise<Connection> {
    // A dry run that has lost its connection has lost what it has done.
    if (this.connection !== null && (this.begun || !this.connection.isSpent)) return this.connection;
    await this.connection?.close();
    this.connection = await openPrimary(this.name, this.url);
    this.connection.silence = this.options.silence;
    return this.connection;
  }
}
