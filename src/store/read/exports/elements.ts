import sql, { raw, type Sql } from 'sql-template-tag';
import type { Database } from '../../database.js';
import { allOf } from '../../dialect.js';
import { countFrom, type Found, type PageTable, selectFrom } from '../../page.js';
import type { ExportTable } from './tables.js';

/**
 * Reads the elements of an export that meet conditions, in the order of their ids: all in windows,
 * or a part of them.
 */

/** How many elements are read at once. This takes about a millisecond. */
const ELEMENTS_AT_ONCE = 100;
/** Up to this number, the ids of the candidates that indexes find are read first. */
const MOST_CANDIDATES = 5000;
/** If there are more, or no index, the table is searched in ranges of so many ids. */
const IDS_IN_RANGE = 1000;

/** The conditions of a search: those for which there are indexes, and the others. */
export interface Conditions {
  indexed: Sql[];
  others: Sql[];
}

/** Which of the elements that a search finds to read, in the order of their ids. */
export interface Part {
  /** Only elements after this id, which is 0 for all. */
  after: number;
  /** How many of these to skip. */
  skipped: number;
  /** How many to read then. */
  most: number;
}

/** How to read the elements that meet conditions. */
interface ElementSearch extends Conditions {
  /** Selects the ids of the candidates for the elements; null if no index can find them. */
  candidates: Sql | null;
  /** Read only elements after this id, which is 0 for all. */
  after: number;
  /** How many elements to read at once. */
  atOnce: number;
}

type Unread = Omit<ExportTable<never, unknown>, 'toElement'>;

/** The source of both the elements and their number. */
const sourceOf = (table: Unread): Pick<PageTable, 'from' | 'where'> => ({
  ...table,
  from: `${table.name} ${table.joined}`,
});

const select = (table: Unread, columns: string | Sql, conditions: Sql[]): Sql =>
  selectFrom(sourceOf(table), columns, conditions);

/** Selects the ids that indexes find; null if there is no index for any condition. */
const candidatesOf = (table: Unread, { indexed }: Conditions): Sql | null =>
  indexed.length === 0 ? null : select(table, `${table.name}.id`, indexed);

/** A part of the elements, and how many there are in all. */
export async function readPart<Row extends object, T>(
  db: Database,
  table: ExportTable<Row, T>,
  conditions: Conditions,
  { after, skipped, most }: Part,
): Promise<Found<T>> {
  const all = [...conditions.indexed, ...conditions.others];
  const start = skipped === 0 ? after : await idAfter(db, table, all, after, skipped);
  const elements = start === null ? [] : await firstElements(db, table, conditions, start, most);
  const totalElements = await countFrom(db, sourceOf(table), all);
  return { elements, totalElements };
}

/** The id of the last of the elements to skip after an id; null if there are not so many. */
async function idAfter(
  db: Database,
  table: Unread,
  conditions: Sql[],
  after: number,
  skipped: number,
): Promise<number | null> {
  const id = raw(`${table.name}.id`);
  const later = select(table, `${table.name}.id`, [sql`${id} > ${after}`, ...conditions]);
  const found = await db.get<{ id: number }>(
    sql`${later} ORDER BY ${id} LIMIT 1 OFFSET ${skipped - 1}`,
  );
  return found?.id ?? null;
}

/** The first elements after an id. */
async function firstElements<Row extends object, T>(
  db: Database,
  table: ExportTable<Row, T>,
  conditions: Conditions,
  after: number,
  most: number,
): Promise<T[]> {
  const { indexed, others } = conditions;
  const isLater = sql`${raw(`${table.name}.id`)} > ${after}`;
  // If an index is used, the condition excludes candidates.
  const later =
    indexed.length === 0
      ? { indexed, others: [isLater, ...others] }
      : { indexed: [isLater, ...indexed], others };
  const windows = readCandidates(db, table, {
    ...later,
    candidates: candidatesOf(table, later),
    after,
    atOnce: Math.min(most, ELEMENTS_AT_ONCE),
  });
  const found: T[] = [];
  for await (const elements of windows) {
    found.push(...elements);
    if (found.length >= most) break;
  }
  return found.slice(0, most);
}

/**
 * All elements that meet conditions, in windows.
 * @param otherwise selects the candidates if no index finds them
 */
export function readElements<Row extends object, T>(
  db: Database,
  table: ExportTable<Row, T>,
  conditions: Conditions,
  otherwise: Sql | null = null,
): AsyncGenerator<T[]> {
  return readCandidates(db, table, {
    ...conditions,
    candidates: candidatesOf(table, conditions) ?? otherwise,
    after: 0,
    atOnce: ELEMENTS_AT_ONCE,
  });
}

/** Reads elements by the ids of the candidates if these are few, otherwise by ranges of ids. */
async function* readCandidates<Row extends object, T>(
  db: Database,
  table: ExportTable<Row, T>,
  search: ElementSearch,
): AsyncGenerator<T[]> {
  const { candidates } = search;
  const few = candidates === null ? null : await idsIfFew(db, candidates);
  if (few === null) yield* byRanges(db, table, search);
  else yield* byIds(db, table, search, few);
}

/** The elements with some ids that meet the conditions; an empty window if there are no ids. */
async function* byIds<Row extends object, T>(
  db: Database,
  table: ExportTable<Row, T>,
  { indexed, others, atOnce }: ElementSearch,
  ids: number[],
): AsyncGenerator<T[]> {
  if (ids.length === 0) yield [];
  for (let first = 0; first < ids.length; first += atOnce) {
    const some = db.dialect.isOneOf(`${table.name}.id`, ids.slice(first, first + atOnce));
    yield elementsWith(db, table, [some, ...indexed, ...others]);
  }
}

/** The elements that meet the conditions, found by ranges of the table. */
async function* byRanges<Row extends object, T>(
  db: Database,
  table: ExportTable<Row, T>,
  search: ElementSearch,
): AsyncGenerator<T[]> {
  const conditions = [...search.indexed, ...search.others];
  for await (const ids of idsByRanges(db, table, conditions, search.after))
    yield* byIds(db, table, search, ids);
}

/** The ids that a statement selects, in order; null if there are many. */
async function idsIfFew(db: Database, candidates: Sql): Promise<number[] | null> {
  const found = await db.all<{ id: number }>(sql`${candidates} LIMIT ${MOST_CANDIDATES + 1}`);
  if (found.length > MOST_CANDIDATES) return null;
  return [...new Set(found.map(({ id }) => id))].sort((a, b) => a - b);
}

/** The ids that conditions select, by ranges of the table. */
async function* idsByRanges(
  db: Database,
  { name, joined, where }: Unread,
  conditions: Sql[],
  start: number,
): AsyncGenerator<number[]> {
  const table = raw(name);
  const { last } = (await db.get<{ last: number | null }>(
    sql`SELECT max(id) AS last FROM ${table}`,
  ))!;
  const all = allOf(where === undefined ? conditions : [raw(where), ...conditions]);
  for (let after = start; after < (last ?? 0); after += IDS_IN_RANGE) {
    // LIMIT keeps both engines from beginning with the conditions, which select more than this
    // range.
    const range = sql`
      SELECT * FROM ${table}
      WHERE id > ${after} AND id <= ${after + IDS_IN_RANGE} LIMIT ${IDS_IN_RANGE}`;
    const found = await db.all<{ id: number }>(sql`
      SELECT ${table}.id FROM (${range}) AS ${table} ${raw(joined)}
      WHERE ${all} ORDER BY ${table}.id`);
    yield found.map(({ id }) => id);
  }
}

/** The elements that meet conditions, in the order of their ids. */
export async function elementsWith<Row extends object, T>(
  db: Database,
  table: ExportTable<Row, T>,
  conditions: Sql[],
): Promise<T[]> {
  const selected = select(table, table.columns, conditions);
  const rows = await db.all<Row>(sql`${selected} ORDER BY ${raw(`${table.name}.id`)}`);
  return rows.map(table.toElement);
}
