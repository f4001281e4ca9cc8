import { setTimeout as rest } from 'node:timers/promises';
import type pg from 'pg';
import { documentsVersion } from '../../serializers/documents.js';
import { type Database, type Reads, type Statement, StoreBusy } from '../database.js';
import { POSTGRES } from '../dialect.js';
import { ConnectionLost, explained, isTimeout } from './failures.js';
import { checkedMark, findMark, type PostgresMark, READ_MARK } from './mark.js';
import { databaseOf, openPool, Session } from './pool.js';
import type { DatabaseUrl } from '../address.js';

/** How long a read may take in all, in milliseconds. */
const READ_BUDGET = 10_000;
/**
 * How long to wait before a read is run once more, in milliseconds: connections that broke at the
 * same time leave the pool.
 */
const RETRY_PAUSE = 50;

/**
 * Whether a read has no time left for another attempt. Timers count whole milliseconds, so a
 * statement may be given up just before the deadline.
 * @param deadline by `performance.now()`
 */
const isOver = (deadline: number): boolean => performance.now() + RETRY_PAUSE > deadline;

/** A transaction whose statements all see the same state. */
export const ONE_STATE = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

/**
 * How long the server works on a statement of a read, in milliseconds: not longer than its reader
 * waits.
 */
const LIMITS = [
  'SET LOCAL statement_timeout = 9000',
  'SET LOCAL lock_timeout = 2000',
  // Compiling a statement takes longer than running it.
  'SET LOCAL jit = off',
].join('; ');

/**
 * Reads from whichever server answers at the address. If a connection breaks during a read, the
 * read is repeated once.
 */
export class PostgresReads implements Reads {
  readonly dialect = POSTGRES;
  readonly costlyAtOnce: number;
  onLoss: Reads['onLoss'] = () => undefined;
  private readonly pool: pg.Pool;
  /** The revision of the newest state that an answer came from. */
  private seen = 0;
  /** The version of the serializers that wrote the texts of that state. */
  private documents = 0;
  /** What stands for the newest state. */
  private lastState = { revision: -1 };
  /** The newest revision that was reported as lost. */
  private lost = 0;

  constructor(private readonly url: DatabaseUrl) {
    this.pool = openPool(url, url.poolSize);
    // The other connections are reserved for lookups.
    this.costlyAtOnce = Math.max(1, Math.floor(url.poolSize / 2));
  }

  /** Checks that the database can be read. @throws {StoreUnusable} */
  async start(): Promise<void> {
    // Unlike later reads, this one recognizes a database without tables, or of a development
    // version.
    await this.read(async (session) => checkedMark(await findMark(databaseOf(session))));
    await this.check();
  }

  all<Row extends object>(statement: Statement): Promise<Row[]> {
    return this.inOneState((db) => db.all<Row>(statement));
  }

  get<Row extends object>(statement: Statement): Promise<Row | undefined> {
    return this.inOneState(async (db) => db.get<Row>(statement));
  }

  inOneState<T>(read: (db: Database) => Promise<T>): Promise<T> {
    return this.read(async (session, known) => {
      const begin = async (): Promise<PostgresMark> => {
        const { rows } = await session.script(ONE_STATE, LIMITS, READ_MARK);
        return this.note(rows[0] as PostgresMark | undefined, known);
      };
      const begun = begin();
      const state = async (): Promise<object> => this.stateOf((await begun).revision);
      const find = async (): Promise<T> => read({ ...databaseOf(session), state });
      // Doing both at once saves a round trip. The result counts only if the mark is one of this
      // version.
      const [noted, found] = await Promise.allSettled([begun, find()]);
      // The end is not awaited: the next statements of the connection follow it.
      session.script('COMMIT').catch(() => undefined);
      if (noted.status === 'rejected') throw noted.reason;
      if (found.status === 'rejected') throw found.reason;
      return found.value;
    });
  }

  async version(): Promise<number> {
    await this.check();
    // Another read may have seen a newer one since.
    return this.seen;
  }

  seenVersion(): number {
    return this.seen;
  }

  hasTextsOfThisVersion(): boolean {
    return this.documents === documentsVersion();
  }

  async check(): Promise<number> {
    return this.read(async (session, known) => {
      const { rows } = await session.script(LIMITS, READ_MARK);
      return this.note(rows[0] as PostgresMark | undefined, known).migration;
    });
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  /**
   * Reads something, once more if the connection breaks.
   * @param work gets the newest revision that was known when the read began
   */
  private async read<T>(work: (session: Session, known: number) => Promise<T>): Promise<T> {
    const known = this.seen;
    const deadline = performance.now() + READ_BUDGET;
    const attempt = async (): Promise<T> => {
      const session = await Session.take(this.pool, this.url, () => deadline - performance.now());
      return work(session, known).finally(() => session.release());
    };
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ConnectionLost) || isOver(deadline))
        throw this.explained(error, deadline);
    }
    await rest(RETRY_PAUSE);
    return attempt().catch((error: unknown) => {
      throw this.explained(error, deadline);
    });
  }

  /** The error for callers. @param deadline when the read had to end, by `performance.now()` */
  private explained(error: unknown, deadline: number): unknown {
    const isLate = error instanceof ConnectionLost && isOver(deadline);
    if (isTimeout(error) || isLate)
      return new StoreBusy('the database takes too long to answer', { cause: error });
    return explained(this.url.shown, error);
  }

  /** What stands for the state of a revision. */
  private stateOf(revision: number): object {
    if (this.lastState.revision !== revision) this.lastState = { revision };
    return this.lastState;
  }

  /**
   * Notes the state that an answer comes from.
   * @param known the newest revision that was known when the read began: if the answer is older,
   * that one is lost. If only other reads have seen a newer one meanwhile, the answer is still
   * valid
   */
  private note(found: PostgresMark | undefined, known: number): PostgresMark {
    const mark = checkedMark(found);
    const isBehind = mark.revision < Math.min(known, this.seen);
    if (isBehind && this.seen > this.lost) {
      this.lost = this.seen;
      this.onLoss(
        'the database has gone back to an earlier state: commits were lost, for example ' +
          'because a promoted standby had not received them; import the site logs again',
      );
    }
    if (isBehind || mark.revision >= this.seen) {
      this.seen = mark.revision;
      this.documents = mark.documents;
    }
    return mark;
  }
}
