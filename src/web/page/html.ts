import { visible } from '../../visible.js';

/** Finished HTML or SVG. Only this module creates it, mostly by {@link html}. */
export class Html {
  /** @param text trusted markup, never external input */
  constructor(readonly text: string) {}
}

/**
 * What a template may contain: text, which is escaped, finished HTML, lists of both, or nothing.
 */
export type Content = Html | string | number | null | undefined | false | Content[];

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for use inside an element or a quoted attribute. */
function escape(text: string): string {
  const shown = visible(text);
  return /[&<>"']/.test(shown)
    ? shown.replace(/[&<>"']/g, (character) => ENTITIES[character]!)
    : shown;
}

/** Escapes a line of text for use in a `pre`, preserving its tabs. */
export const preformatted = (line: string): Html =>
  new Html(line.includes('\t') ? line.replace(/[^\t]+/g, escape) : escape(line));

/** A style sheet of this program inside a document. */
export const styleElement = (css: string): Html => new Html(`<style>${css}</style>`);

/** A line break in a `pre`. */
export const LINE_FEED = new Html('\n');

function write(content: Content): string {
  if (typeof content === 'string') return escape(content);
  if (typeof content === 'number') return String(content);
  if (content instanceof Html) return content.text;
  return Array.isArray(content) ? content.map(write).join('') : '';
}

/** The markup of templates whose indentation was removed. */
const compacted = new WeakMap<TemplateStringsArray, string[]>();

/** The markup of a template without its indentation, which is a tenth of a page. */
function withoutIndentation(strings: TemplateStringsArray): string[] {
  let markup = compacted.get(strings);
  if (markup === undefined) {
    markup = strings.map((part) => part.replace(/\n\s*/g, '\n'));
    compacted.set(strings, markup);
  }
  return markup;
}

/**
 * Template tag for HTML and SVG. Every interpolated value is escaped, so it is safe inside an
 * element and inside a quoted attribute; only {@link Html} is inserted unchanged.
 */
export function html(strings: TemplateStringsArray, ...contents: Content[]): Html {
  const markup = withoutIndentation(strings);
  // Joined into one flat string: a page made of thousands of small strings would keep the garbage
  // collector busy.
  const parts = [markup[0]!];
  for (let index = 0; index < contents.length; index++)
    parts.push(write(contents[index]), markup[index + 1]!);
  return new Html(parts.join(''));
}

/** Joins contents with a separator. */
export const joined = (contents: Content[], separator: Content): Html =>
  new Html(contents.map(write).join(write(separator)));

/** An unordered list. */
export const list = (items: Content[], name?: string): Html =>
  html`<ul ${name !== undefined && html`class="${name}"`}>
    ${items.map((item) => html`<li>${item}</li> `)}
  </ul>`;
