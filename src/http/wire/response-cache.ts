import type { FastifyInstance, onRequestHookHandler, onSendHookHandler } from 'fastify';
import { LRUCache } from 'lru-cache';

/** The body of an answer with status 200. */
interface Body {
  mediaType: string;
  /** The base URL of the links in the body. */
  base: string;
  bytes: Buffer;
}

/** The longest body that is cached, in bytes. */
const LONGEST_BODY = 256 * 1024;
/** What an entry costs beside its texts, in bytes: the Buffer with its backing store, the objects, the slots of the map. */
const ENTRY_COST = 700;

const sizeOf = ({ base, bytes }: Body, key: string): number => ENTRY_COST + bytes.length + 2 * (base.length + key.length);

/** A Buffer of its own: one cut from Node's pool would keep the whole pool in memory. */
function toBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

/**
 * Bodies by key, for one state of the database. The host that a client names is not part of the key, so that varying it
 * fills nothing: a body that is asked for under another base URL gets its links rewritten.
 */
class Bodies {
  private readonly bodies: LRUCache<string, Body>;
  private version = -1;

  constructor(megabytes: number) {
    this.bodies = new LRUCache({ maxSize: megabytes * 1024 * 1024, sizeCalculation: sizeOf });
  }

  /** The body that was cached for this version of the database. Any other version drops everything. */
  find(key: string, version: number, base: string): Body | undefined {
    if (version !== this.version) {
      this.bodies.clear();
      this.version = version;
    }
    const body = this.bodies.get(key);
    if (body === undefined || body.base === base) return body;
    // A quote inside a JSON string is escaped: these characters are the start of a link and nothing else.
    const rewritten = body.bytes.toString().replaceAll(`"href":"${body.base}/`, `"href":"${base}/`);
    const moved = { ...body, base, bytes: toBytes(rewritten) };
    this.bodies.set(key, moved);
    return moved;
  }

  /** Caches a body that was computed from a version; one of an earlier version than the last one asked for is too late. */
  keep(key: string, version: number, body: Body): void {
    if (version === this.version && body.bytes.length <= LONGEST_BODY) this.bodies.set(key, body);
  }
}

/**
 * What an answer depends on beside the base URL and the database, in canonical form: requests with the same key get the
 * same body. null: the answer is not cached.
 */
type CacheKey = (query: Readonly<Record<string, unknown>>) => string | null;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Makes the answers of a route cached; left out, none is. */
    cacheKey?: CacheKey;
  }
  interface FastifyRequest {
    /** Under which key, and from which version of the database, the answer may be cached; null: it is not cached. */
    cacheable: { key: string; version: number } | null;
  }
}

/**
 * Asks for the version of the database once per turn of the event loop: what is answered in that turn had arrived before
 * it began. A commit in the middle of the turn is concurrent with these requests, not before them.
 */
function oncePerTurn(version: () => Promise<number>): () => Promise<number> {
  let asked: Promise<number> | null = null;
  return () => {
    if (asked === null) {
      asked = version();
      setImmediate(() => (asked = null));
    }
    return asked;
  };
}

/**
 * Caches answers of routes that have a `cacheKey`. No answer is older than the last commit before its request: the version
 * of the database is asked for first, and an answer is cached only if the version is the same after it was computed.
 * Call this before the routes are added; the hooks are theirs alone.
 * @param version changes with each commit of another process
 * @param megabytes the most memory that the cache takes
 */
export function addResponseCache(app: FastifyInstance, version: () => Promise<number>, megabytes: number): void {
  const bodies = new Bodies(megabytes);
  const versionOfTurn = oncePerTurn(version);
  app.decorateRequest('cacheable', null);

  const answerFrom =
    (url: string, keyOf: CacheKey): onRequestHookHandler =>
    (request, reply, done) => {
      const key = keyOf(request.query as Readonly<Record<string, unknown>>);
      if (key === null) return done();
      versionOfTurn().then((current) => {
        const cacheKey = `${url} ${key}`;
        const body = bodies.find(cacheKey, current, request.baseUrl);
        if (body !== undefined) return void reply.type(body.mediaType).send(body.bytes);
        request.cacheable = { key: cacheKey, version: current };
        done();
      }, done);
    };
  const keep: onSendHookHandler = (request, reply, payload, done) => {
    const { cacheable, baseUrl } = request;
    if (cacheable === null || reply.statusCode !== 200 || typeof payload !== 'string') return done();
    // Asked anew: a commit since the start of this turn may be in what was read.
    version().then((current) => {
      if (current === cacheable.version) {
        bodies.keep(cacheable.key, current, { mediaType: String(reply.getHeader('content-type')), base: baseUrl, bytes: toBytes(payload) });
      }
      done();
    }, done);
  };
  app.addHook('onRoute', (route) => {
    const { cacheKey } = route.config ?? {};
    if (cacheKey === undefined) return;
    route.onRequest = [route.onRequest ?? [], answerFrom(route.url, cacheKey)].flat();
    route.onSend = [route.onSend ?? [], keep].flat();
  });
}
