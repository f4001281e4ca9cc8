import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { ProblemError } from './problems.js';

/** Which peers are proxies whose word on scheme and host is taken: none, all, or those of a list. */
export type TrustProxy = boolean | BlockList;

/**
 * A list of addresses and networks, `127.0.0.1,10.0.0.0/8`, as a {@link TrustProxy}.
 * @throws {Error} naming the entry that is neither an address nor a network
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
      throw new Error(`"${entry}" is no IP address or network such as 10.0.0.0/8`);
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

/** A host with or without a port, as RFC 3986 has them, nothing that could leave its place in a URL. */
const HOST = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._~-]+)(:\d{1,5})?$/;

/** The last entry of a header that proxies append to: the one our own proxy wrote. */
const lastOf = (value: string | string[] | undefined): string | undefined => [value].flat().at(-1)?.split(',').at(-1)?.trim();

/** The parameters of the last element of `Forwarded` (RFC 7239, section 4), by lower-case name. */
function lastForwarded(header: string | undefined): Record<string, string> {
  const parameters: Record<string, string> = {};
  let end = 0;
  for (const { 0: all, 1: name, 2: token, 3: quoted, 4: separator, index } of (header ?? '').matchAll(
    /\s*(?:([\w!#$%&'*+.^`|~-]+)=(?:([\w!#$%&'*+.^`|~:-]+)|"((?:[^"\\]|\\.)*)"))?\s*([;,]|$)/g,
  )) {
    // Something that is no parameter: nothing of such a header is believed.
    if (index !== end) return {};
    end = index + all.length;
    if (name !== undefined) parameters[name.toLowerCase()] = token ?? quoted!.replace(/\\(.)/g, '$1');
    if (separator === ',') for (const known of Object.keys(parameters)) delete parameters[known];
  }
  return parameters;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The URL under which the client reached the service, without a slash at the end. */
    baseUrl: string;
  }
}

/** Gives each request its base URL. @param configured the URL with which links start; null: that of the request */
export function addBaseUrl(app: FastifyInstance, configured: string | null, trust: TrustProxy): void {
  app.decorateRequest('baseUrl', configured ?? '');
  if (configured !== null) return;
  // Most requests name the host of the one before; its check is not repeated.
  let last = { scheme: '', host: '', url: '' };
  app.addHook('onRequest', (request, _reply, done) => {
    const { scheme, host } = originOf(request.raw, trust);
    if (host !== last.host || scheme !== last.scheme) last = { scheme, host: host ?? '', url: toBaseUrl(scheme, host) };
    request.baseUrl = last.url;
    done();
  });
}

/** The scheme and host that the client used; a trusted proxy's `Forwarded` or `X-Forwarded-*` override those of the request. */
function originOf(request: IncomingMessage, trust: TrustProxy): { scheme: string; host: string | undefined } {
  const { headers, socket } = request;
  let host = headers.host;
  let scheme = 'encrypted' in socket ? 'https' : 'http';
  if (trust !== false && trusts(trust, socket.remoteAddress)) {
    // A proxy writes the one family of headers and may pass on what the client sent of the other: only one is believed.
    const ours = { host: lastOf(headers['x-forwarded-host']), proto: lastOf(headers['x-forwarded-proto']) };
    const claimed = ours.host === undefined && ours.proto === undefined ? lastForwarded(headers.forwarded) : ours;
    host = claimed.host ?? host;
    if (/^https?$/i.test(claimed.proto ?? '')) scheme = claimed.proto!.toLowerCase();
  }
  if (host === undefined && request.httpVersion === '1.0') {
    const address = socket.localAddress ?? 'localhost';
    host = `${address.includes(':') ? `[${address}]` : address}:${socket.localPort}`;
  }
  return { scheme, host };
}

/** The URL of a scheme and host, without a slash at the end. @throws {ProblemError} where the host is not valid */
function toBaseUrl(scheme: string, host: string | undefined): string {
  const port = Number(/:(\d+)$/.exec(host ?? '')?.[1] ?? 0);
  if (host === undefined || host.length > 255 || !HOST.test(host) || port > 65535) {
    throw new ProblemError('bad-request', 'The request names no valid host (RFC 9110, section 7.2).');
  }
  return `${scheme}://${host}`;
}
