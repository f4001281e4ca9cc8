import type { Run } from './probe.js';
import { isObject, type Json, memberOf, type Operation } from './published-contract.js';

/** Elements on a page when the request does not say, and at most: what the description of `size` says. */
const DEFAULT_SIZE = 20;
export const MAXIMUM_SIZE = 1000;

const numberAt = (body: Json, path: string): number => Number(memberOf(body, path));

/** What is wrong with the numbers of a page, by what was asked for and what is on it. */
export function pageProblems(url: string, { list }: Operation, body: Json): string[] {
  const query = new URL(url).searchParams;
  const wanted = {
    size: Math.min(Number(query.get('size') ?? DEFAULT_SIZE), MAXIMUM_SIZE),
    number: Number(query.get('page') ?? 0),
  };
  const size = numberAt(body, 'page.size');
  const number = numberAt(body, 'page.number');
  const total = numberAt(body, 'page.totalElements');
  const elements = memberOf(body, `_embedded.${list!.key}`);
  const count = Array.isArray(elements) ? elements.length : 0;
  const right = {
    totalPages: Math.ceil(total / wanted.size),
    elements: Math.min(wanted.size, Math.max(0, total - wanted.number * wanted.size)),
  };
  return [
    ...(size === wanted.size ? [] : [`page.size is ${size}; expected ${wanted.size}`]),
    ...(number === wanted.number ? [] : [`page.number is ${number}; expected ${wanted.number}`]),
    ...(numberAt(body, 'page.totalPages') === right.totalPages ? [] : [`page.totalPages is not ${right.totalPages} for ${total} elements`]),
    ...(count === right.elements ? [] : [`${count} elements on the page; expected ${right.elements} of ${total}`]),
  ];
}

/** A query as text that does not depend on the order of different names, without some of them. */
function comparable(query: URLSearchParams, without: string[]): string {
  const names = [...new Set(query.keys())].filter((name) => !without.includes(name)).sort();
  return names.map((name) => `${name}=${JSON.stringify(query.getAll(name))}`).join('&');
}

/** What is wrong with the links of a page: which there are, where they lead, and what of the query they keep. */
export function pageLinkProblems({ base, contract }: Run, url: string, operation: Operation, body: Json): string[] {
  const [path] = url.split('?') as [string];
  const asked = new URL(url).searchParams;
  const number = numberAt(body, 'page.number');
  const total = numberAt(body, 'page.totalPages');
  const size = numberAt(body, 'page.size');
  const wanted: Record<string, number | null> = {
    first: total > 1 ? 0 : null,
    prev: number > 0 && total > 0 ? Math.min(number, total) - 1 : null,
    next: number + 1 < total ? number + 1 : null,
    last: total > 1 ? total - 1 : null,
  };
  const links = memberOf(body, '_links');
  const hrefOf = (relation: string): string | null => {
    const href = isObject(links) ? memberOf(links[relation], 'href') : undefined;
    return typeof href === 'string' && URL.canParse(href) ? href : null;
  };

  const problems = Object.entries(wanted).flatMap(([relation, page]) => {
    const href = hrefOf(relation);
    if (page === null || href === null) {
      return (page === null) === (href === null)
        ? []
        : [`${relation} is ${page === null ? 'there' : 'missing'} on page ${number} of ${total}`];
    }
    const query = new URL(href).searchParams;
    const kept = comparable(asked, ['page', 'size']);
    const found = comparable(query, ['page', 'size']);
    return [
      ...(href.split('?')[0] === path ? [] : [`${relation} leads to ${href}`]),
      ...(Number(query.get('page') ?? 0) === page ? [] : [`${relation} leads to page ${query.get('page')}; expected ${page}`]),
      ...(Number(query.get('size') ?? DEFAULT_SIZE) === size ? [] : [`${relation} has size ${query.get('size')}; expected ${size}`]),
      ...(found === kept ? [] : [`${relation} has ${found || 'no filter'}; expected ${kept || 'none'}`]),
    ];
  });

  const self = hrefOf('self') ?? '';
  const collection = contract.collectionOf(operation.list?.element);
  const profile = `/profile${collection?.path}`;
  const profiled = contract.operations.some((each) => each.path === profile);
  if (profiled && hrefOf('profile') !== base + profile) problems.push(`profile is ${hrefOf('profile')}; expected ${base}${profile}`);
  // The link of a collection to itself is its bare path; that of anything else has at least what is required.
  const bare = profiled && collection === operation;
  const needed = operation.parameters.filter((each) => each.in === 'query' && each.required).map(({ name }) => name);
  const kept = new URL(self, base).searchParams;
  const lost = needed.some((name) => kept.get(name) !== asked.get(name));
  if (bare ? self !== path : lost || self.split('?')[0] !== path) problems.push(`self is ${self}`);
  const search = `${operation.path}/search`;
  const searched = contract.operations.some((each) => each.path === search);
  if (searched && hrefOf('search') !== base + search) problems.push(`search is ${hrefOf('search')}; expected ${base}${search}`);
  return problems;
}
