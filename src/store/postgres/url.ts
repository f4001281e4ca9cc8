/** The address of a server. */
export interface Address {
  /** A name, an IP address, or the folder of a Unix socket. */
  host: string;
  port: number;
}

/** The name of an address in messages. */
export const nameOf = ({ host, port }: Address): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;

const DEFAULT_PORT = 5432;
const TARGETS = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const;
const TLS_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;

/** What the URL of a PostgreSQL database says. */
export type DatabaseUrl = ReturnType<typeof parseDatabaseUrl>;

/** The parameters of a URL, with their defaults. */
const DEFAULTS = {
  target_session_attrs: 'any',
  sslmode: 'prefer',
  sslrootcert: '',
  application_name: 'gnss-site-setups',
  password_file: '',
  passfile: '',
  connect_timeout: '2',
  prepare: 'false',
  pool_size: '10',
};

const SCHEME = /^postgres(?:ql)?:/i;
const FORM = /^postgres(?:ql)?:\/\/(?:([^/?#]*)@)?([^@/?#]*)(\/[^?#]*)(?:\?([^#]*))?$/i;
const EXPECTED =
  'expected a URL such as postgres://user@host1:5432,host2:5432/database?sslmode=verify-full, with % escapes for special characters in the user and the password';
/** A name that may be shown; anything else may be a part of a password that was not escaped. */
const PARAMETER_NAME = /^[a-z_]{1,40}$/i;

/** Whether a database is on PostgreSQL, and not a file. */
export const isPostgres = (database: string): boolean => SCHEME.test(database);

/** Whether a database is a URL of another kind, such as one with a misspelt scheme. */
export const isOtherUrl = (database: string): boolean =>
  !isPostgres(database) && /^\s*[a-z][\w+.:-]*:\/\//i.test(database);

/** The database as it may be shown: no password, no parameters. An unreadable URL, or another kind with a user, is not shown at all. */
export function shownDatabase(database: string): string {
  if (isOtherUrl(database)) return database.includes('@') ? '…' : database;
  if (!isPostgres(database)) return database;
  try {
    return parseDatabaseUrl(database).shown;
  } catch {
    return 'postgres://…';
  }
}

function parseNumber(name: string, text: string, most: number): number {
  if (/^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= most) return Number(text);
  throw new Error(`${name} "${text}": expected a number from 1 to ${most}`);
}

function parseOneOf<T extends string>(name: string, text: string, allowed: readonly T[]): T {
  const found = allowed.find((each) => each === text);
  if (found === undefined)
    throw new Error(`${name} "${text}": expected one of ${allowed.join(', ')}`);
  return found;
}

function parseParameters(query: string): typeof DEFAULTS {
  // In the URLs of libpq, a plus sign is no space.
  const given = Object.fromEntries(new URLSearchParams(query.replaceAll('+', '%2B')));
  for (const [name, value] of Object.entries(given)) {
    if (name === 'password')
      throw new Error('expected no parameter password in the URL; put the password into a file');
    if (!Object.hasOwn(DEFAULTS, name)) {
      const shown = PARAMETER_NAME.test(name) ? ` "${name}"` : '';
      throw new Error(
        `unknown parameter${shown} in the URL; expected ${Object.keys(DEFAULTS).join(', ')}`,
      );
    }
    if (value === '') throw new Error(`expected a value for ${name} in the URL`);
  }
  return { ...DEFAULTS, ...given };
}

/** One server of the list, as a URL that no message shows. */
function parseServer(userInfo: string, server: string, path: string): URL {
  try {
    const url = new URL(`postgres://${userInfo}@${server}${path}`);
    for (const part of [url.username, url.password, url.hostname, url.pathname])
      decodeURIComponent(part);
    return url;
  } catch {
    // The message of the system would show the password.
    throw new Error(EXPECTED);
  }
}

/** Parses `postgres://user:password@host:port,host:port/database?parameter=value`. @throws {Error} that never shows the password */
export function parseDatabaseUrl(text: string) {
  const [form, userInfo = '', hosts = '', path = '', query = ''] = FORM.exec(text) ?? [];
  if (form === undefined || /%00/.test(text)) throw new Error(EXPECTED);
  const urls = hosts.split(',').map((host) => parseServer(userInfo, host, path));
  const { username, password, pathname } = urls[0]!;
  if (username === '') throw new Error(`expected a user in the URL; ${EXPECTED}`);
  // After the user: otherwise the name of a parameter may be a part of a password.
  const given = parseParameters(query);
  if (pathname === '/') throw new Error(`expected the name of a database in the URL; ${EXPECTED}`);
  const servers = urls.map(({ hostname, port }): Address => ({
    host: decodeURIComponent(hostname).replace(/^\[|\]$/g, ''),
    port: port === '' ? DEFAULT_PORT : Number(port),
  }));
  return {
    servers,
    user: decodeURIComponent(username),
    /** Empty if it comes from a file. */
    password: decodeURIComponent(password),
    /** A file with nothing but the password; empty for none. */
    passwordFile: given.password_file,
    /** A file in the form of .pgpass; empty for the one in the home directory. */
    passFile: given.passfile,
    database: decodeURIComponent(pathname.slice(1)),
    /** The URL in messages. */
    shown: `postgres://${username}@${servers.map((server) => nameOf(server).replaceAll('/', '%2F')).join(',')}${pathname}`,
    /** Which servers are used, as in libpq. */
    target: parseOneOf('target_session_attrs', given.target_session_attrs, TARGETS),
    /** How connections are encrypted and the server is identified, as in libpq. */
    tls: parseOneOf('sslmode', given.sslmode, TLS_MODES),
    /** The file with the certificates to trust; empty for those of Node.js. */
    rootCertificate: given.sslrootcert,
    /** How connections are called in the views of the server, such as `pg_stat_activity`. */
    applicationName: given.application_name,
    /** The time to connect to a server, in milliseconds. */
    connectTimeout: 1000 * parseNumber('connect_timeout', given.connect_timeout, 60),
    /** Whether statements are prepared by name, which is faster. A pooler in transaction mode does not know such names. */
    prepare: parseOneOf('prepare', given.prepare, ['true', 'false']) === 'true',
    /** The most connections of a process to each server. */
    poolSize: parseNumber('pool_size', given.pool_size, 100),
  };
}
