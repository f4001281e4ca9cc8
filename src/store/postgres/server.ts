import pg from 'pg';
import { StoreBusy } from '../database.js';
import { after, connect, Connection, databaseOf, type Execute } from './connection.js';
import { isTimeout, lostBecause, whyUnused } from './failures.js';
import { findMark, type Mark } from './mark.js';
import { type Address, type DatabaseUrl, nameOf } from './url.js';

/** How long a read may take in all, in milliseconds. */
export const READ_BUDGET = 10_000;
/** How many reads may wait for each connection. At 5 ms for a read, the last waits half a second. */
const WAITING_PER_CONNECTION = 100;
/** How long a server may not answer the shortest of questions, in milliseconds. */
const SILENCE = 2000;
/** A statement that takes this long is slow, in milliseconds. The slowest one of a page takes a third of it unless it waits for a lock. */
const SLOW = 250;
/** For how long a statement that was slow counts as slow, in milliseconds. */
const SLOW_AGAIN = 10_000;

/** A transaction whose statements all see the same state. */
export const ONE_STATE = 'ISOLATION LEVEL REPEATABLE READ READ ONLY';
/** Whether the server is a replica. */
export const READ_ROLE = 'SELECT pg_is_in_recovery() AS replica';

/** Reads something with a connection. @param execute runs a single statement */
export type Work<T> = (execute: Execute, connection: Connection) => Promise<T>;

/** A read has a statement that is slow, and so has to be run elsewhere. */
class SlowRead extends Error {}

/**
 * One server, as this process knows it: its connections, and what it said last. Only probes decide whether it is used. They
 * have a connection of their own, so a server that is busy with long statements or whose tables are locked still answers them, and
 * one that is silent is noticed whatever it was asked.
 */
export class Server {
  /** Its address, for logs. */
  readonly name: string;
  /** Null until it has answered once. */
  role: 'primary' | 'replica' | null = null;
  /** What the last probe has read; null if the database has no tables of this service. */
  mark: Mark | null = null;
  /** The newest revision that it has shown. */
  revision = 0;
  /** Why it is not used; null if it answers. */
  failure: string | null = 'it was not asked yet';
  /** Those of both pools. */
  private readonly connections = new Set<Connection>();
  private readonly quick: pg.Pool;
  /** For slow statements: half of the connections, so that they never take all. The same pool if there is only one connection. */
  private readonly slow: pg.Pool;
  private readonly slowSize: number;
  /** Until when statements count as slow, by their texts. */
  private readonly slowUntil = new Map<string, number>();
  private watcher: Connection | null = null;
  private probing: Promise<void> | null = null;
  private closed = false;

  constructor(
    private readonly address: Address,
    private readonly url: DatabaseUrl,
  ) {
    this.name = nameOf(address);
    this.slowSize = Math.floor(url.poolSize / 2);
    this.quick = this.poolOf(url.poolSize - this.slowSize);
    this.slow = this.slowSize === 0 ? this.quick : this.poolOf(this.slowSize);
  }

  /** How many reads it has to do. */
  get load(): number {
    const of = ({ totalCount, idleCount, waitingCount }: pg.Pool): number =>
      totalCount - idleCount + waitingCount;
    return of(this.quick) + of(this.slow);
  }

  /** Reads with a connection, again if a statement is slow. @param deadline by `performance.now()` @throws {StoreBusy} {ConnectionLost} */
  async use<T>(work: Work<T>, deadline: number): Promise<T> {
    try {
      if (this.slow !== this.quick)
        return await this.useOne(
          this.quick,
          (connection) => work(this.quickly(connection), connection),
          deadline,
        );
    } catch (error) {
      if (!(error instanceof SlowRead)) throw error;
    }
    return this.useOne(
      this.slow,
      (connection) => work((statement) => connection.execute(statement), connection),
      deadline,
    );
  }

  /** Asks for its role and its mark. Never fails; says the result in {@link failure}. */
  probe(): Promise<void> {
    this.probing ??= this.ask().finally(() => (this.probing = null));
    return this.probing;
  }

  /** Closes all connections. No call may follow. */
  async close(): Promise<void> {
    this.closed = true;
    for (const pool of new Set([this.quick, this.slow])) void pool.end();
    await Promise.all([
      this.watcher?.close(),
      ...[...this.connections].map((connection) => connection.close()),
    ]);
  }

  private poolOf(max: number): pg.Pool {
    const admit = (connection: Connection): void => {
      this.connections.add(connection);
      connection.on('end', () => this.connections.delete(connection));
      const { failure } = this;
      // Reads that wait for it go elsewhere. The pool has to call `connect` first.
      if (failure !== null) queueMicrotask(() => connection.destroy(failure));
    };
    const { address, url } = this;
    class Client extends Connection {
      constructor() {
        super(address, url);
        admit(this);
      }
    }
    const pool = new pg.Pool({
      max,
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: READ_BUDGET,
      Client,
    });
    // Of an idle connection that was lost; the pool has removed it.
    return pool.on('error', () => undefined);
  }

  private async useOne<T>(
    pool: pg.Pool,
    work: (connection: Connection) => Promise<T>,
    deadline: number,
  ): Promise<T> {
    const connection = await this.take(pool);
    const busy = (cause?: unknown): StoreBusy =>
      new StoreBusy('the database takes too long to answer', { cause });
    const stop = after(deadline - performance.now(), () => connection.interrupt(busy()));
    try {
      return await work(connection);
    } catch (error) {
      throw isTimeout(error) ? busy(error) : error;
    } finally {
      stop();
      connection.release(connection.isSpent);
    }
  }

  private async take(pool: pg.Pool): Promise<Connection & pg.PoolClient> {
    const waiting = pool.waitingCount - pool.idleCount;
    if (waiting >= this.url.poolSize * WAITING_PER_CONNECTION)
      throw new StoreBusy(`${waiting} reads wait for the database already`);
    try {
      return (await pool.connect()) as Connection & pg.PoolClient;
    } catch (error) {
      if (/timeout exceeded/.test((error as Error).message))
        throw new StoreBusy('no connection to the database became free in time');
      // The server may have no connection to spare; those there are then serve all reads, until the next probe.
      if (!(error instanceof pg.DatabaseError) || pool.totalCount === 0) throw lostBecause(error);
      pool.options.max = pool.totalCount;
      return this.take(pool);
    }
  }

  /** Runs statements that are not slow. Cancels a slow one, and refuses it at once the next time, to keep the quick connections free. */
  private quickly(connection: Connection): Execute {
    return async (statement) => {
      const { text } = statement;
      if (performance.now() < (this.slowUntil.get(text) ?? 0)) throw new SlowRead();
      const stop = after(SLOW, () => {
        // Their texts are few, except in a mistake.
        if (this.slowUntil.size > 1000) this.slowUntil.clear();
        this.slowUntil.set(text, performance.now() + SLOW_AGAIN);
        connection.interrupt(new SlowRead());
      });
      try {
        return await connection.execute(statement);
      } finally {
        stop();
      }
    };
  }

  private async ask(): Promise<void> {
    try {
      const watcher =
        this.watcher?.isSpent === false
          ? this.watcher
          : await connect(this.address, this.url, SILENCE);
      this.watcher = watcher;
      if (this.closed) return watcher.destroy('it is closed');
      await watcher.inTransaction(ONE_STATE, READ_ROLE, async (state) => {
        const mark = await findMark(databaseOf((statement) => watcher.execute(statement)));
        this.role = (state as { replica: boolean }).replica ? 'replica' : 'primary';
        this.mark = mark;
        this.revision = mark?.revision ?? 0;
      });
      this.failure = null;
      this.slow.options.max = this.slowSize;
      this.quick.options.max = this.url.poolSize - this.slowSize;
    } catch (error) {
      this.failure = whyUnused(error);
      for (const connection of [this.watcher, ...this.connections])
        connection?.destroy(this.failure);
    }
  }
}
