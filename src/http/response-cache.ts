import type { FastifyInstance } from 'fastify';
import type { SetupReader } from '../store/store.js';

/** The most characters that are kept; a Setup has about two thousand. */
const CAPACITY = 32 * 1024 * 1024;
/** The longest body that is kept. */
const LONGEST_BODY = 256 * 1024;
/** The longest URL whose body is kept. */
const LONGEST_KEY = 512;

interface Kept {
  contentType: string;
  body: string;
}

/**
 * Keeps finished bodies by URL, for as long as the database stays as it is. Exact: the version of the database is
 * asked for at each request, and a body is kept only if that did not change while it was made. Bounded: when it is
 * full, the oldest go.
 */
export class ResponseCache {
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
function versionOfTurn(reader: SetupReader): () => Promise<number> {
  let asked: Promise<number> | null = null;
  return () => {
    if (asked === null) {
      asked = reader.version();
      setImmediate(() => (asked = null));
    }
    return asked;
  };
}

/** Answers GET and HEAD from the cache, and keeps what else is answered with 200. */
export function addResponseCache(app: FastifyInstance, reader: SetupReader): void {
  const cache = new ResponseCache();
  const version = versionOfTurn(reader);
  app.decorateRequest('versionAtStart', null);
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.cacheable !== true) return done();
    version().then((current) => {
      const kept = cache.find(`${request.baseUrl} ${request.url}`, current);
      if (kept !== undefined) return void reply.type(kept.contentType).send(kept.body);
      request.versionAtStart = current;
      return done();
    }, done);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const { versionAtStart } = request;
    if (versionAtStart === null || reply.statusCode !== 200 || typeof payload !== 'string') return done();
    version().then((current) => {
      const contentType = reply.getHeader('content-type') as string;
      if (current === versionAtStart) cache.keep(`${request.baseUrl} ${request.url}`, current, { contentType, body: payload });
      done();
    }, done);
  });
}
