import type { Socket } from 'node:net';
import postgres from 'postgres';
import type { Parameter, Transaction } from './client.js';
import { connect, type Encryption } from './connect.js';
import type { Password } from './passwords.js';
import type { Address } from './url.js';

/** How many statements a session prepares by name before it must be replaced: each takes memory of the server. */
const MOST_STATEMENTS = 200;
/** How long a session may take to end in order, in seconds. */
const CLOSE_TIMEOUT = 1;

/** The code of a wrong or missing password. */
const INVALID_PASSWORD = '28P01';

/** What all sessions of a process have in common. */
export interface SessionOptions extends Encryption {
  user: string;
  /** The password for a server. @throws {Error} if it cannot be read */
  passwordFor: (address: Address) => Password;
  database: string;
  searchPath: string | null;
  /** The time to connect, in milliseconds. */
  connectTimeout: number;
  /**
   * Whether statements are prepared by name, and settings sent when the session begins. A pooler in transaction mode supports
   * neither.
   */
  prepare: boolean;
  /** How long the server lets a statement run, in milliseconds; null for no limit. */
  statementTimeout: number | null;
  /** After how long without an answer to a statement the connection counts as lost, in milliseconds; null for no limit. */
  silence: number | null;
}

/** The connection to a server is lost, or was never made. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** Bytes as the server writes them: in hex, or in the format `escape`, which a database or a role may have as its default. */
function parseBytes(text: string): Buffer {
  if (text.startsWith('\\x')) return Buffer.from(text.slice(2), 'hex');
  const plain = text.replaceAll(/\\(\\|\d{3})/g, (_, code: string) => (code === '\\' ? code : String.fromCharCode(parseInt(code, 8))));
  return Buffer.from(plain, 'latin1');
}

/**
 * Types that differ from those of the driver: numbers instead of texts, bytes in either format, and JSON is bound as the text
 * that it is.
 */
const TYPES = {
  bytes: { to: 17, from: [17], serialize: (bytes: Uint8Array) => `\\x${Buffer.from(bytes).toString('hex')}`, parse: parseBytes },
  number: { to: 0, from: [20, 21, 23, 26, 700, 701, 1700], serialize: String, parse: Number },
  json: { to: 114, from: [114, 3802], serialize: String, parse: (text: string): unknown => JSON.parse(text) },
};

function toElement(value: string | number | boolean | null | Uint8Array): string {
  if (value === null) return 'NULL';
  const text = value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : String(value);
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}

/**
 * Sets what the session needs, whatever the defaults of the database and the role are. A pooler in session mode passes these
 * statements on, but would refuse most of the settings when the connection begins.
 */
function settingsOf({ prepare, statementTimeout, searchPath }: SessionOptions): string {
  if (!prepare) return 'SELECT';
  const settings = {
    // Coordinates with all their digits.
    extra_float_digits: '1',
    // Compiling a search would take longer than running it.
    jit: 'off',
    ...(statementTimeout !== null && { statement_timeout: String(statementTimeout) }),
    ...(searchPath !== null && { search_path: searchPath }),
  };
  const literal = (text: string): string => `E'${text.replaceAll(/['\\]/g, '$&$&')}'`;
  return Object.entries(settings)
    .map(([name, value]) => `SELECT set_config('${name}', ${literal(value)}, false)`)
    .join('; ');
}

/** An array as a literal of PostgreSQL. The driver would have to read the types of arrays from the server first. */
const toBound = (value: Parameter): string | number | boolean | null | Uint8Array =>
  Array.isArray(value) ? `{${value.map(toElement).join(',')}}` : (value as Exclude<Parameter, readonly unknown[]>);

/** Why there is no connection. A password that is missing may be in a file that was ignored. */
function whyRefused(error: unknown, { ignored }: Password): string {
  if (!(error instanceof Error)) return 'it cannot be reached';
  const isRefused = error instanceof postgres.PostgresError && error.code === INVALID_PASSWORD;
  return isRefused && ignored !== null ? `${error.message}; ignored the ${ignored}` : error.message;
}

/**
 * One connection to one server. If the connection is lost, statements fail, and the session cannot be used again; it never
 * connects a second time, which could split a transaction.
 */
export class Session implements Transaction {
  private readonly sql: postgres.Sql;
  private readonly prepared = new Set<string>();
  private socket: Socket | null = null;
  private failure: ConnectionLost | null = null;

  private constructor(
    address: Address,
    private readonly options: SessionOptions,
    password: string,
  ) {
    // The types of the driver lack `socket`.
    const driverOptions: postgres.Options<typeof TYPES> & { socket: () => Promise<Socket> } = {
      host: address.host,
      port: address.port,
      user: options.user,
      // The driver would take an empty password from the environment.
      password: () => password,
      database: options.database,
      connection: {
        application_name: 'gnss-site-setups',
        ...(!options.prepare && options.searchPath !== null && { search_path: options.searchPath }),
      },
      socket: async () => {
        if (this.failure !== null) throw this.failure;
        return connect(address, options, (socket) => {
          this.socket = socket;
          // Before the driver, so that its statements fail with this reason.
          socket.on('error', (error) => this.lose(new ConnectionLost(error.message, { cause: error })));
        });
      },
      // The socket brings its encryption.
      ssl: false,
      max: 1,
      types: TYPES,
      fetch_types: false,
      max_lifetime: null,
      connect_timeout: 0,
      backoff: false,
      onnotice: () => undefined,
      onclose: () => this.lose(new ConnectionLost('the server closed the connection')),
    };
    this.sql = postgres(driverOptions);
  }

  /** @throws {ConnectionLost} if the server cannot be reached in time, or refuses */
  static async open(address: Address, options: SessionOptions): Promise<Session> {
    let found;
    try {
      found = options.passwordFor(address);
    } catch (error) {
      throw new ConnectionLost((error as Error).message, { cause: error });
    }
    const session = new Session(address, options, found.password ?? '');
    const timer = setTimeout(() => session.destroy('no answer within the time to connect'), options.connectTimeout);
    try {
      await session.script(settingsOf(options));
      return session;
    } catch (error) {
      session.destroy(whyRefused(error, found));
      throw session.failure!;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Whether it can run further statements. */
  get usable(): boolean {
    return this.failure === null && this.prepared.size <= MOST_STATEMENTS;
  }

  async all<Row extends object>(sql: string, ...parameters: Parameter[]): Promise<Row[]> {
    return [...(await this.execute(sql, parameters))] as Row[];
  }

  async get<Row extends object>(sql: string, ...parameters: Parameter[]): Promise<Row | undefined> {
    return (await this.all<Row>(sql, ...parameters))[0];
  }

  async run(sql: string, ...parameters: Parameter[]): Promise<number> {
    return (await this.execute(sql, parameters)).count;
  }

  /** Runs several statements without parameters in one round trip. Returns the rows of each. */
  async script(sql: string): Promise<object[][]> {
    if (this.failure !== null) throw this.failure;
    const results: unknown[] = await this.settled(this.sql.unsafe(sql).simple());
    return (Array.isArray(results[0]) ? results : [results]) as object[][];
  }

  /**
   * Runs a transaction; rolls back if `work` throws.
   * @param begin the statements that begin it, run in one round trip; `work` gets the rows of each
   */
  async inTransaction<T>(begin: string, work: (begun: object[][]) => Promise<T>): Promise<T> {
    try {
      const result = await work(await this.script(begin));
      const [{ command } = { command: '' }] = (await this.script('COMMIT')) as unknown as { command: string }[];
      if (command !== 'COMMIT') throw new Error('the transaction was rolled back, because a statement in it had failed');
      return result;
    } catch (error) {
      if (this.failure === null) await this.script('ROLLBACK').catch(() => this.destroy('a transaction could not be rolled back'));
      throw error;
    }
  }

  /** Ends the connection in order, within a second. */
  async close(): Promise<void> {
    await this.sql.end({ timeout: CLOSE_TIMEOUT });
    this.destroy('it is closed');
  }

  /** Breaks the connection; what runs in it fails. */
  destroy(why: string): void {
    this.lose(new ConnectionLost(why));
    this.socket?.destroy(this.failure!);
  }

  private lose(failure: ConnectionLost): void {
    this.failure ??= failure;
  }

  private execute(sql: string, parameters: Parameter[]): Promise<postgres.RowList<object[]>> {
    if (this.failure !== null) return Promise.reject(this.failure);
    const { prepare } = this.options;
    if (prepare) this.prepared.add(sql);
    // The driver sends a statement without parameters as text, and so does not prepare it, unless `simple` is false.
    const options = { prepare, simple: false } as postgres.UnsafeQueryOptions;
    return this.settled(this.sql.unsafe<object[]>(sql, parameters.map(toBound), options));
  }

  /** The result of a statement; or the reason why the connection is lost, which says more than the driver does. */
  private async settled<T>(statement: PromiseLike<T>): Promise<T> {
    const { silence } = this.options;
    const timer = silence === null ? undefined : setTimeout(() => this.destroy(`no answer within ${silence / 1000} s`), silence);
    try {
      return await statement;
    } catch (error) {
      throw this.failure !== null && !(error instanceof postgres.PostgresError) ? this.failure : error;
    } finally {
      clearTimeout(timer);
    }
  }
}
