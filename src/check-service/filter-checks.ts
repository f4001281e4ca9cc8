import { MAXIMUM_PAGE_SIZE } from '../../schemas/paging.js';
import { type Json, memberOf } from './json.js';
import { type PageReader, pagesOf, type ReadPage, SAMPLE_SIZE, totalOf } from './page-reader.js';
import { type Pairs, selfOf } from './probe.js';
import { filtersOf, type Parameter } from './published-contract.js';
import { isValue, type Value } from './sort-checks.js';

/** How many pages are searched for an element. */
const SEARCHED_PAGES = 3;

/** A filter by one value, and how many elements match. */
interface Matched {
  pair: [string, string];
  total: number;
}

/**
 * Filters by values of each property, by two values of one, by several properties, and by a value that does not occur.
 * @param seen values found by other checks, by property
 * @returns the filter that matches the most elements
 */
export async function checkFilters(reader: PageReader, seen: Map<string, Set<Value>>): Promise<Matched | null> {
  const { findings, operation, run } = reader.probe;
  const sample = run.deployment.elementsOf(operation);
  let widest: Matched | null = null;
  for (const filter of filtersOf(operation)) {
    const { name } = filter;
    const taken = valuesFor(reader, filter, sample, seen);
    if (taken.length === 0) findings.lack('filter', operation.path, `no known element has ${name}`);
    const totals: number[] = [];
    for (const value of taken) {
      const matched = await checkFilter(reader, name, value, sample);
      totals.push(matched?.total ?? Number.NaN);
      if (matched !== null && matched.total > (widest?.total ?? -1)) widest = matched;
    }
    if (taken.length === 2) await checkTwoValues(reader, name, taken, totals);
  }
  await checkFiltersTogether(reader, sample);
  await checkEmptyFilter(reader);
  return widest;
}

/** Two values of a property: the most frequent one in the sample, and another. */
function valuesFor({ probe }: PageReader, filter: Parameter, sample: Json[], seen: Map<string, Set<Value>>): Value[] {
  const inSample = sample.map((each) => memberOf(each, filter.name)).filter(isValue);
  const countOf = (value: Value): number => inSample.filter((each) => each === value).length;
  const values = [...new Set([...inSample, ...(seen.get(filter.name) ?? [])])]
    .filter((each) => probe.run.contract.accepts(filter, String(each)))
    .sort((a, b) => countOf(b) - countOf(a));
  return values.length > 1 ? [values[0]!, values.at(-1)!] : values;
}

/** The first element with none of some values, as a problem. */
function otherValue(elements: Json[], name: string, values: Value[]): string[] {
  const other = elements.find((each) => !values.includes(memberOf(each, name) as Value));
  return other === undefined ? [] : [`${selfOf(other)} has ${name} ${JSON.stringify(memberOf(other, name) ?? null)}`];
}

async function checkFilter(reader: PageReader, name: string, value: Value, sample: Json[]): Promise<Matched | null> {
  const pair: [string, string] = [name, String(value)];
  const page = await reader.read([pair, ['size', String(SAMPLE_SIZE)]], 'filter');
  if (page === undefined) return null;
  const total = totalOf(page.body);
  reader.add('filter', page, [
    ...otherValue(page.elements, name, [value]),
    ...(total > 0 ? [] : ['no elements, though one with this value exists']),
  ]);
  // A single page has no links that could lose the filter.
  if (total > 1 && pagesOf(page.body) === 1) await reader.read([pair, ['size', String(Math.ceil(total / 2))]], 'filter');
  const element = sample.find((each) => memberOf(each, name) === value);
  if (element !== undefined && total > 0) await checkContains(reader, page, element);
  return { pair, total };
}

/** Two values of one property match the elements of both. */
async function checkTwoValues(reader: PageReader, name: string, values: Value[], totals: number[]): Promise<void> {
  const query = values.map((value): [string, string] => [name, String(value)]);
  const both = await reader.read([...query, ['size', String(SAMPLE_SIZE)]], 'filter');
  if (both === undefined) return;
  const total = totalOf(both.body);
  const right = total === totals[0]! + totals[1]!;
  reader.add('filter', both, [
    ...otherValue(both.elements, name, values),
    ...(right ? [] : [`${total} elements; expected ${totals[0]} with one value and ${totals[1]} with the other`]),
  ]);
}

/** An element with the value is on the pages. One far behind is not looked for. */
async function checkContains(reader: PageReader, first: ReadPage, element: Json): Promise<void> {
  let page = first;
  for (let searched = 1; searched <= SEARCHED_PAGES; searched += 1) {
    if (page.elements.some((each) => selfOf(each) === selfOf(element))) return reader.add('filter', first, []);
    if (reader.linkOf(page.body, 'next') === undefined) {
      return reader.add('filter', first, [`${selfOf(element)} has the value but is missing`]);
    }
    const following = await reader.follow(page, 'next', 'filter');
    if (following === undefined) return;
    page = following;
  }
}

/** All properties of an element together match elements that have them all, among them this one. */
async function checkFiltersTogether(reader: PageReader, sample: Json[]): Promise<void> {
  const { operation, run } = reader.probe;
  const [element] = sample;
  const pairs = filtersOf(operation).flatMap((filter): [string, Value][] => {
    const value = memberOf(element, filter.name);
    return isValue(value) && run.contract.accepts(filter, String(value)) ? [[filter.name, value]] : [];
  });
  if (element === undefined || pairs.length < 2) return;
  const query: Pairs = pairs.map(([name, value]) => [name, String(value)]);
  const page = await reader.read([...query, ['size', String(MAXIMUM_PAGE_SIZE)]], 'filter');
  if (page === undefined) return;
  const other = page.elements.find((each) => pairs.some(([name, value]) => memberOf(each, name) !== value));
  const contained = page.elements.some((each) => selfOf(each) === selfOf(element));
  reader.add('filter', page, [
    ...(other === undefined ? [] : [`${selfOf(other)} does not have all the values`]),
    ...(contained ? [] : [`${selfOf(element)} has all the values but is missing`]),
  ]);
}

/** A value that does not occur leaves an empty list with status 200. */
async function checkEmptyFilter(reader: PageReader): Promise<void> {
  const { operation, run } = reader.probe;
  const filter = filtersOf(operation).find((each) => run.contract.accepts(each, 'no such value'));
  if (filter === undefined) return;
  const page = await reader.read([[filter.name, 'no such value']], 'filter');
  if (page === undefined) return;
  const [total, pages] = [totalOf(page.body), pagesOf(page.body)];
  const right = page.elements.length === 0 && total === 0 && pages === 0;
  reader.add('filter', page, right ? [] : [`${total} elements on ${pages} pages; expected no elements and no pages`]);
}
