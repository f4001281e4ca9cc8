import { setImmediate } from 'node:timers/promises';
import type { TObject } from '@sinclair/typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { StoreBusy } from '../../store/store.js';

/** The most requests that wait. */
const MOST_WAITING = 50;
/** How long a request may wait, in milliseconds. */
const PATIENCE = 2000;
/** The longest pause between two costly requests, in milliseconds. */
const LONGEST_PAUSE = 100;
/** The most characters of answers that are computed but not sent yet. */
const MOST_UNSENT = 64 * 1024 * 1024;
/** Shorter answers are not counted among those that are not sent yet. */
const LONG_ANSWER = 16 * 1024;

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Whether requests to a route wait for each other, unless their answers are cached. Default:
     * whether the route has a `size`.
     */
    costly?: boolean;
  }
}

/** Whether the answer to a request is one of those that are cached: they are quick. */
function isCached({ query, routeOptions }: FastifyRequest): boolean {
  const { cacheKey } = routeOptions.config;
  return cacheKey !== undefined && cacheKey(query as Readonly<Record<string, unknown>>) !== null;
}

/** Whether the client has closed its connection. */
const isGone = ({ raw }: FastifyRequest): boolean => raw.socket.writable === false;

/**
 * Makes the requests to costly routes wait for each other, so that all other requests are answered
 * in between. A request that has waited is not computed if its client has gone meanwhile. Node
 * learns that only when it reads from the connection again, so there is a pause before it, until a
 * turn of the event loop brings no new connection or costly request. Answers that clients do not
 * read are bounded, too. Call this before adding routes.
 * @param atOnce how many are computed at once
 */
export function addCostlyQueue(app: FastifyInstance, atOnce: number): void {
  /** Functions that start the waiting requests. */
  const waiting: (() => void)[] = [];
  /** The requests that are computed. */
  const current = new Set<FastifyRequest>();
  /** How many turns are taken: by those requests, and by pauses after them. */
  let taken = 0;
  let unsent = 0;
  /** How many connections and costly requests have come. */
  let arrivals = 0;
  app.server.on('connection', () => arrivals++);

  async function pause(): Promise<void> {
    const end = performance.now() + LONGEST_PAUSE;
    let before: number;
    // Whatever the rest of this turn does, it reads from no connection.
    await setImmediate();
    do {
      before = arrivals;
      await setImmediate();
    } while (arrivals !== before && performance.now() < end);
  }

  /** Begins the request that has waited longest, once another has ended. */
  async function end(request: FastifyRequest): Promise<void> {
    if (!current.delete(request)) return;
    await pause();
    const begin = waiting.shift();
    if (begin === undefined) taken--;
    else begin();
  }

  const wait = (request: FastifyRequest): Promise<void> =>
    new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        current.add(request);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(new StoreBusy(`the request has waited for ${PATIENCE} ms`));
      }, PATIENCE);
      waiting.push(begin);
    });

  async function takeTurn(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply | undefined> {
    if (isCached(request)) return undefined;
    arrivals++;
    if (unsent > MOST_UNSENT) throw new StoreBusy('clients do not read their answers');
    if (waiting.length >= MOST_WAITING)
      throw new StoreBusy(`${MOST_WAITING} costly requests wait already`);
    if (taken >= atOnce) await wait(request);
    else {
      taken++;
      current.add(request);
    }
    if (!isGone(request)) {
      reply.raw.once('close', () => void end(request));
      return undefined;
    }
    void end(request);
    reply.hijack();
    request.raw.destroy();
    return reply;
  }

  function sent(
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    done: (error: null, same: unknown) => void,
  ): void {
    void end(request);
    if (typeof payload === 'string' && payload.length > LONG_ANSWER) {
      unsent += payload.length;
      reply.raw.once('close', () => (unsent -= payload.length));
    }
    done(null, payload);
  }

  app.addHook('onRoute', (route) => {
    const { querystring } = (route.schema ?? {}) as { querystring?: TObject };
    if (!(route.config?.costly ?? 'size' in (querystring?.properties ?? {}))) return;
    route.preHandler = [route.preHandler ?? [], takeTurn].flat();
    route.onSend = [route.onSend ?? [], sent].flat();
  });
}
