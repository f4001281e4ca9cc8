import { placeOf, reversed, type Term, termsOf } from '../page-order.js';
import type { Found, PageSearch } from '../search.js';
import type { Connection, Value } from './connection.js';
import { FEW, idsAt } from './page-order.js';
import { type Condition, orderBy, Selection, type Table } from './selection.js';

/** The statement for known ids. */
export const listed = (ids: number[]): Condition => ['SELECT value FROM json_each(?)', JSON.stringify(ids)];

/** The condition that a row of a table has one of some ids. */
export const isOneOf = ({ id }: Pick<Table, 'id'>, ids: number[]): Condition => {
  const [statement, ...values] = listed(ids);
  return [`${id} IN (${statement})`, ...values];
};

/** The statement that finds the ids of a page. Ids only: documents are not sorted, and not skipped. */
function idsOfPage(selection: Selection, terms: Term[], total: number, paging: { page: number; size: number }): Condition | null {
  const place = placeOf(total, paging);
  if (place === null) return null;
  if (total <= FEW) return selection.idsInOrder(terms, paging.page * paging.size, paging.size);
  const order = place.backwards ? reversed(terms) : terms;
  return listed(idsAt(selection, order, place.offset, place.limit));
}

/**
 * Finds a page of rows; several reads, within the transaction of the caller.
 * @param conditions in addition to the filters
 * @param total how many rows there are; counted by default
 */
export function findRows<Row extends object>(
  connection: Connection,
  table: Table,
  search: PageSearch,
  conditions: Condition[] = [],
  total?: number,
): Found<Row> {
  const selection = new Selection(connection, table, search.filters, conditions);
  const terms = termsOf(table, search.sort);
  const totalElements = total ?? selection.count();
  const ids = idsOfPage(selection, terms, totalElements, search);
  return { elements: ids === null ? [] : rowsOf(connection, table, ids, orderBy(terms)), totalElements };
}

/** If at least one row in so many has one of the known ids, going through all rows in order is faster than sorting those. */
const LARGE_SHARE = 4;

/**
 * Whether to find a page of rows with known ids by going through all rows in the order of the page. Without an index or counts
 * that give this order, SQLite would sort all rows.
 */
const goesThroughAll = (all: Selection, [term]: Term[], ids: number[]): boolean =>
  ids.length > FEW && all.hasOrder(term!.property) && ids.length * LARGE_SHARE >= all.count();

/** Finds the ids of a page of rows with known ids by going through all rows in the order of the page. */
function idsInOrderAmong(all: Selection, terms: Term[], ids: number[], paging: { page: number; size: number }): number[] {
  const place = placeOf(ids.length, paging);
  if (place === null) return [];
  const order = place.backwards ? reversed(terms) : terms;
  // Indexed by id. A Set of that many numbers would take much longer to build.
  const wanted = new Uint8Array(ids.reduce((a, b) => Math.max(a, b)) + 1);
  for (const id of ids) wanted[id] = 1;
  const found: number[] = [];
  const end = all.count();
  let { offset: skip } = place;
  for (let offset = 0, some = Math.max(FEW, skip + place.limit); offset < end && found.length < place.limit; offset += some, some *= 2) {
    for (const id of idsAt(all, order, offset, Math.min(some, end - offset))) {
      if (wanted[id] !== 1) continue;
      if (skip > 0) skip--;
      else if (found.push(id) === place.limit) break;
    }
  }
  return found;
}

/**
 * Finds a page of the rows with known ids; several reads, within the transaction of the caller.
 * @param ids in the order of the pages if the search has no sort order
 * @param filters that all of them meet
 */
export function findRowsAmong<Row extends { id: number }>(
  connection: Connection,
  table: Table,
  ids: number[],
  { sort, page, size }: Pick<PageSearch, 'sort' | 'page' | 'size'>,
  filters: PageSearch['filters'] = [],
): Found<Row> {
  const totalElements = ids.length;
  if (sort.length > 0) {
    const terms = termsOf(table, sort);
    const all = new Selection(connection, table, filters);
    if (goesThroughAll(all, terms, ids)) {
      const ofPage = idsInOrderAmong(all, terms, ids, { page, size });
      return { elements: rowsOf<Row>(connection, table, listed(ofPage), orderBy(terms)), totalElements };
    }
    return findRows<Row>(connection, table, { filters: [], sort, page, size }, [isOneOf(table, ids)], totalElements);
  }
  const ofPage = ids.slice(page * size, (page + 1) * size);
  const rows = new Map(rowsOf<Row>(connection, table, listed(ofPage), table.id).map((row) => [row.id, row]));
  return { elements: ofPage.map((id) => rows.get(id)!), totalElements };
}

/** Reads the rows with the ids that a statement finds. */
export function rowsOf<Row extends object>(
  connection: Connection,
  { columns, from, id }: Pick<Table, 'columns' | 'from' | 'id'>,
  [ids, ...values]: Condition,
  order: string,
): Row[] {
  return connection.page<Row>(`SELECT ${columns} FROM ${from} WHERE ${id} IN (${ids}) ORDER BY ${order}`, ...values);
}

/** The parts of the statements of {@link findAtOnce}. */
interface PageStatement extends Pick<Table, 'columns' | 'from' | 'id'> {
  /** The FROM and WHERE clauses. */
  matching: string;
  order: string;
  values: Value[];
}

/**
 * Finds a page of rows if finding them costs more than sorting all: instead of once for the page and once to count them, it
 * finds them once. Two reads, within the transaction of the caller.
 */
export function findAtOnce<Row extends object>(
  connection: Connection,
  statement: PageStatement,
  { page, size }: { page: number; size: number },
): Found<Row> {
  const { id, matching, order, values } = statement;
  const sql = `SELECT json_group_array(id) AS ids FROM (SELECT ${id} AS id ${matching} ORDER BY ${order})`;
  const ids = JSON.parse(connection.get<{ ids: string }>(sql, ...values)!.ids) as number[];
  const ofPage = ids.slice(page * size, (page + 1) * size);
  return { elements: ofPage.length === 0 ? [] : rowsOf(connection, statement, listed(ofPage), order), totalElements: ids.length };
}
