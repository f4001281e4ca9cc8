import type { FastifyInstance } from 'fastify';

/** An origin as browsers send it. No path, not even a slash. */
const ORIGIN = /^https?:\/\/(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:\d{1,5})?$/;

/**
 * Parses a list of origins such as `https://map.example.org,http://localhost:3000`, or `*` for all.
 * @throws {Error} if an entry is not an origin; the message names it
 */
export function parseOrigins(text: string): string[] {
  return text.split(',').map((each) => {
    const origin = each.trim();
    if (origin !== '*' && !ORIGIN.test(origin)) {
      throw new Error(
        `"${origin}" is not an origin such as https://map.example.org (scheme and host in lower case, no path), nor *`,
      );
    }
    return origin;
  });
}

/** How long a browser may remember the answer to a preflight, in seconds: a day. */
const MAX_AGE = '86400';

/**
 * Lets pages of other origins read answers: adds the fields of CORS to answers to requests with an `Origin` that is allowed,
 * and to no others. @fastify/cors would add `Vary` to all answers, which the contract does not allow.
 * @param origins the allowed origins; `*` for all; none to add nothing
 */
export function addCors(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const all = origins.includes('*');
  app.addHook('onSend', (request, reply, payload, done) => {
    const { origin } = request.headers;
    if (origin === undefined) return done(null, payload);
    // A cache must not give the answer for one origin to another.
    if (!all) reply.header('vary', 'Origin');
    if (all || origins.includes(origin)) {
      reply.header('access-control-allow-origin', all ? '*' : origin);
      if (
        request.method === 'OPTIONS' &&
        request.headers['access-control-request-method'] !== undefined
      ) {
        reply.headers({
          'access-control-allow-methods': 'GET, HEAD, OPTIONS',
          'access-control-allow-headers': '*',
          'access-control-max-age': MAX_AGE,
        });
      }
    }
    done(null, payload);
  });
}
