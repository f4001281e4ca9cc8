/** The address of a server. */
export interface Address {
  /** A name, an IP address, or the folder of a Unix socket. */
  host: string;
  port: number;
}

/** The name of an address in messages. */
export const nameOf = ({ host, port }: Address): string => (host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`);

/** Which servers of the list are used, as in libpq. */
export const TARGETS = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const;
/** How connections are encrypted and the server is identified, as in libpq. */
export const TLS_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
export type Target = (typeof TARGETS)[number];
export type TlsMode = (typeof TLS_MODES)[number];

/** What the URL of a PostgreSQL database says. */
export interface DatabaseUrl {
  servers: Address[];
  user: string;
  /** Null if it comes from a file. */
  password: string | null;
  /** A file with nothing but the password. */
  passwordFile: string | null;
  /** A file in the form of .pgpass; null for the one in the home directory. */
  passFile: string | null;
  database: string;
  target: Target;
  tls: TlsMode;
  /** The file with the certificates to trust. */
  rootCertificate: string | null;
  /**
   * The schema of the tables; null for the one that the server chooses for the role. It is set within each transaction, which works
   * directly and through any pooler: poolers refuse most settings of a new connection, and a setting of the session would stay
   * for the other clients of a pooler in transaction mode. A single read then takes three round trips. `ALTER ROLE … SET search_path` costs none.
   */
  searchPath: string | null;
  /** The time to connect to a server, in milliseconds. */
  connectTimeout: number;
  /** How connections are called in the views of the server, such as `pg_stat_activity`. */
  applicationName: string;
  /** Whether statements are prepared by name, which is faster. A pooler in transaction mode does not know such names. */
  prepare: boolean;
  /** The most connections of a process to each server. */
  poolSize: number;
}

const DEFAULT_PORT = 5432;
const DEFAULT_CONNECT_TIMEOUT = 2;
const DEFAULT_POOL_SIZE = 10;
const DEFAULT_APPLICATION_NAME = 'gnss-site-setups';
/** The most servers in a URL, and connections to each: more is a mistake. */
const MOST_SERVERS = 32;
const LARGEST_POOL = 100;
const LONGEST_CONNECT_TIMEOUT = 60;

const SCHEME = /^postgres(?:ql)?:/i;
const FORM = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?([^@/?#]*)\/([^/?#]*)(?:\?([^#]*))?$/i;
const EXAMPLE = 'postgres://user@host1:5432,host2:5432/database?sslmode=verify-full';

/** Whether a database is on PostgreSQL, and not a file. */
export const isPostgres = (database: string): boolean => SCHEME.test(database);

/** Whether a database is a URL of another kind, such as one with a misspelt scheme. */
export const isOtherUrl = (database: string): boolean => !isPostgres(database) && /^\s*[a-z][\w+.:-]*:\/\//i.test(database);

/**
 * The database as it may be shown: a URL without its password and without its parameters. A URL that cannot be read may have
 * its password anywhere, so nothing of it is shown; nor of another URL with a user.
 */
export function shownDatabase(database: string): string {
  if (isOtherUrl(database)) return database.includes('@') ? '…' : database;
  if (!isPostgres(database)) return database;
  try {
    const { servers, user, database: name } = parseDatabaseUrl(database);
    const hosts = servers.map((server) => nameOf(server).replaceAll('/', '%2F'));
    return `postgres://${encodeURIComponent(user)}@${hosts.join(',')}/${encodeURIComponent(name)}`;
  } catch {
    return 'postgres://…';
  }
}

function decoded(text: string, what: string): string {
  try {
    const plain = decodeURIComponent(text);
    if (!plain.includes('\0')) return plain;
  } catch {
    // The message below covers it.
  }
  throw new Error(`expected the ${what} in the URL without null characters, and with % only for escapes, such as %40 for @`);
}

/** Neither message shows what was found: in a URL without @, it may be the password. */
function parseServer(text: string): Address {
  const [, host = '', port = ''] = /^(\[[\da-f:.]+\]|[^:[\]]*)(?::(.*))?$/i.exec(text) ?? [];
  const name = decoded(host.replace(/^\[|\]$/g, ''), 'host');
  if (name === '') throw new Error(`expected a host in the URL, such as ${EXAMPLE}`);
  if (!/^(\d{1,5})?$/.test(port) || Number(port) > 65535 || (port !== '' && Number(port) === 0)) {
    throw new Error('expected ports from 1 to 65535 in the URL, and % escapes for special characters in the user and the password');
  }
  return { host: name, port: port === '' ? DEFAULT_PORT : Number(port) };
}

/** The servers: those in front of the path, or those that the parameters name. */
function parseServers(text: string, hosts: string | undefined, ports: string | undefined): Address[] {
  if (text !== '' && hosts !== undefined) throw new Error('expected hosts either in the URL or in its parameter host');
  const names = (hosts ?? text).split(',');
  const servers = hosts === undefined ? names.map(parseServer) : names.map((host) => ({ host, port: DEFAULT_PORT }));
  if (hosts === '' || servers.some(({ host }) => host === '')) throw new Error('expected a host, or several separated by commas, in host');
  if (ports !== undefined) {
    const numbers = ports.split(',').map((port) => parseNumber('port', port, 65535));
    if (numbers.length !== 1 && numbers.length !== servers.length) throw new Error('expected one port, or one for each host, in port');
    servers.forEach((server, index) => (server.port = numbers[index] ?? numbers[0]!));
  }
  if (servers.length > MOST_SERVERS) throw new Error(`expected at most ${MOST_SERVERS} hosts in the URL`);
  if (new Set(servers.map(({ host, port }) => `${host} ${port}`)).size < servers.length)
    throw new Error('expected each host once in the URL');
  return servers;
}

function parseNumber(name: string, text: string, most: number): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) < 1 || Number(text) > most) {
    throw new Error(`${name} "${text}": expected a number from 1 to ${most}`);
  }
  return Number(text);
}

function parseOneOf<T extends string>(name: string, text: string, allowed: readonly T[]): T {
  if (!allowed.includes(text as T)) throw new Error(`${name} "${text}": expected one of ${allowed.join(', ')}`);
  return text as T;
}

const PARAMETERS = [
  'host',
  'port',
  'target_session_attrs',
  'sslmode',
  'sslrootcert',
  'search_path',
  'application_name',
  'password_file',
  'passfile',
  'connect_timeout',
  'prepare',
  'pool_size',
] as const;
type ParameterName = (typeof PARAMETERS)[number];

/** A name that may be shown; anything else may be a part of a password that was not escaped. */
const PARAMETER_NAME = /^[a-z_]{1,40}$/i;

function parseParameters(text: string): Partial<Record<ParameterName, string>> {
  const given: Partial<Record<ParameterName, string>> = {};
  for (const each of text === '' ? [] : text.split('&')) {
    const [, key, value] = /^([^=]*)=?(.*)$/s.exec(each)!;
    const name = decoded(key!, 'parameters') as ParameterName;
    if ((name as string) === 'password') throw new Error('expected no parameter password in the URL; put the password into a file');
    if (!PARAMETERS.includes(name)) {
      const shown = PARAMETER_NAME.test(name) ? ` "${name}"` : '';
      throw new Error(`unknown parameter${shown} in the URL; expected ${PARAMETERS.join(', ')}`);
    }
    if (given[name] !== undefined) throw new Error(`expected ${name} once`);
    given[name] = decoded(value!, name);
  }
  return given;
}

/**
 * Parses the URL of a PostgreSQL database: `postgres://user:password@host:port,host:port/database?parameter=value`.
 * @throws {Error} that says what was expected, and never shows the password
 */
export function parseDatabaseUrl(text: string): DatabaseUrl {
  const [form, userInfo = '', hosts = '', database = '', query = ''] = FORM.exec(text) ?? [];
  if (form === undefined || text.length > 10_000) {
    throw new Error(`expected a URL such as ${EXAMPLE}, with % escapes for special characters in the user and the password`);
  }
  const [, user, password] = /^([^:]*)(?::(.*))?$/s.exec(userInfo)!;
  if (user === '') throw new Error(`expected a user in the URL, such as ${EXAMPLE}`);
  if (database === '') throw new Error(`expected the name of a database in the URL, such as ${EXAMPLE}`);
  const given = parseParameters(query);
  const tls = parseOneOf('sslmode', given.sslmode ?? 'prefer', TLS_MODES);
  for (const name of ['sslrootcert', 'password_file', 'passfile'] as const) {
    if (given[name] === '') throw new Error(`expected a file in ${name}`);
  }
  if (given.search_path === '') throw new Error('expected a schema in search_path');
  return {
    servers: parseServers(hosts, given.host, given.port),
    user: decoded(user!, 'user'),
    password: password === undefined ? null : decoded(password, 'password'),
    passwordFile: given.password_file ?? null,
    passFile: given.passfile ?? null,
    database: decoded(database, 'database'),
    target: parseOneOf('target_session_attrs', given.target_session_attrs ?? 'any', TARGETS),
    tls,
    rootCertificate: given.sslrootcert ?? null,
    searchPath: given.search_path ?? null,
    applicationName: given.application_name ?? DEFAULT_APPLICATION_NAME,
    connectTimeout:
      1000 * parseNumber('connect_timeout', given.connect_timeout ?? String(DEFAULT_CONNECT_TIMEOUT), LONGEST_CONNECT_TIMEOUT),
    prepare: parseOneOf('prepare', given.prepare ?? 'false', ['true', 'false']) === 'true',
    poolSize: parseNumber('pool_size', given.pool_size ?? String(DEFAULT_POOL_SIZE), LARGEST_POOL),
  };
}
