import { statSync } from 'node:fs';
import Database, { type Statement as Prepared } from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { documentsVersion } from '../../serializers/documents.js';
import {
  type Database as AnyDatabase,
  type Reads,
  type Statement,
  StoreUnusable,
} from '../database.js';
import { SQLITE } from '../dialect.js';
import { type Mark, MIGRATIONS } from '../migrations.js';
import { markOf, openToRead, unusable } from './open.js';

/** How long reads trust that the file is still the one that was opened, in milliseconds. */
const TRUSTED = 500;
/** More than any `data_version`, so that versions of different openings never meet. */
const VERSIONS_OF_OPENING = 2 ** 32;

/** The prepared statements of a connection, by their texts. */
export type Statements = LRUCache<string, Prepared<unknown[]>>;

/** How many statements stay prepared. Each combination of filters and order needs its own. */
const MOST_STATEMENTS = 200;

/** Prepares each statement of a connection when it is first asked for. */
export const statementsOf = (db: Database.Database): Statements =>
  new LRUCache({ max: MOST_STATEMENTS, memoMethod: (text) => db.prepare<unknown[]>(text) });

/** An open file. */
interface Opened {
  db: Database.Database;
  /** Changes if the file is replaced, restored over or truncated, and also at a checkpoint. */
  state: string;
  /** What wrote the file. */
  mark: Mark;
  /** How many reads are in the transaction that is open now. */
  reads: number;
  statements: Statements;
  begin: Prepared<[]>;
  commit: Prepared<[]>;
  dataVersion: Prepared<[], number>;
}

/**
 * A connection for reading, with its prepared statements. If the file changes under it, or another
 * version migrates it, it opens the file again; while that fails, every read throws the same
 * {@link StoreUnusable}.
 */
export class Connection implements Reads {
  readonly dialect = SQLITE;
  /** One, because SQLite reads in this process, which can do nothing else meanwhile. */
  readonly costlyAtOnce = 1;
  onLoss: Reads['onLoss'] = () => undefined;
  private opened: Opened | null;
  private failure: StoreUnusable | null = null;
  private checkedAt = performance.now();
  private openings = 0;
  /** What {@link version} said last. */
  private seen = -1;
  /** What {@link state} returned last. */
  private lastState = { version: -1 };
  private closed = false;

  /** @throws {StoreUnusable} if the file cannot be served */
  constructor(private readonly file: string) {
    this.opened = this.openNow();
    this.version();
  }

  get<Row extends object>(statement: Statement): Row | undefined {
    return this.reading(() => this.prepared(statement).get(...statement.values) as Row | undefined);
  }

  async all<Row extends object>(statement: Statement): Promise<Row[]> {
    return this.reading(() => this.prepared(statement).all(...statement.values) as Row[]);
  }

  /**
   * Reads that overlap share a transaction. As SQLite answers at once, they begin in one callback
   * of the event loop: so none sees a state older than itself.
   */
  async inOneState<T>(read: (db: AnyDatabase) => Promise<T>): Promise<T> {
    const opened = this.reading(() => this.current());
    if (opened.reads === 0) this.reading(() => opened.begin.run());
    opened.reads++;
    try {
      return await read(this);
    } catch (error) {
      // Half of the old file and half of the new one can make no sense.
      const isSenseless = error instanceof SyntaxError || error instanceof TypeError;
      if (!isSenseless || opened.state === fileState(this.file)) throw error;
      this.distrust();
      throw unusable(this.file, error);
    } finally {
      opened.reads--;
      // An error of the file can have ended it already.
      if (opened.reads === 0 && opened.db.inTransaction) this.reading(() => opened.commit.run());
    }
  }

  version(): number {
    this.seen = this.reading(
      () => this.current().dataVersion.get()! + this.openings * VERSIONS_OF_OPENING,
    );
    return this.seen;
  }

  seenVersion(): number {
    return this.seen;
  }

  state(): object {
    const version = this.version();
    if (this.lastState.version !== version) this.lastState = { version };
    return this.lastState;
  }

  hasTextsOfThisVersion(): boolean {
    return this.opened?.mark.documents === documentsVersion();
  }

  /**
   * Looks at the file now instead of trusting it for a moment.
   * @throws {StoreUnusable} if it cannot be read
   */
  async check(): Promise<number> {
    this.checkedAt = -Infinity;
    this.version();
    return this.reading(() => this.current().mark.migration);
  }

  async close(): Promise<void> {
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
      throw unusable(this.file, error);
    }
  }

  private prepared({ sql }: Statement): Prepared<unknown[]> {
    return this.current().statements.memo(sql);
  }

  private distrust(): void {
    this.checkedAt = -Infinity;
    if (this.opened !== null) this.opened.state = 'unknown';
  }

  /** The open file. It is checked now and then, but never within a transaction. */
  private current(): Opened {
    if (this.closed) throw new Error('the database connection is not open');
    // An error of the file can have ended the transaction already.
    if (this.opened !== null && this.opened.reads > 0 && this.opened.db.inTransaction)
      return this.opened;
    const now = performance.now();
    if (now - this.checkedAt > TRUSTED) {
      this.checkedAt = now;
      if (
        this.opened === null ||
        this.opened.state !== fileState(this.file) ||
        isMarkedAnew(this.opened)
      )
        this.reopen();
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
      const failure = error instanceof StoreUnusable ? error : unusable(this.file, error);
      // The same error for the same reason, so that it is logged once.
      if (failure.message !== this.failure?.message) this.failure = failure;
    }
  }

  private openNow(): Opened {
    // Before opening: if the file changes meanwhile, the next check notices.
    const state = fileState(this.file);
    const db = openToRead(this.file);
    this.openings++;
    return {
      db,
      state,
      mark: markOf(db)!,
      reads: 0,
      statements: statementsOf(db),
      begin: db.prepare('BEGIN'),
      commit: db.prepare('COMMIT'),
      dataVersion: db.prepare<[], number>('PRAGMA data_version').pluck(),
    };
  }
}

/** Whether another version has migrated the open file, or has written its texts anew. */
function isMarkedAnew({ db, mark }: Opened): boolean {
  try {
    const now = markOf(db);
    return now?.migration !== MIGRATIONS.length || now.documents !== mark.documents;
  } catch {
    // Opening the file again reports why it cannot be read.
    return true;
  }
}

/** What changes if another file takes the place of this one, or its content is overwritten. */
export function fileState(file: string): string {
  try {
    const { dev, ino, size, mtimeMs } = statSync(file);
    return [dev, ino, size, mtimeMs].join();
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  }
}
