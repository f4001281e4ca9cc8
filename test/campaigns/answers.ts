import { PATHS } from '../../src/links.js';
import type { Answer } from './client.js';
import { FIXED_HEADERS } from '../fixed-headers.js';
import { violations } from '../violations.js';
import { Contract } from './contract.js';

/** The header fields that some answers have besides the nine of the contract. */
const OTHERS = [
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'allow',
  'location',
  'retry-after',
];
const OF_PAGES = ['content-security-policy', 'referrer-policy'];
/** Files of the pages, which are not in the contract. */
const FILES: Record<string, string> = {
  [PATHS.style]: 'text/css;charset=UTF-8',
  [PATHS.icon]: 'image/svg+xml;charset=UTF-8',
};
/**
 * Markup from a parameter or a site log that was not escaped. Our pages have no scripts and no such
 * attributes.
 */
const MARKUP = /<script|<fuzz|<img src="x"|\sonerror=["']|["']onfuzz=/i;

/** The path of a target: without query, and without the authority of an absolute one. */
const pathOf = (target: string): string =>
  target.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/)[0]! || '/';

/** Checks answers against the exported contract, with Ajv. */
export class AnswerChecks {
  readonly contract = new Contract();

  /** What is wrong with an answer. */
  findings(method: string, target: string, answer: Answer): string[] {
    const findings = this.headerFindings(method, target, answer);
    if (answer.status >= 500)
      findings.unshift(`status ${answer.status}: ${answer.body.toString().slice(0, 300)}`);
    if (method === 'HEAD' || answer.status === 204) return findings;
    return [...findings, ...this.bodyFindings(target, answer)];
  }

  /**
   * The exact set of header fields: the nine of the contract, and those that belong to a status or
   * to pages.
   */
  private headerFindings(
    method: string,
    target: string,
    { status, headers, body }: Answer,
  ): string[] {
    const findings: string[] = [];
    const values = (field: string): string[] =>
      headers.filter(([name]) => name === field).map(([, value]) => value);
    const has = (field: string): boolean => values(field).length > 0;
    const mustBe = (field: string, expected: boolean): void => {
      if (has(field) !== expected)
        findings.push(`a ${status} ${expected ? 'without' : 'with'} ${field}`);
    };
    for (const [name, value] of Object.entries(FIXED_HEADERS))
      if (values(name).join() !== value)
        findings.push(
          `a ${status} with ${name} ${JSON.stringify(values(name))}; expected "${value}"`,
        );
    mustBe('content-type', true);
    const isPage = /^text\/html/.test(values('content-type')[0] ?? '');
    if (isPage) mustBe('content-security-policy', true);
    if (status === 405) mustBe('allow', true);
    mustBe('location', status >= 300 && status < 400);
    // A streamed body has chunks, unless it ends with the connection, because the client is older
    // than HTTP/1.1.
    const path = pathOf(target);
    const isStreamed = status === 200 && path.startsWith('/exports/');
    if (!isStreamed) mustBe('content-length', status !== 204);
    if (!isStreamed || has('content-length')) mustBe('transfer-encoding', false);
    if (
      method !== 'HEAD' &&
      has('content-length') &&
      Number(values('content-length')[0]) !== body.length
    )
      findings.push('Content-Length is not that of the body');
    const known = [...Object.keys(FIXED_HEADERS), 'content-type', 'content-length', ...OTHERS];
    for (const [name, value] of headers)
      if (
        !known.includes(name) &&
        !(OF_PAGES.includes(name) && (isPage || method === 'HEAD' || status >= 300))
      )
        findings.push(`an additional header field: ${name}: ${value}`);
    return findings;
  }

  private bodyFindings(target: string, { status, headers, body }: Answer): string[] {
    const type = headers.find(([name]) => name === 'content-type')?.[1] ?? '';
    if (status >= 300 && status < 400) return body.length === 0 ? [] : [`a ${status} with a body`];
    const text = body.toString();
    if (type === 'text/html;charset=UTF-8') {
      const markup = MARKUP.exec(text);
      return markup === null
        ? []
        : [
            `markup that is not escaped: ${text.slice(Math.max(0, markup.index - 80), markup.index + 80)}`,
          ];
    }
    if (status >= 400)
      return type === 'application/problem+json'
        ? this.problemFindings(status, text)
        : [`a ${status} of type "${type}"`];
    const path = pathOf(target);
    if (FILES[path] !== undefined) return FILES[path] === type ? [] : [`${path} of type "${type}"`];
    const operation = this.contract.pathOf(path);
    if (operation === undefined) return [`a ${status} at a path that is not in the contract`];
    const schema = this.contract.responseOf(operation, status, type);
    if (schema === undefined)
      return [`a ${status} of type "${type}", which the contract does not have`];
    if (type === 'application/x-ndjson') {
      if (text !== '' && !text.endsWith('\n')) return ['the last line is cut off'];
      const lines = text.split('\n').slice(0, -1);
      return lines.flatMap((line) => this.jsonFindings(line, null));
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
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      return [`not JSON: ${(error as Error).message}`];
    }
    if (schema === null) return [];
    return violations(schema, value).map((violation) => `not a ${schema}: ${violation}`);
  }
}
