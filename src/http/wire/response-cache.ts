import type { FastifyInstance, onRequestHookHandler, onSendHookHandler } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Reads } from '../../store/database.js';
import type { CacheOutcome } from './answers.js';

/** The body of an answer with status 200. */
interface Body {
  mediaType: string;
  /** The base URL of the links in the body. */
  base: string;
  text: string;
}

/** The longest body that is cached, in UTF-16 code units. */
const LONGEST_BODY = 256 * 1024;
/** What an entry costs besides its texts, in bytes: the objects, the slots of the map. */
const ENTRY_COST = 700;

/** How much memory a text takes, in bytes: one byte per character only if it is ASCII. */
const sizeOfText = (text: string): number => (Buffer.byteLength(text) === text.length ? 1 : 2) * text.length;

const sizeOf = ({ base, text }: Body, key: string): number => ENTRY_COST + sizeOfText(text) + 2 * (base.length + key.length);

/** Copies a body to one piece. The serializers join many small strings, and a joined string keeps all of them in memory. */
const inOnePiece = (body: string | Buffer): string => Buffer.from(body).toString();

/**
 * Bodies by key, for one version of the database. The base URL is not part of the key, so clients cannot fill the cache by
 * varying the host. A body that was computed for another base URL gets its links rewritten.
 */
class Bodies {
  private readonly bodies: LRUCache<string, Body>;
  private version = -1;

  constructor(megabytes: number) {
    this.bodies = new LRUCache({ maxSize: megabytes * 1024 * 1024, sizeCalculation: sizeOf });
  }

  /** The body that is cached for this version of the database; undefined if there is none. Drops all bodies of another version. */
  find(key: string, version: number, base: string): Body | undefined {
    if (version !== this.version) {
      this.bodies.clear();
      this.version = version;
    }
    const body = this.bodies.get(key);
    if (body === undefined || body.base === base) return body;
    // A quote inside a JSON string is escaped, so this text can only be the start of a link.
    const rewritten = body.text.replaceAll(`"href":"${body.base}/`, `"href":"${base}/`);
    const moved = { ...body, base, text: inOnePiece(rewritten) };
    this.bodies.set(key, moved);
    return moved;
  }

  /** Caches a body that was computed from a version of the database, unless a newer version has been seen or the body is too long. */
  add(key: string, version: number, body: Body): void {
    if (version === this.version && body.text.length <= LONGEST_BODY) this.bodies.set(key, body);
  }
}

/**
 * The cache key of a request, or null if its answer is not cached. Requests to a route with the same key must get the same
 * body, apart from the base URL.
 */
type CacheKey = (query: Readonly<Record<string, unknown>>) => string | null;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Turns caching on for a route. */
    cacheKey?: CacheKey;
  }
  interface FastifyRequest {
    /** The key for the answer, and the version of the database that it must come from; null if it is not cached. */
    cacheable: { key: string; version: number } | null;
    /** Undefined if there is no cache. */
    cacheOutcome?: CacheOutcome;
  }
}

/** The versions of the database, which a store knows. */
type Versions = Pick<Reads, 'version' | 'seenVersion'>;
type ReadVersion = () => number | Promise<number>;

/** Calls a function with a value, at once or as soon as it is there. */
function withValue<T>(value: T | Promise<T>, use: (value: T) => void, failed: (error: Error) => void): void {
  if (value instanceof Promise) value.then(use, failed);
  else use(value);
}

/**
 * Reads the version of the database once per turn of the event loop: all requests of a turn had begun before it. A request
 * that is pipelined behind an unanswered one counts as begun with that one.
 */
function oncePerTurn(version: ReadVersion): ReadVersion {
  let asked: number | Promise<number> | null = null;
  return () => {
    if (asked === null) {
      asked = version();
      setImmediate(() => (asked = null));
    }
    return asked;
  };
}

/**
 * Caches the answers of routes with a `cacheKey`. A cached answer is never older than the last commit before its request:
 * the version of the database is read first, and an answer is cached only if it came from that version.
 * Call this before adding routes: only those with a key get the hooks.
 * @param megabytes the size limit of the cache, in MiB
 */
export function addResponseCache(app: FastifyInstance, versions: Versions, megabytes: number): void {
  const bodies = new Bodies(megabytes);
  const versionOfTurn = oncePerTurn(() => versions.version());
  app.decorateRequest('cacheable', null);
  app.decorateRequest('cacheOutcome', 'none');

  const answerFrom =
    (url: string, keyOf: CacheKey): onRequestHookHandler =>
    (request, reply, done) => {
      const key = keyOf(request.query as Readonly<Record<string, unknown>>);
      if (key === null) return done();
      const answer = (current: number): void => {
        const cacheKey = `${url} ${key}`;
        const body = bodies.find(cacheKey, current, request.baseUrl);
        request.cacheOutcome = body === undefined ? 'miss' : 'hit';
        if (body !== undefined) return void reply.type(body.mediaType).send(body.text);
        request.cacheable = { key: cacheKey, version: current };
        done();
      };
      withValue(versionOfTurn(), answer, done);
    };
  const keep: onSendHookHandler = (request, reply, payload, done) => {
    const { cacheable, baseUrl } = request;
    if (cacheable === null || reply.statusCode !== 200 || !(typeof payload === 'string' || Buffer.isBuffer(payload))) {
      return done();
    }
    // The answer may include a commit since the version was read.
    if (versions.seenVersion() === cacheable.version) {
      const body = { mediaType: String(reply.getHeader('content-type')), base: baseUrl, text: inOnePiece(payload) };
      bodies.add(cacheable.key, cacheable.version, body);
    }
    done();
  };
  app.addHook('onRoute', (route) => {
    const { cacheKey } = route.config ?? {};
    if (cacheKey === undefined) return;
    route.onRequest = [route.onRequest ?? [], answerFrom(route.url, cacheKey)].flat();
    route.onSend = [route.onSend ?? [], keep].flat();
  });
}
