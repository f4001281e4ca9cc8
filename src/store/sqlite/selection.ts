import { type Counts, hasAll, type Ordered, sqlOf, type Term } from '../page-order.js';
import type { PageSearch, Scalar } from '../search.js';
import type { Connection, Value } from './connection.js';

/** An index that gives elements in the order of a property. */
export interface OrderIndex {
  /** Makes SQLite use it: `INDEXED BY …`; `NOT INDEXED` for the table itself. */
  hint: string;
  /** The other properties that it has. It serves searches that filter by no others. */
  has: readonly string[];
}

/** What pages of a noun are read from. */
export interface Table extends Ordered {
  from: string;
  columns: string;
  /** A condition that all elements meet. */
  where?: string;
  /** Only elements with this id or a higher one. Every index has the id, so it serves such a search as well. */
  firstId?: number;
  /** By the property that they order by; `id` for the order of {@link id}. */
  indexes?: Record<string, OrderIndex>;
  /** Properties with so many values that few elements share one: the hint of the index for a search that filters by one. */
  selective?: Record<string, string>;
  counts?: Counts;
}

/** A condition and the values that it binds. */
export type Condition = [sql: string, ...values: Value[]];

/** The terms of an order as SQL. */
export const orderBy = (terms: Term[]): string =>
  terms
    .map(({ sql, descending, unknown }) => {
      const value = descending ? `${sql} DESC` : sql;
      return unknown === null ? value : `${sql} IS NULL${unknown === 'first' ? ' DESC' : ''}, ${value}`;
    })
    .join(', ');

/** SQLite has no booleans. */
const bound = (value: Scalar): string | number => (typeof value === 'boolean' ? Number(value) : value);

function toCondition(sql: string, values: Scalar[]): Condition {
  const [first, ...more] = values.map(bound);
  if (first === undefined) return [`${sql} IS NULL`];
  return more.length === 0 ? [`${sql} = ?`, first] : [`${sql} IN (SELECT value FROM json_each(?))`, JSON.stringify([first, ...more])];
}

/** The WHERE clause of conditions that must all be met. */
function allOf(conditions: Condition[]): Condition {
  if (conditions.length === 0) return [''];
  return [`WHERE ${conditions.map(([sql]) => sql).join(' AND ')}`, ...conditions.flatMap(([, ...values]) => values)];
}

/** A value of a property, and how many rows have it. */
export interface Group {
  /** null if it is unknown. */
  value: string | number | null;
  number: number;
}

/** The rows of a table that a search selects. */
export class Selection {
  /**
   * @param conditions in addition to the filters
   * @param hint of the index to read; without one, SQLite chooses
   */
  constructor(
    private readonly connection: Connection,
    private readonly table: Table,
    private readonly filters: PageSearch['filters'],
    private readonly conditions: Condition[] = [],
    private readonly hint = '',
  ) {}

  /** Those with a value; null for those where it is unknown. */
  with(property: string, value: Scalar | null): Selection {
    const filter = { property, values: value === null ? [] : [value] };
    return new Selection(this.connection, this.table, [...this.filters, filter], this.conditions, this.hint);
  }

  /** Those that meet another condition. */
  where(condition: Condition): Selection {
    return new Selection(this.connection, this.table, this.filters, [...this.conditions, condition], this.hint);
  }

  /** Reads the same rows from an index. */
  from({ hint }: OrderIndex): Selection {
    return new Selection(this.connection, this.table, this.filters, this.conditions, hint);
  }

  /** The statement for the ids in an order. */
  idsInOrder(terms: Term[], offset: number, limit: number): Condition {
    return this.select(this.table.id, `ORDER BY ${orderBy(terms)} LIMIT ? OFFSET ?`, limit, offset);
  }

  /** The ids in an order. */
  ids(terms: Term[], offset: number, limit: number): number[] {
    return this.idsOf(this.idsInOrder(terms, offset, limit));
  }

  /** The ids of all of them, in any order. */
  allIds(): number[] {
    return this.idsOf(this.select(this.table.id));
  }

  /** The ids that a statement finds. One JSON text is faster than a row for each id. */
  private idsOf([statement, ...values]: Condition): number[] {
    const { ids } = this.connection.get<{ ids: string }>(`SELECT json_group_array(id) AS ids FROM (${statement})`, ...values)!;
    return JSON.parse(ids) as number[];
  }

  /** Some columns of all of them. */
  rows<Row>(columns: string): Row[] {
    return this.connection.all<Row>(...this.select(columns));
  }

  /** The known value of a property at a place in its order; undefined if there are fewer. */
  valueAt({ sql, descending }: Term, offset: number): string | number | undefined {
    const order = `ORDER BY ${sql}${descending ? ' DESC' : ''} LIMIT 1 OFFSET ?`;
    const known = this.where([`${sql} IS NOT NULL`]);
    return this.connection.get<{ value: string | number }>(...known.select(`${sql} AS value`, order, offset))?.value;
  }

  /** How many there are. */
  count(): number {
    const { from, number } = this.countsFor([]) ?? {};
    const statement: Condition =
      from === undefined ? this.select('count(*) AS number') : this.selectCounts(`ifnull(sum(${number}), 0) AS number`);
    return this.connection.get<{ number: number }>(...statement)!.number;
  }

  /** The values of a property in its order, each with the number of rows; null if triggers do not maintain these numbers. */
  groups({ property, ...term }: Term): Group[] | null {
    const counts = this.countsFor([property]);
    if (counts === null) return null;
    const columns = `${counts.properties[property]} AS value, sum(${counts.number}) AS number`;
    return this.connection.all(...this.selectCounts(columns, `GROUP BY 1 ORDER BY ${orderBy([{ ...term, property, sql: 'value' }])}`));
  }

  /** The index that has these rows in the order of a property; undefined if there is none. */
  indexFor(property: string): OrderIndex | undefined {
    const index = this.table.indexes?.[property];
    if (index === undefined || this.conditions.length > 0) return undefined;
    return this.filters.every((filter) => filter.property === property || index.has.includes(filter.property)) ? index : undefined;
  }

  /** Whether an index or the numbers that triggers maintain give these rows in the order of a property. */
  hasOrder(property: string): boolean {
    return this.countsFor([property]) !== null || this.indexFor(property) !== undefined;
  }

  private select(columns: string, rest = '', ...values: Value[]): Condition {
    const { from, where, id, firstId } = this.table;
    const base: Condition[] = where === undefined ? [] : [[where]];
    if (firstId !== undefined) base.push([`${id} >= ?`, firstId]);
    const [clause, ...bound] = allOf([...base, ...this.filtersOn(this.table), ...this.conditions]);
    return [`SELECT ${columns} FROM ${from} ${this.hint || this.selectiveHint()} ${clause} ${rest}`, ...bound, ...values];
  }

  private selectCounts(columns: string, rest = ''): Condition {
    const counts = this.table.counts!;
    const [clause, ...bound] = allOf(this.filtersOn(counts));
    return [`SELECT ${columns} FROM ${counts.from} ${clause} ${rest}`, ...bound];
  }

  /** SQLite has no statistics, so it would take any index that has a filter for as good. */
  private selectiveHint(): string {
    const { selective = {}, indexes, firstId } = this.table;
    const hint = this.filters.map(({ property }) => selective[property]).find((each) => each !== undefined);
    return hint ?? (firstId === undefined ? '' : (indexes?.id?.hint ?? ''));
  }

  private filtersOn(table: Pick<Table, 'properties'>): Condition[] {
    return this.filters.map(({ property, values }) => toCondition(sqlOf(table, property), values));
  }

  /** The table of counts, if it has some properties and all that the search filters by; otherwise null. */
  private countsFor(properties: string[]): Counts | null {
    const { counts, firstId } = this.table;
    if (counts === undefined || firstId !== undefined || this.conditions.length > 0) return null;
    const needed = [...properties, ...this.filters.map(({ property }) => property)];
    return hasAll(counts, needed) ? counts : null;
  }
}
