import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { visible } from '../../visible.js';
import { clientAddress } from './base-url.js';
import { requestIdOf } from './request-id.js';

/** Whether the cache had the answer. `none`: the answer is never cached. */
export type CacheOutcome = 'hit' | 'miss' | 'none';

/** How a request was answered. */
export interface Answer {
  /** The pattern of the route, such as `/setups/:id`; null if there is none. */
  route: string | null;
  /** Null if the request could not be read. */
  method: string | null;
  status: number;
  cache: CacheOutcome;
  /** From the end of the request header to the end of the answer. */
  milliseconds: number;
}

/** A request that was refused before it reached the hooks. */
export interface Refusal {
  /** Null if the request could not be read. */
  method: string | null;
  /** Null if the request could not be read. */
  url: string | null;
  status: number;
  /** The length of the body of the answer. */
  bytes: number;
  socket: Socket;
}

/** The longest path in the access log, in characters. */
const LONGEST_PATH = 2000;

/** A time with one decimal. */
const rounded = (milliseconds: number): number => Math.round(milliseconds * 10) / 10;

/** The observers of answers. */
interface Observers {
  /** Called after each answer, also to a request that was refused. */
  onAnswer: ((answer: Answer) => void) | null;
  /** Whether to log each answer. */
  accessLog: boolean;
}

/**
 * Logs each answer at level debug. The hook runs on every request, because the level may change at
 * any time; with another level, it costs less than 0.1 µs.
 */
function logAtDebug(app: FastifyInstance, log: Logger): void {
  app.addHook('onRequest', (request, { raw }, done) => {
    if (log.isLevelEnabled('debug')) {
      const began = performance.now();
      raw.once('finish', () => {
        const { method, url } = request;
        log.debug(
          {
            reqId: requestIdOf(request),
            method,
            path: visible(url.slice(0, LONGEST_PATH)),
            status: raw.statusCode,
            milliseconds: rounded(performance.now() - began),
          },
          'access',
        );
      });
    }
    done();
  });
}

/**
 * Calls the observers after each answer. Without observers, requests do no extra work. If the
 * client disconnects early, the answer is not observed.
 * @returns a function that observes a refusal
 */
export function observeAnswers(
  app: FastifyInstance,
  log: Logger,
  { onAnswer, accessLog }: Observers,
): (refusal: Refusal) => void {
  logAtDebug(app, log);
  // The access log has its own level, so that --log-level does not turn it off.
  const access = !accessLog ? null : log.child({}, { level: 'info' });
  const line = (
    client: string | null,
    method: string | null,
    url: string | null,
    rest: object,
  ): void => {
    const path = url === null ? null : visible(url.slice(0, LONGEST_PATH));
    access!.info({ client, method, path, ...rest }, 'access');
  };
  if (onAnswer !== null) {
    app.addHook('onResponse', (request, reply, done) => {
      const { method, cacheOutcome: cache = 'none' } = request;
      const route = request.is404 ? null : (request.routeOptions.url ?? null);
      onAnswer({ route, method, status: reply.statusCode, cache, milliseconds: reply.elapsedTime });
      done();
    });
  }
  if (accessLog) {
    // A socket remembers its address from the first time that it is read: later the client may have
    // gone.
    const remember = (socket: Socket): unknown => socket.remoteAddress;
    app.server.on('connection', remember).on('secureConnection', remember);
    app.addHook('onResponse', (request, reply, done) => {
      const { method, originalUrl, cacheOutcome: cache = 'none' } = request;
      const bytes = method === 'HEAD' ? 0 : Number(reply.getHeader('content-length') ?? 0);
      const { statusCode: status, elapsedTime: milliseconds } = reply;
      line(clientAddress(request), method, originalUrl, {
        status,
        bytes,
        milliseconds: rounded(milliseconds),
        cache,
        reqId: requestIdOf(request),
      });
      done();
    });
  }
  return ({ method, url, status, bytes, socket }) => {
    onAnswer?.({ route: null, method, status, cache: 'none', milliseconds: 0 });
    if (accessLog)
      line(socket.remoteAddress ?? null, method, url, {
        status,
        bytes,
        milliseconds: 0,
        cache: 'none',
      });
  };
}
