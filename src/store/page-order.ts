import type { PageSearch } from './search.js';

/** The names of the scalar properties of an element. Nested properties use a dot: `monument.height`. */
export type PropertyOf<T> = T extends unknown
  ? {
      [Name in keyof T & string]: NonNullable<T[Name]> extends readonly unknown[]
        ? never
        : NonNullable<T[Name]> extends object
          ? `${Name}.${PropertyOf<NonNullable<T[Name]>>}`
          : Name;
    }[keyof T & string]
  : never;

/** What an order is made of. */
export interface Ordered {
  /** The column that orders elements which compare equal. */
  id: string;
  /** The SQL expression of each property. */
  properties: Record<string, string>;
  /** The properties that have the same value in all elements. */
  constant?: readonly string[];
  /** The properties that are always known. */
  known: readonly string[];
}

/** A table that triggers maintain: how many elements have each combination of values of some properties. */
export interface Counts {
  from: string;
  /** The column with the number of elements. */
  number: string;
  /** The SQL expression of each property. */
  properties: Record<string, string>;
}

/** A term of an order. */
export interface Term {
  property: string;
  sql: string;
  descending: boolean;
  /** Where unknown values come; null if all are known. */
  unknown: 'last' | 'first' | null;
}

/** The SQL of a property. @throws {Error} if there is no such property; callers check names against the contract */
export function sqlOf({ properties }: Pick<Ordered, 'properties'>, property: string): string {
  if (!Object.hasOwn(properties, property)) throw new Error(`no property "${property}" to search by`);
  return properties[property]!;
}

/** Whether a table of counts has some properties. */
export const hasAll = ({ properties }: Counts, names: string[]): boolean => names.every((name) => Object.hasOwn(properties, name));

/** The terms of an order. An index can serve it only if no term is needless. */
export function termsOf(table: Ordered, sort: PageSearch['sort']): Term[] {
  const terms: Term[] = [];
  for (const { property, descending } of sort) {
    if (table.constant?.includes(property)) continue;
    const sql = sqlOf(table, property);
    terms.push({ property, sql, descending, unknown: table.known.includes(property) ? null : 'last' });
    if (sql === table.id) return terms;
  }
  return [...terms, { property: 'id', sql: table.id, descending: false, unknown: null }];
}

/** The opposite order. */
export const reversed = (terms: Term[]): Term[] =>
  terms.map(({ unknown, ...term }) => ({
    ...term,
    descending: !term.descending,
    unknown: unknown === null ? null : unknown === 'last' ? 'first' : 'last',
  }));

/** Where a page is, counted from the nearer end. */
export interface Place {
  /** The order is reversed. */
  backwards: boolean;
  offset: number;
  /** How many elements the page has. */
  limit: number;
}

/** Where a page is; null if it is after the last one. */
export function placeOf(total: number, { page, size }: { page: number; size: number }): Place | null {
  const offset = page * size;
  const limit = Math.min(size, total - offset);
  if (limit <= 0) return null;
  const after = total - offset - limit;
  return after < offset ? { backwards: true, offset: after, limit } : { backwards: false, offset, limit };
}
