import { PublishedContract } from '../../src/check-service/published-contract.js';
import type { Json } from '../../src/check-service/json.js';
import type { Answer } from './connection.js';
import { CONTRACT_FOLDER } from './processes.js';

/** What an answer depends on. */
export interface Asked {
  method: string;
  /** The target of the request, as sent; null if it is not known, as after garbled bytes. */
  target: string | null;
}

/** The header fields of the transport. */
const TRANSPORT = ['date', 'connection', 'keep-alive'];
/** The media types outside the contract, by path. */
const PAGES: [RegExp, RegExp][] = [
  [/^\/(sites|sites\/[^/]+(\/log)?|receivers|antennas)$/, /^text\/html;charset=UTF-8$/],
  [/^\/style\.css$/, /^text\/css;charset=UTF-8$/],
  [/^\/icon\.svg$/, /^image\/svg\+xml;charset=UTF-8$/],
];
const PROBLEM = 'application/problem+json';
/** Markup from a parameter or a site log that was not escaped. Our pages have no scripts and no such attributes. */
const MARKUP = /<script|<fuzz|<img src="x"|\sonerror=["']|["']onfuzz=/i;

/** The path of a target: without query, and without the authority of an absolute one. */
export const pathOf = (target: string): string => target.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/)[0]! || '/';

/** Checks answers against the exported contract, with Ajv. */
export class AnswerChecks {
  readonly contract = new PublishedContract(CONTRACT_FOLDER);

  /** What is wrong with an answer. */
  findings(asked: Asked, answer: Answer): string[] {
    const { status } = answer;
    const findings = this.headerFindings(asked, answer);
    if (status >= 500) findings.unshift(`status ${status}: ${answer.body.toString().slice(0, 300)}`);
    if (status < 200) findings.unshift(`status ${status}`);
    if (asked.method === 'HEAD' || status === 204 || status === 304) return findings;
    return [...findings, ...this.bodyFindings(asked, answer)];
  }

  /** The exact set of header fields: the nine of the contract, and those that belong to a status or to pages. */
  private headerFindings({ method, target }: Asked, { status, headers, body }: Answer): string[] {
    const findings: string[] = [];
    const valuesOf = (field: string): string[] => headers.filter(([name]) => name === field).map(([, value]) => value);
    const mustBe = (field: string, allowed: boolean, required = allowed): void => {
      const count = valuesOf(field).length;
      if (count > 1) findings.push(`${count} ${field}`);
      if (count > 0 && !allowed) findings.push(`a ${status} with ${field}`);
      if (count === 0 && required) findings.push(`a ${status} without ${field}`);
    };
    for (const [name, value] of this.contract.headers) {
      const values = valuesOf(name);
      if (values.length !== 1 || values[0] !== value)
        findings.push(`a ${status} with ${name} ${JSON.stringify(values)}; expected "${value}"`);
    }
    const hasBody = status !== 204 && status !== 304;
    const type = valuesOf('content-type')[0] ?? '';
    const isPage = type.startsWith('text/html') || target === null || PAGES[0]![0].test(pathOf(target));
    mustBe('content-type', true);
    // A streamed body has chunks instead, unless it is empty, or ends with the connection if garbled bytes are not HTTP/1.1.
    // HEAD does not say which.
    const isStreamed =
      status === 200 &&
      (target === null
        ? valuesOf('content-length').length === 0
        : this.contract.operationAt(pathOf(target))?.operation.isStreamed === true);
    const hasLength = hasBody && !(isStreamed && body.length > 0);
    const endsWithConnection = target === null && valuesOf('connection')[0] === 'close';
    mustBe('content-length', hasLength, hasBody && !isStreamed);
    mustBe('transfer-encoding', isStreamed, isStreamed && body.length > 0 && !endsWithConnection);
    mustBe('allow', status === 405 || method === 'OPTIONS' || target === null, status === 405);
    // Only if the service is busy, not if the database cannot be read.
    mustBe('retry-after', status === 503, false);
    mustBe('location', status >= 300 && status < 400);
    // Errors of pages have it too, and so have 404s that a browser gets as a page.
    mustBe('content-security-policy', isPage, type.startsWith('text/html'));
    if (method !== 'HEAD' && hasLength && Number(valuesOf('content-length')[0]) !== body.length)
      findings.push('Content-Length is not that of the body');
    mustBe('referrer-policy', isPage, false);
    const known = [
      ...TRANSPORT,
      ...this.contract.headers.keys(),
      'content-type',
      'content-length',
      'transfer-encoding',
      'allow',
      'location',
      'retry-after',
      'content-security-policy',
      'referrer-policy',
    ];
    for (const [name, value] of headers) if (!known.includes(name)) findings.push(`an additional header field: ${name}: ${value}`);
    return findings;
  }

  private bodyFindings({ target }: Asked, { status, headers, body }: Answer): string[] {
    const type = headers.find(([name]) => name === 'content-type')?.[1] ?? '';
    if (status >= 300 && status < 400) return body.length === 0 ? [] : [`a ${status} with a body`];
    const text = body.toString();
    if (type === 'text/html;charset=UTF-8') {
      const markup = MARKUP.exec(text);
      return markup === null ? [] : [`markup that is not escaped: ${text.slice(Math.max(0, markup.index - 80), markup.index + 80)}`];
    }
    if (status >= 400) return type === PROBLEM ? this.problemFindings(status, text) : [`a ${status} of type "${type}"`];
    if (target === null) return [];
    const path = pathOf(target);
    const page = PAGES.find(([pattern]) => pattern.test(path));
    if (page !== undefined) return page[1].test(type) ? [] : [`type "${type}" of a page`];
    const operation = this.contract.operationAt(path)?.operation;
    if (operation === undefined) return [`a ${status} at a path that is not in the contract`];
    const schema = operation.responses.get(String(status))?.get(type);
    if (schema === undefined) return [`a ${status} of type "${type}", which the contract does not have`];
    if (type === 'application/x-ndjson') {
      if (text !== '' && !text.endsWith('\n')) return ['the last line is cut off'];
      return text
        .split('\n')
        .slice(0, -1)
        .flatMap((line) => this.jsonFindings(line, null));
    }
    // Atom, CSV and site logs are texts without a schema.
    return /[/+]json\b/.test(type) ? this.jsonFindings(text, schema) : [];
  }

  private problemFindings(status: number, text: string): string[] {
    const findings = this.jsonFindings(text, 'Problem');
    if (findings.length === 0 && (JSON.parse(text) as { status: number }).status !== status)
      findings.push(`another status in the body of a ${status}`);
    return findings;
  }

  private jsonFindings(text: string, schema: string | null): string[] {
    let value: Json;
    try {
      value = JSON.parse(text) as Json;
    } catch (error) {
      return [`not JSON: ${(error as Error).message}`];
    }
    if (schema === null) return [];
    return this.contract.violations(schema, value).map((violation) => `not a ${schema}: ${violation}`);
  }
}
