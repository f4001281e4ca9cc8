import type { Test } from 'tap';
import type { Service } from '../../service.js';
import { type HtmlPage, openPage, resolvedLink } from '../html-page.js';

/** The number of a text such as `1,662`. */
const numberOf = (text: string): number => Number(text.replaceAll(',', ''));

/** How many elements the page behind a link says that there are. */
export async function countBehind(service: Service, url: string): Promise<number> {
  const page = await openPage(service, url);
  const words = page.has('[role=status]') ? page.part('[role=status]') : page.part('main p');
  const numbers = words.numbers().map(numberOf);
  // The pages of types name the devices in use last.
  return /^\/(receivers|antennas)(\?sort=[^&]*)?$/.test(url) ? numbers[2]! : (numbers[0] ?? 0);
}

/** Where a link of a page leads to. */
const urlOf = (link: HtmlPage, from = '/overview'): string =>
  resolvedLink(link.root!.attrs.find(({ name }) => name === 'href')!.value, from);

/** The countries below a map that have a link, with their figures. */
export const countriesOn = (page: HtmlPage, from: string): [url: string, figure: number][] =>
  page
    .parts(from === '/overview' ? '#map li' : '.every li')
    .filter((item) => item.has('a'))
    .map((item) => [urlOf(item.part('a'), from), numberOf(/[\d,]+$/.exec(item.text)![0])]);

/** The links of a page whose text is a figure, and those of countries, with their figures. */
function figuresOn(page: HtmlPage): [url: string, figure: number][] {
  const figures = [
    '.figures',
    '#systems table',
    '#changes table',
    '#ages table',
    '#agencies table',
    '#findings',
  ]
    .flatMap((selector) => page.parts(selector))
    .flatMap((part) => part.parts('a'))
    .filter((link) => /^[\d,]+$/.test(link.text));
  return [
    ...figures.map((link): [string, number] => [urlOf(link), numberOf(link.text)]),
    ...countriesOn(page, '/overview'),
  ];
}

/**
 * Checks that each figure of the overview with a link is the number of the list behind it.
 * @returns the figures
 */
export async function checkFigures(
  t: Test,
  service: Service,
): Promise<[url: string, figure: number][]> {
  const figures = figuresOn(await openPage(service, '/overview'));
  t.ok(figures.length > 15, `${figures.length} figures`);
  for (const [url, figure] of figures) t.equal(await countBehind(service, url), figure, url);
  return figures;
}
