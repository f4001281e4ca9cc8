import type { Found, PageSearch, Scalar } from '../search.js';
import type { Connection, Value } from './connection.js';

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

/** What pages of a noun are read from. */
export interface Table {
  from: string;
  columns: string;
  /** A condition that all elements meet. */
  where?: string;
  /** The column that orders elements which compare equal. */
  id: string;
  /** The SQL expression of each property. */
  properties: Record<string, string>;
  /** The properties that have the same value in all elements. */
  constant?: readonly string[];
  /** The properties that are always known. */
  known: readonly string[];
}

/** A condition and the values that it binds. */
export type Condition = [sql: string, ...values: Value[]];

/** SQLite has no booleans. */
const bound = (value: Scalar): string | number => (typeof value === 'boolean' ? Number(value) : value);

/** The SQL of a property. @throws {Error} if there is no such property; callers check names against the contract */
function sqlOf({ properties }: Table, property: string): string {
  if (!Object.hasOwn(properties, property)) throw new Error(`no property "${property}" to search by`);
  return properties[property]!;
}

/** The terms of an order. An index can serve it only if no term is needless. */
function termsOf(table: Table, sort: PageSearch['sort']): string[] {
  const terms: string[] = [];
  for (const { property, descending } of sort) {
    if (table.constant?.includes(property)) continue;
    const sql = sqlOf(table, property);
    if (!table.known.includes(property)) terms.push(`${sql} IS NULL`);
    terms.push(descending ? `${sql} DESC` : sql);
    if (sql === table.id) return terms;
  }
  return [...terms, table.id];
}

function toCondition(sql: string, values: Scalar[]): Condition {
  const [first, ...more] = values.map(bound);
  if (first === undefined) return [`${sql} IS NULL`];
  return more.length === 0 ? [`${sql} = ?`, first] : [`${sql} IN (SELECT value FROM json_each(?))`, JSON.stringify([first, ...more])];
}

/** Finds a page of rows; two reads, within the transaction of the caller. @param conditions in addition to the filters */
export function findRows<Row extends object>(
  connection: Connection,
  table: Table,
  search: PageSearch,
  conditions: Condition[] = [],
): Found<Row> {
  const all: Condition[] = [
    [table.where ?? 'TRUE'],
    ...search.filters.map(({ property, values }) => toCondition(sqlOf(table, property), values)),
    ...conditions,
  ];
  const values = all.flatMap(([, ...each]) => each);
  const matching = `FROM ${table.from} WHERE ${all.map(([sql]) => sql).join(' AND ')}`;
  const order = termsOf(table, search.sort).join(', ');
  // Sort and skip ids only, and read the documents of just the page.
  const page = { columns: table.columns, from: table.from, id: table.id, matching, order, values };
  return readPage(connection, page, search);
}

/** The parts of the statements of {@link readPage}. */
interface PageStatement {
  columns: string;
  /** What the columns are from, and the column that identifies a row. */
  from: string;
  id: string;
  /** The FROM and WHERE clauses. */
  matching: string;
  order: string;
  values: Value[];
}

/** Reads a page of rows and the number of all that match; two reads, within the transaction of the caller. */
export function readPage<Row extends object>(
  connection: Connection,
  { columns, from, id, matching, order, values }: PageStatement,
  { page, size }: { page: number; size: number },
): Found<Row> {
  return {
    elements: connection.page<Row>(
      `SELECT ${columns} FROM ${from} WHERE ${id} IN (SELECT ${id} ${matching} ORDER BY ${order} LIMIT ? OFFSET ?) ORDER BY ${order}`,
      ...values,
      size,
      page * size,
    ),
    totalElements: connection.get<{ number: number }>(`SELECT count(*) AS number ${matching}`, ...values)!.number,
  };
}
