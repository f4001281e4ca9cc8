import postgres from 'postgres';
import { StoreUnusable } from '../store.js';
import { ConnectionLost } from './session.js';

/**
 * The codes with which a server says that another one, or the same a little later, can do what was asked: connection
 * exceptions, too many connections, shutting down or starting, a disk error, and a query that the replay on a replica
 * has cancelled.
 */
const TRANSIENT = /^(08|53300|57P0|58|40001|40P01)/;
/** The server takes no writes: it is a replica. */
const READ_ONLY = '25006';

/** A table that always has one row has none, for example because only the tables were restored, without their rows. */
export class EmptyTable extends Error {
  override readonly name = 'EmptyTable';

  constructor(table: 'revision' | 'gnss_site_setups') {
    super(`its table ${table} is empty`);
  }
}

/** A newer version of this program has migrated the database. */
export class NewerVersion extends Error {
  override readonly name = 'NewerVersion';

  /** @param migration the last one of the database @param known how many this version has */
  constructor(migration: number, known: number) {
    super(`is from a newer version (migration ${migration}; this version has ${known}); install the newer version`);
  }
}

/** Whether another server may succeed. */
export const isOfServer = (error: unknown): error is Error =>
  error instanceof ConnectionLost || (error instanceof postgres.PostgresError && (TRANSIENT.test(error.code) || error.code === READ_ONLY));

/** Whether a statement was cancelled because it took too long. */
export const isTimeout = (error: unknown): boolean => error instanceof postgres.PostgresError && error.code === '57014';

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
  if (error instanceof NewerVersion) return error.message;
  if (error instanceof EmptyTable) return `is damaged: ${error.message}`;
  if (!(error instanceof postgres.PostgresError)) return undefined;
  return REASONS.find(([code]) => code.test(error.code))?.[1] ?? `cannot be used: ${error.message} (${error.code})`;
}

/** An error of a server as one that names the database and says what to do; other errors are our own. */
export function explained(database: string, error: unknown): unknown {
  const reason = reasonOf(error);
  return reason === undefined ? error : new StoreUnusable(`database "${database}" ${reason}`, { cause: error });
}
