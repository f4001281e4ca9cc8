import { type Connection, connect, after, databaseOf, type Execute } from './connection.js';
import { whyUnused } from './failures.js';
import { findMark, type Mark } from './mark.js';
import { Pool } from './pool.js';
import { SlowRead, SlowStatements } from './slow-statements.js';
import type { Encryption } from './tls.js';
import { type Address, type DatabaseUrl, nameOf } from './url.js';

/** The primary takes writes; a replica repeats them. */
export type Role = 'primary' | 'replica';

/** How long a server may not answer the shortest of questions, in milliseconds. */
const SILENCE = 2000;
/** How long a probe counts as the newest, in milliseconds: many reads may ask for one at once. */
const FRESH = 20;

/** A transaction whose statements all see the same state. */
export const ONE_STATE = 'ISOLATION LEVEL REPEATABLE READ READ ONLY';
export const READ_ROLE = 'SELECT pg_is_in_recovery() AS replica';

/** Reads something with a connection. @param execute runs a single statement */
export type Work<T> = (execute: Execute, connection: Connection) => Promise<T>;

/**
 * One server, as this process knows it: its connections, and what it said last. Only probes decide whether it is used. They
 * have a connection of their own, so a server that is busy with long statements or whose tables are locked still answers them, and
 * one that is silent is noticed whatever it was asked.
 */
export class Server {
  /** Null until it has answered once. */
  role: Role | null = null;
  /** What the last probe has read; null if the database has no tables of this service. */
  mark: Mark | null = null;
  /** The newest revision that it has shown. */
  revision = 0;
  /** Why it is not used; null if it answers. */
  failure: string | null = 'it was not asked yet';
  private readonly quick: Pool;
  private readonly slow: Pool;
  private readonly slowStatements: SlowStatements | null;
  private encryption: Encryption = false;
  private watcher: Connection | null = null;
  private probing: Promise<void> | null = null;
  private probedAt = -Infinity;
  private closed = false;

  constructor(
    private readonly address: Address,
    private readonly url: DatabaseUrl,
  ) {
    const { poolSize } = url;
    // Statements that take long, or wait for a locked table, have half of the connections, so that they never take all.
    const slowSize = Math.floor(poolSize / 2);
    const pool = (size: number): Pool => new Pool(address, url, () => this.encryption, size);
    this.quick = pool(poolSize - slowSize);
    this.slow = slowSize === 0 ? this.quick : pool(slowSize);
    this.slowStatements = slowSize === 0 ? null : new SlowStatements();
  }

  /** Its address, for logs. */
  get name(): string {
    return nameOf(this.address);
  }

  /** How much there is to do for each connection. */
  get load(): number {
    return this.pools.reduce((sum, { work }) => sum + work, 0) / this.url.poolSize;
  }

  /**
   * Reads with one of its connections. The read is run again if a statement turns out to be slow.
   * @param deadline when it must be done, by `performance.now()`
   * @throws {StoreBusy} if too many wait already, or it is not done by then
   * @throws {ConnectionLost}
   */
  async use<T>(work: Work<T>, deadline: number): Promise<T> {
    const { slowStatements } = this;
    if (slowStatements === null)
      return this.quick.use((connection) => work((statement) => connection.execute(statement), connection), deadline);
    try {
      return await this.quick.use((connection) => work(slowStatements.refusing(connection), connection), deadline);
    } catch (error) {
      if (!(error instanceof SlowRead)) throw error;
      return this.slow.use((connection) => work(slowStatements.admitting(connection), connection), deadline);
    }
  }

  /** Asks for its role and its mark. Never fails; says the result in {@link failure}. */
  probe(): Promise<void> {
    if (this.probing === null && performance.now() - this.probedAt < FRESH) return Promise.resolve();
    this.probing ??= this.ask().finally(() => {
      this.probing = null;
      this.probedAt = performance.now();
    });
    return this.probing;
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.all([...this.pools.map((pool) => pool.close()), this.watcher?.close()]);
  }

  /** Its pools: a single one if the URL allows only one connection. */
  private get pools(): Pool[] {
    return this.slow === this.quick ? [this.quick] : [this.quick, this.slow];
  }

  private async ask(): Promise<void> {
    let stop: (() => void) | undefined;
    try {
      const watcher = this.watcher?.isSpent === false ? this.watcher : await connect(this.address, this.url);
      this.watcher = watcher;
      this.encryption = watcher.encryption;
      if (this.closed) return watcher.destroy('it is closed');
      stop = after(SILENCE, () => watcher.destroy('it does not answer'));
      await watcher.inTransaction(ONE_STATE, READ_ROLE, async (state) => {
        const mark = await findMark(databaseOf((statement) => watcher.execute(statement)));
        this.role = (state as { replica: boolean }).replica ? 'replica' : 'primary';
        this.mark = mark;
        this.revision = mark?.revision ?? 0;
      });
      this.failure = null;
      for (const pool of this.pools) pool.grow();
    } catch (error) {
      this.fail(whyUnused(error));
    } finally {
      stop?.();
    }
  }

  private fail(why: string): void {
    this.failure = why;
    this.watcher?.destroy(why);
    this.watcher = null;
    if (this.closed) return;
    for (const pool of this.pools) pool.abandon(why);
  }
}
