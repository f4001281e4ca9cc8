const DEFAULT_PORT = 5432;
const TLS_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;

/** What the URL of a PostgreSQL database says. */
export type DatabaseUrl = ReturnType<typeof parseDatabaseUrl>;

/** The parameters of a URL, with their defaults. */
const DEFAULTS = {
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
  'expected a URL such as postgres://user@host:5432/database?sslmode=verify-full, ' +
  'with % escapes for special characters in the user and the password';
const SEVERAL_SERVERS =
  'name one server, or a proxy that leads to the primary: ' +
  'see "Several servers" in the guide to PostgreSQL';
/** A name that may be shown; anything else may be a part of a password that was not escaped. */
const PARAMETER_NAME = /^[a-z_]{1,40}$/i;

/** Whether a database is on PostgreSQL, and not a file. */
export const isPostgres = (database: string): boolean => SCHEME.test(database);

/** Whether a database is a URL of another kind, such as one with a misspelt scheme. */
export const isOtherUrl = (database: string): boolean =>
  !isPostgres(database) && /^\s*[a-z][\w+.:-]*:\/\//i.test(database);

/**
 * The database as it may be shown: no password, no parameters. An unreadable URL, or another kind
 * with a user, is not shown at all.
 */
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
  // In the URLs of libpq, a plus sign is not a space.
  const given = Object.fromEntries(new URLSearchParams(query.replaceAll('+', '%2B')));
  for (const [name, value] of Object.entries(given)) {
    if (name === 'password')
      throw new Error('expected no parameter password in the URL; put the password into a file');
    if (name === 'target_session_attrs')
      throw new Error(`target_session_attrs is no longer supported in the URL; ${SEVERAL_SERVERS}`);
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

/** The URL without its parameters. No message shows it. */
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

/** The address of a server in messages. */
const shownAddress = (host: string, port: number): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host.replaceAll('/', '%2F')}:${port}`;

/**
 * Parses `postgres://user:password@host:port/database?parameter=value`.
 * @throws {Error} that never shows the password
 */
export function parseDatabaseUrl(text: string) {
  const [form, userInfo = '', server = '', path = '', query = ''] = FORM.exec(text) ?? [];
  if (form === undefined || /%00/.test(text)) throw new Error(EXPECTED);
  if (server.includes(',')) throw new Error(`expected one host in the URL; ${SEVERAL_SERVERS}`);
  const url = parseServer(userInfo, server, path);
  if (url.username === '') throw new Error(`expected a user in the URL; ${EXPECTED}`);
  // After the user: otherwise the name of a parameter may be a part of a password.
  const given = parseParameters(query);
  if (url.pathname === '/')
    throw new Error(`expected the name of a database in the URL; ${EXPECTED}`);
  const host = decodeURIComponent(url.hostname).replace(/^\[|\]$/g, '');
  const port = url.port === '' ? DEFAULT_PORT : Number(url.port);
  return {
    /** A name, an IP address, or the folder of a Unix socket. */
    host,
    port,
    user: decodeURIComponent(url.username),
    /** Empty if it comes from a file. */
    password: decodeURIComponent(url.password),
    /** A file with nothing but the password; empty for none. */
    passwordFile: given.password_file,
    /** A file in the form of .pgpass; empty for the one in the home directory. */
    passFile: given.passfile,
    database: decodeURIComponent(url.pathname.slice(1)),
    /** The URL in messages. */
    shown: `postgres://${url.username}@${shownAddress(host, port)}${url.pathname}`,
    /** How connections are encrypted and the server is identified, as in libpq. */
    tls: parseOneOf('sslmode', given.sslmode, TLS_MODES),
    /** The file with the certificates to trust; empty for those of Node.js. */
    rootCertificate: given.sslrootcert,
    /** How connections are called in the views of the server, such as `pg_stat_activity`. */
    applicationName: given.application_name,
    /** How long to wait for a connection, in milliseconds. */
    connectTimeout: 1000 * parseNumber('connect_timeout', given.connect_timeout, 60),
    /**
     * Whether statements are prepared by name, which is faster. A pooler in transaction mode does
     * not know such names.
     */
    prepare: parseOneOf('prepare', given.prepare, ['true', 'false']) === 'true',
    /** The most connections that a process opens. */
    poolSize: parseNumber('pool_size', given.pool_size, 100),
  };
}
