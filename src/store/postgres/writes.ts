import sql, { raw, type Sql } from 'sql-template-tag';
import {
  type Database,
  StoreUnusable,
  type Transaction,
  type WriterOptions,
  type Writes,
} from '../database.js';
import { POSTGRES } from '../dialect.js';
import { MARK } from '../migrations.js';
import { columnsOf, kindOf, type TableName, TABLE_NAMES, TABLES } from '../schema.js';
import { connect, type Connection, databaseOf } from './connection.js';
import { ConnectionLost, explained, UnfitDatabase, whyUnused } from './failures.js';
import { TAKE_WRITE_LOCK } from './mark.js';
import { ONE_STATE, READ_ROLE } from './server.js';
import { type Address, type DatabaseUrl, nameOf } from './url.js';

/** How to write. */
export type WriteOptions = Required<Omit<WriterOptions, 'create'>> & {
  /** How long a statement may take, in milliseconds. After that the server counts as silent, and the transaction as lost. */
  silence: number;
};

/** How long a transaction may wait for this process, in milliseconds. After that the server ends it, and so releases its locks. */
const LONGEST_IDLE = 300_000;

/** Connects to a server that takes writes. @throws {ConnectionLost} if it does not, or cannot be reached */
async function connectToWrite(
  address: Address,
  url: DatabaseUrl,
  silence: number,
): Promise<Connection> {
  const connection = await connect(address, url, silence);
  try {
    const { replica } = (await connection.script(READ_ROLE)).rows[0] as { replica: boolean };
    if (replica) throw new ConnectionLost('is a replica');
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Connects to the one server that takes writes. @throws {StoreUnusable} if there is none, or if there are two, which would lead to two histories */
async function connectToPrimary(url: DatabaseUrl, silence: number): Promise<Connection> {
  const asked = await Promise.allSettled(
    url.servers.map((address) => connectToWrite(address, url, silence)),
  );
  const primaries = asked.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  if (primaries.length === 1) return primaries[0]!;
  await Promise.all(primaries.map((connection) => connection.close()));
  const reasons = asked.map((each, index) => {
    const why = each.status === 'fulfilled' ? 'accepts writes' : whyUnused(each.reason);
    return `${nameOf(url.servers[index]!)}: ${why}`;
  });
  const problem =
    primaries.length === 0 ? 'cannot be written' : 'has several primaries; stop all but one';
  throw new StoreUnusable(`database "${url.shown}" ${problem}; ${reasons.join('; ')}`);
}

/** Rows as SQL: one parameter in JSON. */
function given(table: TableName, columns: readonly string[], rows: readonly object[]): Sql {
  const toJson = (value: unknown): unknown =>
    value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value;
  const sent = rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([column, value]) => [column, toJson(value)])),
  );
  const types = columns.map((column) => `${column} ${POSTGRES.types[kindOf(table, column)]}`);
  return sql`json_to_recordset(${JSON.stringify(sent)}::json) AS given (${raw(types.join(', '))})`;
}

/** A transaction. @param shown the database in messages, because `work` may use another one as well */
function transactionOf(connection: Connection, shown: string): Transaction {
  const execute = (statement: Sql) =>
    connection.execute(statement).catch((error: unknown) => {
      throw explained(shown, error);
    });
  const run = async (statement: Sql): Promise<number> => (await execute(statement)).rowCount ?? 0;
  return {
    ...databaseOf(execute),
    run,
    insert: async (table, rows) => {
      if (rows.length === 0) return;
      const columns = columnsOf(table);
      const names = raw(columns.join(', '));
      await run(
        sql`INSERT INTO ${raw(table)} (${names}) SELECT ${names} FROM ${given(table, columns, rows)}`,
      );
    },
    update: async (table, rows) => {
      if (rows.length === 0) return;
      const key: readonly string[] = TABLES[table].key;
      const columns = Object.keys(rows[0]!).filter((column) => !key.includes(column));
      const values = raw(columns.map((column) => `${column} = given.${column}`).join(', '));
      const same = raw(key.map((column) => `${table}.${column} = given.${column}`).join(' AND '));
      await run(
        sql`UPDATE ${raw(table)} SET ${values} FROM ${given(table, [...key, ...columns], rows)} WHERE ${same}`,
      );
    },
  };
}

/** Writes to the primary. After its connection was lost, the next transaction looks for the primary again. */
export class PrimaryWrites implements Writes {
  private connection: Connection | null = null;
  /** Whether the transaction of a dry run has begun. */
  private begun = false;
  /** Every transaction that writes begins with this. */
  private readonly mode: string;

  constructor(
    private readonly url: DatabaseUrl,
    private readonly options: WriteOptions,
  ) {
    this.mode = [
      // After the wait for the write lock, a statement must see what the other process has committed, whatever the default is.
      'ISOLATION LEVEL READ COMMITTED READ WRITE',
      `SET LOCAL lock_timeout = ${options.patience}`,
      `SET LOCAL statement_timeout = ${options.silence}`,
      `SET LOCAL idle_in_transaction_session_timeout = ${LONGEST_IDLE}`,
      // A plan that was made while the tables were empty would read all of them for each row.
      'SET LOCAL plan_cache_mode = force_custom_plan',
    ].join('; ');
  }

  read<T>(work: (db: Database) => Promise<T>): Promise<T> {
    return this.within(this.options.dryRun ? this.mode : ONE_STATE, work);
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.unlocked(async (transaction) => {
      if ((await transaction.run(TAKE_WRITE_LOCK)) === 0)
        throw new UnfitDatabase(`is damaged: its table ${MARK} is empty`);
      return work(transaction);
    });
  }

  /** Runs a transaction without increasing the revision, so that others may write meanwhile. @throws {StoreUnusable} */
  unlocked<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.within(this.mode, work);
  }

  async tidyUp(): Promise<void> {
    const tables = raw(`ANALYZE ${[MARK, ...TABLE_NAMES].join(', ')}`);
    // Without statistics the database works, only slower. Only the owner of the tables can gather them.
    await this.unlocked((transaction) => transaction.run(tables)).catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.connection?.close();
  }

  private async within<T>(
    mode: string,
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    try {
      // A dry run that has lost its connection has lost what it has done.
      if (this.connection?.isSpent === true && !this.begun) {
        await this.connection.close();
        this.connection = null;
      }
      const connection = (this.connection ??= await connectToPrimary(
        this.url,
        this.options.silence,
      ));
      const transaction = transactionOf(connection, this.url.shown);
      if (!this.options.dryRun)
        return await connection.inTransaction(mode, 'SELECT', () => work(transaction));
      if (!this.begun) await connection.begin(mode, 'SELECT');
      this.begun = true;
      return await work(transaction);
    } catch (error) {
      throw explained(this.url.shown, error);
    }
  }
}
