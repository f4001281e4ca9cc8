import { MAXIMUM_SIZE } from './page-checks.js';
import { elementsOf, type Given, type Pairs, type Probe, selfOf } from './probe.js';
import { filtersOf, type Json, memberOf, projectionsOf } from './published-contract.js';

/** The most pages that are walked one after the other. */
const MOST_PAGES = 25;
/** The most elements on a page that is looked through. */
const SAMPLE_SIZE = 50;
/** The most pages that are looked through for one element. */
const SEARCHED_PAGES = 3;

const totalOf = (body: Json | undefined): number => Number(memberOf(body, 'page.totalElements'));
const pagesOf = (body: Json | undefined): number => Number(memberOf(body, 'page.totalPages'));
const text = (value: Json | undefined): string => JSON.stringify(value ?? null);

/** A value of a property as a filter takes it. */
type Value = Exclude<Json, Json[] | object | null>;
const isValue = (value: Json | undefined): value is Value => value != null && typeof value !== 'object';

/** A page that was read, with its elements. */
interface ReadPage {
  url: string;
  body: Json;
  elements: Json[];
}

/** Checks one paged operation, asked with the parameters it requires. */
export class CollectionChecks {
  /** The filter that leaves the most elements, to walk with. */
  private widest: { pair: [string, string]; total: number } | null = null;

  constructor(
    private readonly probe: Probe,
    private readonly given: Given,
  ) {}

  /** All of it. */
  async check(): Promise<void> {
    const plain = await this.read([]);
    if (plain === undefined) return;
    await this.checkSize();
    const total = totalOf(plain.body);
    if (total === 0) {
      const { operation } = this.probe;
      if (this.sortable().length > 0) this.lack('sort', 'the list is empty');
      if (filtersOf(operation).length > 0) this.lack('filter', 'the list is empty');
      if (projectionsOf(operation).length > 0) this.lack('projection', 'the list is empty');
    } else {
      const values = await this.checkSorting();
      await this.checkFilters(values);
      await this.checkProjections(plain);
    }
    await this.walk(Math.min(100, Math.max(1, Math.ceil(total / 5))), []);
    const sorted = this.sortable()[0];
    const further: Pairs = [
      ...(sorted === undefined ? [] : ([['sort', `${sorted},desc`]] satisfies Pairs)),
      ...(this.widest === null ? [] : [this.widest.pair]),
      ...projectionsOf(this.probe.operation)
        .slice(0, 1)
        .map((each): [string, string] => ['projection', each]),
    ];
    if (further.length > 0) await this.walk(Math.min(100, Math.max(1, Math.ceil((this.widest?.total ?? total) / 3))), further);
  }

  /** Where a link of a page leads; undefined where there is none, or none that is under the base URL. */
  private linkOf(body: Json, relation: string): string | undefined {
    const href = memberOf(body, `_links.${relation}.href`);
    return typeof href === 'string' && URL.canParse(href) && href.startsWith(`${this.probe.run.base}/`) ? href : undefined;
  }

  private lack(check: 'sort' | 'filter' | 'projection', why: string): void {
    this.probe.findings.lack(check, this.probe.operation.path, why);
  }

  private async read(
    further: Pairs,
    check: 'status' | 'filter' | 'sort' | 'projection' | 'pages' | 'page size' = 'status',
  ): Promise<ReadPage | undefined> {
    return this.readUrl(this.probe.url(this.given, further), check);
  }

  private async readUrl(
    url: string,
    check: 'status' | 'filter' | 'sort' | 'projection' | 'pages' | 'page size',
  ): Promise<ReadPage | undefined> {
    const { body } = await this.probe.get(url, { check });
    return body === undefined ? undefined : { url, body, elements: elementsOf(this.probe.operation, body) };
  }

  private add(check: 'filter' | 'sort' | 'projection' | 'pages' | 'page size', { url }: ReadPage, problems: string[]): void {
    this.probe.findings.add(check, this.probe.subjectOf({ method: 'GET', url }), problems);
  }

  /** A size over the limit means the limit; asked far behind the last page, where it costs nothing. */
  private async checkSize(): Promise<void> {
    const page = await this.read(
      [
        ['page', '1000000'],
        ['size', String(MAXIMUM_SIZE + 1)],
      ],
      'page size',
    );
    if (page === undefined) return;
    const size = memberOf(page.body, 'page.size');
    this.add('page size', page, size === MAXIMUM_SIZE ? [] : [`page.size is ${text(size)}; expected ${MAXIMUM_SIZE}`]);
  }

  /** The properties by which the operation sorts: of all filters there are, those that `sort` takes. */
  private sortable(): string[] {
    const { operation, run } = this.probe;
    const sort = operation.parameters.find(({ name }) => name === 'sort');
    const names = new Set(run.contract.operations.flatMap((each) => filtersOf(each).map(({ name }) => name)));
    return sort === undefined ? [] : [...names].filter((name) => run.contract.accepts(sort, name));
  }

  /** Sorts by each property; returns values that were seen of each. */
  private async checkSorting(): Promise<Map<string, Set<Value>>> {
    const seen = new Map<string, Set<Value>>();
    const properties = this.sortable();
    for (const property of properties) {
      const values = new Set<Value>();
      for (const direction of ['', ',asc', ',desc']) {
        const query: Pairs = [
          ['sort', property + direction],
          ['size', String(SAMPLE_SIZE)],
        ];
        const first = await this.read(query, 'sort');
        if (first === undefined) continue;
        // Behind the first page come greater ones, and the unknown at last.
        const last = pagesOf(first.body) > 1 ? await this.read([...query, ['page', String(pagesOf(first.body) - 1)]], 'sort') : undefined;
        const found = [...first.elements, ...(last?.elements ?? [])].map((each) => memberOf(each, property) ?? null);
        this.add(
          'sort',
          first,
          sortProblems(
            found.map((each) => [each]),
            [direction === ',desc'],
          ),
        );
        for (const value of found) if (isValue(value)) values.add(value);
      }
      seen.set(property, values);
    }
    const [one, other] = [properties[0], properties.at(-1)];
    if (one !== undefined && other !== undefined && one !== other) {
      const page = await this.read(
        [
          ['sort', `${other},desc`],
          ['sort', `${one},asc`],
          ['size', String(SAMPLE_SIZE)],
        ],
        'sort',
      );
      const rows = page?.elements.map((each) => [memberOf(each, other) ?? null, memberOf(each, one) ?? null]);
      if (page !== undefined) this.add('sort', page, sortProblems(rows!, [true, false]));
    }
    return seen;
  }

  /** Filters by each property, with values that were seen; by two values of one, by two properties, and by a value that nothing has. */
  private async checkFilters(seen: Map<string, Set<Value>>): Promise<void> {
    const { operation, run } = this.probe;
    const sample = run.deployment.elementsOf(operation);
    for (const filter of filtersOf(operation)) {
      const { name } = filter;
      const onFirstPage = sample.map((each) => memberOf(each, name)).filter(isValue);
      const countOf = (value: Value): number => onFirstPage.filter((each) => each === value).length;
      // One that several elements have, and another.
      const values = [...new Set([...onFirstPage, ...(seen.get(name) ?? [])])]
        .filter((each) => run.contract.accepts(filter, String(each)))
        .sort((a, b) => countOf(b) - countOf(a));
      const taken = values.length > 1 ? [values[0]!, values.at(-1)!] : values;
      const totals: number[] = [];
      for (const value of taken) totals.push(await this.checkFilter(name, value, sample));
      if (taken.length === 0) this.lack('filter', `no element that was seen has ${name}`);
      if (taken.length === 2) {
        const query = taken.map((value): [string, string] => [name, String(value)]);
        const both = await this.read([...query, ['size', String(SAMPLE_SIZE)]], 'filter');
        if (both === undefined) continue;
        const others = both.elements.filter((each) => !taken.includes(memberOf(each, name) as Value));
        const sum = totals[0]! + totals[1]!;
        this.add('filter', both, [
          ...(others.length === 0 ? [] : [`${selfOf(others[0])} has ${name} ${text(memberOf(others[0], name))}`]),
          ...(totalOf(both.body) === sum
            ? []
            : [`${totalOf(both.body)} elements; expected the ${totals[0]} and the ${totals[1]} of one value each`]),
        ]);
      }
    }
    await this.checkFiltersTogether(sample);
    await this.checkEmptyFilter();
  }

  /** Filters by one value; returns how many there are. */
  private async checkFilter(name: string, value: Value, sample: Json[]): Promise<number> {
    const pair: [string, string] = [name, String(value)];
    const page = await this.read([pair, ['size', String(SAMPLE_SIZE)]], 'filter');
    if (page === undefined) return Number.NaN;
    const total = totalOf(page.body);
    if (this.widest === null || total > this.widest.total) this.widest = { pair, total };
    const others = page.elements.filter((each) => memberOf(each, name) !== value);
    this.add('filter', page, [
      ...(others.length === 0 ? [] : [`${selfOf(others[0])} has ${name} ${text(memberOf(others[0], name))}`]),
      ...(total > 0 ? [] : ['nothing, though an element with this value was seen']),
    ]);
    // On one page there are no links that could lose the filter.
    if (total > 1 && pagesOf(page.body) === 1) await this.read([pair, ['size', String(Math.ceil(total / 2))]], 'filter');
    const element = sample.find((each) => memberOf(each, name) === value);
    if (element !== undefined && total > 0) await this.checkContains(page, element);
    return total;
  }

  /** An element that has the value is among what the filter leaves; one that stands further behind than is looked is not told. */
  private async checkContains(first: ReadPage, element: Json): Promise<void> {
    let page = first;
    for (let looked = 1; looked <= SEARCHED_PAGES; looked += 1) {
      if (page.elements.some((each) => selfOf(each) === selfOf(element))) return this.add('filter', first, []);
      const next = this.linkOf(page.body, 'next');
      if (next === undefined) return this.add('filter', first, [`${selfOf(element)} has the value, and is not there`]);
      const following = await this.readUrl(next, 'filter');
      if (following === undefined) return;
      page = following;
    }
  }

  /** All properties of an element together leave elements that have them all, and this one. */
  private async checkFiltersTogether(sample: Json[]): Promise<void> {
    const { operation, run } = this.probe;
    const [element] = sample;
    const pairs = filtersOf(operation).flatMap((filter): [string, Value][] => {
      const value = memberOf(element, filter.name);
      return isValue(value) && run.contract.accepts(filter, String(value)) ? [[filter.name, value]] : [];
    });
    if (element === undefined || pairs.length < 2) return;
    const query = pairs.map(([name, value]): [string, string] => [name, String(value)]);
    const page = await this.read([...query, ['size', String(MAXIMUM_SIZE)]], 'filter');
    if (page === undefined) return;
    const other = page.elements.find((each) => pairs.some(([name, value]) => memberOf(each, name) !== value));
    this.add('filter', page, [
      ...(other === undefined ? [] : [`${selfOf(other)} does not have them all`]),
      ...(page.elements.some((each) => selfOf(each) === selfOf(element)) ? [] : [`${selfOf(element)} has them all, and is not there`]),
    ]);
  }

  /** A value that nothing has leaves an empty list: no elements, no pages, and a 200. */
  private async checkEmptyFilter(): Promise<void> {
    const filter = filtersOf(this.probe.operation).find((each) => this.probe.run.contract.accepts(each, 'no such value'));
    if (filter === undefined) return;
    const page = await this.read([[filter.name, 'no such value']], 'filter');
    if (page === undefined) return;
    const right = page.elements.length === 0 && totalOf(page.body) === 0 && pagesOf(page.body) === 0;
    this.add('filter', page, right ? [] : [`${totalOf(page.body)} elements on ${pagesOf(page.body)} pages; expected none on none`]);
  }

  /** Each projection adds its member to each element; without it there is none. */
  private async checkProjections(plain: ReadPage): Promise<void> {
    const projections = projectionsOf(this.probe.operation);
    for (const name of projections) {
      const page = await this.read([['projection', name]], 'projection');
      if (page === undefined) continue;
      const without = page.elements.find((each) => memberOf(each, name) === undefined);
      this.add('projection', page, without === undefined ? [] : [`${selfOf(without)} has no ${name}`]);
      const uncalled = plain.elements.find((each) => memberOf(each, name) !== undefined);
      this.add('projection', plain, uncalled === undefined ? [] : [`${selfOf(uncalled)} has ${name}, for which was not asked`]);
    }
  }

  /** Follows `next` from the first page: each element on one page, and as many as told; then `last`, and `prev` back. */
  private async walk(size: number, further: Pairs): Promise<void> {
    const first = await this.read([...further, ['size', String(size)]], 'pages');
    if (first === undefined) return;
    const pages = [first];
    for (
      let next = this.linkOf(first.body, 'next');
      next !== undefined && pages.length < MOST_PAGES;
      next = this.linkOf(pages.at(-1)!.body, 'next')
    ) {
      const page = await this.readUrl(next, 'pages');
      if (page === undefined) return;
      pages.push(page);
    }
    const whole = this.linkOf(pages.at(-1)!.body, 'next') === undefined;
    const end = this.linkOf(first.body, 'last');
    const last = whole || end === undefined ? undefined : await this.readUrl(end, 'pages');
    const before = this.linkOf((last ?? pages.at(-1)!).body, 'prev');
    const previous = before === undefined ? undefined : await this.readUrl(before, 'pages');

    const selves = [...pages, ...(last === undefined ? [] : [last])].flatMap(({ elements }) => elements.map(selfOf));
    const repeated = selves.find((each, index) => selves.indexOf(each) !== index);
    const total = totalOf(first.body);
    const changed = pages.find(({ body }) => totalOf(body) !== total);
    const known = whole ? pages.at(-2) : undefined;
    this.add('pages', first, [
      ...(repeated === undefined ? [] : [`${repeated} is on two pages`]),
      ...(whole && selves.length !== total ? [`${selves.length} elements on all pages; totalElements is ${total}`] : []),
      ...(changed === undefined ? [] : [`totalElements is ${total}, then ${totalOf(changed.body)}`]),
      ...(whole && pages.length !== Math.max(1, pagesOf(first.body))
        ? [`${pages.length} pages; totalPages is ${pagesOf(first.body)}`]
        : []),
      ...(known !== undefined && previous !== undefined && known.elements.map(selfOf).join() !== previous.elements.map(selfOf).join()
        ? ['prev of the last page leads to other elements than were before it']
        : []),
    ]);
  }
}

/** Two values of a property in ascending order; text by code points. */
function compare(a: Value, b: Value): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return Number(a) - Number(b);
}

/** What is wrong with the order of rows of values, of which the first counts most. */
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
      if (wrong) return [`${text(earlier)} stands before ${text(value)}`];
      break;
    }
  }
  return [];
}
