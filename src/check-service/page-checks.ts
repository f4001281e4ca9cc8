import { DEFAULT_INSTALLATIONS_SIZE, DEFAULT_PAGE_SIZE, MAXIMUM_PAGE_SIZE } from '../../schemas/paging.js';
import { isObject, type Json, memberOf } from './json.js';
import type { Run } from './probe.js';
import type { Operation } from './published-contract.js';

const numberAt = (body: Json, path: string): number => Number(memberOf(body, path));

/** The size of a page whose request does not say it. @param key the key of the elements in `_embedded` */
const defaultSizeOf = (key: string): number => (key === 'installations' ? DEFAULT_INSTALLATIONS_SIZE : DEFAULT_PAGE_SIZE);

/** Checks the numbers of a page against the request and its elements. */
export function pageProblems(url: string, { list }: Operation, body: Json): string[] {
  const query = new URL(url).searchParams;
  const wanted = {
    size: Math.min(Number(query.get('size') ?? defaultSizeOf(list!.key)), MAXIMUM_PAGE_SIZE),
    number: Number(query.get('page') ?? 0),
  };
  const size = numberAt(body, 'page.size');
  const number = numberAt(body, 'page.number');
  const total = numberAt(body, 'page.totalElements');
  const elements = memberOf(body, `_embedded.${list!.key}`);
  const count = Array.isArray(elements) ? elements.length : 0;
  const totalPages = Math.ceil(total / wanted.size);
  const expected = Math.min(wanted.size, Math.max(0, total - wanted.number * wanted.size));
  return [
    ...(size === wanted.size ? [] : [`page.size is ${size}; expected ${wanted.size}`]),
    ...(number === wanted.number ? [] : [`page.number is ${number}; expected ${wanted.number}`]),
    ...(numberAt(body, 'page.totalPages') === totalPages ? [] : [`page.totalPages is not ${totalPages}, as ${total} elements need`]),
    ...(count === expected ? [] : [`${count} elements on the page; expected ${expected} of ${total}`]),
  ];
}

/** A query as text that is independent of the order of different names, without some of them. */
function comparable(query: URLSearchParams, without: string[]): string {
  const names = [...new Set(query.keys())].filter((name) => !without.includes(name)).sort();
  return names.map((name) => `${name}=${JSON.stringify(query.getAll(name))}`).join('&');
}

/** The URL of a link; null if it is missing or malformed. */
function hrefOf(body: Json, relation: string): string | null {
  const links = memberOf(body, '_links');
  const href = isObject(links) ? memberOf(links[relation], 'href') : undefined;
  return typeof href === 'string' && URL.canParse(href) ? href : null;
}

/** Checks the links of a page: which exist, where they lead, and that they preserve the query. */
export function pageLinkProblems(run: Run, url: string, operation: Operation, body: Json): string[] {
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
  const problems = Object.entries(wanted).flatMap(([relation, page]) => {
    const href = hrefOf(body, relation);
    if (page === null || href === null) {
      const state = page === null ? 'unexpected' : 'missing';
      return (page === null) === (href === null) ? [] : [`${state} link ${relation} on page ${number} of ${total}`];
    }
    const query = new URL(href).searchParams;
    const preserved = comparable(asked, ['page', 'size']);
    const found = comparable(query, ['page', 'size']);
    return [
      ...(href.split('?')[0] === url.split('?')[0] ? [] : [`${relation} leads to ${href}`]),
      ...(Number(query.get('page') ?? 0) === page ? [] : [`${relation} leads to page ${query.get('page')}; expected ${page}`]),
      ...(Number(query.get('size') ?? DEFAULT_PAGE_SIZE) === size ? [] : [`${relation} has size ${query.get('size')}; expected ${size}`]),
      ...(found === preserved ? [] : [`${relation} has ${found || 'no filter'}; expected ${preserved || 'none'}`]),
    ];
  });
  return [...problems, ...resourceLinkProblems(run, url, operation, body)];
}

/** Checks the links of a page to its own resource, its profile and its searches. */
function resourceLinkProblems({ base, contract }: Run, url: string, operation: Operation, body: Json): string[] {
  const path = url.split('?')[0]!;
  const asked = new URL(url).searchParams;
  const collection = contract.collectionOf(operation.list?.element);
  const profile = `/profile${collection?.path}`;
  const hasProfile = contract.operationOf(profile) !== undefined;
  const search = `${operation.path}/search`;
  const found = { self: hrefOf(body, 'self') ?? '', profile: hrefOf(body, 'profile'), search: hrefOf(body, 'search') };
  // The self link of a collection is its bare path. Any other needs at least the required parameters.
  const bare = hasProfile && collection === operation;
  const required = operation.parameters.filter((each) => each.in === 'query' && each.required);
  const query = new URL(found.self, base).searchParams;
  const lost = required.some(({ name }) => query.get(name) !== asked.get(name));
  return [
    ...(hasProfile && found.profile !== base + profile ? [`profile is ${found.profile}; expected ${base}${profile}`] : []),
    ...((bare ? found.self !== path : lost || found.self.split('?')[0] !== path) ? [`self is ${found.self}`] : []),
    ...(contract.operationOf(search) !== undefined && found.search !== base + search
      ? [`search is ${found.search}; expected ${base}${search}`]
      : []),
  ];
}
