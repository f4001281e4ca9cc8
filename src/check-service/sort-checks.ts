import { type Json, memberOf } from './json.js';
import { type PageReader, pagesOf, SAMPLE_SIZE } from './page-reader.js';
import type { Pairs, Probe } from './probe.js';
import { filtersOf } from './published-contract.js';

/** A value of a property, as a filter accepts it. */
export type Value = Exclude<Json, Json[] | object | null>;
export const isValue = (value: Json | undefined): value is Value => value != null && typeof value !== 'object';

/** The properties that the operation sorts by: of all filter properties, those that `sort` accepts. */
export function sortableOf({ operation, run }: Probe): string[] {
  const sort = operation.parameters.find(({ name }) => name === 'sort');
  const names = new Set(run.contract.operations.flatMap((each) => filtersOf(each).map(({ name }) => name)));
  return sort === undefined ? [] : [...names].filter((name) => run.contract.accepts(sort, name));
}

/** Sorts by each property, and by two at once. Returns the values that were found, by property. */
export async function checkSorting(reader: PageReader): Promise<Map<string, Set<Value>>> {
  const seen = new Map<string, Set<Value>>();
  const properties = sortableOf(reader.probe);
  for (const property of properties) {
    const values = new Set<Value>();
    for (const direction of ['', ',asc', ',desc']) for (const value of await checkOrder(reader, property, direction)) values.add(value);
    seen.set(property, values);
  }
  const [one, other] = [properties[0], properties.at(-1)];
  if (one !== undefined && other !== undefined && one !== other) await checkTwoOrders(reader, other, one);
  return seen;
}

/** Sorts by one property. Returns the values on the first and the last page. */
async function checkOrder(reader: PageReader, property: string, direction: string): Promise<Value[]> {
  const query: Pairs = [
    ['sort', property + direction],
    ['size', String(SAMPLE_SIZE)],
  ];
  const first = await reader.read(query, 'sort');
  if (first === undefined) return [];
  // Unknown values are on the last page.
  const last = pagesOf(first.body) > 1 ? await reader.read([...query, ['page', String(pagesOf(first.body) - 1)]], 'sort') : undefined;
  const found = [...first.elements, ...(last?.elements ?? [])].map((each) => memberOf(each, property) ?? null);
  const rows = found.map((each) => [each]);
  reader.add('sort', first, sortProblems(rows, [direction === ',desc']));
  return found.filter(isValue);
}

async function checkTwoOrders(reader: PageReader, first: string, second: string): Promise<void> {
  const query: Pairs = [
    ['sort', `${first},desc`],
    ['sort', `${second},asc`],
    ['size', String(SAMPLE_SIZE)],
  ];
  const page = await reader.read(query, 'sort');
  if (page === undefined) return;
  const rows = page.elements.map((each) => [memberOf(each, first) ?? null, memberOf(each, second) ?? null]);
  reader.add('sort', page, sortProblems(rows, [true, false]));
}

/** Compares two values in ascending order; text by code points. */
function compare(a: Value, b: Value): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return Number(a) - Number(b);
}

/** Checks the order of rows of values. The first column counts most. */
export function sortProblems(rows: Json[][], descending: boolean[]): string[] {
  for (const [index, row] of rows.entries()) {
    const before = rows[index - 1];
    if (before === undefined) continue;
    for (const [column, value] of row.entries()) {
      const earlier = before[column]!;
      if (value === earlier) continue;
      const unknownFirst = !isValue(earlier) && isValue(value);
      const known = isValue(earlier) && isValue(value);
      const wrong = unknownFirst || (known && (descending[column] ? compare(earlier, value) < 0 : compare(earlier, value) > 0));
      if (wrong) return [`${JSON.stringify(earlier)} is before ${JSON.stringify(value)}`];
      break;
    }
  }
  return [];
}
