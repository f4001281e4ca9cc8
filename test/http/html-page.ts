import { type DefaultTreeAdapterMap, parse, serialize } from 'parse5';
import type { Service } from '../service.js';

export const HTML = 'text/html;charset=UTF-8';
/** The `Accept` of a browser that opens a page. */
export const BROWSER =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

type Node = DefaultTreeAdapterMap['node'];
export type Element = DefaultTreeAdapterMap['element'];

/** A page as a browser parses it. */
export class HtmlPage {
  readonly elements: Element[] = [];
  readonly text: string;
  /** The errors of the parser. */
  readonly errors: string[] = [];

  constructor(html: string) {
    const texts: string[] = [];
    const walk = (node: Node): void => {
      if ('tagName' in node) this.elements.push(node);
      if (node.nodeName === '#text' && 'value' in node) texts.push(node.value);
      if ('childNodes' in node) node.childNodes.forEach(walk);
    };
    walk(
      parse(html, {
        onParseError: ({ code, startLine }) => this.errors.push(`${code} on line ${startLine}`),
      }),
    );
    this.text = texts
      .join(' ')
      .replace(/\s+/g, ' ')
      .replace(/(\d) (?=\.)/g, '$1');
  }

  /** The elements with a tag name. */
  named(name: string): Element[] {
    return this.elements.filter(({ tagName }) => tagName === name);
  }
  /** The elements with a class. */
  ofClass(name: string): Element[] {
    return this.elements.filter((element) => this.attribute(element, 'class') === name);
  }
  attribute(element: Element, name: string): string | undefined {
    return element.attrs.find((each) => each.name === name)?.value;
  }
  /** The text of each cell of a column. */
  column(label: string): string[] {
    const labelled = this.elements.filter(
      (element) => this.attribute(element, 'data-label') === label,
    );
    if (labelled.length > 0)
      return labelled.map((cell) => new HtmlPage(serialize(cell)).text.trim());
    const [head = [], ...rows] = this.named('table').flatMap((table) => this.rowsOf(table));
    const index = head.indexOf(label);
    return rows.flatMap((row) => (row === head || row[index] === label ? [] : (row[index] ?? [])));
  }
  /** The texts of the cells of each row of a table. */
  rowsOf(table: Element): string[][] {
    const childrenOf = ({ childNodes }: Element): Element[] =>
      childNodes.filter((node): node is Element => 'tagName' in node);
    const rows = childrenOf(table)
      .flatMap(childrenOf)
      .filter(({ tagName }) => tagName === 'tr');
    return rows.map((row) =>
      childrenOf(row).map((cell) => new HtmlPage(serialize(cell)).text.trim()),
    );
  }
  /** The values of an attribute on all elements with a tag name. */
  all(name: string, attribute: string): string[] {
    return this.named(name).flatMap((element) => this.attribute(element, attribute) ?? []);
  }
}

/** Opens a page as a browser does. @throws {Error} if the answer is not a page with this status */
export async function openPage(
  service: Pick<Service, 'get'>,
  url: string,
  status = 200,
): Promise<HtmlPage> {
  const response = await service.get(url, { accept: BROWSER });
  if (response.statusCode !== status || response.headers['content-type'] !== HTML) {
    throw new Error(
      `GET ${url}: ${response.statusCode} ${response.headers['content-type']}; expected ${status} ${HTML}`,
    );
  }
  return new HtmlPage(response.body);
}

/** The texts of the cells that name a Site, from top to bottom. */
export const sitesOn = (page: HtmlPage): string[] => page.column('Site');
