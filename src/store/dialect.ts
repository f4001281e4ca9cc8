import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { EngineTypes } from './schema.js';

/** The value of a scalar property. */
export type Scalar = string | number | boolean;

/** What the engines spell differently. Everything else in our SQL is the same for both. */
export interface Dialect {
  /** The condition that an expression has one of some values. */
  isOneOf(expression: string, values: readonly Scalar[]): Sql;
  /** The condition that two text expressions have one of some pairs of values. */
  isOneOfPairs(
    expressions: readonly [string, string],
    pairs: readonly (readonly [string, string])[],
  ): Sql;
  /**
   * Some values as rows of a table with the columns `value` and `place`, the position of the value
   * from 0.
   */
  rows(values: readonly string[] | readonly number[]): Sql;
  /** The condition that a text contains another one. */
  contains(expression: string, text: string): Sql;
  /**
   * A member or an element of a JSON text, as text; null if there is none.
   * @param member a name, or a position from 0
   */
  member(expression: string, member: string | number): string;
  /**
   * The elements of an array inside a JSON text, as a table with the column `value`.
   * @param path the names that lead to the array
   */
  elements(expression: string, path: readonly string[], table: string): string;
  /** A table itself, in a query that has its name. */
  stored(table: string): string;
  /** The types of columns. */
  types: EngineTypes;
  /** What follows the columns of a table. */
  tableOptions: string;
}

const NEVER = sql`1 = 0`;

/** A name or a position as SQL. Names are ours, and need no escapes. */
const memberLiteral = (member: string | number): string =>
  typeof member === 'number' ? String(member) : `'${member}'`;

/** SQLite 3.45 or later. */
export const SQLITE: Dialect = {
  isOneOf: (expression, values) => {
    const bound = values.map((value) => (typeof value === 'boolean' ? Number(value) : value));
    if (bound.length === 0) return NEVER;
    return bound.length === 1
      ? sql`${raw(expression)} = ${bound[0]}`
      : sql`${raw(expression)} IN (SELECT value FROM json_each(${JSON.stringify(bound)}))`;
  },
  isOneOfPairs: (expressions, pairs) => sql`
    (${raw(expressions.join(', '))}) IN
      (SELECT value ->> 0, value ->> 1 FROM json_each(${JSON.stringify(pairs)}))`,
  rows: (values) => sql`(SELECT value, key AS place FROM json_each(${JSON.stringify(values)}))`,
  contains: (expression, text) => sql`instr(${raw(expression)}, ${text}) > 0`,
  member: (expression, member) => `(${expression} ->> ${memberLiteral(member)})`,
  elements: (expression, path, table) =>
    `json_each(${expression}, '$.${path.join('.')}') AS ${table}`,
  stored: (table) => `main.${table}`,
  types: { integer: 'INTEGER', number: 'REAL', text: 'TEXT', bytes: 'BLOB' },
  tableOptions: 'STRICT',
};

/** Whether PostgreSQL can have a value. Its texts have no null characters. */
const isStorable = (value: Scalar): boolean => typeof value !== 'string' || !value.includes('\0');

/** PostgreSQL 14 or later. All text is compared by code point, as in SQLite. */
export const POSTGRES: Dialect = {
  isOneOf: (expression, values) => {
    const possible = values.filter(isStorable);
    if (possible.length === 0) return NEVER;
    // The numbers of a request may be too large for a bigint, or not whole.
    const cast = possible.some((value) => typeof value === 'number' && !Number.isSafeInteger(value))
      ? '::double precision'
      : '';
    return possible.length === 1
      ? sql`${raw(expression + cast)} = ${possible[0]}`
      : sql`${raw(expression + cast)} = ANY (${possible}${raw(cast && `${cast}[]`)})`;
  },
  isOneOfPairs: (expressions, pairs) => {
    const firsts = pairs.map(([first]) => first);
    const seconds = pairs.map(([, second]) => second);
    return sql`
      (${raw(expressions.join(', '))}) IN
        (SELECT * FROM unnest(${firsts}::text[], ${seconds}::text[]))`;
  },
  rows: (values) => {
    const type = raw(typeof values[0] === 'string' ? 'text' : 'bigint');
    return sql`(
      SELECT value, place - 1 AS place
      FROM unnest(${values}::${type}[]) WITH ORDINALITY AS given (value, place))`;
  },
  contains: (expression, text) =>
    isStorable(text) ? sql`strpos(${raw(expression)}, ${text}) > 0` : NEVER,
  member: (expression, member) =>
    `((${expression}::json ->> ${memberLiteral(member)}) COLLATE "C")`,
  elements: (expression, path, table) =>
    `json_array_elements(${expression}::json #> '{${path.join(',')}}') AS ${table} (value)`,
  stored: (table) => table,
  types: {
    integer: 'bigint',
    number: 'double precision',
    text: 'text COLLATE "C"',
    bytes: 'bytea',
  },
  tableOptions: '',
};

/** Conditions that must all be met; there may be none. */
export const allOf = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? sql`1 = 1` : join(conditions, ' AND ');
