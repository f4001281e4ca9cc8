import { StoreBusy } from '../store.js';
import { ConnectionLost, Session, type SessionOptions } from './session.js';
import type { Address } from './url.js';

/** How many reads may wait for each connection. At 5 ms for a read, the last waits half a second. */
const WAITING_PER_CONNECTION = 100;
/** Why a read that is not done by its deadline fails. */
const TOO_LATE = 'the database takes too long to answer';

/** A read that waits for a session. */
interface Waiting {
  resolve: (session: Session) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout;
}

/** A bounded number of sessions with one server, and a bounded queue of reads that wait for one. */
export class Pool {
  private readonly sessions = new Set<Session>();
  private readonly idle: Session[] = [];
  private readonly waiting = new Set<Waiting>();
  private opening = 0;
  private closed = false;

  constructor(
    private readonly address: Address,
    private readonly options: SessionOptions,
    private readonly size: number,
  ) {}

  /** How much there is to do for each connection. */
  get load(): number {
    return (this.sessions.size - this.idle.length + this.opening + this.waiting.size) / this.size;
  }

  /**
   * Runs something in a session of its own.
   * @param deadline when it must be done, by `performance.now()`
   * @throws {StoreBusy} if too many wait already, or it is not done by then
   * @throws {ConnectionLost}
   */
  async use<T>(work: (session: Session) => Promise<T>, deadline: number): Promise<T> {
    const session = await this.take(deadline);
    const timer = setTimeout(() => session.destroy(TOO_LATE), Math.max(0, deadline - performance.now()));
    try {
      return await work(session);
    } catch (error) {
      throw error instanceof ConnectionLost && error.message === TOO_LATE ? new StoreBusy(TOO_LATE) : error;
    } finally {
      clearTimeout(timer);
      this.release(session);
    }
  }

  /** Breaks all connections, so that everything that waits for the server can go elsewhere. */
  abandon(why: string): void {
    for (const session of this.sessions) session.destroy(why);
    this.sessions.clear();
    this.idle.length = 0;
    this.refuse(new ConnectionLost(why));
  }

  /** Closes all sessions. No call may follow. */
  async close(): Promise<void> {
    this.closed = true;
    this.refuse(new ConnectionLost('it is closed'));
    await Promise.all([...this.sessions].map((session) => session.close()));
  }

  private refuse(error: Error): void {
    for (const waiting of this.waiting) this.settle(waiting, () => waiting.reject(error));
  }

  private settle(waiting: Waiting, act: () => void): void {
    clearTimeout(waiting.timer);
    this.waiting.delete(waiting);
    act();
  }

  private async take(deadline: number): Promise<Session> {
    for (let session = this.idle.pop(); session !== undefined; session = this.idle.pop()) {
      if (session.usable) return session;
      this.sessions.delete(session);
    }
    if (this.sessions.size + this.opening >= this.size) return this.wait(deadline);
    try {
      return await this.open();
    } catch (error) {
      // The server may have no connection to spare; the existing ones then serve all reads.
      if (this.sessions.size > 0) return this.wait(deadline);
      this.refuse(error as Error);
      throw error;
    }
  }

  private wait(deadline: number): Promise<Session> {
    if (this.waiting.size >= this.size * WAITING_PER_CONNECTION) {
      return Promise.reject(new StoreBusy(`${this.waiting.size} reads wait for the database already`));
    }
    return new Promise((resolve, reject) => {
      const expire = (): void => this.settle(waiting, () => reject(new StoreBusy('no connection to the database became free in time')));
      const waiting: Waiting = { resolve, reject, timer: setTimeout(expire, Math.max(0, deadline - performance.now())) };
      this.waiting.add(waiting);
    });
  }

  private async open(): Promise<Session> {
    this.opening++;
    try {
      const session = await Session.open(this.address, this.options);
      this.sessions.add(session);
      if (this.closed) session.destroy('it is closed');
      return session;
    } finally {
      this.opening--;
    }
  }

  private release(session: Session): void {
    const [next] = this.waiting;
    if (session.usable && this.sessions.has(session)) {
      if (next === undefined) this.idle.push(session);
      else this.settle(next, () => next.resolve(session));
      return;
    }
    this.sessions.delete(session);
    void session.close();
    if (next === undefined || this.closed) return;
    this.settle(next, () => {
      this.open().then(next.resolve, (error: Error) => {
        next.reject(error);
        // Nothing is left that would serve the others.
        if (this.sessions.size === 0) this.refuse(error);
      });
    });
  }
}
