import type { Deployment } from './deployment.js';
import type { CheckName, Findings } from './findings.js';
import { type Exchange, fieldOf, type HttpClient } from './http-client.js';
import { isObject, type Json, memberOf, parseJson } from './json.js';
import type { Links } from './links.js';
import { misordered } from './member-order.js';
import { pageLinkProblems, pageProblems } from './page-checks.js';
import type { Operation, PublishedContract } from './published-contract.js';
import { setupProblems } from './setup-checks.js';

/** What all checks of one run share. */
export interface Run {
  client: HttpClient;
  contract: PublishedContract;
  /** The URL of the service, without a trailing slash. */
  base: string;
  /** Additional header fields that may be present, in lower case. */
  allowedHeaders: ReadonlySet<string>;
  /** The data of the service, as found from `/`. */
  deployment: Deployment;
  /** Every link found in a response. */
  links: Links;
}

/** Names and values of a query, in order. */
export type Pairs = [string, string][];

/** The values of the parameters of a request. */
export interface RequestValues {
  path: Record<string, string>;
  query: Pairs;
}

/** A response, and its body if it has the expected status. */
export interface Answer {
  exchange: Exchange;
  status: number;
  body: Json | undefined;
}

/** The header fields of the transport, which the contract does not cover. */
const TRANSPORT = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);
/** The fields that depend on the body and have checks of their own. */
const OF_THE_BODY = new Set(['content-type', 'content-length']);
/** The media types that the parameter `format` asks for, besides the usual one. */
const FORMATS: Record<string, string> = { geodesyml: 'application/xml', text: 'text/plain;charset=UTF-8' };
const PROBLEM_TYPE = 'urn:gnss-site-setups:problem:';

const quoted = (text: string | undefined): string => (text === undefined ? 'missing' : `"${text}"`);

/** Problems with the header fields that do not depend on the body. */
export function headerProblems({ contract, allowedHeaders }: Run, { headers }: Exchange, further: string[] = []): string[] {
  const names = headers.map(([name]) => name);
  const known = (name: string): boolean =>
    contract.headers.has(name) || TRANSPORT.has(name) || OF_THE_BODY.has(name) || allowedHeaders.has(name) || further.includes(name);
  return [
    ...[...contract.headers].flatMap(([name, wanted]) => {
      const found = headers.find(([each]) => each === name)?.[1];
      return found === wanted ? [] : [`${name} is ${quoted(found)}; expected "${wanted}"`];
    }),
    ...headers.flatMap(([name, value]) => (known(name) ? [] : [`unexpected header field ${name}: "${value}"`])),
    ...[...new Set(names)].flatMap((name) =>
      !allowedHeaders.has(name) && names.filter((each) => each === name).length > 1 ? [`repeated header field ${name}`] : [],
    ),
  ];
}

function lengthProblems(exchange: Exchange, isStreamed: boolean): string[] {
  const announced = fieldOf(exchange, 'content-length');
  // A streamed body ends with an empty chunk. The client reports one that is cut off.
  if (isStreamed && fieldOf(exchange, 'transfer-encoding') === 'chunked' && exchange.fault === null) return [];
  if (exchange.fault !== null) return [`${quoted(announced)}, but the body is incomplete or too long: ${exchange.fault}`];
  return announced === String(exchange.body.length) ? [] : [`${quoted(announced)}; the body has ${exchange.body.length} bytes`];
}

/** Sends requests to one operation and makes the checks that every response must pass. */
export class Probe {
  constructor(
    readonly run: Run,
    readonly operation: Operation,
    readonly findings: Findings,
  ) {}

  /** The URL of this operation, or of another one. */
  url({ path, query }: RequestValues, further: Pairs = [], operation = this.operation): string {
    const filled = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
    const pairs = [...query, ...further].map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
    return `${this.run.base}${filled}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`;
  }

  /**
   * GETs a URL of the operation and checks the response. The body is undefined unless the status is an expected one.
   * @param check the check that an unexpected status counts for
   */
  async get(
    url: string,
    { status = [200], check = 'status', accept = null }: { status?: number[]; check?: CheckName; accept?: string | null } = {},
  ): Promise<Answer> {
    const exchange = await this.run.client.request(url, 'GET', accept === null ? {} : { accept });
    const body = this.examine(exchange, accept);
    const found = exchange.status === 0 ? `no response: ${exchange.fault}` : `status ${exchange.status}; expected ${status.join(' or ')}`;
    const wanted = status.includes(exchange.status);
    this.findings.add(check, this.subjectOf(exchange), wanted ? [] : [found]);
    return { exchange, status: exchange.status, body: wanted ? body : undefined };
  }

  /** The response of another operation to compare with; null if there is none. */
  async ask(path: string, query: Pairs, values: Record<string, string> = {}): Promise<Json> {
    const operation = this.run.contract.operationOf(path);
    if (operation === undefined) return null;
    const { status, body } = await this.run.client.request(this.url({ path: values, query }, [], operation));
    const parsed = parseJson(body);
    return status !== 200 || typeof parsed === 'string' ? null : parsed.value;
  }

  /** The subject of a finding: the request, relative to the base URL. */
  subjectOf({ method, url }: Pick<Exchange, 'method' | 'url'>): string {
    const { base } = this.run;
    return `${method} ${url.startsWith(base) ? url.slice(base.length) : url}`;
  }

  /** Makes the checks of every response with a body, whatever its status. Returns the body. */
  examine(exchange: Exchange, accept: string | null = null, furtherHeaders: string[] = []): Json | undefined {
    const { findings, operation, run } = this;
    const { status } = exchange;
    if (status === 0) return undefined;
    const subject = this.subjectOf(exchange);
    findings.add('header fields', subject, headerProblems(run, exchange, furtherHeaders));
    findings.add('content length', subject, lengthProblems(exchange, operation.isStreamed));
    const documented = operation.responses.get(String(status)) ?? (status >= 400 ? operation.responses.get('default') : undefined);
    if (documented === undefined) {
      findings.add('status', subject, [`status ${status} is not documented`]);
      return undefined;
    }
    const [usual] = documented.keys();
    const asked = accept ?? FORMATS[new URL(exchange.url).searchParams.get('format') ?? ''] ?? null;
    const type = asked !== null && documented.has(asked) ? asked : usual!;
    const found = fieldOf(exchange, 'content-type');
    findings.add('media type', subject, found === type ? [] : [`${quoted(found)}; expected "${type}"`]);
    // Other bodies have no schema.
    if (!/[/+]json\b/.test(type)) return undefined;
    const body = parseJson(exchange.body);
    if (typeof body === 'string') {
      findings.add('body', subject, [body]);
      return undefined;
    }
    this.examineBody(subject, exchange, documented.get(type) ?? null, body.value);
    return body.value;
  }

  private examineBody(subject: string, { status, url }: Exchange, schema: string | null, body: Json): void {
    const { findings, operation, run } = this;
    const violations = schema === null ? (isObject(body) ? [] : ['not an object']) : run.contract.violations(schema, body);
    if (status >= 400 && memberOf(body, 'status') !== status) {
      violations.push(`"status" is ${JSON.stringify(memberOf(body, 'status'))}; expected ${status}`);
    }
    // The OpenAPI document has links in its examples. They lead to another host.
    run.links.collect(
      schema !== null || operation.path.startsWith('/ogc') ? body : (memberOf(body, 'alps.link') ?? null),
      subject,
      operation.path,
    );
    if (!findings.add('body', subject, violations)) return;
    if (schema !== null) findings.add('member order', subject, misordered(run.contract, schema, body));
    if (status !== 200) return;
    if (operation.paged) {
      findings.add('pages', subject, pageProblems(url, operation, body));
      findings.add('page links', subject, pageLinkProblems(run, url, operation, body));
    }
    const setups = schema === 'Setup' ? [body] : operation.list?.element === 'Setup' ? elementsOf(operation, body) : [];
    const problems = setups.flatMap((each) => setupProblems(run.contract, each));
    if (setups.length > 0) findings.add('setup', subject, problems);
  }

  /** Checks that a body is a problem document of a type. */
  problemProblems(body: Json | undefined, type: string): string[] {
    const found = memberOf(body, 'type');
    return found === PROBLEM_TYPE + type ? [] : [`the problem type is ${JSON.stringify(found)}; expected "${PROBLEM_TYPE}${type}"`];
  }

  /** GETs a URL with a wrong parameter and checks that the response is a problem document that names it. */
  async refused(url: string, name: string, check: CheckName = 'parameters'): Promise<void> {
    const { exchange, body } = await this.get(url, { status: [400], check });
    if (body === undefined) return;
    const invalid = memberOf(body, 'invalidParameters');
    const names = Array.isArray(invalid) ? invalid.map((each) => memberOf(each, 'name')) : [];
    this.findings.add(check, this.subjectOf(exchange), [
      ...this.problemProblems(body, 'invalid-parameter'),
      ...(names.includes(name) ? [] : [`invalidParameters names ${JSON.stringify(names)}; expected "${name}"`]),
    ]);
  }
}

/** The elements of a list. */
export function elementsOf({ list }: Operation, body: Json | undefined): Json[] {
  const elements = list === null ? undefined : memberOf(body, `_embedded.${list.key}`);
  return Array.isArray(elements) ? elements : [];
}

/** What identifies an element: its URL, or its whole content where it has none. */
export const selfOf = (element: Json | undefined): string => String(memberOf(element, '_links.self.href') ?? JSON.stringify(element));
