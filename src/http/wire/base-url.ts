import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { lastForwarded } from './forwarded.js';
import { ProblemError } from './problems.js';
import { authorityOf } from './request-target.js';

/** Which peers are proxies that may state the scheme and host: none, all, or those in a list. */
export type TrustProxy = boolean | BlockList;

/**
 * Parses `true`, `false`, or a list of addresses and networks such as `127.0.0.1,10.0.0.0/8`.
 * @throws {Error} if an entry is neither an address nor a network; the message names it
 */
export function parseTrustProxy(text: string): TrustProxy {
  if (/^(true|1|yes)$/i.test(text)) return true;
  if (/^(false|0|no|)$/i.test(text)) return false;
  const list = new BlockList();
  for (const entry of text.split(',').map((each) => each.trim())) {
    const [address = '', prefix] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    const bits = prefix === undefined ? (family === 'ipv6' ? 128 : 32) : Number(prefix);
    if (isIP(address) === 0 || !/^\d{1,3}$/.test(prefix ?? '0') || bits > (family === 'ipv6' ? 128 : 32)) {
      throw new Error(`"${entry}" is not an IP address or network such as 10.0.0.0/8`);
    }
    list.addSubnet(address, bits, family);
  }
  return list;
}

function trusts(trust: TrustProxy, address: string | undefined): boolean {
  if (typeof trust === 'boolean') return trust;
  const plain = address?.replace(/^::ffff:(?=\d+\.)/, '') ?? '';
  return isIP(plain) !== 0 && trust.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
}

/** An address as proxies write it, with or without a port: `192.0.2.1:4711`, `2001:db8::1` or `[2001:db8::1]:4711`. */
const FORWARDED_ADDRESS = /^(?:([\d.]{7,15})|\[([\da-f:.]{2,45})\])(?::\d{1,5})?$|^([\da-f:.]{2,45})$/i;

/** The address in a text, without its port; undefined if there is none. */
function addressIn(text: string): string | undefined {
  const [, ipv4, bracketed, ipv6] = FORWARDED_ADDRESS.exec(text.trim()) ?? [];
  const address = ipv4 ?? bracketed ?? ipv6 ?? '';
  return isIP(address) === 0 ? undefined : address;
}

/**
 * The address of the client of a request; null for a Unix socket. Each proxy appends the address that it received the
 * request from to `X-Forwarded-For`: the client is the last address that is not a trusted proxy. If all are trusted, it is
 * the first; if `trust` is true, the last. What comes before something that is not an address is not believed.
 */
export function clientAddress({ headers, socket }: IncomingMessage, trust: TrustProxy): string | null {
  const peer = socket.remoteAddress ?? null;
  if (trust === false || !trusts(trust, peer ?? undefined)) return peer;
  const entries = [headers['x-forwarded-for'] ?? []].flat().flatMap((each) => each.split(','));
  // As for the host, use only one family of fields.
  const isOurs = entries.length > 0 || headers['x-forwarded-host'] !== undefined || headers['x-forwarded-proto'] !== undefined;
  const forwarded = isOurs ? entries : [lastForwarded(headers.forwarded).for ?? ''];
  let client = peer;
  for (const text of forwarded.reverse()) {
    const address = addressIn(text);
    if (address === undefined) break;
    client = address;
    if (trust === true || !trusts(trust, address)) break;
  }
  return client;
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
    if (!isHost(host)) throw new Error(`"${host}" is not a host such as gnss.example.org or gnss.example.org:8443`);
    return host;
  });
}

/** The last entry of a list to which proxies append. Our own proxy wrote it. */
const lastOf = (value: string | string[] | undefined): string | undefined => [value].flat().at(-1)?.split(',').at(-1)?.trim();

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
  trustProxy: TrustProxy;
  /** The hosts that requests may name, as {@link parseAllowedHosts} returns them; null for any. */
  allowedHosts: readonly string[] | null;
}

/** Sets `baseUrl` of each request. Refuses requests that name no valid host, or one that is not allowed. */
export function addBaseUrl(app: FastifyInstance, { baseUrl, trustProxy, allowedHosts }: Origin): void {
  app.decorateRequest('baseUrl', baseUrl ?? '');
  // Most requests name the host of the one before; its check is not repeated.
  let last = { scheme: '', host: '', url: '' };
  app.addHook('onRequest', (request, _reply, done) => {
    const { scheme, host } = originOf(request, trustProxy);
    if (host !== last.host || scheme !== last.scheme) {
      const url = toBaseUrl(scheme, host);
      checkAllowed(host!, allowedHosts);
      last = { scheme, host: host!, url };
    }
    if (baseUrl === null) request.baseUrl = last.url;
    done();
  });
}

/** The scheme and host of a request. `X-Forwarded-*` or `Forwarded` from a trusted proxy override them. */
function originOf(request: FastifyRequest, trust: TrustProxy): { scheme: string; host: string | undefined } {
  const { headers, socket, httpVersion } = request.raw;
  let host = authorityOf(request);
  let scheme = 'encrypted' in socket ? 'https' : 'http';
  if (trust !== false && trusts(trust, socket.remoteAddress)) {
    // A proxy writes one family of fields and may pass on the other from the client, so believe only one family.
    const ours = { host: lastOf(headers['x-forwarded-host']), proto: lastOf(headers['x-forwarded-proto']) };
    const claimed = ours.host === undefined && ours.proto === undefined ? lastForwarded(headers.forwarded) : ours;
    host = claimed.host ?? host;
    if (/^https?$/i.test(claimed.proto ?? '')) scheme = claimed.proto!.toLowerCase();
  }
  if (host === undefined && httpVersion === '1.0') {
    const { localAddress: address, localPort: port } = socket;
    // A Unix socket has neither.
    host = address === undefined ? 'localhost' : `${address.includes(':') ? `[${address}]` : address}:${port}`;
  }
  return { scheme, host };
}

/** The URL of a scheme and host, without a trailing slash. @throws {ProblemError} if the host is not valid */
function toBaseUrl(scheme: string, host: string | undefined): string {
  if (host === undefined || !isHost(host)) {
    throw new ProblemError('bad-request', 'The request does not name a valid host (RFC 9110, section 7.2).');
  }
  return `${scheme}://${host}`;
}

/** @throws {ProblemError} if the host is not allowed, with or without its port */
function checkAllowed(host: string, allowed: readonly string[] | null): void {
  const name = host.toLowerCase();
  if (allowed === null || allowed.includes(name) || allowed.includes(name.replace(/:\d+$/, ''))) return;
  throw new ProblemError('misdirected-request', 'This service does not answer for the host that the request names.');
}
