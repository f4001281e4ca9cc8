import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest, FastifyServerOptions } from 'fastify';
import { isHost } from '../../requests/host.js';
import { ProblemError } from './problems.js';

/** Which peers are proxies that may state the client, scheme and host, as Fastify takes it. */
export type TrustProxy = NonNullable<FastifyServerOptions['trustProxy']>;

/**
 * The address of the client of a request; null for a Unix socket. What a trusted proxy states is
 * believed if it is an address.
 */
export function clientAddress({ ip, socket }: FastifyRequest): string | null {
  // Fastify has undefined for a Unix socket.
  const stated = ip as string | undefined;
  return stated !== undefined && isIP(stated) !== 0 ? stated : (socket.remoteAddress ?? null);
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The URL at which the client reaches the service, without a trailing slash. */
    baseUrl: string;
  }
}

/** How the base URL of requests is found. */
interface Origin {
  /** The URL that links start with; null to take it from each request. */
  baseUrl: string | null;
  /**
   * The hosts that requests may name, in lower case; one without a port stands for all of its
   * ports. Null for any.
   */
  allowedHosts: readonly string[] | null;
}

/**
 * Sets `baseUrl` of each request. Refuses requests that name no valid host, or one that is not
 * allowed. The hook runs on every request, because every answer has links and any request can name
 * a wrong host. It costs less than 0.1 µs, as the host that was checked last is not checked again.
 */
export function addBaseUrl(app: FastifyInstance, { baseUrl, allowedHosts }: Origin): void {
  /** The last request whose host was allowed. */
  let last: { host: string; protocol: string; base: string } | null = null;
  app.decorateRequest('baseUrl', baseUrl ?? '');
  app.addHook('onRequest', (request, _reply, done) => {
    const { protocol } = request;
    const host = hostOf(request);
    if (last !== null && host === last.host && protocol === last.protocol) {
      request.baseUrl = last.base;
      return done();
    }
    if (!isHost(host))
      return done(
        new ProblemError(
          'bad-request',
          'The request does not name a valid host (RFC 9110, section 7.2).',
        ),
      );
    if (!isAllowed(host, allowedHosts)) {
      return done(
        new ProblemError(
          'misdirected-request',
          'This service does not answer for the host that the request names.',
        ),
      );
    }
    const base = baseUrl ?? `${schemeOf(request)}://${host}`;
    last = { host, protocol, base };
    request.baseUrl = base;
    done();
  });
}

/** The scheme of a request. Anything but http and https that a proxy states is ignored. */
function schemeOf({ protocol, socket }: FastifyRequest): string {
  if (/^https?$/i.test(protocol)) return protocol.toLowerCase();
  return 'encrypted' in socket ? 'https' : 'http';
}

/**
 * The host that a request names. Only HTTP/1.0 allows none; then it is the address that the client
 * has connected to.
 */
function hostOf({ host, raw: { httpVersion, socket } }: FastifyRequest): string {
  if (host !== '' || httpVersion !== '1.0') return host;
  const { localAddress: address, localPort: port } = socket;
  // A Unix socket has neither.
  if (address === undefined) return 'localhost';
  return `${address.includes(':') ? `[${address}]` : address}:${port}`;
}

/** Whether a host is allowed, with or without its port. */
function isAllowed(host: string, allowed: readonly string[] | null): boolean {
  const name = host.toLowerCase();
  return allowed === null || allowed.includes(name) || allowed.includes(name.replace(/:\d+$/, ''));
}
