import pg from 'pg';
import { StoreUnusable } from '../database.js';

/**
 * The codes with which a server says that another one, or the same a little later, can do it: connection exceptions, too many connections,
 * shutting down or starting, a disk error, a query that the replay on a replica has cancelled, and a replica that was asked to write.
 */
const TRANSIENT = /^(08|53300|57P0|58|40001|40P01|25006)/;
/** A statement was cancelled, or did not get a lock in time. */
const TIMEOUTS = /^(57014|55P03)/;

/** The connection to a server is lost, or was never made. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** A database does not have what this version needs. The message is the end of a sentence about it. */
export class UnfitDatabase extends Error {
  override readonly name = 'UnfitDatabase';
}

const codeOf = (error: unknown): string =>
  error instanceof pg.DatabaseError ? (error.code ?? '') : '';

/** Whether another server may succeed. */
export const isOfServer = (error: unknown): boolean =>
  error instanceof ConnectionLost || TRANSIENT.test(codeOf(error));

/** Whether a statement took too long, or waited too long for a lock. */
export const isTimeout = (error: unknown): boolean => TIMEOUTS.test(codeOf(error));

const UNNAMED =
  'a pooler in transaction mode does not know prepared statements: leave prepare=true out, or use a pooler in session mode';
const GRANTS =
  'grant the role USAGE on the schema and SELECT on all its tables, and for imports INSERT, UPDATE and DELETE as well';

/** What to do about errors, by the code and the message of the server. */
const HINTS: [RegExp, string][] = [
  [
    /^42501 .* for schema/,
    'grant the role USAGE on the schema, and CREATE for the first import: GRANT CREATE, USAGE ON SCHEMA … TO …',
  ],
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
];

/** What the driver and TLS say about a connection, in words that say what to do. */
const CONNECTIONS: [RegExp, string][] = [
  [/timeout expired/, 'no answer within the time to connect'],
  [
    / (Connection terminated|Client (was closed|has encountered))/,
    'the server closed the connection',
  ],
  [/does not support SSL/, 'the server offers no TLS, which sslmode asks for'],
  [
    /^(UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|CERT_UNTRUSTED)/,
    'its certificate is not signed by a known authority; name the file with the certificate of that authority with sslrootcert',
  ],
];

const find = (
  list: [RegExp, string][],
  { code, message }: { code?: string | undefined; message: string },
): string | undefined => list.find(([pattern]) => pattern.test(`${code ?? ''} ${message}`))?.[1];

/** Why a server cannot be used, for a list of servers. */
export function whyUnused(error: unknown): string {
  if (error instanceof AggregateError) return whyUnused(error.errors[0]);
  const { message } = error as Error;
  if (!(error instanceof pg.DatabaseError)) return find(CONNECTIONS, error as Error) ?? message;
  const hint = find(HINTS, error);
  return `${message} (${error.code})${hint === undefined ? '' : `; ${hint}`}`;
}

/** Why a connection is lost, or was never made. */
export const lostBecause = (error: unknown): ConnectionLost =>
  error instanceof ConnectionLost ? error : new ConnectionLost(whyUnused(error), { cause: error });

/** Why a server or a database cannot be used, as the end of a sentence about the database; undefined if the error is our own. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof UnfitDatabase) return error.message;
  if (error instanceof ConnectionLost) return `cannot be reached: ${error.message}`;
  return error instanceof pg.DatabaseError
    ? (find(REASONS, error) ?? `cannot be used: ${whyUnused(error)}`)
    : undefined;
}

/** An error of a server as one that names the database and says what to do; other errors are our own. */
export function explained(database: string, error: unknown): unknown {
  const reason = reasonOf(error);
  return reason === undefined
    ? error
    : new StoreUnusable(`database "${database}" ${reason}`, { cause: error });
}
