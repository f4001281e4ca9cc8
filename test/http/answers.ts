import { setImmediate } from 'node:timers/promises';
import type { LightMyRequestResponse } from 'fastify';
import t, { type Test } from 'tap';
import type { Page, PageLinks, Problem } from '../../schemas/index.js';
import { problemType } from '../../src/http/wire/problems.js';
import { readStoredLog } from '../../src/import-site-logs.js';
import { parseSiteId } from '../../src/requests/site-id.js';
import type { Correction } from '../../src/store/save/corrections.js';
import { openWriter } from '../../src/store/open.js';
import { FIXED_HEADERS } from '../fixed-headers.js';
import type { Service } from '../service.js';
import { violations } from '../violations.js';

/** What tests of answers share. */

export const HAL = 'application/hal+json;charset=UTF-8';
export const PROBLEM = 'application/problem+json';

export const CURRENT = '/setups/search/findCurrentByFourCharacterId';

/** A page of a collection. */
export interface Paged<T = Record<string, unknown>> {
  _embedded: Record<string, T[]>;
  _links: PageLinks;
  page: Page;
}
/** The elements of a page, or of a list. */
export const elementsIn = <T>({ _embedded }: Pick<Paged<T>, '_embedded'>): T[] =>
  Object.values(_embedded)[0]!;

/** The header fields of an answer, without those of the transport. */
export const fieldsOf = ({
  date: _,
  connection: __,
  'keep-alive': ___,
  ...fields
}: Record<string, unknown>) => fields;

type Getter = Pick<Service, 'get'>;

/** The body of an answer, which must be a success and valid against a published schema. */
export async function read<T>(t: Test, { get }: Getter, schema: string, url: string): Promise<T> {
  const { statusCode, body } = await get(url);
  const wrong = statusCode === 200 ? violations(schema, JSON.parse(body)) : body.slice(0, 500);
  t.same([statusCode, wrong], [200, []], `${url.slice(0, 120)}: ${schema}`);
  return JSON.parse(body) as T;
}

/**
 * The elements of all pages from a URL on, following `next`. Each page must be valid against a
 * schema, and the totals must be right.
 */
export async function walk<T>(t: Test, service: Getter, schema: string, url: string): Promise<T[]> {
  const pages: Paged<T>[] = [];
  for (let next: string | undefined = url; next !== undefined;) {
    const page: Paged<T> = await read(t, service, schema, next);
    pages.push(page);
    next = page._links.next?.href;
  }
  const elements = pages.flatMap(elementsIn);
  const { totalElements, totalPages } = pages[0]!.page;
  t.same([elements.length, pages.length], [totalElements, Math.max(1, totalPages)], url);
  return elements;
}

/**
 * The problem document in an answer with exactly the header fields of the contract, and those that
 * its status demands.
 */
export function problemOf(
  t: Test,
  { statusCode, headers, rawPayload, body }: LightMyRequestResponse,
  named = '',
): Problem {
  const problem = JSON.parse(body) as Problem;
  const { allow: _, 'retry-after': __, ...fields } = fieldsOf(headers);
  const expected = {
    ...FIXED_HEADERS,
    'content-type': PROBLEM,
    'content-length': String(rawPayload.length),
  };
  t.same(
    [violations('Problem', problem), problem.status, fields],
    [[], statusCode, expected],
    named,
  );
  return problem;
}

/** The problem document of a request that is refused with a status and a kind. */
export async function refused(
  t: Test,
  { get }: Getter,
  url: string,
  status: number,
  kind: string,
): Promise<Problem> {
  const named = url.slice(0, 120);
  const problem = problemOf(t, await get(url), named);
  t.same([problem.status, problem.type], [status, problemType(kind as 'not-found')], named);
  return problem;
}

/** Corrects the record of a Site. */
export async function correct(
  { database }: Service,
  site: string,
  correction: Correction,
  now = new Date(),
): Promise<void> {
  await setImmediate();
  const store = await openWriter(database);
  const { kind } = await store
    .correct(parseSiteId(site), correction, () => now, readStoredLog)
    .finally(() => store.close());
  t.equal(kind, 'corrected', `${correction.kind} ${site}`);
}

/** A text as it is searched for contacts: without case, line breaks and character references. */
export const folded = (text: string): string =>
  text
    .replace(/\\n|\n\s*:?/g, ' ')
    .replace(/&#x([\da-f]+);/gi, (_, code: string) => String.fromCodePoint(parseInt(code, 16)))
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/\s+/g, ' ')
    .toLowerCase();
