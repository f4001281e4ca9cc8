import { type Exchange, fieldOf, type HttpClient } from './http-client.js';
import type { Deployment } from './deployment.js';
import type { Links } from './links.js';
import { pageLinkProblems, pageProblems } from './page-checks.js';
import { isObject, type Json, memberOf, type Operation, parseJson, type PublishedContract } from './published-contract.js';
import type { CheckName, Findings } from './results.js';
import { setupProblems } from './setup-checks.js';

/** What all checks of one run share. */
export interface Run {
  client: HttpClient;
  contract: PublishedContract;
  /** The URL of the deployment, without a slash at the end. */
  base: string;
  /** Header fields that may be there beside those of the contract, in lower case. */
  allowedHeaders: ReadonlySet<string>;
  /** What the deployment holds, as found from `/`. */
  deployment: Deployment;
  /** Every link that was in an answer. */
  links: Links;
}

/** Names and values of a query, in order. */
export type Pairs = [string, string][];

/** The values of the parameters with which an operation is asked. */
export interface Given {
  path: Record<string, string>;
  query: Pairs;
}

/** An answer, and its body where it is JSON. */
export interface Answer {
  exchange: Exchange;
  status: number;
  body: Json | undefined;
}

/** The header fields of the transport, which are no part of the contract. */
const TRANSPORT = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);
/** The fields that are checked each for itself, for their values depend on the answer. */
const OF_THE_BODY = new Set(['content-type', 'content-length']);

const quoted = (text: string | undefined): string => (text === undefined ? 'missing' : `"${text}"`);

/** What is wrong with the header fields of an answer, but for those that depend on its body. */
export function headerProblems({ contract, allowedHeaders }: Run, { headers }: Exchange, further: string[] = []): string[] {
  const names = headers.map(([name]) => name);
  const known = (name: string): boolean =>
    contract.headers.has(name) || TRANSPORT.has(name) || OF_THE_BODY.has(name) || allowedHeaders.has(name) || further.includes(name);
  return [
    ...[...contract.headers].flatMap(([name, wanted]) => {
      const found = headers.find(([each]) => each === name)?.[1];
      return found === wanted ? [] : [`${name} is ${quoted(found)}; expected "${wanted}"`];
    }),
    ...headers.flatMap(([name, value]) => (known(name) ? [] : [`${name} is there ("${value}")`])),
    ...[...new Set(names)].flatMap((name) =>
      !allowedHeaders.has(name) && names.filter((each) => each === name).length > 1 ? [`${name} is there more than once`] : [],
    ),
  ];
}

function lengthProblems({ body, fault, ...exchange }: Exchange): string[] {
  const announced = fieldOf({ body, fault, ...exchange }, 'content-length');
  if (fault !== null) return [`${quoted(announced)} does not agree with what came: ${fault}`];
  return announced === String(body.length) ? [] : [`${quoted(announced)}; the body has ${body.length} bytes`];
}

const PROBLEM_TYPE = 'urn:gnss-site-setups:problem:';

/** Sends requests to one operation, and checks of each answer what holds of every answer. */
export class Probe {
  constructor(
    readonly run: Run,
    readonly operation: Operation,
    readonly findings: Findings,
  ) {}

  /** The URL of the operation, or of another one. */
  url({ path, query }: Given, further: Pairs = [], operation = this.operation): string {
    const filled = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
    const pairs = [...query, ...further].map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
    return `${this.run.base}${filled}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`;
  }

  /**
   * GETs a URL of the operation and checks the answer; the body is undefined where the answer is none of the wanted statuses.
   * @param check under which name another status is told
   */
  async get(
    url: string,
    { status = [200], check = 'status', accept = null }: { status?: number[]; check?: CheckName; accept?: string | null } = {},
  ): Promise<Answer> {
    const exchange = await this.run.client.request(url, 'GET', accept === null ? {} : { accept });
    const body = this.examine(exchange, accept);
    const found = exchange.status === 0 ? `no answer: ${exchange.fault}` : `status ${exchange.status}; expected ${status.join(' or ')}`;
    const wanted = status.includes(exchange.status);
    this.findings.add(check, this.subjectOf(exchange), wanted ? [] : [found]);
    return { exchange, status: exchange.status, body: wanted ? body : undefined };
  }

  /** What a finding is told of: the request below the base URL. */
  subjectOf({ method, url }: Pick<Exchange, 'method' | 'url'>): string {
    const { base } = this.run;
    return `${method} ${url.startsWith(base) ? url.slice(base.length) : url}`;
  }

  /** Checks what holds of every answer with a body, whatever its status; returns the body. */
  examine(exchange: Exchange, accept: string | null = null, furtherHeaders: string[] = []): Json | undefined {
    const { findings, operation, run } = this;
    const { status } = exchange;
    if (status === 0) return undefined;
    const subject = this.subjectOf(exchange);
    findings.add('header fields', subject, headerProblems(run, exchange, furtherHeaders));
    findings.add('content length', subject, lengthProblems(exchange));
    const documented = operation.responses.get(String(status)) ?? (status >= 400 ? operation.responses.get('default') : undefined);
    if (documented === undefined) {
      findings.add('status', subject, [`status ${status} is not documented`]);
      return undefined;
    }
    const [usual] = documented.keys();
    const type = accept !== null && documented.has(accept) ? accept : usual!;
    const found = fieldOf(exchange, 'content-type');
    findings.add('media type', subject, found === type ? [] : [`${quoted(found)}; expected "${type}"`]);
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
    const violations = schema === null ? (isObject(body) ? [] : ['it is no object']) : run.contract.violations(schema, body);
    if (status >= 400 && memberOf(body, 'status') !== status)
      violations.push(`"status" is ${JSON.stringify(memberOf(body, 'status'))}, not ${status}`);
    // The description of the service has links in its examples, which lead elsewhere.
    run.links.collect(schema !== null ? body : (memberOf(body, 'alps.link') ?? null), subject, operation.path);
    if (!findings.add('body', subject, violations)) return;
    if (schema !== null) findings.add('member order', subject, run.contract.misordered(schema, body));
    if (status !== 200) return;
    if (operation.paged) {
      findings.add('pages', subject, pageProblems(url, operation, body));
      findings.add('page links', subject, pageLinkProblems(run, url, operation, body));
    }
    const setups = schema === 'Setup' ? [body] : operation.list?.element === 'Setup' ? elementsOf(operation, body) : [];
    if (setups.length > 0)
      findings.add(
        'setup',
        subject,
        setups.flatMap((each) => setupProblems(run.contract, each)),
      );
  }

  /** What is wrong with a problem document as one of a type. */
  problemProblems(body: Json | undefined, type: string): string[] {
    const found = memberOf(body, 'type');
    return found === PROBLEM_TYPE + type ? [] : [`the problem's type is ${JSON.stringify(found)}; expected "${PROBLEM_TYPE}${type}"`];
  }

  /** GETs a URL with a wrong parameter, and checks that the answer is a problem document that names it. */
  async refused(url: string, name: string, check: CheckName = 'parameters'): Promise<void> {
    const { exchange, body } = await this.get(url, { status: [400], check });
    if (body === undefined) return;
    const invalid = memberOf(body, 'invalidParameters');
    const names = Array.isArray(invalid) ? invalid.map((each) => memberOf(each, 'name')) : [];
    this.findings.add(check, this.subjectOf(exchange), [
      ...this.problemProblems(body, 'invalid-parameter'),
      ...(names.includes(name) ? [] : [`invalidParameters has ${JSON.stringify(names)}; expected "${name}"`]),
    ]);
  }
}

/** The elements of an answer that is a list. */
export function elementsOf({ list }: Operation, body: Json | undefined): Json[] {
  const elements = list === null ? undefined : memberOf(body, `_embedded.${list.key}`);
  return Array.isArray(elements) ? elements : [];
}

/** By what an element is told from others: its URL; all it says, where it has none. */
export const selfOf = (element: Json | undefined): string => String(memberOf(element, '_links.self.href') ?? JSON.stringify(element));
