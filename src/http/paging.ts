import { type Collection, DEFAULT_PAGE_SIZE, MAXIMUM_PAGE_SIZE, type Page, type PageLinks, type Projection } from '../../schemas/index.js';
import { href, pathOf, profilePathOf, type QueryValues, searchPathOf } from '../links.js';
import type { Found, PageSearch, Scalar } from '../store/search.js';

/** A search of a collection, and what more its elements should tell. */
export interface Search extends PageSearch {
  projection: Projection['name'] | null;
}

/** The query of a paged collection, checked: a list for each filter, and which page. */
export type PagedQuery = Record<string, unknown> & { page?: number; size?: number; sort?: string[]; projection?: Search['projection'] };

/** What a checked query of a collection asks of the store; `only` are further filters. */
export function toSearch({ properties, equipmentType }: Collection, query: PagedQuery, only: Search['filters'] = []): Search {
  const filters = properties.flatMap(({ name: property }) => {
    const values = query[property] as Scalar[] | undefined;
    return values === undefined ? [] : [{ property, values }];
  });
  return {
    filters: [...(equipmentType === null ? [] : [{ property: 'equipmentType', values: [equipmentType] }]), ...filters, ...only],
    sort: (query.sort ?? []).map((text) => {
      const [property, direction] = text.split(',');
      return { property: property!, descending: direction === 'desc' };
    }),
    page: query.page ?? 0,
    size: Math.min(query.size ?? DEFAULT_PAGE_SIZE, MAXIMUM_PAGE_SIZE),
    projection: query.projection ?? null,
  };
}

/**
 * A page as it is sent. `self` is the bare path of a collection, of a search what was asked for; the links to other
 * pages keep filter, order and projection.
 * @param path the path of the collection, or of a search over it
 */
export function pageBody<T>(
  base: string,
  collection: Collection,
  path: string,
  query: PagedQuery,
  { page: number, size }: Search,
  { elements, totalElements }: Found<T>,
): { _embedded: Record<string, T[]>; _links: PageLinks; page: Page } {
  const totalPages = Math.ceil(totalElements / size);
  const { page: _page, size: _size, sort, projection, ...filter } = query;
  const to = (page: number) => ({
    href: href(base, path, { query: { ...(filter as QueryValues), page, size, sort, projection: projection ?? undefined } }),
  });
  const several = totalPages > 1;
  return {
    _embedded: { [collection.name]: elements },
    _links: {
      ...(several && { first: to(0) }),
      ...(number > 0 && totalPages > 0 && { prev: to(Math.min(number, totalPages) - 1) }),
      self: { href: path === pathOf(collection) ? href(base, path) : href(base, path, { query: query as QueryValues }) },
      ...(number + 1 < totalPages && { next: to(number + 1) }),
      ...(several && { last: to(totalPages - 1) }),
      profile: { href: href(base, profilePathOf(collection)) },
      ...(collection.searched && path === pathOf(collection) && { search: { href: href(base, searchPathOf(collection)) } }),
    },
    page: { size, totalElements, totalPages, number },
  };
}
