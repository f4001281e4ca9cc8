import { DEFAULT_PAGE_SIZE, MAXIMUM_PAGE_SIZE, type Page, type PageLinks } from '../../schemas/index.js';
import { href, type QueryValues } from '../links.js';

/** Which page a query asks for. */
export interface PageRequest {
  page: number;
  size: number;
}

/** The page a query asks for: 0 and 20 where it does not say; at most 1000 elements. */
export function pageRequest(query: { page?: number; size?: number }): PageRequest {
  return { page: query.page ?? 0, size: Math.min(query.size ?? DEFAULT_PAGE_SIZE, MAXIMUM_PAGE_SIZE) };
}

/** The `page` of a paged body. */
export function pageOf({ page, size }: PageRequest, totalElements: number): Page {
  return { size, totalElements, totalPages: Math.ceil(totalElements / size), number: page };
}

/**
 * The `_links` of a paged body. `self` is the bare path of the collection; the others keep the filter and the size.
 * @param path the path of the collection
 * @param profile the path of its profile
 * @param filter the parameters that chose the elements
 */
export function pageLinks(base: string, path: string, profile: string, filter: QueryValues, { size, totalPages, number }: Page): PageLinks {
  const to = (page: number) => ({ href: href(base, path, { query: { ...filter, page, size } }) });
  const several = totalPages > 1;
  return {
    ...(several && { first: to(0) }),
    ...(number > 0 && totalPages > 0 && { prev: to(Math.min(number, totalPages) - 1) }),
    self: { href: href(base, path) },
    ...(number + 1 < totalPages && { next: to(number + 1) }),
    ...(several && { last: to(totalPages - 1) }),
    profile: { href: href(base, profile) },
  };
}
