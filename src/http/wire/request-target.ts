import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { ProblemError } from './problems.js';

/**
 * A target in absolute form (RFC 9112, section 3.2.2): its authority, and its path with the query.
 */
const ABSOLUTE = /^https?:\/\/([^/?]*)(.*)$/is;

/**
 * The target of a request as a path, for the router. All forms other than a path (RFC 9112, section
 * 3.2) stand for the root if they have no path; {@link addTargetChecks} refuses the ones that are
 * wrong. The host in a target replaces `Host`.
 */
export function pathOfTarget({ url = '/', headers }: IncomingMessage): string {
  if (url.startsWith('/')) return url;
  const [, authority, path = ''] = ABSOLUTE.exec(url) ?? [];
  if (authority !== undefined) headers.host = authority;
  return path.startsWith('/') ? path : `/${path}`;
}

/** How many `Host` fields a request has. Node drops all but the first from `headers`. */
function countHosts({ rawHeaders }: IncomingMessage): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count;
}

/**
 * Refuses requests whose target or number of `Host` fields is wrong (RFC 9112, section 3.2). The
 * hook runs on every request, because any can be wrong, whatever its route. It costs less than
 * 0.1 µs.
 */
export function addTargetChecks(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw, originalUrl, method }, reply, done) => {
    // Node reads no further request after one that asks for another protocol, and would leave the
    // connection open.
    if (raw.headers.upgrade !== undefined) reply.header('connection', 'close');
    const hosts = countHosts(raw);
    if (hosts > 1 || (hosts === 0 && raw.httpVersion !== '1.0')) {
      return done(
        new ProblemError(
          'bad-request',
          'The request must have one Host field (RFC 9112, section 3.2).',
        ),
      );
    }
    const allowed =
      originalUrl.startsWith('/') ||
      ABSOLUTE.test(originalUrl) ||
      method === 'CONNECT' ||
      (originalUrl === '*' && method === 'OPTIONS');
    return allowed
      ? done()
      : done(
          new ProblemError(
            'bad-request',
            'The target of the request is not a path (RFC 9112, section 3.2).',
          ),
        );
  });
}
