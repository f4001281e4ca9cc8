import { hash } from 'node:crypto';
import { connect as connectSocket } from 'node:net';
import pg from 'pg';
import type { Sql } from 'sql-template-tag';
import type { Database } from '../database.js';
import { POSTGRES } from '../dialect.js';
import { ConnectionLost, lostBecause } from './failures.js';
import { passwordFor } from './passwords.js';
import { type Encryption, encryptionOf } from './tls.js';
import type { Address, DatabaseUrl } from './url.js';

/** How many statements a connection prepares by name before it must be replaced: each takes memory of the server. */
const MOST_STATEMENTS = 200;
/** After how much silence the system checks a connection, in milliseconds. Linux would wait for two hours. */
const KEEP_ALIVE_DELAY = 10_000;
/** How long a connection may take to end in order, or to end a cancelled statement, in milliseconds. */
const GRACE = 1000;
/** How often a server is asked to cancel a statement, in milliseconds. */
const CANCEL_INTERVAL = 200;
/** CancelRequest (PostgreSQL protocol 3.0), in place of a version. */
const CANCEL_REQUEST = 80877102;

/** The types whose values arrive as numbers: bigint, smallint, integer, oid, real, double precision, numeric. */
const NUMBERS = [20, 21, 23, 26, 700, 701, 1700];

/** Arrays of bigint. */
const BIGINTS = 1016;

/** The parsers of pg, except for large numbers, which it leaves as text. */
function parserOf(type: number, format?: 'text'): (text: string) => unknown {
  if (NUMBERS.includes(type)) return Number;
  const parse = pg.types.getTypeParser(type, format) as (text: string) => unknown;
  return type === BIGINTS ? (text) => (parse(text) as string[]).map(Number) : parse;
}
const TYPES = { getTypeParser: parserOf } as pg.CustomTypesConfig;

/** Runs a statement. */
export type Execute = (statement: Sql) => Promise<pg.QueryResult>;

/** What the readers see of a connection. */
export const databaseOf = (execute: Execute): Database => ({
  dialect: POSTGRES,
  all: async <Row extends object>(statement: Sql) => (await execute(statement)).rows as Row[],
  get: async <Row extends object>(statement: Sql) => (await execute(statement)).rows[0] as Row | undefined,
});

/** Runs something after a time. An answer that came while this process was busy is read before. @returns what stops it */
export function after(milliseconds: number, act: () => void): () => void {
  let immediate: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => (immediate = setImmediate(act)), Math.max(0, milliseconds));
  return () => {
    clearTimeout(timer);
    clearImmediate(immediate);
  };
}

/**
 * One connection to one server. If it is lost, statements fail with a {@link ConnectionLost}; it never connects a second time,
 * which could split a transaction. Nothing is set for the session, because a pooler would keep it for its other clients: the settings of
 * the role apply.
 */
export class Connection extends pg.Client {
  /** After how long without an answer to a statement the connection counts as lost, in milliseconds; null for no limit. */
  silence: number | null = null;
  private readonly named = new Set<string>();
  private failure: ConnectionLost | null = null;
  private cancelled: Error | null = null;
  /** The end of the statement before: pg wants them one at a time. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly address: Address,
    private readonly url: DatabaseUrl,
    readonly encryption: Encryption,
  ) {
    super({
      ...address,
      user: url.user,
      database: url.database,
      // Asked anew for each connection, so that a password can be changed without a restart.
      password: async () => passwordFor(address, url),
      application_name: url.applicationName,
      ssl: encryption,
      types: TYPES,
      connectionTimeoutMillis: url.connectTimeout,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY,
    });
    this.on('error', (error) => this.lose(error));
    this.on('end', () => this.lose(new ConnectionLost('the server closed the connection')));
  }

  /** Whether it cannot run further statements, or should not. */
  get isSpent(): boolean {
    return this.failure !== null || this.cancelled !== null || this.named.size > MOST_STATEMENTS;
  }

  /** Connects. @throws {ConnectionLost} if the server cannot be reached in time, or refuses */
  async open(): Promise<this> {
    try {
      await this.connect();
      return this;
    } catch (error) {
      throw lostBecause(error);
    }
  }

  /** Runs a statement after those before it. */
  execute(statement: Sql): Promise<pg.QueryResult> {
    const { text, values } = statement;
    const name = this.url.prepare ? hash('sha1', text) : undefined;
    if (name !== undefined) this.named.add(name);
    return this.inTurn(() => this.query({ text, values, ...(name !== undefined && { name }) }));
  }

  /** Runs several statements without parameters in one round trip. @returns the rows of the last one */
  async script(text: string): Promise<pg.QueryResult> {
    const results = (await this.inTurn(() => this.query(text))) as pg.QueryResult | pg.QueryResult[];
    return Array.isArray(results) ? results.at(-1)! : results;
  }

  /**
   * Runs a transaction; rolls back if `work` throws.
   * @param mode what follows `BEGIN`, and further statements that begin it
   * @param first a statement in the same round trip, whose first row `work` gets
   */
  async inTransaction<T>(mode: string, first: string, work: (row: unknown) => Promise<T>): Promise<T> {
    try {
      const begun = await this.begin(mode, first);
      const result = await work(begun);
      const { command } = await this.script('COMMIT');
      if (command !== 'COMMIT') throw new Error('the transaction was rolled back, because a statement in it had failed');
      return result;
    } catch (error) {
      if (this.failure === null && this.cancelled === null) {
        await this.script('ROLLBACK').catch(() => this.destroy('a transaction could not be rolled back'));
      }
      throw error;
    }
  }

  /** Begins a transaction, with the schema of the URL. @returns the first row of `first` */
  async begin(mode: string, first = 'SELECT'): Promise<unknown> {
    const { searchPath } = this.url;
    const schema = searchPath === null ? [] : [`SELECT set_config('search_path', ${this.escapeLiteral(searchPath)}, true)`];
    return (await this.script([`BEGIN ${mode}`, ...schema, first].join('; '))).rows[0];
  }

  /**
   * Asks the server to end what runs here, and ends the connection if it does not. The statement and all further ones throw `why`.
   * Without asking, a statement that waits for a lock would keep its process on the server when the connection has ended.
   */
  interrupt(why: Error): void {
    this.cancelled ??= why;
    // The types of pg lack what identifies the connection, and its own way to cancel is deprecated.
    const { processID, secretKey } = this as unknown as { processID: number; secretKey: number };
    const request = Buffer.alloc(16);
    [request.length, CANCEL_REQUEST, processID, secretKey].forEach((value, index) => request.writeInt32BE(value, 4 * index));
    const { host, port } = this.address;
    const ask = (): void => {
      const socket = host.startsWith('/') ? connectSocket(`${host}/.s.PGSQL.${port}`) : connectSocket(port, host);
      socket.setTimeout(GRACE, () => socket.destroy());
      socket.on('error', () => undefined).end(request);
    };
    ask();
    // The first one may be there before the statement.
    const repeated = setInterval(ask, CANCEL_INTERVAL);
    const grace = setTimeout(() => this.destroy(why.message), GRACE);
    this.once('end', () => {
      clearInterval(repeated);
      clearTimeout(grace);
    });
  }

  /** Breaks the connection; what runs in it fails. */
  destroy(why: string): void {
    this.lose(new ConnectionLost(why));
    this.connection.stream.destroy(this.failure!);
  }

  /** Ends the connection in order, if the server answers. */
  async close(): Promise<void> {
    const stop = after(GRACE, () => this.destroy('it is closed'));
    await this.end();
    stop();
  }

  private lose(error: unknown): void {
    this.failure ??= lostBecause(error);
  }

  private inTurn<T>(act: () => Promise<T>): Promise<T> {
    const result = this.turn.then(() => this.settled(act));
    this.turn = result.catch(() => undefined);
    return result;
  }

  private async settled<T>(act: () => Promise<T>): Promise<T> {
    const { silence } = this;
    const lost = this.cancelled ?? this.failure;
    if (lost !== null) throw lost;
    const stop = silence === null ? undefined : after(silence, () => this.destroy(`no answer within ${silence / 1000} s`));
    try {
      return await act();
    } catch (error) {
      if (this.cancelled !== null) throw this.cancelled;
      if (error instanceof pg.DatabaseError) throw error;
      this.lose(error);
      throw this.failure!;
    } finally {
      stop?.();
    }
  }
}

/**
 * Connects to a server, with TLS if it offers it and the URL does not say otherwise.
 * @throws {ConnectionLost} if it cannot be reached in time, or refuses
 */
export async function connect(address: Address, url: DatabaseUrl): Promise<Connection> {
  const encryption = encryptionOf(address, url);
  try {
    return await new Connection(address, url, encryption).open();
  } catch (error) {
    const isPlain = url.tls === 'prefer' && /offers no TLS/.test((error as Error).message);
    if (!isPlain) throw error;
    return new Connection(address, url, false).open();
  }
}
