import pg from 'pg';
import { StoreUnusable, WrongDatabase } from '../database.js';

/**
 * The codes with which a server ends a connection: connection exceptions, an administrator's
 * command, a crash, a shutdown.
 */
const ENDINGS = /^(08|57P0[1-3])/;
/** A statement took too long, or did not get a lock in time. */
const TIMEOUTS = /^(57014|55P03)/;

/** No connection could be made. The message says why. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

/** A connection broke while it was used. The message says why. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/**
 * A database does not have what this version needs. The message is the end of a sentence about it.
 */
export class UnfitDatabase extends Error {
  override readonly name: string = 'UnfitDatabase';
}

/** A database that this version can never use. */
export class ForeignDatabase extends UnfitDatabase {
  override readonly name = 'ForeignDatabase';
}

const codeOf = (error: unknown): string =>
  error instanceof pg.DatabaseError ? (error.code ?? '') : '';

/** Whether a statement took too long, or waited too long for a lock. */
export const isTimeout = (error: unknown): boolean => TIMEOUTS.test(codeOf(error));

/**
 * Whether an error of the driver or of the server means that no further statement can run on the
 * connection.
 */
export const isEndOfConnection = (error: unknown): boolean =>
  !(error instanceof pg.DatabaseError) || ENDINGS.test(codeOf(error));

const UNNAMED =
  'a pooler in transaction mode does not know prepared statements: ' +
  'leave prepare=true out, or use a pooler in session mode';
const GRANTS =
  'grant the role USAGE on the schema and SELECT on all its tables, ' +
  'and for imports INSERT, UPDATE and DELETE as well';
const GRANTS_TO_CREATE =
  'grant the role USAGE on the schema, and CREATE for the first import: ' +
  'GRANT CREATE, USAGE ON SCHEMA … TO …';

/** What to do about errors, by the code and the message of the server. */
const HINTS: [RegExp, string][] = [
  [/^42501 .* for schema/, GRANTS_TO_CREATE],
  [/^42501 .* for table/, GRANTS],
  [/^3F000/, 'create a schema for the role, or name one with: ALTER ROLE … SET search_path = …'],
  [
    /^08P01 .*startup parameter/,
    'the pooler refuses it: set ignore_startup_parameters there, or unset PGOPTIONS',
  ],
  [/^(26000|42P05|08P01) .*prepared statement/, UNNAMED],
  [/^53300/, 'choose a smaller pool_size, or raise max_connections'],
];

/** What is wrong with a database, in place of the message of the server. */
const REASONS: [RegExp, string][] = [
  [/^55P03/, 'is locked by another process; try again when that process has finished'],
  [/^42P01/, 'is damaged or belongs to another application: a table is missing'],
  [/^42P07/, 'has tables of another application; choose another database'],
  [
    /^(25006|0A000 .*during recovery)/,
    'cannot be written: this server is a standby; name the primary, or a proxy that leads to it',
  ],
];

/** What the driver and TLS say about a connection, in words that say what to do. */
const CONNECTIONS: [RegExp, string][] = [
  [/(timeout expired|due to connection timeout)/, 'no answer within the time to connect'],
  [/Query read timeout/, 'no answer in time'],
  [
    / (Connection terminated|Client (was closed|has encountered))/,
    'the server closed the connection',
  ],
  [/does not support SSL/, 'the server offers no TLS, which sslmode asks for'],
  [
    /^(UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|CERT_UNTRUSTED)/,
    'its certificate is not signed by a known authority; ' +
      'name the file with the certificate of that authority with sslrootcert',
  ],
];

/** What the operating system says about a connection, by the code of the error. */
const SYSTEM_REASONS: Record<string, string> = {
  EACCES: 'this user may not use the socket of the server',
  EADDRNOTAVAIL: 'this machine has no address of that kind',
  EAFNOSUPPORT:
    'this process may not use the network; ' +
    'in the unit of systemd, see RestrictAddressFamilies and PrivateNetwork',
  EAI_AGAIN: 'the name of the host cannot be looked up now',
  ECONNREFUSED: 'the host refuses connections; check host and port, and that the server runs',
  ECONNRESET: 'the server closed the connection',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the network of the host',
  ENOENT: 'there is no socket of a server in that folder',
  ENOTFOUND: 'no host has that name',
  EPIPE: 'the server closed the connection',
  ETIMEDOUT: 'no answer in time',
};

/** The codes for a database of another application: it has tables with names of ours. */
const FOREIGN = /^42P07/;

/** The text in a list for the first pattern that an error matches. */
const find = (
  list: [RegExp, string][],
  { code, message }: { code?: string | undefined; message: string },
): string | undefined => list.find(([pattern]) => pattern.test(`${code ?? ''} ${message}`))?.[1];

/** Translates an error of the driver or the server into a sentence that says what to do. */
export function explanationOf(error: unknown): string {
  // The error for a host with several addresses.
  if (error instanceof AggregateError) return explanationOf(error.errors[0]);
  const { message, code, syscall } = error as NodeJS.ErrnoException;
  if (!(error instanceof pg.DatabaseError)) {
    const reason = syscall === undefined ? undefined : SYSTEM_REASONS[code ?? ''];
    if (reason !== undefined) return `${reason} (${code})`;
    return find(CONNECTIONS, error as Error) ?? message;
  }
  const hint = find(HINTS, error);
  return `${message} (${error.code})${hint === undefined ? '' : `; ${hint}`}`;
}

/**
 * What is wrong, as the end of a sentence about the database; undefined if the error is our own.
 */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof UnfitDatabase) return error.message;
  if (error instanceof Unreachable || error instanceof ConnectionLost)
    return `cannot be reached: ${error.message}`;
  if (!(error instanceof pg.DatabaseError)) return undefined;
  return find(REASONS, error) ?? `cannot be used: ${explanationOf(error)}`;
}

/** An error as one that names the database and says what to do; an error of our own as it is. */
export function explained(shownDatabase: string, error: unknown): unknown {
  const reason = reasonOf(error);
  if (reason === undefined) return error;
  const isForeign = error instanceof ForeignDatabase || FOREIGN.test(codeOf(error));
  const Failure = isForeign ? WrongDatabase : StoreUnusable;
  return new Failure(`database "${shownDatabase}" ${reason}`, { cause: error });
}
