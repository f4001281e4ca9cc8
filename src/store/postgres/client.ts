import type { ServerState } from '../../../schemas/index.js';

/** What the readers, the writer and the migrations of PostgreSQL see of its servers. They know nothing of hosts and connections. */

/** A value of an array that a statement binds. */
type Element = string | number | boolean | null | Uint8Array;
/** A value that a statement binds. An array becomes an array of PostgreSQL, for `= ANY($1)` and `unnest($1::text[])`. */
export type Parameter = Element | readonly Element[];

/**
 * Statements that all see one committed state of one server. `bigint` and `numeric` arrive as numbers, `bytea` as a Buffer,
 * `json` as what it describes.
 */
export interface Snapshot {
  /** All rows. @param sql one statement, whose columns have different names; `$1` is the first parameter */
  all<Row extends object>(sql: string, ...parameters: Parameter[]): Promise<Row[]>;
  /** The first row; undefined if there is none. */
  get<Row extends object>(sql: string, ...parameters: Parameter[]): Promise<Row | undefined>;
}

/**
 * Reads the newest state that this process has seen when the read begins, or a newer one. A single statement takes one round trip.
 * Every read throws a {@link StoreUnusable} if no server can answer, and a {@link StoreBusy} if too many reads wait.
 */
export interface Reads extends Snapshot {
  /** The revision of the newest state that an answer came from: a read that begins later is of this state or a newer one. */
  readonly seen: number;
  /** Reads the revision. */
  revision(): Promise<number>;
  /** Several statements that see one state. May run `read` again on another server. */
  inOneState<T>(read: (snapshot: Snapshot) => Promise<T>): Promise<T>;
  /** The state of each server, in the order of the URL. */
  states(): ServerState[];
  /** Closes all connections. No call may follow. */
  close(): Promise<void>;
}

/** One transaction on the primary. It sees its own changes. */
export interface Transaction extends Snapshot {
  /** Changes rows. @returns how many */
  run(sql: string, ...parameters: Parameter[]): Promise<number>;
}

/** Writes to the primary. */
export interface Writes {
  /**
   * Runs a transaction, commits it, and returns what `work` returns; rolls back if that throws. Before `work` starts, the
   * transaction has increased the revision, so no other process writes until it ends.
   * @throws {StoreUnusable} if there is no primary, or if another process writes for too long
   */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** Runs a transaction without increasing the revision, so that others may write meanwhile. @throws {StoreUnusable} */
  unlocked<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** Closes the connection; rolls back a dry run. No call may follow. */
  close(): Promise<void>;
}

/** Increases the revision, and so waits until no other process writes. */
export const TAKE_WRITE_LOCK = `
  UPDATE revision SET number = greatest(number + 1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)`;

/** The revision of the state that a statement sees, and its last migration. */
export const READ_REVISION = 'SELECT number, (SELECT migration FROM gnss_site_setups) FROM revision';
/** The row of {@link READ_REVISION}. */
export interface RevisionRow {
  number: number;
  migration: number;
}

/** What {@link withRevision} adds to each row. */
export interface Revised {
  _revision: number;
  _migration: number;
  /** Null in the only row of a statement that has found none. */
  _found: true | null;
}

/**
 * The same statement, with the revision and the last migration in each row, read from the same state; one row if it finds none. As nothing but
 * `true` joins the two, the join can only go through the rows of the statement for the one row of `revision`, in their order.
 */
export const withRevision = (sql: string): string => `
  SELECT revision.number AS "_revision", (SELECT migration FROM gnss_site_setups) AS "_migration", answer.*
  FROM revision LEFT JOIN (SELECT true AS "_found", statement.* FROM (${sql}) AS statement) AS answer ON true`;
