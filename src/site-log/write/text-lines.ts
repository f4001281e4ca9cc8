import type { Row } from '../sections/index.js';

/** The lines of the text form: 80 columns, the label before column 31, the value from column 33. */

const LABEL_COLUMNS = 30;
const VALUE_COLUMNS = 48;

/** The columns of a line. */
export const LINE_COLUMNS = LABEL_COLUMNS + 2 + VALUE_COLUMNS;

/**
 * Whether a line was broken before the next one: its first word would not have fitted.
 * @param length that of the first line
 */
export const isContinuedBy = (length: number, next: string, longest = LINE_COLUMNS): boolean =>
  length + 1 + (/^\S+/.exec(next)?.[0].length ?? -Infinity) > longest;

/** Breaks a line at blanks into parts of at most 48 characters. A longer word stays in one part. */
function wrapped(line: string): string[] {
  const text = line.trimEnd();
  const parts: string[] = [];
  // What is left is `begun` and the text from a place. The rest of a long text is never copied.
  let begun = '';
  let from = 0;
  while (begun.length + text.length - from > VALUE_COLUMNS) {
    const first = from - begun.length;
    const begin = first + (begun === '' ? text.slice(from) : begun).search(/\S/);
    let end = text.lastIndexOf(' ', first + VALUE_COLUMNS);
    if (end <= begin || end < from) end = text.indexOf(' ', Math.max(begin, first + VALUE_COLUMNS));
    if (end < 0) break;
    const part = (begun + text.slice(from, end)).trimEnd();
    const next = text.slice(end).trimStart();
    from = text.length - next.length;
    const isBroken = isContinuedBy(part.length, next, VALUE_COLUMNS);
    if (isBroken) parts.push(part);
    // Of several blanks where the line is broken, one comes back, so the next word may fit.
    begun = isBroken ? '' : `${part} `;
  }
  return [...parts, begun + text.slice(from)];
}

/** Between a line and the one that continues it. */
const CONTINUATION = `\n${' '.repeat(LABEL_COLUMNS)}: `;

/**
 * The lines of a label with its value, which may have several lines.
 * @param before what is in place of the indentation
 * @param breaks whether blanks may become line breaks
 * @param onLong receives each part of the value that is longer than a line
 */
export function labelled(
  before: string,
  label: string,
  value: string,
  breaks: boolean,
  onLong: (part: string) => void,
): string {
  const parts: string[] = [];
  for (const line of value.split('\n')) {
    const isLong = line.length > VALUE_COLUMNS;
    for (const part of isLong && breaks ? wrapped(line) : [line]) {
      if (part.length > VALUE_COLUMNS) onLong(part);
      parts.push(part.trimEnd());
    }
  }
  const text = `${`${before}${label}`.padEnd(LABEL_COLUMNS)}: ${parts.join(CONTINUATION)}`;
  // No line ends in a blank, so this is where a part is empty.
  return text.replaceAll(': \n', ':\n').trimEnd();
}

/** The hint of the blank form in place of a value. */
export const hintOf = ({ hint }: Row): string => (hint === undefined ? '' : `(${hint})`);
