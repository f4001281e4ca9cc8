/** What the searches over every noun have in common. */

/** The value of a scalar property. */
export type Scalar = string | number | boolean;

/** Which elements of a collection, in which order, and which of their pages. */
export interface PageSearch {
  /** A property and the values it may have; without values, those whose property is unknown. An element must pass every filter. */
  filters: { property: string; values: Scalar[] }[];
  /** The order. Elements that compare equal come in the order in which they were first recorded, unknown values last. */
  sort: { property: string; descending: boolean }[];
  /** The number of the page, from 0. */
  page: number;
  /** Elements on a page. */
  size: number;
}

/** One page of a search, and how many elements match in all. */
export interface Found<T> {
  elements: T[];
  totalElements: number;
}
