import type { Contract, Operation, Parameter, Response } from './contract.js';
import { type Findings, unless } from './findings.js';
import { CannotCheck, get, type Received } from './http.js';
import { type Json, type JsonObject, memberOf } from './json.js';

/** Names and values of parameters, in order. */
export type Pairs = [string, string][];

/** A request and its answer. */
export interface Answer extends Received {
  /** The path and query of the request. */
  request: string;
  /** The body, if it is JSON and the status was expected. */
  json: Json | undefined;
  /** The schema of the body, which is empty if the service publishes none. */
  schema: JsonObject;
}

/** A link in an answer. */
export interface Link {
  href: string;
  operation: Operation | undefined;
}

/** The fixed header fields of every HAL response. */
const HAL_FIELDS = {
  'content-type': 'application/hal+json;charset=UTF-8',
  'x-content-type-options': 'nosniff',
  'x-xss-protection': '1; mode=block',
  'cache-control': 'no-cache, no-store, max-age=0, must-revalidate',
  pragma: 'no-cache',
  expires: '0',
  'strict-transport-security': 'max-age=31536000 ; includeSubDomains',
  'x-frame-options': 'DENY',
};
/** Header fields of the transport, and those of the body, which have checks of their own. */
const UNDOCUMENTED = [
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-type',
  'content-length',
];
/** How many links of a kind, and values of a member, are remembered. */
const MOST_REMEMBERED = 20;
/** How many requests in a row may go without an answer before the check ends. */
const MOST_UNANSWERED = 3;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Asks the service, checks each answer, and remembers the links and values in it. */
export class Service {
  /** How many requests were sent. */
  requests = 0;
  /** Some links of each kind: the relation, and the operation that it leads to. */
  readonly links = new Map<string, Link[]>();
  /** The URLs that were answered with status 200. */
  readonly found = new Set<string>();
  private readonly values = new Map<string, Set<string>>();
  private unanswered = 0;

  /**
   * @param base the URL of the service, without a slash at its end
   * @param allowedHeaders header fields, in lower case, that may be present besides the contract's
   */
  constructor(
    readonly base: string,
    readonly contract: Contract,
    private readonly allowedHeaders: string[],
  ) {}

  /** The URL of a path, with values for the parameters in the path and in the query. */
  url(path: string, pairs: Pairs): string {
    const filled = path.replace(/\{(\w+)\}/g, (_, name) =>
      encodeURIComponent(pairs.find(([each]) => each === name)?.[1] ?? ''),
    );
    const query = new URLSearchParams(pairs.filter(([name]) => !path.includes(`{${name}}`)));
    return `${this.base}${filled}${query.size === 0 ? '' : '?'}${query.toString()}`;
  }

  /** Values of a parameter that answers had so far. */
  valuesOf({ path }: Operation, { name, in: place, schema }: Parameter): string[] {
    // A citation has the parameters of what it cites.
    if (place === 'path') return this.valuesIn(`${path.replace(/\/citation$/, '')} ${name}`);
    // In a query, an id that is not a number identifies a Site.
    const isSite = (name === 'id' || name === 'site') && schema.type !== 'integer';
    return this.valuesIn(isSite ? 'fourCharacterId' : name);
  }

  /** Values of a member that answers had so far. */
  valuesIn(member: string): string[] {
    return [...(this.values.get(member) ?? [])];
  }

  /**
   * Asks a URL below the base, and checks the answer: its status, and all that the contract says
   * about an answer of this operation.
   *
   * @throws {CannotCheck} after several requests in a row without an answer
   */
  async get(url: string, findings: Findings, expected = [200]): Promise<Answer> {
    const request = url.slice(this.base.length) || '/';
    const operation = this.contract.operationOf(pathOf(request));
    this.requests += 1;
    const received = await get(url);
    const { status, fault } = received;
    const answer: Answer = { ...received, request, json: undefined, schema: {} };
    this.unanswered = status === 0 ? this.unanswered + 1 : 0;
    if (this.unanswered >= MOST_UNANSWERED)
      throw new CannotCheck(`${this.base} no longer responds: ${fault}`);
    if (status === 0) {
      findings.add(request, [`no answer: ${fault}`]);
      return answer;
    }
    const wrongStatus = `status ${status}; expected ${expected.join(' or ')}`;
    const isExpected = findings.add(request, unless(expected.includes(status), wrongStatus));
    if (status === 200) this.found.add(url);
    if (operation !== undefined) this.examine(answer, operation, findings);
    return isExpected ? answer : { ...answer, json: undefined };
  }

  /** Checks an answer against the documented response of its status, and reads its body. */
  private examine(answer: Answer, { responses }: Operation, findings: Findings): void {
    const { request, status, headers, body } = answer;
    const documented = responses[status] ?? (status >= 400 ? responses.default : undefined);
    if (documented === undefined) {
      findings.add(request, [`status ${status} is not documented`]);
      return;
    }
    findings.add(request, this.headerProblems(answer, documented.headers ?? {}));
    // The document states media types without parameters.
    const content = new Map(Object.entries(documented.content ?? {}));
    const type = headers.get('content-type') ?? '';
    const described = content.get(type.split(';')[0]!);
    const types = [...content.keys()].join(' or ');
    findings.add(
      request,
      unless(described !== undefined, `content-type is "${type}"; expected ${types}`),
    );
    if (!/[/+]json\b/.test(type)) return;
    answer.schema = described?.schema ?? {};
    try {
      answer.json = JSON.parse(utf8.decode(body)) as Json;
    } catch (error) {
      findings.add(request, [`the body is not JSON in UTF-8: ${(error as Error).message}`]);
      return;
    }
    findings.add(request, this.contract.schemas.problems(answer.schema, answer.json));
    // A body without a named schema is a description, whose links may be examples.
    if (typeof answer.schema.$ref === 'string') this.collect(answer.json, '', request, findings);
  }

  private headerProblems(
    { headers, body, fault }: Received,
    documented: NonNullable<Response['headers']>,
  ): string[] {
    const expected = new Map<string, string>();
    for (const [name, { schema, required }] of Object.entries(documented))
      if (required === true && typeof schema.const === 'string')
        expected.set(name.toLowerCase(), schema.const);
    if (headers.get('content-type')?.startsWith('application/hal+json') === true)
      for (const [name, value] of Object.entries(HAL_FIELDS)) expected.set(name, value);
    const known = new Set([
      ...Object.keys(documented).map((name) => name.toLowerCase()),
      ...expected.keys(),
      ...UNDOCUMENTED,
      ...this.allowedHeaders,
    ]);
    const wrong = [...expected].filter(([name, value]) => headers.get(name) !== value);
    const unexpected = [...headers].filter(([name]) => !known.has(name));
    const length = headers.get('content-length');
    const isChunked = headers.get('transfer-encoding') === 'chunked';
    const isWhole = fault === null && length === (isChunked ? null : String(body.length));
    const reason = fault === null ? '' : ` (${fault})`;
    return [
      ...wrong.map(([name, value]) => `${name} is "${headers.get(name)}"; expected "${value}"`),
      ...unexpected.map(([name, value]) => `unexpected header field ${name}: "${value}"`),
      ...unless(isWhole, `content-length is ${length}; the body has ${body.length} bytes${reason}`),
    ];
  }

  /** Remembers the links and values in a part of a body. `name` is the member that has it. */
  private collect(value: Json, name: string, request: string, findings: Findings): void {
    if (Array.isArray(value)) {
      for (const each of value) this.collect(each, name, request, findings);
    } else if (typeof value === 'object' && value !== null) {
      if (typeof value.href === 'string') this.addLink(value, name, request, findings);
      for (const [member, each] of Object.entries(value))
        this.collect(each, member, request, findings);
    } else if (typeof value === 'string' || typeof value === 'number') {
      this.remember(name, String(value));
    }
  }

  private remember(member: string, value: string): void {
    const known = this.values.get(member) ?? new Set();
    if (known.size < MOST_REMEMBERED) this.values.set(member, known.add(value));
  }

  /** Checks a link, and remembers it and the values in its path. */
  private addLink(link: JsonObject, name: string, request: string, findings: Findings): void {
    const href = String(link.href);
    const isBelow = URL.canParse(href) && (href === this.base || href.startsWith(`${this.base}/`));
    const isTemplate = /\{.*\}/.test(href);
    const isRight = findings.add(request, [
      ...unless(isBelow, `the link ${name} is ${href}, which is not below ${this.base}`),
      ...unless(
        isTemplate === (link.templated === true),
        `the link ${name} is ${href}; a template needs "templated": true, and only a template`,
      ),
    ]);
    if (!isRight) return;
    const path = pathOf(href.slice(this.base.length));
    const operation = this.contract.operationOf(path);
    const values = operation?.pattern.exec(path)?.slice(1) ?? [];
    const relation = String(memberOf(link, 'rel') ?? name);
    // In an index, such as that of the schemas, the relation is the name of what it leads to.
    const isName = values.some((value) => value.replace(/\.json$/, '') === relation);
    const kind = `${isName ? 'a name' : relation} ${operation?.path ?? ''}`;
    const known = this.links.get(kind) ?? [];
    const isKnown = known.some((each) => each.href === href);
    if (!isKnown && known.length < MOST_REMEMBERED)
      this.links.set(kind, [...known, { href, operation }]);
    if (operation === undefined) return;
    const names = [...operation.path.matchAll(/\{(\w+)\}/g)];
    for (const [index, [, parameter]] of names.entries()) {
      const value = values[index]!;
      if (!value.includes('%')) this.remember(`${operation.path} ${parameter}`, value);
    }
  }
}

/** The path of a URL or template, relative to the base. */
const pathOf = (request: string): string => request.split(/\?|\{[?&]/)[0] || '/';
