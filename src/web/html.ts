import { visible } from '../visible.js';

/** Text that is HTML or SVG already: made by {@link html} only. */
export class Html {
  /** @param text markup; never what came from outside */
  constructor(readonly text: string) {}
}

/** What can stand in a template: text, which is escaped; HTML; lists of both; nothing. */
export type Content = Html | string | number | null | undefined | false | Content[];

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text as it may stand in HTML, inside an element or a quoted attribute. */
function escape(text: string): string {
  const shown = visible(text);
  return /[&<>"']/.test(shown) ? shown.replace(/[&<>"']/g, (character) => ENTITIES[character]!) : shown;
}

/** A line of text as it may stand in a `pre`: its tabs are kept. */
export const preformatted = (line: string): Html => new Html(line.includes('\t') ? line.replace(/[^\t]+/g, escape) : escape(line));

/** The end of a line in a `pre`. */
export const LINE_FEED = new Html('\n');

function write(content: Content): string {
  if (content instanceof Html) return content.text;
  if (Array.isArray(content)) return content.map(write).join('');
  return content === null || content === undefined || content === false ? '' : escape(String(content));
}

/**
 * HTML or SVG of a template. Whatever is put in is escaped, so that it is text wherever it stands, inside an element or
 * in quotes as the value of an attribute; only what is {@link Html} itself is taken as it is.
 */
export function html(strings: TemplateStringsArray, ...contents: Content[]): Html {
  let text = strings[0]!;
  contents.forEach((content, index) => (text += write(content) + strings[index + 1]!));
  return new Html(text);
}

/** Contents with a separator between each two. */
export const joined = (contents: Content[], separator: Content): Html => new Html(contents.map(write).join(write(separator)));
