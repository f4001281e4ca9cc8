import Database, { type Statement } from 'better-sqlite3';
import { LRUCache } from 'lru-cache';

/** How many statements stay prepared. Each combination of filters and order needs its own. */
const MOST_STATEMENTS = 200;

/** A value that SQLite binds. */
export type Value = string | number | null;
/** Values bound by position or by name. */
export type Values = Value[] | [Record<string, Value>];

/** A connection for reading, with its prepared statements. */
export class Connection {
  /** By SQL. */
  private readonly statements = new LRUCache<string, Statement<unknown[]>>({ max: MOST_STATEMENTS });
  private readonly transaction: (read: () => unknown) => unknown;
  private readonly dataVersion: Statement<[], number>;

  /** @param unusable converts an error of SQLite to one that says what to do */
  constructor(
    readonly db: Database.Database,
    private readonly unusable: (error: unknown) => Error,
  ) {
    this.transaction = db.transaction((read: () => unknown) => read());
    this.dataVersion = db.prepare<[], number>('PRAGMA data_version').pluck();
  }

  /** The first row; undefined if there is none. */
  get<Row>(sql: string, ...values: Values): Row | undefined {
    return this.prepared(sql).get(...values) as Row | undefined;
  }

  /** All rows. */
  all<Row>(sql: string, ...values: Values): Row[] {
    return this.prepared(sql).all(...values) as Row[];
  }

  /** Runs several reads in one transaction, so that they see one state. A single statement needs no transaction. */
  inOneTransaction<T>(read: () => T): T {
    return this.transaction(read) as T;
  }

  /** A number that changes whenever another connection commits. */
  version(): number {
    return this.dataVersion.get()!;
  }

  /** Runs a read whose error reaches an operator: at start, and in `/ready`. @throws what `unusable` makes of an error of SQLite */
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
