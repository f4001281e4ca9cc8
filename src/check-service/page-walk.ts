import { type PageReader, pagesOf, type ReadPage, totalOf } from './page-reader.js';
import { type Pairs, selfOf } from './probe.js';

/** How many pages are read one after the other. */
const MOST_PAGES = 25;

/** Follows `next` from the first page, then `last`, then `prev`. Each element must be on exactly one page. */
export async function checkWalk(reader: PageReader, size: number, further: Pairs): Promise<void> {
  const first = await reader.read([...further, ['size', String(size)]], 'pages');
  if (first === undefined) return;
  const pages = [first];
  let next = reader.linkOf(first.body, 'next');
  while (next !== undefined && pages.length < MOST_PAGES) {
    const page = await reader.readUrl(next, 'pages');
    if (page === undefined) return;
    pages.push(page);
    next = reader.linkOf(page.body, 'next');
  }
  const whole = next === undefined;
  const last = whole ? undefined : await reader.follow(first, 'last', 'pages');
  const previous = await reader.follow(last ?? pages.at(-1)!, 'prev', 'pages');

  const selves = [...pages, ...(last === undefined ? [] : [last])].flatMap(({ elements }) => elements.map(selfOf));
  const repeated = selves.find((each, index) => selves.indexOf(each) !== index);
  const total = totalOf(first.body);
  const changed = pages.find(({ body }) => totalOf(body) !== total);
  reader.add('pages', first, [
    ...(repeated === undefined ? [] : [`${repeated} is on two pages`]),
    ...(changed === undefined ? [] : [`totalElements is ${total}, then ${totalOf(changed.body)}`]),
    ...(whole ? wholeProblems(pages, previous, selves.length) : []),
  ]);
}

/** Checks a list of which every page was read. */
function wholeProblems(pages: ReadPage[], previous: ReadPage | undefined, count: number): string[] {
  const [first] = pages as [ReadPage];
  const [total, totalPages] = [totalOf(first.body), pagesOf(first.body)];
  const beforeLast = pages.at(-2);
  const selvesOf = ({ elements }: ReadPage): string => elements.map(selfOf).join();
  const differs = beforeLast !== undefined && previous !== undefined && selvesOf(beforeLast) !== selvesOf(previous);
  return [
    ...(count === total ? [] : [`${count} elements on all pages; totalElements is ${total}`]),
    ...(pages.length === Math.max(1, totalPages) ? [] : [`${pages.length} pages; totalPages is ${totalPages}`]),
    ...(differs ? ['prev of the last page leads to other elements than those of the page before it'] : []),
  ];
}
