import type { IncomingMessage, OutgoingHttpHeaders, RequestListener } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { StoreReader } from '../store/store.js';

/** The most characters that are kept; a Setup has about two thousand. */
const CAPACITY = 32 * 1024 * 1024;
/** The longest body that is kept. */
const LONGEST_BODY = 256 * 1024;
/** The longest URL whose body is kept. */
const LONGEST_KEY = 512;

/** A finished answer with 200. */
interface Kept {
  headers: OutgoingHttpHeaders;
  body: string;
}

/**
 * Keeps finished bodies by URL, for as long as the database stays as it is. Exact: the version of the database is
 * asked for at each request, and a body is kept only if that did not change while it was made. Bounded: when it is
 * full, the oldest go.
 */
class ResponseCache {
  private readonly kept = new Map<string, Kept>();
  private version = -1;
  private size = 0;

  /** What is kept under the key of the current version. */
  find(key: string, version: number): Kept | undefined {
    if (version !== this.version) {
      this.kept.clear();
      this.size = 0;
      this.version = version;
    }
    return this.kept.get(key);
  }

  /** Keeps a body that was made of a version. */
  keep(key: string, version: number, kept: Kept): void {
    if (version !== this.version || this.kept.has(key) || key.length > LONGEST_KEY || kept.body.length > LONGEST_BODY) return;
    this.kept.set(key, kept);
    this.size += key.length + kept.body.length;
    for (const [oldest, { body }] of this.kept) {
      if (this.size <= CAPACITY) break;
      this.kept.delete(oldest);
      this.size -= oldest.length + body.length;
    }
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The version of the database this request began with, where its answer may be kept. */
    versionAtStart: number | null;
  }
}

/**
 * Asks for the version of the database once in a turn of the event loop: whatever is answered in that turn had arrived
 * before it began, so that a commit in the middle of it came at the same time as the request, not before.
 */
function versionOfTurn(reader: StoreReader): () => Promise<number> {
  let asked: Promise<number> | null = null;
  return () => {
    if (asked === null) {
      asked = reader.version();
      setImmediate(() => (asked = null));
    }
    return asked;
  };
}

/**
 * Keeps what is answered with 200 and depends on the URL and the database only, and answers GET and HEAD from that, header
 * fields and all, before the router sees the request: what the hooks and the serializer made once needs no second making.
 * @param baseOf the URL with which the links of an answer start; throws where the request names none
 */
export function addResponseCache(app: FastifyInstance, reader: StoreReader, baseOf: (request: IncomingMessage) => string): void {
  const cache = new ResponseCache();
  const version = versionOfTurn(reader);
  const keyOf = (request: IncomingMessage): string | null => {
    try {
      return `${baseOf(request)} ${request.url}`;
    } catch {
      return null;
    }
  };

  app.decorateRequest('versionAtStart', null);
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.routeOptions.config.cacheable !== true) return done();
    version().then((current) => {
      request.versionAtStart = current;
      done();
    }, done);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const { versionAtStart } = request;
    if (versionAtStart === null || request.method !== 'GET' || reply.statusCode !== 200 || typeof payload !== 'string') return done();
    version().then((current) => {
      const key = keyOf(request.raw);
      const headers = { ...reply.getHeaders(), 'content-length': Buffer.byteLength(payload) } as OutgoingHttpHeaders;
      if (current === versionAtStart && key !== null) cache.keep(key, current, { headers, body: payload });
      done();
    }, done);
  });

  app.addHook('onReady', (done) => {
    const [handle] = app.server.listeners('request') as RequestListener[];
    app.server.removeAllListeners('request').on('request', (request, response) => {
      const key = request.method === 'GET' || request.method === 'HEAD' ? keyOf(request) : null;
      if (key === null) return handle!(request, response);
      const otherwise = (): void => void handle!(request, response);
      return void version().then((current) => {
        const kept = cache.find(key, current);
        if (kept === undefined) return otherwise();
        response.writeHead(200, kept.headers).end(request.method === 'HEAD' ? undefined : kept.body);
      }, otherwise);
    });
    done();
  });
}
