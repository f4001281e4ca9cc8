import Database, { type Statement } from 'better-sqlite3';
import { LRUCache } from 'lru-cache';

/** The most statements that stay prepared; each combination of filters and order is one. */
const MOST_STATEMENTS = 200;

/** What SQLite binds: by position, or by name. */
export type Value = string | number | null;
export type Values = Value[] | [Record<string, Value>];

/** One connection that reads, with its prepared statements. */
export class Connection {
  /** By their SQL. */
  private readonly statements = new LRUCache<string, Statement<unknown[]>>({ max: MOST_STATEMENTS });
  private readonly transaction: (read: () => unknown) => unknown;
  private readonly dataVersion: Statement<[], number>;

  /** @param unusable turns an error of SQLite into one that says what to do */
  constructor(
    readonly db: Database.Database,
    private readonly unusable: (error: unknown) => Error,
  ) {
    this.transaction = db.transaction((read: () => unknown) => read());
    this.dataVersion = db.prepare<[], number>('PRAGMA data_version').pluck();
  }

  /** The first row. */
  get<Row>(sql: string, ...values: Values): Row | undefined {
    return this.prepared(sql).get(...values) as Row | undefined;
  }

  /** All rows. */
  all<Row>(sql: string, ...values: Values): Row[] {
    return this.prepared(sql).all(...values) as Row[];
  }

  /** Runs several reads in one transaction, so that they see one state; a single statement needs none. */
  inOneTransaction<T>(read: () => T): T {
    return this.transaction(read) as T;
  }

  /** Changes when another connection has committed. */
  version(): number {
    return this.dataVersion.get()!;
  }

  /** Runs a read of the start, when the message of an error reaches the person who can repair the file. */
  guarded<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw error instanceof Database.SqliteError ? this.unusable(error) : error;
    }
  }

  private prepared(sql: string): Statement<unknown[]> {
    const known = this.statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.db.prepare<unknown[]>(sql);
    this.statements.set(sql, statement);
    return statement;
  }
}
