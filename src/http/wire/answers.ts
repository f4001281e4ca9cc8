import type { Socket } from 'node:net';
import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
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
 * The log of the framework. Of requests, it logs each answer at level debug, which may change at
 * any time.
 */
export class RequestLog extends LogController {
  constructor() {
    super({ disableRequestLogging: true });
  }

  override requestCompleted(
    _error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    const { level } = request.log;
    if (level !== 'debug' && level !== 'trace') return;
    const { log, method, url } = request;
    const milliseconds = rounded(reply.elapsedTime);
    log.debug(
      {
        reqId: requestIdOf(request),
        method,
        path: visible(url.slice(0, LONGEST_PATH)),
        status: reply.statusCode,
        milliseconds,
      },
      'access',
    );
  }
}

/**
 * Calls the observers after each answer. Without observers, requests do no extra work. If the
 * client disconnects early, the answer is not observed.
 * @returns a function that observes a refusal
 */
export function observeAnswers(
  app: FastifyInstance,
  { onAnswer, accessLog }: Observers,
): (refusal: Refusal) => void {
  // The access log has its own level, so that --log-level does not turn it off.
  const log = !accessLog ? null : app.log.child({}, { level: 'info' });
  const line = (
    client: string | null,
    method: string | null,
    url: string | null,
    rest: object,
  ): void => {
    const path = url === null ? null : visible(url.slice(0, LONGEST_PATH));
    log!.info({ client, method, path, ...rest }, 'access');
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
