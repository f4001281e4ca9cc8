import { type DefaultTreeAdapterMap, parse } from 'parse5';
import type { Element } from '../html-page.js';

/**
 * Writes what a reader of a page sees as plain text: a line for each heading, paragraph, item of a
 * list, row of a table, and form. `▸` opens something, fields stand in brackets, what a pointer or a
 * screen reader shows besides in braces, and the texts of a drawing after `~`.
 */

type Node = DefaultTreeAdapterMap['node'];

/** Elements that begin a new line. All others are part of the line around them. */
const BLOCKS = new Set(
  (
    'address article aside blockquote body caption dd details div dl dt fieldset figcaption ' +
    'figure footer form h1 h2 h3 h4 header html legend li main nav ol p pre section summary svg ' +
    'table tbody thead tr ul'
  ).split(' '),
);
const HEADINGS: Partial<Record<string, string>> = { h1: '# ', h2: '## ', h3: '### ', h4: '#### ' };
const SILENT = new Set(['head', 'script', 'style', 'wbr']);

const isElement = (node: Node): node is Element => 'tagName' in node;
const childrenOf = (node: Node): Node[] => ('childNodes' in node ? node.childNodes : []);
const attributeOf = (element: Element, name: string): string | undefined =>
  element.attrs.find((each) => each.name === name)?.value;
const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Whether an element has no words for a reader, such as a drawing beside its numbers. */
const isSilent = (element: Element): boolean =>
  SILENT.has(element.tagName) || attributeOf(element, 'aria-hidden') === 'true';

/** The elements below a node, in the order of the page. */
const elementsBelow = (node: Node): Element[] =>
  childrenOf(node).flatMap((child) =>
    isElement(child) ? [child, ...elementsBelow(child)] : elementsBelow(child),
  );

/** The value of a field, or what it suggests while it is empty. */
function inputText(input: Element): string {
  const type = attributeOf(input, 'type');
  if (type === 'hidden') return '';
  if (type === 'checkbox') return attributeOf(input, 'checked') === undefined ? '[ ]' : '[x]';
  const value = attributeOf(input, 'value') ?? '';
  const placeholder = attributeOf(input, 'placeholder');
  if (value !== '' || placeholder === undefined) return `[${value}]`;
  return `[e.g. ${placeholder}]`;
}

/** The choices of a field; an asterisk marks the chosen one. */
function selectText(select: Element): string {
  const options = elementsBelow(select).filter(({ tagName }) => tagName === 'option');
  const words = options.map((option) => {
    const mark = attributeOf(option, 'selected') === undefined ? '' : '*';
    return mark + inlineText(option);
  });
  return `[${words.join(' | ')}]`;
}

/** What a pointer or a screen reader shows of an element, besides its text. */
function besides(element: Element): string {
  const texts = ['title', 'aria-label'].flatMap((name) => attributeOf(element, name) ?? []);
  return texts.map((text) => ` {${squeezed(text)}}`).join('');
}

/** The text of a node in one line. */
function inlineText(node: Node): string {
  if (node.nodeName === '#text' && 'value' in node) return node.value;
  if (!isElement(node)) return childrenOf(node).map(inlineText).join('');
  const { tagName } = node;
  if (isSilent(node)) return '';
  if (tagName === 'br') return ' / ';
  if (tagName === 'input') return inputText(node);
  if (tagName === 'select') return selectText(node);
  if (tagName === 'svg') return drawingLines(node).join(' ');
  const text = childrenOf(node).map(inlineText).join('');
  if (tagName === 'button') return `<${squeezed(text)}>`;
  if (tagName === 'summary') return ` ▸ ${text} `;
  return (BLOCKS.has(tagName) ? ` ${text} ` : text) + besides(node);
}

/** The texts of a drawing, each once. */
function drawingLines(svg: Element): string[] {
  const texts = elementsBelow(svg).flatMap((element) => {
    const label = attributeOf(element, 'aria-label') ?? [];
    const isText = ['text', 'title', 'desc'].includes(element.tagName);
    return isText ? [inlineText(element)] : label;
  });
  const own = attributeOf(svg, 'aria-label') ?? [];
  const lines = [own, texts].flat().map(squeezed);
  return [...new Set(lines)].filter((text) => text !== '').map((text) => `~ ${text}`);
}

function tableLines(table: Element): string[] {
  return elementsBelow(table).flatMap((element) => {
    if (element.tagName === 'caption') return [squeezed(inlineText(element))];
    if (element.tagName !== 'tr') return [];
    const cells = childrenOf(element).filter(isElement);
    return [`| ${cells.map((cell) => squeezed(inlineText(cell))).join(' | ')} |`];
  });
}

/** The first lines of a log: they are its own words, not those of the page. */
function logLines(lines: Element): string[] {
  const all = childrenOf(lines)
    .filter(isElement)
    .map((line) => squeezed(inlineText(line)));
  return [...all.slice(0, 3), `… ${all.length} lines of the log`];
}

function blockLines(element: Element): string[] {
  const { tagName } = element;
  if (isSilent(element)) return [];
  if (tagName === 'svg') return drawingLines(element);
  if (tagName === 'table') return tableLines(element);
  if (attributeOf(element, 'class') === 'lines') return logLines(element);
  if (tagName === 'pre') return inlineText(element).split('\n');
  const lines = linesOf(element);
  const [first = '', ...rest] = lines;
  const heading = HEADINGS[tagName];
  if (heading !== undefined) return ['', heading + first, ...rest];
  if (tagName === 'li') return [`- ${first}`, ...rest.map((line) => `  ${line}`)];
  if (tagName === 'summary') return [`▸ ${first}`, ...rest];
  if (tagName === 'dt') return [`${first}:`];
  return lines;
}

/** The lines of the content of a node. */
function linesOf(node: Node): string[] {
  const lines: string[] = [];
  let line = '';
  const endLine = (): void => {
    if (squeezed(line) !== '') lines.push(squeezed(line));
    line = '';
  };
  for (const child of childrenOf(node)) {
    const isBlock = isElement(child) && BLOCKS.has(child.tagName);
    if (!isBlock) {
      line += inlineText(child);
      continue;
    }
    endLine();
    const [first = '', ...rest] = blockLines(child);
    // A value follows its term.
    if (child.tagName === 'dd') lines.push(`${lines.pop() ?? ''} ${first}`, ...rest);
    else if (first !== '' || rest.length > 0) lines.push(first, ...rest);
  }
  endLine();
  return lines;
}

/** The lines of a page. @param part of it: the element with this tag name */
export function pageLines(html: string, part: 'body' | 'main'): string[] {
  const element = elementsBelow(parse(html)).find(({ tagName }) => tagName === part)!;
  return linesOf(element);
}
