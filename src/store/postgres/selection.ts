import type { Counts, Ordered, Term } from '../page-order.js';
import { hasAll, sqlOf } from '../page-order.js';
import type { PageSearch, Scalar } from '../search.js';
import type { Parameter } from './client.js';

/** What pages of a noun are read from. */
export interface Table extends Ordered {
  from: string;
  columns: string;
  /** What the columns are read from; {@link from} by default. */
  source?: string;
  /** A condition that all elements meet. */
  where?: string;
  /** The SQL of the length of the text of an element, in bytes. */
  size: string;
  counts?: Counts;
}

/** The values that a statement binds. */
export class Bindings {
  readonly values: Parameter[] = [];

  /** Binds a value, and returns what stands for it in the statement: `$1`. */
  add(value: Parameter): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/** A condition as SQL, which binds its values. */
export type Condition = (bindings: Bindings) => string;

/** Whether PostgreSQL can have a text. It has no null characters. */
export const isStorable = (text: string): boolean => !text.includes('\0');

/** Whether a number can be an id. */
export const isId = (value: number): boolean => Number.isSafeInteger(value);

/** The condition that an expression has one of some values; that it is unknown if there are none. */
function toCondition(sql: string, values: Scalar[]): Condition {
  if (values.length === 0) return () => `${sql} IS NULL`;
  const possible = values.filter((value) => typeof value !== 'string' || isStorable(value));
  const [first, ...more] = possible;
  if (first === undefined) return () => 'false';
  // The numbers of a request may be too large for a bigint, or not whole.
  const cast = possible.some((value) => typeof value === 'number' && !isId(value)) ? '::double precision' : '';
  if (more.length === 0) return (bindings) => `${sql}${cast} = ${bindings.add(first)}`;
  return (bindings) => `${sql}${cast} = ANY (${bindings.add(possible)}${cast && `${cast}[]`})`;
}

/** The WHERE clause of conditions that must all be met. */
function allOf(conditions: Condition[], bindings: Bindings): string {
  return conditions.length === 0 ? '' : `WHERE ${conditions.map((condition) => condition(bindings)).join(' AND ')}`;
}

/** The terms of an order as SQL. */
export const orderBy = (terms: Term[]): string =>
  terms
    .map(({ sql, descending, unknown }) => `${sql}${descending ? ' DESC' : ''}${unknown === null ? '' : ` NULLS ${unknown.toUpperCase()}`}`)
    .join(', ');

const filtersOn = (table: Pick<Ordered, 'properties'>, filters: PageSearch['filters']): Condition[] =>
  filters.map(({ property, values }) => toCondition(sqlOf(table, property), values));

/** The rows of a table that a search selects, as parts of one statement. */
export class Selection {
  private clauses: string | null = null;

  /** @param conditions in addition to the filters */
  constructor(
    private readonly table: Table,
    private readonly filters: PageSearch['filters'],
    private readonly conditions: Condition[],
    private readonly bindings: Bindings,
  ) {}

  /** The FROM and WHERE clauses. Values are bound once, and only if a statement needs them. */
  private get matching(): string {
    const { from, where } = this.table;
    const base: Condition[] = where === undefined ? [] : [() => where];
    this.clauses ??= `FROM ${from} ${allOf([...base, ...filtersOn(this.table, this.filters), ...this.conditions], this.bindings)}`;
    return this.clauses;
  }

  /** The statement for how many there are, as `number`. */
  count(): string {
    const { counts } = this.table;
    const isCounted =
      counts !== undefined &&
      this.conditions.length === 0 &&
      hasAll(
        counts,
        this.filters.map(({ property }) => property),
      );
    if (!isCounted) return `SELECT count(*) AS number ${this.matching}`;
    const clause = allOf(filtersOn(counts, this.filters), this.bindings);
    return `SELECT coalesce(sum(${counts.number}), 0) AS number FROM ${counts.from} ${clause}`;
  }

  /** The statement for some columns of all of them. */
  select(columns: string): string {
    return `SELECT ${columns} ${this.matching}`;
  }

  /** The statement for the ids at a place in an order, as `_id`, with their places, as `_position`. */
  ids(terms: Term[], { offset, limit, backwards = false }: { offset: number; limit: number; backwards?: boolean }): string {
    const keys = terms.map(({ sql }, index) => `${sql} AS "_${index}"`).join(', ');
    const place = `LIMIT ${this.bindings.add(limit)} OFFSET ${this.bindings.add(offset)}`;
    const found = `SELECT ${this.table.id} AS "_id", ${keys} ${this.matching} ORDER BY ${orderBy(terms)} ${place}`;
    // Number only what was found: what is skipped would take twice as long.
    const order = orderBy(terms.map((term, index) => ({ ...term, sql: `"_${index}"` })));
    return `SELECT "_id", ${backwards ? '-' : ''}row_number() OVER (ORDER BY ${order}) AS "_position" FROM (${found}) AS found`;
  }

  /** The statement for all ids in an order, as {@link ids} has them. */
  allIds(order: string): string {
    return `SELECT ${this.table.id} AS "_id", row_number() OVER (ORDER BY ${order}) AS "_position" ${this.matching}`;
  }
}
