import { type Findings, unless } from './findings.js';
import { elementsOf, isObject, type Json, type JsonObject, memberOf } from './json.js';
import type { Schemas } from './schemas.js';
import type { Answer, Pairs, Service } from './service.js';

/** A collection of which pages are read. */
interface Collection {
  /** How many elements it has. */
  total: number;
  /** How many elements a page has, as the service says. */
  size: number;
  /** The elements that pages had so far. */
  seen: Set<string>;
}

/** Which pages are read. */
export interface PageLimits {
  /** How many pages are read, besides the last. */
  pages: number;
  /** How many elements a page has at most. */
  pageSize: number;
}

/** The elements of a page: the array that its schema has, below `_embedded` or not. */
function elementsOn(page: Json | undefined, schema: JsonObject, schemas: Schemas): Json[] {
  if (page === undefined) return [];
  const { properties } = schemas.schemaFor(schema, page);
  if (!isObject(properties)) return [];
  const array = Object.keys(properties).find(
    (name) => memberOf(properties[name], 'type') === 'array',
  );
  if (array !== undefined) return elementsOf(memberOf(page, array));
  const embedded = properties._embedded;
  return isObject(embedded) ? elementsOn(memberOf(page, '_embedded'), embedded, schemas) : [];
}

/** The URL of a link of a page. */
function linkOf(page: Json | undefined, name: string): string | undefined {
  const href = memberOf(page, `_links.${name}.href`);
  return typeof href === 'string' ? href : undefined;
}

/**
 * Reads a collection from its first page on, and then its last page, if the answer is a page. The
 * service may have smaller pages than requested. Each element with a link to itself must be on one
 * page only, and the totals must agree.
 *
 * @param first an answer without `page` and `size`
 */
export async function checkPages(
  service: Service,
  path: string,
  pairs: Pairs,
  first: Answer,
  findings: Findings,
  { pages, pageSize }: PageLimits,
): Promise<void> {
  const total = memberOf(first.json, 'page.totalElements');
  if (typeof total !== 'number') return;
  const { schemas } = service.contract;
  findings.add(first.request, pageProblems(first, 0, collectionOf(first, total), schemas));
  const requested = Math.min(pageSize, Math.max(1, Math.ceil(total / pages)));
  const url = service.url(path, [...pairs, ['size', String(requested)]]);
  let answer = await service.get(url, findings);
  if (answer.json === undefined) return;
  const collection = collectionOf(answer, total);
  const { size } = collection;
  findings.add(answer.request, [
    ...unless(
      size >= 1 && size <= requested,
      `page.size is ${size}; expected ${requested} or less`,
    ),
    ...pageProblems(answer, 0, collection, schemas),
  ]);
  const linkBelow = (name: string): string | undefined => {
    const href = linkOf(answer.json, name);
    return href?.startsWith(`${service.base}/`) === true ? href : undefined;
  };
  const last = linkBelow('last');
  const lastNumber = Math.ceil(total / size) - 1;
  let number = 0;
  let next = linkBelow('next');
  while (next !== undefined && number + 1 < pages) {
    number += 1;
    answer = await service.get(next, findings);
    findings.add(answer.request, pageProblems(answer, number, collection, schemas));
    next = linkBelow('next');
  }
  if (number >= lastNumber) return;
  if (last === undefined) {
    findings.add(url.slice(service.base.length), ['the link last is missing']);
    return;
  }
  answer = await service.get(last, findings);
  findings.add(answer.request, pageProblems(answer, lastNumber, collection, schemas));
}

const collectionOf = ({ json }: Answer, total: number): Collection => ({
  total,
  size: Number(memberOf(json, 'page.size')),
  seen: new Set(),
});

/** What is wrong with a page: its place, its number of elements, and its link to the next one. */
function pageProblems(
  { json, schema }: Answer,
  number: number,
  { total, size, seen }: Collection,
  schemas: Schemas,
): string[] {
  if (json === undefined) return [];
  const totalPages = Math.ceil(total / size);
  const page = JSON.stringify(memberOf(json, 'page'));
  const expected = JSON.stringify({ size, totalElements: total, totalPages, number });
  const elements = elementsOn(json, schema, schemas);
  const wanted = Math.min(size, total - number * size);
  const hasNext = linkOf(json, 'next') !== undefined;
  const problems = [
    ...unless(page === expected, `page is ${page}; expected ${expected}`),
    ...unless(elements.length === wanted, `${elements.length} elements; expected ${wanted}`),
    ...unless(hasNext === number < totalPages - 1, 'next is missing, or is on the last page'),
  ];
  for (const self of elements.map((each) => linkOf(each, 'self'))) {
    if (self === undefined) continue;
    problems.push(...unless(!seen.has(self), `${self} is repeated`));
    seen.add(self);
  }
  return problems;
}
