/** What searches for Setups, Sites and devices have in common. */

/** The value of a scalar property. */
export type Scalar = string | number | boolean;

/** Which page of something. */
export interface Paging {
  /** The number of the page, from 0. */
  page: number;
  /** Elements per page. */
  size: number;
}

/** Which elements of a collection, in which order, and which page of them. */
export interface PageSearch extends Paging {
  /** A property and its allowed values; an empty list selects elements where it is unknown. Elements must pass every filter. */
  filters: { property: string; values: Scalar[] }[];
  /** The sort order; the first entry counts most. Unknown values come last. Equal elements are in the order of their ids. */
  sort: { property: string; descending: boolean }[];
}

/**
 * Where a search found its words: `current` if all are in what is true now; `former` if some are only in equipment that is no
 * longer in use.
 */
export type FoundBy = 'current' | 'former';

/** The elements of a page are too large to be answered at once. */
export class PageTooLarge extends Error {
  override readonly name = 'PageTooLarge';

  /** @param fits how many of them are not too large */
  constructor(readonly fits: number) {
    super(`the page is too large; ${fits} of its elements would not be`);
  }
}

/** One page of a search, and how many elements match in all. */
export interface Found<T> {
  elements: T[];
  totalElements: number;
}
