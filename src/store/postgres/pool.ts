import pg from 'pg';
import { StoreBusy } from '../database.js';
import { after, Connection } from './connection.js';
import { ConnectionLost, isTimeout, lostBecause } from './failures.js';
import type { Encryption } from './tls.js';
import type { Address, DatabaseUrl } from './url.js';

/** How many reads may wait for each connection of the server. At 5 ms for a read, the last waits half a second, or a second with half of the connections. */
const WAITING_PER_CONNECTION = 100;
/** Why a read that is not done by its deadline fails. */
const TOO_LATE = 'the database takes too long to answer';

type Pooled = Connection & pg.PoolClient;

/** A bounded number of connections to one server, and a bounded queue of reads that wait for one. */
export class Pool {
  private readonly connections = new Set<Connection>();
  /** What makes those fail that wait for a connection. */
  private readonly waiting = new Set<(error: Error) => void>();
  private pool: pg.Pool;

  /** @param encryption how connections are encrypted, as an option of pg */
  constructor(
    private readonly address: Address,
    private readonly url: DatabaseUrl,
    private readonly encryption: () => Encryption,
    private readonly size: number,
  ) {
    this.pool = this.start();
  }

  /** How many reads it has to do. */
  get work(): number {
    return this.pool.totalCount - this.pool.idleCount + this.pool.waitingCount;
  }

  /**
   * Runs something in a connection of its own.
   * @param deadline when it must be done, by `performance.now()`
   * @throws {StoreBusy} if too many wait already, or it is not done by then
   * @throws {ConnectionLost}
   */
  async use<T>(work: (connection: Connection) => Promise<T>, deadline: number): Promise<T> {
    const connection = await this.take(deadline);
    const stop = after(deadline - performance.now(), () => connection.interrupt(new StoreBusy(TOO_LATE)));
    try {
      return await work(connection);
    } catch (error) {
      throw isTimeout(error) ? new StoreBusy(TOO_LATE, { cause: error }) : error;
    } finally {
      stop();
      connection.release(connection.isSpent);
    }
  }

  /** Tries to have all connections again, after the server had none to spare. */
  grow(): void {
    this.pool.options.max = this.size;
  }

  /** Breaks all connections, so that everything that waits for the server can go elsewhere. */
  abandon(why: string): void {
    void this.pool.end();
    this.pool = this.start();
    for (const connection of this.connections) connection.destroy(why);
    this.refuse(why);
  }

  /** Closes all connections. No call may follow. */
  async close(): Promise<void> {
    void this.pool.end();
    this.refuse('it is closed');
    await Promise.all([...this.connections].map((connection) => connection.close()));
  }

  private refuse(why: string): void {
    for (const reject of this.waiting) reject(new ConnectionLost(why));
    this.waiting.clear();
  }

  private start(): pg.Pool {
    const { address, url, encryption, connections } = this;
    class Client extends Connection {
      constructor() {
        super(address, url, encryption());
        connections.add(this);
        this.on('end', () => connections.delete(this));
      }
    }
    const pool = new pg.Pool({ max: this.size, idleTimeoutMillis: 0, Client });
    // Of an idle connection that was lost; the pool has removed it.
    pool.on('error', () => undefined);
    return pool;
  }

  /** @throws {ConnectionLost} if the server cannot be reached @throws {StoreBusy} if no connection becomes free in time */
  private async take(deadline: number): Promise<Pooled> {
    const { pool } = this;
    const waiting = pool.waitingCount - pool.idleCount;
    if (waiting >= this.url.poolSize * WAITING_PER_CONNECTION) {
      throw new StoreBusy(`${waiting} reads wait for the database already`);
    }
    const { promise, resolve, reject } = Promise.withResolvers<Pooled>();
    const late = after(deadline - performance.now(), () => {
      this.waiting.delete(reject);
      reject(new StoreBusy('no connection to the database became free in time'));
    });
    this.waiting.add(reject);
    pool.connect().then(
      // The pool may have one when nobody waits for it any more.
      (client) => (this.waiting.delete(reject) ? resolve(client as Pooled) : client.release()),
      (error: unknown) => {
        this.waiting.delete(reject);
        reject(error);
      },
    );
    try {
      return await promise;
    } catch (error) {
      // The server may have no connection to spare; those there are then serve all reads.
      if (error instanceof StoreBusy) throw error;
      if (!(error instanceof pg.DatabaseError) || pool.totalCount === 0) throw lostBecause(error);
      pool.options.max = pool.totalCount;
      return await this.take(deadline);
    } finally {
      late();
    }
  }
}
