import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest, FastifyServerOptions } from 'fastify';
import { ProblemError } from './problems.js';

/** Which peers are proxies that may state the client, scheme and host, as Fastify takes it. */
export type TrustProxy = NonNullable<FastifyServerOptions['trustProxy']>;

/**
 * Parses `true`, `false`, or a list of addresses and networks such as `127.0.0.1,10.0.0.0/8`.
 * @throws {Error} if an entry is neither an address nor a network; the message names it
 */
export function parseTrustProxy(text: string): TrustProxy {
  // Only the peer: what it received from others could be forged.
  if (/^(true|1|yes)$/i.test(text)) return (_address, hop) => hop === 0;
  if (/^(false|0|no|)$/i.test(text)) return false;
  const entries = text.split(',').map((each) => each.trim());
  for (const entry of entries) {
    const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
    const most = isIP(address) === 6 ? 128 : 32;
    const length = Number(bits ?? most);
    if (isIP(address) === 0 || length < 1 || length > most)
      throw new Error(`"${entry}" is not an IP address or network such as 10.0.0.0/8`);
  }
  return entries;
}

/** The address of the client of a request; null for a Unix socket. What a trusted proxy states is believed if it is an address. */
export function clientAddress({ ip, socket }: FastifyRequest): string | null {
  // Fastify has undefined for a Unix socket.
  const stated = ip as string | undefined;
  return stated !== undefined && isIP(stated) !== 0 ? stated : (socket.remoteAddress ?? null);
}

/** A host with or without a port (RFC 3986, section 3.2). No character in it can end the authority part of a URL. */
const HOST = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._~-]+)(:\d{1,5})?$/;

/** Whether a text is a host with or without a port. */
function isHost(text: string): boolean {
  const parts = text.length > 255 ? null : HOST.exec(text);
  return parts !== null && Number(parts[2]?.slice(1) ?? 0) <= 65535;
}

/**
 * Parses a list of hosts such as `gnss.example.org,localhost:8080`. A host without a port stands for all of its ports.
 * @returns the hosts in lower case
 * @throws {Error} if an entry is not a host; the message names it
 */
export function parseAllowedHosts(text: string): string[] {
  return text.split(',').map((each) => {
    const host = each.trim().toLowerCase();
    if (!isHost(host))
      throw new Error(`"${host}" is not a host such as gnss.example.org or gnss.example.org:8443`);
    return host;
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The URL at which the client reaches the service, without a trailing slash. */
    baseUrl: string;
  }
}

/** How the base URL of requests is found. */
export interface Origin {
  /** The URL that links start with; null to take it from each request. */
  baseUrl: string | null;
  /** The hosts that requests may name, as {@link parseAllowedHosts} returns them; null for any. */
  allowedHosts: readonly string[] | null;
}

/** Sets `baseUrl` of each request. Refuses requests that name no valid host, or one that is not allowed. */
export function addBaseUrl(app: FastifyInstance, { baseUrl, allowedHosts }: Origin): void {
  app.decorateRequest('baseUrl', baseUrl ?? '');
  app.addHook('onRequest', (request, _reply, done) => {
    const host = hostOf(request);
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
    if (baseUrl === null) request.baseUrl = `${schemeOf(request)}://${host}`;
    done();
  });
}

/** The scheme of a request. Anything but http and https that a proxy states is ignored. */
function schemeOf({ protocol, socket }: FastifyRequest): string {
  if (/^https?$/i.test(protocol)) return protocol.toLowerCase();
  return 'encrypted' in socket ? 'https' : 'http';
}

/** The host that a request names. Only HTTP/1.0 allows none; then it is the address that the client has connected to. */
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
