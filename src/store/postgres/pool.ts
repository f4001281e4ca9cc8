import { hash } from 'node:crypto';
import pg from 'pg';
import { type Database, type Statement, StoreBusy } from '../database.js';
import { POSTGRES } from '../dialect.js';
import { encryptionFor, passwordFor } from './credentials.js';
import { ConnectionLost, explanationOf, isEndOfConnection, Unreachable } from './failures.js';
import type { DatabaseUrl } from '../address.js';

/**
 * How many statements a connection prepares by name before it is replaced: each takes memory of the
 * server.
 */
const MOST_PREPARED = 200;

/** The numbers of the types `bigint` and `numeric` on the server. */
const BIGINT = 20;
const NUMERIC = 1700;

/** The parsers of pg, except that these types become numbers. */
const TYPES = new pg.TypeOverrides();
TYPES.setTypeParser(BIGINT, Number);
TYPES.setTypeParser(NUMERIC, Number);

/**
 * The connections to the server. Nothing is set for a whole session, because a pooler in
 * transaction mode would pass it on to others: transactions set what they need with SET LOCAL.
 * @param size the most connections
 */
export function openPool(url: DatabaseUrl, size: number): pg.Pool {
  const pool = new pg.Pool({
    host: url.host,
    port: url.port,
    user: url.user,
    database: url.database,
    // Asked anew for each connection, so that a password can be changed without a restart.
    password: async () => passwordFor(url),
    application_name: url.applicationName,
    ssl: encryptionFor(url),
    types: TYPES,
    max: size,
    // How long to wait for a new connection, and for a free one.
    connectionTimeoutMillis: url.connectTimeout,
    // Unused connections stay open, and do not keep the process from ending.
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
    keepAlive: true,
    // In milliseconds; Linux would wait for two hours.
    keepAliveInitialDelayMillis: 10_000,
    // Statements are sent without waiting for the answers of those before.
    pipeline: true,
  });
  // When a connection breaks, its statements fail, and an unused one leaves the pool. Without
  // listeners, the process would end.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Messages of pg, whose errors have no code here. */
const NONE_FREE = 'timeout exceeded when trying to connect';
const WITHOUT_TLS = 'does not support SSL';

/** Takes a free connection, or makes one. @throws {Unreachable} {StoreBusy} */
async function takeClient(pool: pg.Pool, url: DatabaseUrl): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    const { message } = error as Error;
    if (message === NONE_FREE)
      throw new StoreBusy('no connection to the database became free in time');
    if (url.tls === 'prefer' && message.includes(WITHOUT_TLS)) {
      pool.options.ssl = false;
      return takeClient(pool, url);
    }
    throw new Unreachable(explanationOf(error), { cause: error });
  }
}

/** The names of the statements that each connection has prepared. */
const prepared = new WeakMap<pg.PoolClient, Set<string>>();

/** A connection while it is taken from the pool, for one transaction. */
export class Session {
  private isBroken = false;
  private isReleased = false;

  private constructor(
    private readonly client: pg.PoolClient,
    private readonly prepares: boolean,
    private readonly patience: () => number,
  ) {}

  /**
   * Takes a connection.
   * @param patience how long the next statement may take, in milliseconds; after that, the
   *   connection counts as lost
   * @throws {Unreachable} if there is none and none can be made
   * @throws {StoreBusy} if none becomes free in time
   */
  static async take(pool: pg.Pool, url: DatabaseUrl, patience: () => number): Promise<Session> {
    return new Session(await takeClient(pool, url), url.prepare, patience);
  }

  /** Runs a statement. @throws {ConnectionLost} {pg.DatabaseError} */
  execute({ text, values }: Statement): Promise<pg.QueryResult> {
    if (!this.prepares) return this.query({ text, values });
    // Named after its text, so that another client of a pooler never has another statement of the
    // same name.
    const name = hash('sha1', text);
    const names = prepared.get(this.client) ?? new Set();
    prepared.set(this.client, names.add(name));
    return this.query({ name, text, values });
  }

  /**
   * Runs statements without parameters in one round trip.
   * @returns the result of the last one
   * @throws as {@link execute}
   */
  async script(...statements: string[]): Promise<pg.QueryResult> {
    const results = (await this.query({ text: statements.join('; ') })) as
      pg.QueryResult | pg.QueryResult[];
    return Array.isArray(results) ? results.at(-1)! : results;
  }

  /** Returns the connection, or closes it if it can no longer be used. */
  release(): void {
    this.isReleased = true;
    const isWornOut = (prepared.get(this.client)?.size ?? 0) > MOST_PREPARED;
    this.client.release(this.isBroken || isWornOut);
  }

  private async query(query: pg.QueryConfig): Promise<pg.QueryResult> {
    // By now, somebody else may be using the connection for a transaction.
    if (this.isReleased) throw new Error('the transaction has ended');
    // For pg, 0 means no limit.
    const timed = { ...query, query_timeout: Math.max(1, this.patience()) };
    try {
      return await this.client.query(timed);
    } catch (error) {
      if (!isEndOfConnection(error)) throw error;
      this.isBroken = true;
      throw new ConnectionLost(explanationOf(error), { cause: error });
    }
  }
}

/** What readers see of a session. */
export const databaseOf = (session: Pick<Session, 'execute'>): Database => ({
  dialect: POSTGRES,
  all: async <Row extends object>(statement: Statement) =>
    (await session.execute(statement)).rows as Row[],
  get: async <Row extends object>(statement: Statement) =>
    (await session.execute(statement)).rows[0] as Row | undefined,
});
