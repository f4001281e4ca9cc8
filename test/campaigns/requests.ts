import { METHODS } from 'node:http';
import { PUBLISHED } from '../../schemas/index.js';
import { PATHS } from '../../src/links.js';
import type { Answer, Asked, Client } from './client.js';
import type { Contract, Operation, Parameter } from './contract.js';
import type { Random } from './random.js';
import { KnownValues, mutateText, nastyText, valueFor, wellFormed } from './values.js';

const parameter = (name: string, place = 'query'): Parameter => ({
  name,
  in: place,
  schema: { type: 'string' },
});
/** The pages, which are not in the OpenAPI document, with their parameters. */
const PAGES: Operation[] = [
  { path: PATHS.sites, parameters: ['q', 'sort', 'map', 'page'].map((name) => parameter(name)) },
  {
    path: '/sites/{fourCharacterId}',
    parameters: [parameter('fourCharacterId', 'path'), parameter('at')],
  },
  { path: '/sites/{fourCharacterId}/log', parameters: [parameter('fourCharacterId', 'path')] },
  ...[PATHS.receivers, PATHS.antennas].map((path) => ({
    path,
    parameters: ['type', 'serialNumber', 'page'].map((name) => parameter(name)),
  })),
  { path: PATHS.style, parameters: [] },
  { path: PATHS.icon, parameters: [] },
];

/** CONNECT asks for a tunnel, so what follows it is not HTTP. */
const OTHER_METHODS = METHODS.filter(
  (method) => !['CONNECT', 'GET', 'HEAD', 'OPTIONS'].includes(method),
);
// prettier-ignore
const ACCEPTS = [
  '*/*', 'application/hal+json', 'application/schema+json', 'text/html,application/xhtml+xml,*/*;q=0.8',
  'application/json;q=0', 'text/html;q=2', ',,;', 'a/b;c="d', '*',
];
// prettier-ignore
const HOSTS = [
  '127.0.0.1', 'localhost:80', 'evil.example', '[::1]:8080', 'a'.repeat(300), 'x"onfuzz="', '<fuzz x="1">',
  'a b', 'user@host', 'host:99999', '', '%41', 'é',
];
// prettier-ignore
const OTHER_FIELDS = [
  'If-None-Match', 'If-Modified-Since', 'Range', 'Cookie', 'Origin', 'Referer', 'User-Agent', 'Accept-Encoding',
  'Accept-Language', 'Authorization', 'TE', 'Cache-Control', 'X-HTTP-Method-Override', '__proto__', 'Date',
];
const FORWARDED = [
  'Forwarded',
  'X-Forwarded-Host',
  'X-Forwarded-Proto',
  'X-Forwarded-Port',
  'X-Forwarded-Prefix',
  'X-Forwarded-For',
];
// prettier-ignore
const FORWARDED_VALUES = [
  'for=1.2.3.4;host=a.example;proto=https', 'host="a.example:8443"', 'proto=https, host=b', 'a.example, b.example', 'https',
  'javascript', '443', '/prefix', '<fuzz x="1">', '"', ';;,,==', 'host="\\"', 'for=[::1]:1',
];

/** Percent-encodes a text, mostly correctly. */
function encode(random: Random, value: string): string {
  const kind = random.next();
  if (kind < 0.9)
    return encodeURIComponent(wellFormed(value)).replaceAll('%20', () =>
      random.chance(0.5) ? '+' : '%20',
    );
  // Everything but what would end the request line, as it is.
  if (kind < 0.95)
    return wellFormed(value).replace(/[^\x21-\x7e]|#/gu, (letter) => encodeURIComponent(letter));
  return (
    encodeURIComponent(wellFormed(value)) +
    random.pick(['%', '%f', '%FF', '%C0%80', '%zz', '%2500', '%ED%A0%80', '&', '='])
  );
}

/** Makes a header field a single line of bytes. */
const line = (value: string): string =>
  Buffer.from(wellFormed(value).replace(/[\0-\x08\n-\x1f\x7f]/g, ''), 'utf8').toString('latin1');

/** Generates requests from the OpenAPI document. */
export class RequestGenerator {
  private readonly operations: Operation[];

  /** @param known what the service has published, so that some requests find something */
  constructor(
    contract: Contract,
    private readonly known: KnownValues,
  ) {
    this.operations = [...contract.operations, ...PAGES];
  }

  /** A target of an operation: its parameters are valid, nearly so, or anything. */
  target(random: Random): string {
    const { path, parameters } = random.pick(this.operations);
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const found = parameters.find((each) => each.in === 'path' && each.name === name)!;
      return encode(random, valueFor(random, found, this.known)).replaceAll('/', '%2F');
    });
    const optional = parameters.filter((each) => each.in === 'query');
    const chosen = optional.filter(({ required }) =>
      random.chance(required === true ? 0.97 : Math.min(0.5, 1.5 / optional.length)),
    );
    const pairs = chosen.flatMap((each) => {
      const times = random.chance(0.9) ? 1 : random.few(60);
      const pair = (): string =>
        `${encodeURIComponent(each.name)}=${encode(random, valueFor(random, each, this.known))}`;
      return Array.from({ length: times }, pair);
    });
    if (random.chance(0.05))
      pairs.push(`${encode(random, nastyText(random))}=${encode(random, nastyText(random))}`);
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
    const headers: [string, string][] = [
      ['Host', random.chance(0.9) ? '127.0.0.1' : line(random.pick(HOSTS))],
    ];
    if (random.chance(0.4))
      headers.push(['Accept', random.chance(0.9) ? random.pick(ACCEPTS) : line(nastyText(random))]);
    if (random.chance(0.15))
      headers.push([
        random.pick(FORWARDED),
        line(random.chance(0.7) ? random.pick(FORWARDED_VALUES) : nastyText(random)),
      ]);
    // Blanks are what a backtracking pattern takes most time for.
    if (random.chance(0.005))
      headers.push([
        random.pick(FORWARDED),
        `a${random.pick([' ', '\t', ',', ';', '"'])}`.padEnd(random.below(8000)) + 'x',
      ]);
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
  request(random: Random): Asked {
    const method = this.method(random);
    const target = random.chance(0.93) ? this.target(random) : this.strangeTarget(random);
    const headers = this.headers(random);
    if (!random.chance(method === 'GET' ? 0.01 : 0.3)) return { method, target, headers };
    const body = 'x'.repeat(random.below(random.chance(0.1) ? 100_000 : 100));
    headers.push(
      random.chance(0.5)
        ? ['Content-Length', String(body.length)]
        : ['Transfer-Encoding', 'chunked'],
    );
    return { method, target, headers, body };
  }
}

/** Reads the values that a service publishes, so that requests can name what exists. */
export async function readKnownValues(client: Client): Promise<KnownValues> {
  const known = new KnownValues();
  const read = ({ body }: Answer): unknown => JSON.parse(body.toString());
  for (const collection of ['setups', 'equipment', 'corsSites', 'changes'])
    known.collect(read(await client.get(`/${collection}?size=1000`)));
  for (const name of Object.keys(PUBLISHED)) known.add('name', `${name}.json`);
  return known;
}
