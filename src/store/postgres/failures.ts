import pg from 'pg';
import { StoreUnusable } from '../database.js';

/**
 * The codes with which a server says that another one, or the same a little later, can do what was asked: connection
 * exceptions, too many connections, shutting down or starting, a disk error, and a query that the replay on a replica
 * has cancelled.
 */
const TRANSIENT = /^(08|53300|57P0|58|40001|40P01)/;
/** The server takes no writes: it is a replica. */
const READ_ONLY = '25006';
/** A statement was cancelled, or did not get a lock in time. */
const TIMEOUTS = ['57014', '55P03'];

/** The connection to a server is lost, or was never made. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** A database does not have what this version needs. The message is the end of a sentence about it. */
export class UnfitDatabase extends Error {
  override readonly name = 'UnfitDatabase';
}

/** Whether another server may succeed. */
export const isOfServer = (error: unknown): error is Error =>
  error instanceof ConnectionLost || (error instanceof pg.DatabaseError && (TRANSIENT.test(error.code!) || error.code === READ_ONLY));

/** Whether a statement took too long, or waited too long for a lock. */
export const isTimeout = (error: unknown): boolean => error instanceof pg.DatabaseError && TIMEOUTS.includes(error.code!);

const UNNAMED = 'a pooler in transaction mode does not know prepared statements: leave prepare=true out, or use a pooler in session mode';
const GRANTS = 'grant the role USAGE on the schema and SELECT on all its tables, and for imports INSERT, UPDATE and DELETE as well';

/** What to do about errors, by their codes and their messages. */
const HINTS: [code: RegExp, message: RegExp, hint: string][] = [
  [/^42501/, /for schema/, 'grant the role USAGE on the schema, and CREATE for the first import: GRANT CREATE, USAGE ON SCHEMA … TO …'],
  [/^42501/, /for function/, 'grant the role EXECUTE on the function'],
  [/^42501/, /must be owner/, 'import as the role that owns the tables'],
  [/^42501/, /^/, GRANTS],
  [/^3F000/, /^/, 'create a schema for the role, or name one with search_path'],
  [/^08P01/, /startup parameter/, 'the pooler refuses it: set ignore_startup_parameters there, or unset PGOPTIONS'],
  [/^(26000|42P05|08P01)/, /prepared statement/, UNNAMED],
  [/^53300/, /^/, 'choose a smaller pool_size, or raise max_connections'],
];

/** The message of a server, with what to do about it if that is known. */
function messageOf({ code = '', message }: pg.DatabaseError): string {
  const hint = HINTS.find(([codes, messages]) => codes.test(code) && messages.test(message))?.[2];
  return `${message} (${code})${hint === undefined ? '' : `; ${hint}`}`;
}

const REASONS: [RegExp, string][] = [
  [/^55P03/, 'is locked by another process; try again when that process has finished'],
  [/^53100/, 'cannot grow: the disk of the server is full'],
  [/^25006/, 'cannot be written: the server is a replica'],
  [/^42P01/, 'is damaged or belongs to another application: a table is missing'],
  [/^42P07/, 'has tables of another application; choose another database, or a schema with search_path'],
];

/** Why a server or a database cannot be used, as the end of a sentence about the database; undefined if the error is our own. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof ConnectionLost) return `cannot be reached: ${error.message}`;
  if (error instanceof UnfitDatabase) return error.message;
  if (!(error instanceof pg.DatabaseError)) return undefined;
  return REASONS.find(([code]) => code.test(error.code!))?.[1] ?? `cannot be used: ${messageOf(error)}`;
}

/** An error of a server as one that names the database and says what to do; other errors are our own. */
export function explained(database: string, error: unknown): unknown {
  const reason = reasonOf(error);
  return reason === undefined ? error : new StoreUnusable(`database "${database}" ${reason}`, { cause: error });
}

/** Why a server cannot be used, for a list of servers. */
export const whyUnused = (error: unknown): string => (error instanceof pg.DatabaseError ? messageOf(error) : (error as Error).message);

const CERTIFICATES = /^(UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|CERT_UNTRUSTED)/;

/** What the driver says about a connection, in words that fit into a list of servers. */
const CONNECTIONS: [RegExp, string][] = [
  [/^timeout expired/, 'no answer within the time to connect'],
  [/^(Connection terminated|Client (was closed|has encountered))/, 'the server closed the connection'],
  [/^The server does not support SSL/, 'the server offers no TLS, which sslmode asks for'],
  [/^There was an error establishing an SSL/, 'the server did not answer the request for TLS as PostgreSQL does'],
];

/** Why a connection is lost, or was never made. */
export function lostBecause(error: unknown): ConnectionLost {
  if (error instanceof ConnectionLost) return error;
  if (error instanceof pg.DatabaseError) return new ConnectionLost(messageOf(error), { cause: error });
  const { message, code = '' } = error as NodeJS.ErrnoException;
  const first = error instanceof AggregateError ? (error.errors[0] as Error).message : message;
  const why = CERTIFICATES.test(code)
    ? `its certificate is not signed by a known authority (${code}); name the file with the certificate of that authority with sslrootcert`
    : (CONNECTIONS.find(([said]) => said.test(first))?.[1] ?? first);
  return new ConnectionLost(why, { cause: error });
}
