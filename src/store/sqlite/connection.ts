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
  private readonly begin: Statement<[]>;
  private readonly end: Statement<[]>;
  private readonly dataVersion: Statement<[], number>;

  /** @param unusable converts an error of SQLite to one that says what to do */
  constructor(
    readonly db: Database.Database,
    private readonly unusable: (error: unknown) => Error,
  ) {
    this.begin = db.prepare('BEGIN');
    this.end = db.prepare('COMMIT');
    this.dataVersion = db.prepare<[], number>('PRAGMA data_version').pluck();
  }

  /** The first row; undefined if there is none. */
  get<Row>(sql: string, ...values: Values): Row | undefined {
    this.joinTurn();
    return this.prepared(sql).get(...values) as Row | undefined;
  }

  /** All rows. */
  all<Row>(sql: string, ...values: Values): Row[] {
    this.joinTurn();
    return this.prepared(sql).all(...values) as Row[];
  }

  /** Runs several reads that see one state. They must not await anything between them. */
  inOneTransaction<T>(read: () => T): T {
    this.joinTurn();
    return read();
  }

  /** A number that changes whenever another connection commits. */
  version(): number {
    this.joinTurn();
    return this.dataVersion.get()!;
  }

  /**
   * All reads in a turn of the event loop share one transaction. They see one state, the newest at the first of them, and
   * SQLite locks the file once for all of them; that takes longer than a read itself.
   */
  private joinTurn(): void {
    if (this.db.inTransaction) return;
    this.begin.run();
    setImmediate(() => {
      if (this.db.open && this.db.inTransaction) this.end.run();
    });
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
