import type { FastifyInstance, onSendHookHandler, preHandlerHookHandler } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Reads, Soon } from '../../store/database.js';
import type { CacheOutcome } from './answers.js';

/** The body of an answer with status 200. */
interface Body {
  mediaType: string;
  /** The base URL of the links in the body. */
  base: string;
  /** Bytes if it was put together of many texts. */
  content: string | Buffer;
}

/** The longest text that is cached, in UTF-16 code units. */
const LONGEST_TEXT = 256 * 1024;
/** What an entry costs besides its texts, in bytes: the objects, the slots of the map. */
const ENTRY_COST = 700;

/**
 * How much memory a content takes, in bytes: a character of a text one only if it is ASCII. The
 * serializers join many small strings, and a joined string keeps all of them in memory until its
 * bytes are counted: that makes it one piece.
 */
const sizeOfContent = (content: string | Buffer): number =>
  (Buffer.byteLength(content) === content.length ? 1 : 2) * content.length;

const sizeOf = ({ base, content }: Body, key: string): number =>
  ENTRY_COST + sizeOfContent(content) + 2 * (base.length + key.length);

/**
 * The cache key of a request, or null if its answer is not cached. Requests to a route with the
 * same key must get the same body, apart from the base URL.
 */
type CacheKey = (query: Readonly<Record<string, unknown>>) => string | null;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Turns caching on for a route. */
    cacheKey?: CacheKey;
  }
  interface FastifyRequest {
    /**
     * The key for the answer, and the version of the database that was seen before the answer; null
     * if it is not cached.
     */
    cacheable: { key: string; version: number } | null;
    /** Undefined if there is no cache. */
    cacheOutcome?: CacheOutcome;
  }
}

/** The versions of the database, which a store knows. */
type Versions = Pick<Reads, 'version' | 'seenVersion'>;

/** Bodies that all come from one version of the database. */
class CachedBodies {
  private readonly bodies: LRUCache<string, Body>;
  /** The version of the database that all bodies come from. */
  private version = -1;

  /** @param megabytes the most memory that they take, in MiB */
  constructor(megabytes: number) {
    this.bodies = new LRUCache<string, Body>({
      maxSize: megabytes * 1024 * 1024,
      sizeCalculation: sizeOf,
    });
  }

  /** Whether there is a body for a key, of whatever version. */
  has(key: string): boolean {
    return this.bodies.has(key);
  }

  /**
   * The body for a key. If it is a text for another base URL, its links are rewritten.
   * @param version the version of the database now; bodies of any other are dropped
   */
  find(key: string, version: number, base: string): Body | undefined {
    if (version !== this.version) this.bodies.clear();
    this.version = version;
    const body = this.bodies.get(key);
    if (body === undefined || body.base === base) return body;
    const { content } = body;
    if (typeof content !== 'string') return undefined;
    // A quote inside a JSON string is escaped, so this text can only be the start of a link.
    const rewritten = content.replaceAll(`"href":"${body.base}/`, `"href":"${base}/`);
    const moved = { ...body, base, content: rewritten };
    this.bodies.set(key, moved);
    return moved;
  }

  /** Stores a body, unless it is too long, or from another version than the other bodies. */
  keep(key: string, version: number, body: Body): void {
    const isTooLong = typeof body.content === 'string' && body.content.length > LONGEST_TEXT;
    if (version === this.version && !isTooLong) this.bodies.set(key, body);
  }
}

/**
 * Reads the version of the database for each request. Over a network, requests that arrive during a
 * read share the next one: the running one may have begun before a commit that they must see.
 */
function newestVersion(versions: Versions): () => Soon<number> {
  let running: Promise<number> | null = null;
  let next: Promise<number> | null = null;
  const begin = (): Soon<number> => {
    next = null;
    const version = versions.version();
    if (!(version instanceof Promise)) return version;
    running = version.finally(() => (running = null));
    return running;
  };
  return () => (running === null ? begin() : (next ??= running.then(begin, begin)));
}

/**
 * Caches the answers of routes with a `cacheKey`. A cached answer is never older than the last
 * commit before its request: a request for an entry reads the version of the database first, and
 * entries of any other version are dropped. An answer that is not there yet is stored with the
 * version that was seen last, which saves reading it. So an answer may include commits that came
 * after its version was read: the next request for it sees the new version, and drops it.
 *
 * The base URL is not part of the key, so clients cannot fill the cache by varying the host. A
 * route that is `costly` looks into the cache when its turn has come, so of several requests that
 * wait, one is computed. Call this before adding the costly queue, and routes: only those with a
 * key get the hooks.
 * @param megabytes the size limit of the cache, in MiB
 */
export function addResponseCache(
  app: FastifyInstance,
  versions: Versions,
  megabytes: number,
): void {
  const bodies = new CachedBodies(megabytes);
  const readVersion = newestVersion(versions);
  app.decorateRequest('cacheable', null);
  app.decorateRequest('cacheOutcome', 'none');

  const answerFrom =
    (url: string, keyOf: CacheKey): preHandlerHookHandler =>
    (request, reply, done) => {
      const key = keyOf(request.query as Readonly<Record<string, unknown>>);
      if (key === null) return done();
      const cacheKey = `${url} ${key}`;
      const answer = (version: number): void => {
        const body = bodies.find(cacheKey, version, request.baseUrl);
        request.cacheOutcome = body === undefined ? 'miss' : 'hit';
        if (body !== undefined) return void reply.type(body.mediaType).send(body.content);
        request.cacheable = { key: cacheKey, version };
        done();
      };
      const version = bodies.has(cacheKey) ? readVersion() : versions.seenVersion();
      if (version instanceof Promise) version.then(answer, done);
      else answer(version);
    };
  const keep: onSendHookHandler = (request, reply, payload, done) => {
    const { cacheable, baseUrl: base } = request;
    // If this process has read a newer version meanwhile, the answer belongs to that one. In
    // PostgreSQL, that version can be lost, and the previous one can return.
    if (
      cacheable !== null &&
      reply.statusCode === 200 &&
      (typeof payload === 'string' || Buffer.isBuffer(payload)) &&
      versions.seenVersion() === cacheable.version
    ) {
      bodies.keep(cacheable.key, cacheable.version, {
        mediaType: String(reply.getHeader('content-type')),
        base,
        content: payload,
      });
    }
    done();
  };
  app.addHook('onRoute', (route) => {
    const { cacheKey, costly } = route.config ?? {};
    if (cacheKey === undefined) return;
    const answer = answerFrom(route.url, cacheKey);
    if (costly === true) route.preHandler = [route.preHandler ?? [], answer].flat();
    else route.onRequest = [route.onRequest ?? [], answer].flat();
    route.onSend = [route.onSend ?? [], keep].flat();
  });
}
