import { hash } from 'node:crypto';
import { connect as connectSocket } from 'node:net';
import pg from 'pg';
import type { Sql } from 'sql-template-tag';
import type { Database } from '../database.js';
import { POSTGRES } from '../dialect.js';
import { encryptionOf, passwordFor } from './credentials.js';
import { ConnectionLost, lostBecause } from './failures.js';
import type { Address, DatabaseUrl } from './url.js';

/** How many statements a connection prepares by name before it must be replaced: each takes memory of the server. */
const MOST_STATEMENTS = 200;
/** How long a connection may take to end in order, or to end a cancelled statement, in milliseconds. */
const GRACE = 1000;
/** How often a server is asked to cancel a statement, in milliseconds. */
const CANCEL_INTERVAL = 200;
/** CancelRequest (PostgreSQL protocol 3.0), in place of a version. */
const CANCEL_REQUEST = 80877102;

/** The parsers of pg, except that bigint and numeric become numbers. */
const TYPES = new pg.TypeOverrides();
for (const type of [20, 1700]) TYPES.setTypeParser(type, Number);

/** The servers that have refused TLS, where `sslmode` only prefers it. */
const WITHOUT_TLS = new WeakSet<Address>();

/** Runs a statement. */
export type Execute = (statement: Sql) => Promise<pg.QueryResult>;

/** What the readers see of a connection. */
export const databaseOf = (execute: Execute): Database => ({
  dialect: POSTGRES,
  all: async <Row extends object>(statement: Sql) => (await execute(statement)).rows as Row[],
  get: async <Row extends object>(statement: Sql) =>
    (await execute(statement)).rows[0] as Row | undefined,
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
 * One connection to one server. If it is lost, statements fail with a {@link ConnectionLost}; it never connects a second time, which could
 * split a transaction. It sets nothing for the session, which a pooler would keep for others: the settings of the role apply.
 */
export class Connection extends pg.Client {
  /** Why no further statement can run: the connection was lost or interrupted. */
  private broken: Error | null = null;
  /** The names of the statements that it has prepared, by their texts. */
  private readonly names = new Map<string, string>();
  /** The end of the statement before: pg wants them one at a time. */
  private turn: Promise<unknown> = Promise.resolve();

  /** @param silence after how long without an answer to a statement the connection counts as lost, in milliseconds; null for no limit */
  constructor(
    private readonly address: Address,
    private readonly url: DatabaseUrl,
    private readonly silence: number | null = null,
  ) {
    super({
      ...address,
      user: url.user,
      database: url.database,
      // Asked anew for each connection, so that a password can be changed without a restart.
      password: async () => passwordFor(address, url),
      application_name: url.applicationName,
      ssl: WITHOUT_TLS.has(address) ? false : encryptionOf(address, url),
      types: TYPES,
      connectionTimeoutMillis: url.connectTimeout,
      keepAlive: true,
      // In milliseconds; Linux would wait for two hours.
      keepAliveInitialDelayMillis: 10_000,
    });
    this.on('error', (error) => this.lose(error));
    this.on('end', () => this.lose(new ConnectionLost('the server closed the connection')));
  }

  /** Whether it cannot run further statements, or should not. */
  get isSpent(): boolean {
    return this.broken !== null || this.names.size > MOST_STATEMENTS;
  }

  /** Runs a statement after those before it. */
  execute({ text, values }: Sql): Promise<pg.QueryResult> {
    if (!this.url.prepare) return this.inTurn(() => this.query({ text, values }));
    // Named after its text, so that another client of a pooler never has another statement of the same name.
    const name = this.names.get(text) ?? hash('sha1', text);
    this.names.set(text, name);
    return this.inTurn(() => this.query({ name, text, values }));
  }

  /** Runs several statements without parameters in one round trip. @returns the result of the last one */
  async script(...statements: string[]): Promise<pg.QueryResult> {
    const results = (await this.inTurn(() => this.query(statements.join('; ')))) as
      pg.QueryResult | pg.QueryResult[];
    return Array.isArray(results) ? results.at(-1)! : results;
  }

  /** Runs a transaction; rolls back if `work` throws. @param mode what follows `BEGIN` @param first read in the same round trip; `work` gets its first row */
  async inTransaction<T>(
    mode: string,
    first: string,
    work: (row: unknown) => Promise<T>,
  ): Promise<T> {
    try {
      const result = await work(await this.begin(mode, first));
      const { command } = await this.script('COMMIT');
      if (command !== 'COMMIT')
        throw new Error('the transaction was rolled back, because a statement in it had failed');
      return result;
    } catch (error) {
      if (this.broken === null)
        await this.script('ROLLBACK').catch(() =>
          this.destroy('a transaction could not be rolled back'),
        );
      throw error;
    }
  }

  /** Begins a transaction. @returns the first row of `first` */
  async begin(mode: string, first: string): Promise<unknown> {
    return (await this.script(`BEGIN ${mode}`, first)).rows[0];
  }

  /**
   * Asks the server to end what runs here, and ends the connection if it does not. The statement and all further ones throw `why`.
   * Without asking, a statement that waits for a lock would keep its process on the server when the connection has ended.
   */
  interrupt(why: Error): void {
    this.broken ??= why;
    // The types of pg lack what identifies the connection, and its own way to cancel is deprecated.
    const { processID, secretKey } = this as unknown as { processID: number; secretKey: number };
    const request = Buffer.alloc(16);
    [request.length, CANCEL_REQUEST, processID, secretKey].forEach((value, index) =>
      request.writeInt32BE(value, 4 * index),
    );
    const { host, port } = this.address;
    const ask = (): void => {
      const socket = host.startsWith('/')
        ? connectSocket(`${host}/.s.PGSQL.${port}`)
        : connectSocket(port, host);
      socket.setTimeout(GRACE, () => socket.destroy());
      socket.on('error', () => undefined).end(request);
    };
    ask();
    // The first one may be there before the statement.
    const timers = [
      setInterval(ask, CANCEL_INTERVAL),
      setTimeout(() => this.destroy(why.message), GRACE),
    ];
    this.once('end', () => timers.forEach(clearTimeout));
  }

  /** Breaks the connection; what runs in it fails. */
  destroy(why: string): void {
    this.lose(new ConnectionLost(why));
    this.connection.stream.destroy(new ConnectionLost(why));
  }

  /** Ends the connection in order, if the server answers. */
  async close(): Promise<void> {
    const stop = after(GRACE, () => this.destroy('it is closed'));
    await this.end();
    stop();
  }

  private lose(error: unknown): void {
    this.broken ??= lostBecause(error);
  }

  private inTurn<T>(act: () => Promise<T>): Promise<T> {
    const result = this.turn.then(() => {
      if (this.broken !== null) throw this.broken;
      return this.watched(act);
    });
    this.turn = result.catch(() => undefined);
    return result;
  }

  private async watched<T>(act: () => Promise<T>): Promise<T> {
    const { silence } = this;
    const stop =
      silence === null
        ? undefined
        : after(silence, () => this.destroy(`no answer within ${silence / 1000} s`));
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) this.lose(error);
      throw this.broken ?? error;
    } finally {
      stop?.();
    }
  }
}

/** Connects to a server, with TLS if it offers it and the URL does not say otherwise. @throws {ConnectionLost} if it cannot be reached, or refuses */
export async function connect(
  address: Address,
  url: DatabaseUrl,
  silence: number,
): Promise<Connection> {
  const connection = new Connection(address, url, silence);
  try {
    await connection.connect();
    return connection;
  } catch (error) {
    const lost = lostBecause(error);
    connection.destroy(lost.message);
    if (url.tls !== 'prefer' || WITHOUT_TLS.has(address) || !lost.message.includes('offers no TLS'))
      throw lost;
    WITHOUT_TLS.add(address);
    return connect(address, url, silence);
  }
}
