import { placeOf, reversed, termsOf } from '../page-order.js';
import { LARGEST_PAGE, PageText } from '../page-text.js';
import type { Found, PageSearch } from '../search.js';
import type { Reads, Snapshot } from './client.js';
import { Bindings, type Condition, Selection, type Table } from './selection.js';

/** Up to this place, a page is read from the start, by one statement. */
const FEW = 1000;
/**
 * The most text that the server sends for a page, in bytes: not less than what is too much, since a code unit has at most three.
 * A single element has less: all of it is from one site log.
 */
const MOST_BYTES = 3 * LARGEST_PAGE;

/** What a statement for a page adds to each row. */
interface Paged {
  _total: number;
  /** Null in the only row of an empty page. */
  _position: number | null;
}

/**
 * The statement for rows, without those after too much text. @param size the SQL of the length of the text of a row, in bytes
 * @param from the FROM clause, with the place of each row as `_position`
 */
export const bounded = (columns: string, size: string, from: string): string => `
  SELECT * FROM (
    SELECT ${columns}, "_position",
      coalesce(sum(${size}) OVER (ORDER BY "_position" ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS "_before"
    FROM ${from}) AS measured
  WHERE "_before" <= ${MOST_BYTES}`;

/**
 * The same rows.
 * @param elementOf of which element of the page a row is; the rows of each follow one another. By default, each row is an element
 * @throws {PageTooLarge} if they have too much text to be answered at once
 */
export function checked<Row extends object>(rows: Row[], elementOf?: (row: Row) => unknown): Row[] {
  const text = new PageText(elementOf);
  for (const row of rows) text.add(row);
  return rows;
}

/** The rows of a page, from a statement for its ids. Ids first: documents are neither sorted nor skipped. */
const rowsOf = ({ columns, from, source = from, id, size }: Table, ids: string): string =>
  bounded(columns, size, `(${ids}) AS chosen JOIN ${source} ON ${id} = "_id"`);

/** The statement for a page and how many elements there are in all. */
const pageAndTotal = (rows: string, total: string): string => `
  SELECT total.number AS "_total", page.* FROM (${total}) AS total LEFT JOIN (${rows}) AS page ON true ORDER BY "_position"`;

/** What {@link pageAndTotal} found. @throws {PageTooLarge} */
const toFound = <Row extends object>(rows: (Row & Paged)[]): Found<Row> => ({
  elements: checked(rows.filter(({ _position }) => _position !== null)),
  totalElements: rows[0]!._total,
});

/** Reads a page from the start, by one statement. */
async function readPage<Row extends object>(
  snapshot: Snapshot,
  table: Table,
  { filters, sort, page, size }: PageSearch,
  conditions: Condition[],
): Promise<Found<Row>> {
  const bindings = new Bindings();
  const selection = new Selection(table, filters, conditions, bindings);
  const ids = selection.ids(termsOf(table, sort), { offset: page * size, limit: size });
  return toFound(await snapshot.all<Row & Paged>(pageAndTotal(rowsOf(table, ids), selection.count()), ...bindings.values));
}

/** Reads a page from the nearer end, by two statements. */
async function readDeepPage<Row extends object>(
  snapshot: Snapshot,
  table: Table,
  { filters, sort, page, size }: PageSearch,
  conditions: Condition[],
): Promise<Found<Row>> {
  const counting = new Bindings();
  const count = new Selection(table, filters, conditions, counting).count();
  const { number } = (await snapshot.get<{ number: number }>(count, ...counting.values))!;
  const place = placeOf(number, { page, size });
  if (place === null) return { elements: [], totalElements: number };
  const bindings = new Bindings();
  const terms = termsOf(table, sort);
  const ids = new Selection(table, filters, conditions, bindings).ids(place.backwards ? reversed(terms) : terms, place);
  const statement = pageAndTotal(rowsOf(table, ids), `SELECT ${bindings.add(number)}::bigint AS number`);
  return toFound(await snapshot.all<Row & Paged>(statement, ...bindings.values));
}

/** Finds a page of rows in one state. @param conditions in addition to the filters */
export function findRowsIn<Row extends object>(
  snapshot: Snapshot,
  table: Table,
  search: PageSearch,
  conditions: Condition[] = [],
): Promise<Found<Row>> {
  const read = search.page * search.size <= FEW ? readPage<Row> : readDeepPage<Row>;
  return read(snapshot, table, search, conditions);
}

/** Finds a page of rows. @param conditions in addition to the filters */
export function findRows<Row extends object>(
  reads: Reads,
  table: Table,
  search: PageSearch,
  conditions: Condition[] = [],
): Promise<Found<Row>> {
  // A single statement sees one state.
  if (search.page * search.size <= FEW) return readPage(reads, table, search, conditions);
  return reads.inOneState((snapshot) => readDeepPage(snapshot, table, search, conditions));
}

/** Finds a page of rows if finding them costs more than sorting all: they are found once, not once more to count them. */
export async function findAtOnce<Row extends object>(
  reads: Snapshot,
  table: Table & { order: string },
  { page, size }: { page: number; size: number },
  conditions: Condition[],
): Promise<Found<Row>> {
  const bindings = new Bindings();
  const matching = new Selection(table, [], conditions, bindings).allIds(table.order);
  const [offset, limit] = [bindings.add(page * size), bindings.add(size)];
  const ids = `SELECT * FROM matching WHERE "_position" > ${offset}::bigint AND "_position" <= ${offset}::bigint + ${limit}::bigint`;
  const statement = `WITH matching AS MATERIALIZED (${matching}) ${pageAndTotal(rowsOf(table, ids), 'SELECT count(*) AS number FROM matching')}`;
  return toFound(await reads.all<Row & Paged>(statement, ...bindings.values));
}
