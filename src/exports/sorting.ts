import type { PageSearch } from '../store/page.js';

/**
 * The sort order of a query.
 * @param sort validated texts: `property`, `property,asc` or `property,desc`
 */
export const sortOf = (sort: readonly string[] = []): PageSearch['sort'] =>
  sort.map((text) => {
    const [property = '', direction] = text.split(',');
    return { property, descending: direction === 'desc' };
  });
