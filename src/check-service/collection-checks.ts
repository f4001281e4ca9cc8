import { MAXIMUM_PAGE_SIZE } from '../../schemas/paging.js';
import { checkFilters } from './filter-checks.js';
import { memberOf } from './json.js';
import { PageReader, type ReadPage, totalOf } from './page-reader.js';
import { checkWalk } from './page-walk.js';
import type { CheckName } from './findings.js';
import { type Pairs, type Probe, type RequestValues, selfOf } from './probe.js';
import { filtersOf, projectionsOf } from './published-contract.js';
import { checkLogsOfSites } from './site-log-checks.js';
import { checkSorting, sortableOf } from './sort-checks.js';

/** The most elements on a page of a walk. */
const WALK_SIZE = 100;

/** The page size that spreads elements over some pages. */
const sizeFor = (elements: number, pages: number): number => Math.min(WALK_SIZE, Math.max(1, Math.ceil(elements / pages)));

/** Checks a paged operation: size, order, filters, projections, and the way from page to page. */
export async function checkCollection(probe: Probe, values: RequestValues): Promise<void> {
  const { findings, operation } = probe;
  const reader = new PageReader(probe, values);
  const plain = await reader.read([], 'status');
  if (plain === undefined) return;
  await checkSize(reader);
  const total = totalOf(plain.body);
  const [sortable] = sortableOf(probe);
  const [projection] = projectionsOf(operation);
  const lack = (check: CheckName): void => findings.lack(check, operation.path, 'the list is empty');
  let widest: { pair: [string, string]; total: number } | null = null;
  if (total === 0) {
    if (sortable !== undefined) lack('sort');
    if (filtersOf(operation).length > 0) lack('filter');
    if (projection !== undefined) lack('projection');
  } else {
    // Logs also have the filters of their Sites.
    if (operation.path === '/siteLogs') await checkLogsOfSites(reader, plain.elements);
    else widest = await checkFilters(reader, await checkSorting(reader));
    await checkProjections(reader, plain);
  }
  await checkWalk(reader, sizeFor(total, 5), []);
  const further: Pairs = [
    ...(sortable === undefined ? [] : ([['sort', `${sortable},desc`]] satisfies Pairs)),
    ...(widest === null ? [] : [widest.pair]),
    ...(projection === undefined ? [] : ([['projection', projection]] satisfies Pairs)),
  ];
  if (further.length > 0) await checkWalk(reader, sizeFor(widest?.total ?? total, 3), further);
}

/** A size above the maximum means the maximum. The page is far behind the last one, where it costs nothing. */
async function checkSize(reader: PageReader): Promise<void> {
  const query: Pairs = [
    ['page', '1000000'],
    ['size', String(MAXIMUM_PAGE_SIZE + 1)],
  ];
  const page = await reader.read(query, 'page size');
  if (page === undefined) return;
  const size = memberOf(page.body, 'page.size');
  const problem = `page.size is ${JSON.stringify(size ?? null)}; expected ${MAXIMUM_PAGE_SIZE}`;
  reader.add('page size', page, size === MAXIMUM_PAGE_SIZE ? [] : [problem]);
}

/** Each projection adds its member to each element. Without it, the member is absent. */
async function checkProjections(reader: PageReader, plain: ReadPage): Promise<void> {
  for (const name of projectionsOf(reader.probe.operation)) {
    const page = await reader.read([['projection', name]], 'projection');
    if (page === undefined) continue;
    const without = page.elements.find((each) => memberOf(each, name) === undefined);
    reader.add('projection', page, without === undefined ? [] : [`${selfOf(without)} has no ${name}`]);
    const unrequested = plain.elements.find((each) => memberOf(each, name) !== undefined);
    reader.add('projection', plain, unrequested === undefined ? [] : [`${selfOf(unrequested)} has ${name}, which was not requested`]);
  }
}
