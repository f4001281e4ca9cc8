import { statSync } from 'node:fs';
import Database, { type Statement } from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { PageText } from '../page-text.js';
import { StoreUnusable } from '../store.js';
import { MIGRATIONS, migrationOf } from './migrations.js';

/** How many statements stay prepared. Each combination of filters and order needs its own. */
const MOST_STATEMENTS = 200;
/** How long reads trust that the file is still the one that was opened, in milliseconds. */
const TRUSTED = 500;
/** More than any `data_version`, so that versions of different openings never meet. */
const VERSIONS_OF_OPENING = 2 ** 32;

/** A value that SQLite binds. */
export type Value = string | number | null;
/** Values bound by position or by name. */
export type Values = Value[] | [Record<string, Value>];

/** Reads rows. */
export type Reads = Pick<Connection, 'get' | 'all'>;

/** An open file. */
interface Opened {
  db: Database.Database;
  /** Changes if the file is replaced, restored over or truncated, and also at a checkpoint. */
  state: string;
  /** By SQL. */
  statements: LRUCache<string, Statement<unknown[]>>;
  transaction: (read: () => unknown) => unknown;
  dataVersion: Statement<[], number>;
}

/**
 * A connection for reading, with its prepared statements. If the file changes under it, or another version migrates it, it opens
 * the file again; while that fails, every read throws the same {@link StoreUnusable}.
 */
export class Connection {
  private opened: Opened | null;
  private failure: StoreUnusable | null = null;
  private checkedAt = performance.now();
  private openings = 0;
  private closed = false;

  /**
   * @param open opens the file and checks that it can be served
   * @param unusable converts an error of SQLite to one that says what to do
   */
  constructor(
    private readonly file: string,
    private readonly open: () => Database.Database,
    private readonly unusable: (error: unknown) => StoreUnusable,
  ) {
    this.opened = this.openNow();
  }

  /** The database, for a single statement that needs no preparation. */
  get db(): Database.Database {
    return this.current().db;
  }

  /** The first row; undefined if there is none. */
  get<Row>(sql: string, ...values: Values): Row | undefined {
    return this.reading(() => this.prepared(sql).get(...values) as Row | undefined);
  }

  /** All rows. */
  all<Row>(sql: string, ...values: Values): Row[] {
    return this.reading(() => this.prepared(sql).all(...values) as Row[]);
  }

  /** The rows of a page. @throws {PageTooLarge} if they have too much text to be answered at once */
  page<Row extends object>(sql: string, ...values: Values): Row[] {
    return this.partsOfPage((row) => row, sql, ...values);
  }

  /** The same with several rows for each element. @param elementOf of which element a row is; the rows of each follow one another */
  partsOfPage<Row extends object>(elementOf: (row: Row) => unknown, sql: string, ...values: Values): Row[] {
    return this.reading(() => {
      const rows: Row[] = [];
      const text = new PageText(elementOf);
      for (const row of this.prepared(sql).iterate(...values) as IterableIterator<Row>) {
        text.add(row);
        rows.push(row);
      }
      return rows;
    });
  }

  /** Runs several reads in one transaction, so that they see one state. A single statement needs no transaction. */
  inOneTransaction<T>(read: () => T): T {
    return this.reading(() => this.current().transaction(read) as T);
  }

  /** A number that changes whenever another connection commits, and when the file is opened again. */
  version(): number {
    return this.reading(() => this.current().dataVersion.get()! + this.openings * VERSIONS_OF_OPENING);
  }

  /** Looks at the file now instead of trusting it for a moment. @throws {StoreUnusable} if it cannot be read */
  check(): void {
    this.checkedAt = -Infinity;
    this.current();
  }

  /** Closes the file. No call may follow. */
  close(): void {
    this.opened?.db.close();
    this.closed = true;
  }

  /** Runs a read. After an error that comes from the file, the next read opens it again. */
  private reading<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof Database.SqliteError)) throw error;
      if (/^SQLITE_(CORRUPT|NOTADB|IOERR|CANTOPEN|SCHEMA|ERROR)/.test(error.code)) this.distrust();
      throw this.unusable(error);
    }
  }

  private distrust(): void {
    this.checkedAt = -Infinity;
    if (this.opened !== null) this.opened.state = 'unknown';
  }

  /** The open file. It is checked now and then, but never within a transaction. */
  private current(): Opened {
    if (this.closed) throw new Error('the database connection is not open');
    if (this.opened?.db.inTransaction) return this.opened;
    const now = performance.now();
    if (now - this.checkedAt > TRUSTED) {
      this.checkedAt = now;
      if (this.opened === null || this.opened.state !== stateOf(this.file) || isMigrated(this.opened.db)) this.reopen();
    }
    if (this.opened === null) throw this.failure!;
    return this.opened;
  }

  private reopen(): void {
    this.opened?.db.close();
    this.opened = null;
    try {
      this.opened = this.openNow();
      this.failure = null;
    } catch (error) {
      const failure = error instanceof StoreUnusable ? error : this.unusable(error);
      // The same error for the same reason, so that it is logged once.
      if (failure.message !== this.failure?.message) this.failure = failure;
    }
  }

  private openNow(): Opened {
    // Before opening: if the file changes meanwhile, the next check notices.
    const state = stateOf(this.file);
    const db = this.open();
    this.openings++;
    return {
      db,
      state,
      statements: new LRUCache({ max: MOST_STATEMENTS }),
      transaction: db.transaction((read: () => unknown) => read()),
      dataVersion: db.prepare<[], number>('PRAGMA data_version').pluck(),
    };
  }

  private prepared(sql: string): Statement<unknown[]> {
    const { db, statements } = this.current();
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = db.prepare<unknown[]>(sql);
    statements.set(sql, statement);
    return statement;
  }
}

/** Whether another version has migrated the open file. */
function isMigrated(db: Database.Database): boolean {
  try {
    return migrationOf(db) !== MIGRATIONS.length;
  } catch {
    // Opening the file again reports why it cannot be read.
    return true;
  }
}

/** What changes if another file takes the place of this one, or its content is overwritten. */
export function stateOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? 'missing' : [found.dev, found.ino, found.size, found.mtimeMs].join();
}
