import { METHODS } from 'node:http';
import type { Operation, Parameter, PublishedContract } from '../../src/check-service/published-contract.js';
import { PATHS } from '../../src/links.js';
import type { Random } from './random.js';
import { type KnownValues, mutateText, nastyText, valueFor, wellFormed } from './values.js';

/** A request, and its bytes. */
export interface GeneratedRequest {
  method: string;
  target: string;
  bytes: Buffer;
}

const text = (name: string): Parameter => ({
  name,
  in: 'query',
  required: false,
  schema: { type: 'string' },
  isTime: name === 'at',
  example: undefined,
});
/** The pages, which are not in the OpenAPI document, with their parameters. */
const PAGES: Pick<Operation, 'path' | 'parameters'>[] = [
  { path: PATHS.sites, parameters: ['q', 'sort', 'map', 'page'].map(text) },
  { path: PATHS.site.replace(':site', '{fourCharacterId}'), parameters: [{ ...text('fourCharacterId'), in: 'path' }, text('at')] },
  { path: PATHS.siteLog.replace(':site', '{fourCharacterId}'), parameters: [{ ...text('fourCharacterId'), in: 'path' }] },
  { path: PATHS.receivers, parameters: ['type', 'serialNumber', 'page'].map(text) },
  { path: PATHS.antennas, parameters: ['type', 'serialNumber', 'page'].map(text) },
  { path: PATHS.style, parameters: [] },
  { path: PATHS.icon, parameters: [] },
];

/** CONNECT asks for a tunnel, so what follows it is not HTTP; the raw sockets send it. */
const OTHER_METHODS = METHODS.filter((method) => !['CONNECT', 'GET', 'HEAD', 'OPTIONS'].includes(method));
const ACCEPTS = [
  '*/*',
  'application/hal+json',
  'application/schema+json',
  'text/html,application/xhtml+xml,*/*;q=0.8',
  'application/json;q=0',
  'text/html;q=2',
  ',,;',
  'a/b;c="d',
  '*',
];
const HOSTS = [
  '127.0.0.1',
  'localhost:80',
  'evil.example',
  '[::1]:8080',
  'a'.repeat(300),
  'x"onfuzz="',
  '<fuzz x="1">',
  'a b',
  'user@host',
  'host:99999',
  '',
  '%41',
  'é',
];
const OTHER_FIELDS = [
  'If-None-Match',
  'If-Modified-Since',
  'Range',
  'Cookie',
  'Origin',
  'Referer',
  'User-Agent',
  'Accept-Encoding',
  'Accept-Language',
  'Authorization',
  'Via',
  'TE',
  'Cache-Control',
  'X-HTTP-Method-Override',
  'X-Original-URL',
  '__proto__',
  'Date',
];
const FORWARDED = ['Forwarded', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'X-Forwarded-Port', 'X-Forwarded-Prefix', 'X-Forwarded-For'];
const FORWARDED_VALUES = [
  'for=1.2.3.4;host=a.example;proto=https',
  'host="a.example:8443"',
  'proto=https, host=b',
  'a.example, b.example',
  'https',
  'javascript',
  '443',
  '/prefix',
  '<fuzz x="1">',
  '"',
  ';;,,==',
  'host="\\"',
  'for=[::1]:1',
];

/** Percent-encodes a text, mostly correctly. */
function encode(random: Random, value: string): string {
  const kind = random.next();
  if (kind < 0.9) return encodeURIComponent(wellFormed(value)).replaceAll('%20', () => (random.chance(0.5) ? '+' : '%20'));
  // Everything but what would end the request line, as it is.
  if (kind < 0.95) return wellFormed(value).replace(/[\0\s\u007f-\uffff#]/gu, (letter) => encodeURIComponent(letter));
  return encodeURIComponent(wellFormed(value)) + random.pick(['%', '%f', '%FF', '%C0%80', '%zz', '%2500', '%ED%A0%80', '&', '=']);
}

/** Makes a header field a single line of bytes. A raw socket sends the others. */
const line = (value: string): string => Buffer.from(wellFormed(value).replace(/[\0\r\n]/g, ''), 'utf8').toString('latin1');

/** Generates requests from the OpenAPI document. */
export class RequestGenerator {
  private readonly operations: Pick<Operation, 'path' | 'parameters'>[];

  private readonly known: KnownValues;

  /** @param known what the service has published, so that some requests find something */
  constructor(contract: PublishedContract, known: KnownValues) {
    this.known = known;
    this.operations = [...contract.operations, ...PAGES];
  }

  /** A target of an operation: its parameters are valid, nearly so, or anything. */
  target(random: Random): string {
    const { path, parameters } = random.pick(this.operations);
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const parameter = parameters.find((each) => each.in === 'path' && each.name === name)!;
      const names = this.known.of('schemaName');
      const value =
        name === 'name' && names.length > 0 && random.chance(0.8) ? random.pick(names) : valueFor(random, parameter, this.known);
      return encode(random, value).replaceAll('/', '%2F');
    });
    const optional = parameters.filter((each) => each.in === 'query');
    const chosen = optional.filter(({ required }) =>
      required ? random.chance(0.97) : random.chance(Math.min(0.5, 1.5 / optional.length)),
    );
    const pairs = chosen.flatMap((parameter) => {
      const times = random.chance(0.9) ? 1 : random.few(60);
      return Array.from(
        { length: times },
        () => `${encodeURIComponent(parameter.name)}=${encode(random, valueFor(random, parameter, this.known))}`,
      );
    });
    if (random.chance(0.05)) pairs.push(`${encode(random, nastyText(random))}=${encode(random, nastyText(random))}`);
    return filled + (pairs.length === 0 ? '' : `?${pairs.join('&')}`);
  }

  /** A target that is not well-formed, or none of ours. */
  private strangeTarget(random: Random): string {
    const target = this.target(random);
    return random.pick<() => string>([
      () => `/${encode(random, nastyText(random))}`,
      () => target.replace('?', '/?'),
      () => `/${target}`,
      () => `http://evil.example${target}`,
      () => `${target}#${encode(random, nastyText(random))}`,
      () => `/..${target}`,
      () => target.replace('?', ';a=b?'),
      () => target.toUpperCase(),
      () => `/${line(mutateText(random, target.slice(1))).replace(/[\0-\x20\x7f]/g, '')}`,
      () => `${target}${target.includes('?') ? '&' : '?'}a=${'x'.repeat(random.below(12_000))}`,
    ])();
  }

  private headers(random: Random): [string, string][] {
    const headers: [string, string][] = [['Host', random.chance(0.9) ? '127.0.0.1' : line(random.pick(HOSTS))]];
    if (random.chance(0.4)) headers.push(['Accept', random.chance(0.9) ? random.pick(ACCEPTS) : line(nastyText(random))]);
    if (random.chance(0.15))
      headers.push([random.pick(FORWARDED), line(random.chance(0.7) ? random.pick(FORWARDED_VALUES) : nastyText(random))]);
    // Blanks are what a backtracking pattern takes most time for.
    if (random.chance(0.005))
      headers.push([random.pick(FORWARDED), `a${random.pick([' ', '\t', ',', ';', '"'])}`.padEnd(random.below(8000)) + 'x']);
    if (random.chance(0.15)) headers.push([random.pick(OTHER_FIELDS), line(nastyText(random))]);
    if (random.chance(0.01)) headers.push(['Expect', random.pick(['100-continue', 'x'])]);
    if (random.chance(0.01)) headers.push(['Connection', 'close']);
    return headers;
  }

  private method(random: Random): string {
    if (random.chance(0.9)) return 'GET';
    return random.chance(0.6) ? random.pick(['HEAD', 'OPTIONS']) : random.pick(OTHER_METHODS);
  }

  /** A request. It is well-formed HTTP, apart from its target and values. */
  request(random: Random): GeneratedRequest {
    const method = this.method(random);
    const target = random.chance(0.93) ? this.target(random) : this.strangeTarget(random);
    const headers = this.headers(random);
    let body = '';
    if (random.chance(method === 'GET' ? 0.01 : 0.3)) {
      const content = 'x'.repeat(random.below(random.chance(0.1) ? 100_000 : 100));
      if (random.chance(0.5)) headers.push(['Content-Length', String(content.length)]);
      else headers.push(['Transfer-Encoding', 'chunked']);
      body =
        headers.at(-1)![0] === 'Content-Length'
          ? content
          : `${content === '' ? '' : `${content.length.toString(16)}\r\n${content}\r\n`}0\r\n\r\n`;
    }
    return { method, target, bytes: requestBytes(method, target, headers, body) };
  }
}

/** The bytes of a request. Texts are one byte per character. */
export const requestBytes = (method: string, target: string, headers: [string, string][], body = ''): Buffer =>
  Buffer.from(`${method} ${target} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`, 'latin1');
