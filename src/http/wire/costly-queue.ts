import { setImmediate } from 'node:timers/promises';
import type { TObject } from '@sinclair/typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { MINUTE } from '../../requests/units-of-time.js';
import { StoreBusy } from '../../store/store.js';
import { nextTurn, ownTurn } from '../../turns.js';
import { visible } from '../../visible.js';

/** The most requests that wait. */
const MOST_WAITING = 50;
/** How long a request is computed before it gives way to those that wait, in milliseconds. */
const TURN = 25;
/** The most characters, or bytes, of answers that are computed but not sent yet. */
const MOST_UNSENT = 64 * 1024 * 1024;
/** Shorter answers are not counted as unsent. */
const LONG_ANSWER = 16 * 1024;

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Lets others run between two pieces of a costly answer: lookups and, once its turn has lasted
     * long enough, costly requests that wait. Call it every few milliseconds.
     */
    giveWay: () => Promise<void>;
  }
  interface FastifyContextConfig {
    /**
     * Whether requests to a route wait for each other. Default: whether the route has a `size`,
     * unless their answers are cached.
     */
    costly?: boolean;
  }
}

/** Whether a request is quick although its route has a `size`: its answer is cached. */
function isQuick({ query, routeOptions }: FastifyRequest): boolean {
  const { cacheKey, costly = false } = routeOptions.config;
  if (costly || cacheKey === undefined) return false;
  return cacheKey(query as Readonly<Record<string, unknown>>) !== null;
}

/** Whether the client has closed its connection. */
const isGone = ({ raw }: FastifyRequest): boolean => raw.socket.writable === false;

/** How often refusals are logged at most, in milliseconds. */
const LOGGED_EVERY = MINUTE;
/** How many requests that held the queue a line names at most. */
const MOST_NAMED = 5;
/** The most characters of a request in the log. */
const LONGEST_REQUEST = 200;

/** A request, as the log names it. */
const nameOf = ({ method, url }: FastifyRequest): string =>
  visible(`${method} ${url}`.slice(0, LONGEST_REQUEST));

/** Logs requests that are refused: the first at once, then at most a line a minute. */
class RefusalLog {
  private refused = 0;
  /** Why the last one was refused. */
  private reason = '';
  /** The requests that were computed meanwhile. */
  private readonly holding = new Set<string>();
  /** Set while nothing is logged, because a line was less than a minute ago. */
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly log: Logger) {}

  add({ message }: StoreBusy, computed: Iterable<FastifyRequest>): void {
    this.refused++;
    this.reason = message;
    for (const request of computed)
      if (this.holding.size < MOST_NAMED) this.holding.add(nameOf(request));
    if (this.timer === null) this.write();
  }

  private write(): void {
    const { refused, reason } = this;
    const holding = [...this.holding];
    this.log.warn({ refused, reason, holding }, 'costly requests were answered 503');
    this.refused = 0;
    this.holding.clear();
    this.timer = setTimeout(() => {
      this.timer = null;
      if (this.refused > 0) this.write();
    }, LOGGED_EVERY).unref();
  }
}

/** Makes costly requests take turns. */
class CostlyQueue {
  /** Functions that start the waiting requests. */
  private readonly waiting: (() => void)[] = [];
  /** The requests that are computed, and when their turns began. */
  private readonly current = new Map<FastifyRequest, number>();
  /** How many turns are taken: by those requests, and by pauses after them. */
  private taken = 0;
  /** How many characters of long answers are computed but not sent yet. */
  private unsent = 0;

  /**
   * @param atOnce how many requests are computed at once
   * @param patience how long a request may wait, in milliseconds
   */
  constructor(
    private readonly atOnce: number,
    private readonly patience: number,
    private readonly refusals: RefusalLog,
  ) {}

  /**
   * Takes a turn for a request, once there is one.
   * @throws {StoreBusy} if too many wait, or this one has waited too long
   */
  async take(request: FastifyRequest): Promise<void> {
    if (this.unsent > MOST_UNSENT) throw this.refusal('clients do not read their answers');
    if (this.waiting.length >= MOST_WAITING)
      throw this.refusal(`${MOST_WAITING} costly requests wait already`);
    if (this.taken >= this.atOnce) {
      await this.wait(request);
      return;
    }
    this.taken++;
    this.begin(request);
  }

  /** Ends the turn of a request, and begins that of the one that has waited longest. */
  async end(request: FastifyRequest): Promise<void> {
    if (!this.current.delete(request)) return;
    await this.pause();
    const begin = this.waiting.shift();
    if (begin === undefined) this.taken--;
    else begin();
  }

  /** Ends the turn of a request whose work is long, and takes another after those that wait. */
  async giveWay(request: FastifyRequest): Promise<void> {
    const isOver = performance.now() - (this.current.get(request) ?? Infinity) >= TURN;
    if (this.waiting.length === 0 || !isOver) {
      await ownTurn();
      return;
    }
    const next = new Promise<void>((resolve) => {
      this.waiting.push(() => {
        this.begin(request);
        resolve();
      });
    });
    void this.end(request);
    await next;
  }

  /** Counts an answer as unsent until its connection has sent or dropped it. */
  countUnsent(answer: string | Buffer, reply: FastifyReply): void {
    // Nothing is sent to a client that went while its answer was computed.
    if (answer.length <= LONG_ANSWER || reply.raw.closed) return;
    this.unsent += answer.length;
    reply.raw.once('close', () => (this.unsent -= answer.length));
  }

  private begin(request: FastifyRequest): void {
    this.current.set(request, performance.now());
  }

  /** Why a request is refused, which is also logged. */
  private refusal(reason: string): StoreBusy {
    const busy = new StoreBusy(reason);
    this.refusals.add(busy, this.current.keys());
    return busy;
  }

  private wait(request: FastifyRequest): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        this.begin(request);
        resolve();
      };
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(begin), 1);
        reject(this.refusal(`the request has waited for ${this.patience} ms`));
      }, this.patience);
      this.waiting.push(begin);
    });
  }

  /** Waits until Node.js has read from all connections, and so knows which are closed. */
  private async pause(): Promise<void> {
    // Nothing else in this turn reads from a socket.
    await setImmediate();
    await nextTurn();
  }
}

/**
 * Makes the requests to costly routes wait for each other, so that all other requests are answered
 * in between. A request that has waited is not computed if its client has gone meanwhile. Node.js
 * notices this only when it reads from the connection again, so there is a pause before each turn.
 * Answers that clients do not read are bounded, too. Call this before adding routes.
 * @param atOnce how many are computed at once
 * @param patience how long a request may wait, in milliseconds
 */
export function addCostlyQueue(
  app: FastifyInstance,
  log: Logger,
  atOnce: number,
  patience: number,
): void {
  const queue = new CostlyQueue(atOnce, patience, new RefusalLog(log));
  app.decorateRequest('giveWay', function giveWay(this: FastifyRequest) {
    return queue.giveWay(this);
  });

  async function takeTurn(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply | undefined> {
    if (isQuick(request)) return undefined;
    await queue.take(request);
    if (!isGone(request)) {
      reply.raw.once('close', () => void queue.end(request));
      return undefined;
    }
    void queue.end(request);
    reply.hijack();
    request.raw.destroy();
    return reply;
  }

  function endTurn(
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    done: (error: null, same: unknown) => void,
  ): void {
    void queue.end(request);
    if (typeof payload === 'string' || Buffer.isBuffer(payload)) queue.countUnsent(payload, reply);
    done(null, payload);
  }

  app.addHook('onRoute', (route) => {
    const { querystring } = (route.schema ?? {}) as { querystring?: TObject };
    const isList = 'size' in (querystring?.properties ?? {});
    if (!(route.config?.costly ?? isList)) return;
    route.preHandler = [takeTurn, route.preHandler ?? []].flat();
    route.onSend = [route.onSend ?? [], endTurn].flat();
  });
}
