import { type DefaultTreeAdapterMap, parse } from 'parse5';
import type { Service } from '../service.js';

export const HTML = 'text/html;charset=UTF-8';
/** The `Accept` of a browser that opens a page. */
export const BROWSER =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

type Node = DefaultTreeAdapterMap['node'];
export type Element = DefaultTreeAdapterMap['element'];

const isElement = (node: Node): node is Element => 'tagName' in node;

/** A page as a browser parses it, or a part of it. */
export class HtmlPage {
  /** The element of a part; null for a page. */
  readonly root: Element | null;
  /** All elements in it, in the order of the page. */
  readonly elements: Element[] = [];
  readonly text: string;
  /** The errors of the parser. */
  readonly errors: string[] = [];

  constructor(source: string | Element) {
    const texts: string[] = [];
    const walk = (node: Node): void => {
      if (isElement(node)) this.elements.push(node);
      if (node.nodeName === '#text' && 'value' in node) texts.push(node.value);
      if ('childNodes' in node) node.childNodes.forEach(walk);
    };
    if (typeof source === 'string') {
      this.root = null;
      walk(
        parse(source, {
          onParseError: ({ code, startLine }) => this.errors.push(`${code} on line ${startLine}`),
        }),
      );
    } else {
      this.root = source;
      source.childNodes.forEach(walk);
    }
    this.text = texts
      .join(' ')
      .replace(/\s+/g, ' ')
      .replace(/(\d) (?=\.)/g, '$1')
      .trim();
  }

  /**
   * The parts that a selector finds: a tag name, `#id`, `.class` or `[attribute=value]`, or several
   * of them from the outside to the inside, with spaces.
   */
  parts(selector: string): HtmlPage[] {
    const [outer = '', ...inner] = selector.split(' ');
    const [, sign = '', name = '', value] = /^([#.[]?)([\w-]+)(?:=([^\]]+)\])?$/.exec(outer) ?? [];
    const isMeant = (element: Element): boolean => {
      if (sign === '#') return this.attribute(element, 'id') === name;
      if (sign === '[') return this.attribute(element, name) === value;
      if (sign === '') return element.tagName === name;
      return this.attribute(element, 'class')?.split(/\s+/).includes(name) ?? false;
    };
    const found = this.elements.filter(isMeant).map((element) => new HtmlPage(element));
    return inner.length === 0 ? found : found.flatMap((part) => part.parts(inner.join(' ')));
  }
  /** The only or first part that a selector finds. @throws {Error} if there is none */
  part(selector: string): HtmlPage {
    const [first] = this.parts(selector);
    if (first === undefined) throw new Error(`The page has no ${selector}`);
    return first;
  }
  /** Whether a selector finds anything. */
  has(selector: string): boolean {
    return this.parts(selector).length > 0;
  }
  /** The texts of all parts that a selector finds. */
  texts(selector: string): string[] {
    return this.parts(selector).map(({ text }) => text);
  }
  /**
   * The numbers, dates and times in the text of the first part that a selector finds, or of this
   * part. A fact in a sentence is found by them, whatever its words are.
   */
  numbers(selector?: string): string[] {
    const { text } = selector === undefined ? this : this.part(selector);
    return text.match(/\d+(?:[.,:-]\d+)*/g) ?? [];
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
    if (labelled.length > 0) return labelled.map((cell) => new HtmlPage(cell).text);
    const [head = [], ...rows] = this.named('table').flatMap((table) => this.rowsOf(table));
    const index = head.indexOf(label);
    return rows.flatMap((row) => (row === head || row[index] === label ? [] : (row[index] ?? [])));
  }
  /** The texts of the cells of each row of a table. */
  rowsOf(table: Element): string[][] {
    const childrenOf = ({ childNodes }: Element): Element[] => childNodes.filter(isElement);
    const rows = childrenOf(table)
      .flatMap(childrenOf)
      .filter(({ tagName }) => tagName === 'tr');
    return rows.map((row) => childrenOf(row).map((cell) => new HtmlPage(cell).text));
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

/** Where a link of a page leads: the path and query. @param url of the page */
export function resolvedLink(href: string, url: string): string {
  const { pathname, search } = new URL(href, `http://localhost${url}`);
  return pathname + search;
}
