import { type Parameter, TAKE_WRITE_LOCK, type Transaction, type Writes } from './client.js';
import { EmptyTable, explained } from './failures.js';
import type { Session } from './session.js';

/** How an import writes. */
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

/** Writes to the primary. After its connection was lost, the next transaction looks for the primary again. */
export class PrimaryWrites implements Writes {
  /** Whether the transaction of a dry run has begun. */
  private begun = false;

  /**
   * @param name the database in messages
   * @param open connects to the primary
   */
  constructor(
    private readonly name: string,
    private session: Session,
    private readonly open: () => Promise<Session>,
    private readonly options: WriteOptions,
  ) {}

  async transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.unlocked(async (transaction) => {
      if ((await transaction.run(TAKE_WRITE_LOCK)) === 0) throw new EmptyTable('revision');
      return work(transaction);
    });
  }

  async unlocked<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    try {
      if (this.options.dryRun) return await this.rehearse(work);
      if (!this.session.usable) {
        await this.session.close();
        this.session = await this.open();
      }
      return await this.session.inTransaction(this.begin, () => work(this.statements));
    } catch (error) {
      throw explained(this.name, error);
    }
  }

  async close(): Promise<void> {
    await this.session.close();
  }

  private get begin(): string {
    // After the wait for the write lock, a statement must see what the other process has committed, whatever the default is.
    // A plan that was made while the tables were empty would read all of them for each row, also in triggers.
    return `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL lock_timeout = ${this.options.patience}; SET LOCAL statement_timeout = ${this.options.silence}; SET LOCAL idle_in_transaction_session_timeout = ${LONGEST_IDLE}; SET LOCAL plan_cache_mode = force_custom_plan`;
  }

  /** The statements of a transaction. Their errors name this database already, because `work` may use another one as well. */
  private get statements(): Transaction {
    const { session } = this;
    const explaining = <T>(result: Promise<T>): Promise<T> =>
      result.catch((error: unknown) => {
        throw explained(this.name, error);
      });
    return {
      all: <Row extends object>(sql: string, ...parameters: Parameter[]) => explaining(session.all<Row>(sql, ...parameters)),
      get: <Row extends object>(sql: string, ...parameters: Parameter[]) => explaining(session.get<Row>(sql, ...parameters)),
      run: (sql, ...parameters) => explaining(session.run(sql, ...parameters)),
    };
  }

  /** A transaction within the one of the dry run. */
  private async rehearse<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    if (!this.begun) await this.session.script(this.begin);
    this.begun = true;
    await this.session.script('SAVEPOINT rehearsed');
    try {
      const result = await work(this.statements);
      await this.session.script('RELEASE SAVEPOINT rehearsed');
      return result;
    } catch (error) {
      await this.session.script('ROLLBACK TO SAVEPOINT rehearsed').catch(() => undefined);
      throw error;
    }
  }
}
