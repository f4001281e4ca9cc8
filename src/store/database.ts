import type { Sql } from 'sql-template-tag';
import type { Dialect } from './dialect.js';
import type { RowOf, TableName } from './schema.js';

/** A statement with its values: of the template tag `sql`, or of {@link repeated}. */
export type Statement = Pick<Sql, 'strings' | 'values' | 'sql' | 'text'>;

/**
 * A statement that clients repeat. Its text is made once, when the store opens, so that a
 * connection finds it prepared without building and comparing texts.
 * @param template with any values
 * @returns the same statement with other values, in the order of the template
 */
export function repeated(template: Sql): (...values: Sql['values']) => Statement {
  const { strings, text } = template;
  // SQLite prepares a statement anew for each value that its plan may depend on, which can take
  // longer than the statement itself. With a plus sign, which changes no value, it does not.
  const sql = strings.join('+?');
  return (...values) => ({ strings, values, sql, text });
}

/**
 * What comes at once from an engine in this process, and later from one behind a network. So a
 * lookup over SQLite waits for no promise.
 */
export type Soon<T> = T | Promise<T>;

/** Goes on with a value, at once if it is there. */
export const after = <T, R>(value: Soon<T>, next: (value: T) => Soon<R>): Soon<R> =>
  value instanceof Promise ? value.then(next) : next(value);

/**
 * Statements that see one committed state, or the changes of their own transaction. The template
 * tag `sql` binds all values.
 */
export interface Database {
  /** What the engine spells in its own way. */
  readonly dialect: Dialect;
  /**
   * All rows. Columns have different names. Numbers of any kind arrive as numbers, bytes as a
   * Buffer.
   */
  all<Row extends object>(statement: Statement): Promise<Row[]>;
  /** The first row; undefined if there is none. */
  get<Row extends object>(statement: Statement): Soon<Row | undefined>;
  /**
   * Stands for the state that the next statement sees: the same object as long as nothing is
   * committed, for remembering what follows from it. Omitted of a state of an earlier time.
   */
  state?(): Soon<object>;
}

/**
 * Reads a database. Each statement sees the newest state that this process has seen when it begins,
 * or a newer one. Every read throws a {@link StoreUnusable} if the database cannot answer, and a
 * {@link StoreBusy} if it has too much to do. The work of a read may be repeated, if a connection
 * breaks.
 */
export interface Reads extends Database {
  /** Several statements that see one state. */
  inOneState<T>(read: (db: Database) => Promise<T>): Promise<T>;
  /**
   * Changes whenever another process commits. An engine without a network returns it synchronously.
   */
  version(): Soon<number>;
  /**
   * The newest version that this process has read so far, without reading it again. It is at least
   * what {@link version} and {@link check} found last.
   */
  seenVersion(): number;
  /**
   * The number of the last migration; checks that the database can be used now, without reading its
   * content.
   */
  check(): Promise<number>;
  /**
   * Whether the serializers of this version wrote all texts in the database. Otherwise texts are
   * parsed, and serialized again for each answer.
   */
  hasTextsOfThisVersion(): boolean;
  /** How many costly reads may run at once, so that others are answered meanwhile. */
  readonly costlyAtOnce: number;
  /**
   * Called with a sentence for the operator, once, when commits that this process had seen are
   * lost.
   */
  onLoss: (message: string) => void;
  /** Closes all connections. No call may follow. */
  close(): Promise<void>;
}

/**
 * One transaction that writes. It sees its own changes, and no other process writes until it ends.
 */
export interface Transaction extends Database {
  /** Changes rows. @returns how many */
  run(statement: Sql): Promise<number>;
  /** Adds rows as they are. */
  insert<Name extends TableName>(table: Name, rows: readonly RowOf<Name>[]): Promise<void>;
  /**
   * Updates the rows with the same keys as the given rows. These may leave out columns, but all of
   * them the same columns.
   */
  update<Name extends TableName>(table: Name, rows: readonly Partial<RowOf<Name>>[]): Promise<void>;
}

/** Writes a database. */
export interface Writes {
  /** Reads without keeping others from writing. */
  read<T>(work: (db: Database) => Promise<T>): Promise<T>;
  /**
   * Runs a transaction and commits it; rolls back if `work` throws. One at a time.
   * @throws {StoreUnusable}
   */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** Does what can wait until many rows were written, such as gathering statistics. Never fails. */
  tidyUp(): Promise<void>;
  /** Closes the connection; rolls back a dry run. No call may follow. */
  close(): Promise<void>;
}

/** How a database is written. */
export interface WriterOptions {
  /** Save nothing: everything happens in one transaction, which `close` rolls back. */
  dryRun?: boolean;
  /**
   * Whether a database that does not exist, or has no tables, is created; otherwise it is an error.
   * Default: true.
   */
  create?: boolean;
  /** How long to wait for a lock, in milliseconds. Default: 10 s. */
  patience?: number;
}

/** The store cannot be used. The message is one line that says why and what to do. */
export class StoreUnusable extends Error {
  override readonly name: string = 'StoreUnusable';
}

/**
 * The database that was named is not one that this version can ever use, such as a file of another
 * application. Retrying does not help.
 */
export class WrongDatabase extends StoreUnusable {
  override readonly name = 'WrongDatabase';
}

/** The store has too much to do. The same call may succeed a little later. */
export class StoreBusy extends Error {
  override readonly name = 'StoreBusy';
}
