import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import type { Database } from './database.js';
import { allOf, type Dialect, type Scalar } from './dialect.js';
import { columnKind, type TableName, TABLES } from './schema.js';

/** Which page to read. */
export interface Paging {
  /** The number of the page, from 0. */
  page: number;
  /** Elements per page. */
  size: number;
}

/** The page of what there is only one of. */
export const ONLY_ONE: Paging = { page: 0, size: 1 };

/** Which elements of a collection, in which order, and which page of them. */
export interface PageSearch extends Paging {
  /**
   * A property and its allowed values; an empty list selects elements where it is unknown. Elements
   * must pass every filter. With `ignoresCase`, case does not count.
   */
  filters: { property: string; values: Scalar[]; ignoresCase?: boolean }[];
  /**
   * The sort order; the first entry counts most. Unknown values come last. Equal elements are in
   * the order of their ids.
   */
  sort: { property: string; descending: boolean }[];
}

/**
 * Where a search found its words: `current` if all are in what is true now, `former` if some are
 * only in former equipment.
 */
export type FoundBy = 'current' | 'former';

/** The elements of a page are too large to be answered at once. */
export class PageTooLarge extends Error {
  override readonly name = 'PageTooLarge';

  /** @param fits how many of them would not be too large */
  constructor(readonly fits: number) {
    super(`the page is too large; ${fits} of its elements would not be`);
  }
}

/** One page of a search, and how many elements match in all. */
export interface Found<T> {
  elements: T[];
  totalElements: number;
}

/** What pages of a noun are read from. */
export interface PageTable {
  /** Where elements are found: the FROM clause of the conditions and the order. */
  from: string;
  /** What the columns are read from; {@link from} by default. */
  source?: string;
  /** The columns of an element, one of which is its `id`. */
  columns: string | Sql;
  /** The expression of the id. Elements that compare equal are in its order. */
  id: string;
  /** A condition that all elements meet. */
  where?: string;
  /** The expression of each property that searches filter and sort by. */
  properties: Readonly<Record<string, string>>;
  /** The properties that are always known. */
  known: readonly string[];
  /** The properties that have the same value in all elements. */
  constant?: readonly string[];
}

/**
 * The names of the scalar properties of an element. Nested properties use a dot: `monument.height`.
 */
export type PropertyOf<T> = T extends unknown
  ? {
      [Name in keyof T & string]: NonNullable<T[Name]> extends readonly unknown[]
        ? never
        : NonNullable<T[Name]> extends object
          ? `${Name}.${PropertyOf<NonNullable<T[Name]>>}`
          : Name;
    }[keyof T & string]
  : never;

/**
 * The expression of a property.
 * @throws {Error} if there is no such property; callers check names against the contract
 */
function expressionOf({ properties }: Pick<PageTable, 'properties'>, property: string): string {
  if (!Object.hasOwn(properties, property))
    throw new Error(`no property "${property}" to search by`);
  return properties[property]!;
}

/** The conditions of filters. */
export const filtersOn = (
  dialect: Dialect,
  table: Pick<PageTable, 'properties'>,
  filters: PageSearch['filters'],
): Sql[] =>
  filters.map(({ property, values, ignoresCase = false }) => {
    const expression = expressionOf(table, property);
    if (values.length === 0) return sql`${raw(expression)} IS NULL`;
    if (!ignoresCase) return dialect.isOneOf(expression, values);
    const inUpperCase = values.map((value) => String(value).toUpperCase());
    return dialect.isOneOf(`upper(${expression})`, inUpperCase);
  });

/** A term of a sort order: what it sorts by, and the SQL that follows. */
export interface Term {
  expression: Sql;
  direction: string;
}

/**
 * The terms of a sort order. Unknown values come last.
 * @param byDefault the first terms if no order was requested
 */
function termsOf(
  table: PageTable,
  sort: PageSearch['sort'],
  byDefault: readonly Term[] = [],
): Term[] {
  const terms = sort
    .filter(({ property }) => !table.constant?.includes(property))
    .map(({ property, descending }) => {
      const nulls = table.known.includes(property) ? '' : ' NULLS LAST';
      return {
        expression: raw(expressionOf(table, property)),
        direction: `${descending ? ' DESC' : ''}${nulls}`,
      };
    });
  const ofId = terms.findIndex(({ expression }) => expression.sql === table.id);
  // Ids are unique, so terms after them would have no effect.
  if (ofId >= 0) return terms.slice(0, ofId + 1);
  return [...(sort.length === 0 ? byDefault : terms), { expression: raw(table.id), direction: '' }];
}

/** Columns as SQL. */
export const columnsAs = (columns: string | Sql): Sql =>
  typeof columns === 'string' ? raw(columns) : columns;

/** The statement for the elements that meet conditions. */
export const selectFrom = (
  { from, where }: Pick<PageTable, 'from' | 'where'>,
  columns: string | Sql,
  conditions: readonly Sql[],
): Sql =>
  sql`SELECT ${columnsAs(columns)} FROM ${raw(from)}
    WHERE ${allOf(where === undefined ? conditions : [raw(where), ...conditions])}`;

/** How many elements meet conditions. */
export async function countFrom(
  db: Database,
  table: Pick<PageTable, 'from' | 'where'>,
  conditions: readonly Sql[],
): Promise<number> {
  return (await db.get<{ number: number }>(selectFrom(table, 'count(*) AS number', conditions)))!
    .number;
}

/** The most text that one page may have; of its rows, in UTF-16 code units. */
export const LARGEST_PAGE = 8 * 1024 ** 2;
/**
 * How many elements are read at once, so that a page that is too large is noticed before all of it
 * is in memory.
 */
const ELEMENTS_READ_AT_ONCE = 100;

/**
 * Checks the texts of the elements of a page, as {@link partsOf} does.
 * @throws {PageTooLarge} if they are too long to be answered at once; a single one never is
 */
export function checkLength(texts: readonly string[]): void {
  let length = 0;
  for (const [index, text] of texts.entries()) {
    length += text.length;
    if (length > LARGEST_PAGE && index > 0) throw new PageTooLarge(index);
  }
}

/** The lengths of the texts of a row, in UTF-16 code units. */
const textLength = (row: object): number =>
  (Object.values(row) as unknown[]).reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? value.length : 0),
    0,
  );

/**
 * Reads the parts of the elements of a page, in their order.
 * @param read may return any order
 * @param elementOf the id of a row's element
 * @throws {PageTooLarge} if they have too much text to be answered at once; those of a single
 *   element never do
 */
export async function partsOf<Row extends object>(
  ids: readonly number[],
  read: (ids: number[]) => Promise<Row[]>,
  elementOf: (row: Row) => number,
): Promise<Map<number, Row[]>> {
  const parts = new Map<number, Row[]>();
  let length = 0;
  let complete = 0;
  for (let first = 0; first < ids.length; first += ELEMENTS_READ_AT_ONCE) {
    const some = ids.slice(first, first + ELEMENTS_READ_AT_ONCE);
    const rows = Map.groupBy(await read(some), elementOf);
    for (const id of some) {
      const own = rows.get(id) ?? [];
      length += own.reduce((sum, row) => sum + textLength(row), 0);
      if (length > LARGEST_PAGE && complete > 0) throw new PageTooLarge(complete);
      if (own.length > 0) complete++;
      parts.set(id, own);
    }
  }
  return parts;
}

/** Reads the rows of a table with some ids, in the order of the ids. @throws {PageTooLarge} */
export async function rowsOf<Row extends { id: number }>(
  db: Database,
  table: Pick<PageTable, 'from' | 'source' | 'id' | 'columns'>,
  ids: readonly number[],
): Promise<Row[]> {
  const columns = columnsAs(table.columns);
  const source = raw(table.source ?? table.from);
  const read = (some: number[]): Promise<Row[]> =>
    db.all<Row>(sql`SELECT ${columns} FROM ${source} WHERE ${db.dialect.isOneOf(table.id, some)}`);
  const rows = await partsOf(ids, read, (row) => row.id);
  return ids.flatMap((each) => rows.get(each) ?? []);
}

/**
 * Up to this many elements are found first and then sorted. If there are more, an index in that
 * order finds a page sooner.
 */
const SORTED = 50_000;

/** Selects rows, their order and a page of them. By default, all rows in the order of their ids. */
type RowSearch = Paging & Partial<PageSearch>;

/** All conditions of a search. */
const conditionsOf = (
  dialect: Dialect,
  table: PageTable,
  { filters = [] }: RowSearch,
  others: readonly Sql[],
): Sql[] => [...filtersOn(dialect, table, filters), ...others];

/**
 * The statement for the ids of a page. Ids come first, so that documents are neither sorted nor
 * skipped.
 * @param selected the columns, of which `id` is one
 * @param elements what follows the selection of the elements, before they are sorted
 */
function selectPage(
  table: PageTable,
  terms: readonly Term[],
  conditions: readonly Sql[],
  { page, size }: Paging,
  { selected, elements }: { selected: Sql; elements: Sql },
): Sql {
  const columns = [sql`${raw(table.id)} AS id`];
  const order: string[] = [];
  for (const [index, { expression, direction }] of terms.entries()) {
    columns.push(sql`${expression} AS ${raw(`term${index}`)}`);
    order.push(`term${index}${direction}`);
  }
  return sql`
    SELECT ${selected}
    FROM (${selectFrom(table, join(columns), conditions)} ${elements}) AS found
    ORDER BY ${raw(order.join(', '))} LIMIT ${size} OFFSET ${page * size}`;
}

/**
 * A page of rows, and how many there are; several reads, in one state. They are counted first. If
 * conditions cost less than sorting, their number decides how to find the page.
 */
export async function findCounted<Row extends { id: number }>(
  db: Database,
  table: PageTable,
  search: RowSearch,
  conditions: readonly Sql[],
): Promise<Found<Row>> {
  const all = conditionsOf(db.dialect, table, search, conditions);
  const totalElements = await countFrom(db, table, all);
  if (search.page * search.size >= totalElements) return { elements: [], totalElements };
  const terms = termsOf(table, search.sort ?? []);
  // Both engines find what a subquery with LIMIT selects before they sort it.
  const sortsLast = all.length > 0 && totalElements <= SORTED;
  const rows = await db.all<{ id: number }>(
    selectPage(table, terms, all, search, {
      selected: sql`id`,
      elements: sortsLast ? sql`LIMIT ${totalElements}` : empty,
    }),
  );
  const ids = rows.map(({ id }) => id);
  return { elements: await rowsOf<Row>(db, table, ids), totalElements };
}

/**
 * A page of rows, and how many there are; several reads, in one state. They are counted while the
 * page is found, for conditions and orders that compare words, distances or equipment: computing
 * these twice would cost more than sorting all rows that they find.
 * @param byDefault the first terms of the order if the search names none
 */
export async function findCountingAlong<Row extends { id: number }>(
  db: Database,
  table: PageTable,
  search: RowSearch,
  conditions: readonly Sql[],
  byDefault: readonly Term[],
): Promise<Found<Row>> {
  const all = conditionsOf(db.dialect, table, search, conditions);
  const terms = termsOf(table, search.sort ?? [], byDefault);
  const rows = await db.all<{ id: number; total: number }>(
    selectPage(table, terms, all, search, {
      selected: sql`id, count(*) OVER () AS total`,
      elements: empty,
    }),
  );
  const [first] = rows;
  if (first === undefined) {
    // A page after the last one has no row that could contain the total.
    const totalElements = search.page === 0 ? 0 : await countFrom(db, table, all);
    return { elements: [], totalElements };
  }
  const ids = rows.map(({ id }) => id);
  return { elements: await rowsOf<Row>(db, table, ids), totalElements: first.total };
}

/**
 * The condition that a period overlaps another one. A bound may be null; equal bounds stand for
 * that instant.
 */
export function overlapping(
  start: string,
  end: string,
  { from, to }: { from: string | null; to: string | null },
): Sql[] {
  const conditions: Sql[] = [];
  if (to !== null) conditions.push(sql`${raw(start)} ${raw(from === to ? '<=' : '<')} ${to}`);
  if (from !== null) conditions.push(sql`(${raw(end)} IS NULL OR ${raw(end)} > ${from})`);
  return conditions;
}

/** How many rows are read at once. A log has up to two megabytes. */
const ROWS_IN_BATCH = 2000;
const LOGS_IN_BATCH = 10;

/** All rows of a table in batches, in the order of its key. @param columns must include the key */
export async function* batchesOf<Row extends object>(
  db: Database,
  table: TableName,
  columns: readonly string[],
): AsyncGenerator<Row[]> {
  const key: readonly string[] = TABLES[table].key;
  const order = raw(key.join(', '));
  const hasBytes = columns.some((column) => columnKind(table, column) === 'bytes');
  const limit = hasBytes ? LOGS_IN_BATCH : ROWS_IN_BATCH;
  let after: Sql | undefined;
  for (;;) {
    const where = after === undefined ? sql`` : sql`WHERE (${order}) > (${after})`;
    const rows = await db.all<Row>(
      sql`SELECT ${raw(columns.join(', '))} FROM ${raw(table)} ${where}
        ORDER BY ${order} LIMIT ${limit}`,
    );
    if (rows.length > 0) yield rows;
    if (rows.length < limit) return;
    const last = rows.at(-1) as Record<string, unknown>;
    after = join(key.map((column) => last[column]));
  }
}
