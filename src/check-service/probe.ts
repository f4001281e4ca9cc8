import { type CheckName, Findings, unless } from './findings.js';
import type { Exchange, HttpClient } from './http-client.js';
import { elementsOf, type Json, type JsonObject, memberOf } from './json.js';
import type { Operation, Parameter, PublishedContract, Response } from './published-contract.js';

/** Which service to check, and how. */
export interface CheckServiceOptions {
  /** The URL of the service, with or without a trailing slash. */
  base: string;
  /** Whether to make only the most important requests. */
  isQuick: boolean;
  /** Header fields, in lower case, that may be present besides those of the contract. */
  allowedHeaders: string[];
  /** The ids of the operations to check, and `links`. All if undefined. */
  only: string[] | undefined;
}

/** What all checks of one run share. */
export interface Run extends CheckServiceOptions {
  client: HttpClient;
  contract: PublishedContract;
  /**
   * Every link found in a response: whether it is a template, and the request whose response had it
   * first.
   */
  links: Map<string, { templated: boolean; foundAt: string }>;
  /** Values found in responses, by the name of the member. */
  values: Map<string, Set<string>>;
  /** Operations that are not checked, and need no parameters: where to look for missing values. */
  sources: Operation[];
}

/** Names and values of parameters, in order. */
export type Pairs = [string, string][];

/** The fixed header fields of every HAL response. */
export const HAL_FIELDS = {
  'x-content-type-options': 'nosniff',
  'x-xss-protection': '1; mode=block',
  'cache-control': 'no-cache, no-store, max-age=0, must-revalidate',
  pragma: 'no-cache',
  expires: '0',
  'strict-transport-security': 'max-age=31536000 ; includeSubDomains',
  'x-frame-options': 'DENY',
};
/**
 * The header fields of the transport, and those that depend on the body and have checks of their
 * own.
 */
const UNDOCUMENTED = [
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-type',
  'content-length',
];
/** How many links, values of one member, and levels of a body are remembered. */
const MOST_LINKS = 20_000;
const MOST_VALUES = 20;
const MOST_LEVELS = 30;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Sends requests to one operation and makes the checks that every response must pass. */
export class Probe {
  /** @param operation undefined if the service does not document it */
  constructor(
    readonly run: Run,
    readonly operation: Operation | undefined,
    readonly findings: Findings,
    readonly path = operation?.path ?? '',
  ) {}

  /** The parameters in the query. */
  get query(): Parameter[] {
    return this.operation?.parameters?.filter((each) => each.in === 'query') ?? [];
  }

  /** The URL of this operation. */
  url(pairs: Pairs): string {
    const filled = this.path.replace(/\{(\w+)\}/g, (_, name) =>
      encodeURIComponent(pairs.find(([each]) => each === name)?.[1] ?? ''),
    );
    const query = new URLSearchParams(pairs.filter(([name]) => !this.path.includes(`{${name}}`)));
    return `${this.run.client.base}${filled}${query.size === 0 ? '' : '?'}${query.toString()}`;
  }

  /** Sends a request with these parameters, and checks the response, but not its status. */
  async ask(pairs: Pairs, method = 'GET'): Promise<Exchange> {
    return this.examine(await this.run.client.request(this.url(pairs), method));
  }

  /**
   * Asks an operation that is not checked, for the links and values in its response: the collection
   * of this path, or else the next. Returns false if there is none left.
   */
  async askSource(): Promise<boolean> {
    const { run, path } = this;
    const collection = run.sources.findIndex((each) => path.startsWith(`${each.path}/`));
    const [source] = run.sources.splice(Math.max(0, collection), 1);
    if (source === undefined) return false;
    await new Probe(run, source, new Findings(source.path)).ask([]);
    return true;
  }

  /**
   * GETs a URL and checks the response. Its body is not read as JSON unless the status is an
   * expected one.
   */
  async get(url: string, check: CheckName, expected = [200]): Promise<Exchange> {
    const exchange = this.examine(await this.run.client.request(url));
    return this.expect(exchange, check, expected) ? exchange : { ...exchange, json: undefined };
  }

  /** Checks the status of a response. */
  expect({ status, fault, subject }: Exchange, check: CheckName, expected: number[]): boolean {
    const found =
      status === 0
        ? `no response: ${fault}`
        : `status ${status}; expected ${expected.join(' or ')}`;
    return this.findings.add(check, subject, unless(expected.includes(status), found));
  }

  /**
   * GETs a URL with a wrong parameter, and checks that the response is a problem document that
   * names it.
   */
  async refused(url: string, name: string, check: CheckName = 'refusals'): Promise<void> {
    const { subject, json } = await this.get(url, check, [400]);
    const names = elementsOf(memberOf(json, 'invalidParameters')).map((each) =>
      memberOf(each, 'name'),
    );
    this.findings.add(
      check,
      subject,
      unless(names.includes(name), `invalidParameters names ${names.join(', ')}; expected ${name}`),
    );
  }

  /** Makes the checks of every response, whatever its status, and reads its body. */
  examine(exchange: Exchange): Exchange {
    const { findings, operation } = this;
    const { status, subject, headers, body, fault } = exchange;
    if (status === 0) return exchange;
    const documented =
      operation?.responses[status] ?? (status >= 400 ? operation?.responses.default : undefined);
    const length = headers.get('content-length');
    // A streamed body ends with an empty chunk. The client reports one that is cut off.
    const isWhole =
      fault === null &&
      length === (headers.get('transfer-encoding') === 'chunked' ? null : String(body.length));
    const because = fault === null ? '' : ` (${fault})`;
    findings.add('header fields', subject, [
      ...this.headerProblems(exchange, documented?.headers ?? {}),
      ...unless(
        isWhole,
        `content-length is ${length}; the body has ${body.length} bytes${because}`,
      ),
    ]);
    const type = headers.get('content-type') ?? '';
    const types = Object.keys(documented?.content ?? {});
    if (operation !== undefined) {
      findings.add(
        'status',
        subject,
        unless(documented !== undefined, `status ${status} is not documented`),
      );
      findings.add(
        'media type',
        subject,
        unless(types.includes(type), `"${type}"; expected ${types.join(' or ')}`),
      );
    }
    const schema = documented?.content?.[type]?.schema ?? {};
    return /[/+]json\b/.test(type)
      ? { ...exchange, json: this.readBody(exchange, schema) }
      : exchange;
  }

  private readBody({ body, subject }: Exchange, schema: JsonObject): Json | undefined {
    try {
      const json = JSON.parse(utf8.decode(body)) as Json;
      this.findings.add('body', subject, this.run.contract.schemas.problems(schema, json));
      // A body without a schema of its own is a description, whose links may be examples.
      if (typeof schema.$ref === 'string') this.collect(json, subject, MOST_LEVELS);
      return json;
    } catch (error) {
      this.findings.add('body', subject, [`not JSON in UTF-8: ${(error as Error).message}`]);
      return undefined;
    }
  }

  /** Problems with the header fields that do not depend on the body. */
  private headerProblems(
    { headers, status }: Exchange,
    documented: NonNullable<Response['headers']>,
  ): string[] {
    const isHal = headers.get('content-type')?.startsWith('application/hal+json') === true;
    const constants = Object.entries(documented).flatMap(([name, { schema, required }]): Pairs =>
      required === true && typeof schema.const === 'string'
        ? [[name.toLowerCase(), schema.const]]
        : [],
    );
    const expected = new Map([...constants, ...(isHal ? Object.entries(HAL_FIELDS) : [])]);
    const known = [
      ...Object.keys(documented),
      ...expected.keys(),
      ...UNDOCUMENTED,
      ...this.run.allowedHeaders,
    ];
    const names = new Set(
      [...known, status === 405 ? 'allow' : ''].map((name) => name.toLowerCase()),
    );
    const wrong = [...expected].filter(([name, value]) => headers.get(name) !== value);
    return [
      ...wrong.map(([name, value]) => `${name} is "${headers.get(name)}"; expected "${value}"`),
      ...[...headers].flatMap(([name, value]) =>
        unless(names.has(name), `unexpected header field ${name}: "${value}"`),
      ),
    ];
  }

  /** Remembers the links and values in a body. */
  private collect(body: Json, foundAt: string, levels: number): void {
    const { links, values } = this.run;
    if (typeof body !== 'object' || body === null || levels === 0) return;
    const href = memberOf(body, 'href');
    const templated = memberOf(body, 'templated') === true;
    if (typeof href === 'string' && !links.has(href) && links.size < MOST_LINKS)
      links.set(href, { templated, foundAt });
    for (const [name, each] of Object.entries(body)) {
      const known = values.get(name) ?? new Set();
      if (['string', 'number'].includes(typeof each) && known.size < MOST_VALUES)
        values.set(name, known.add(String(each)));
      this.collect(each, foundAt, levels - 1);
    }
  }
}
