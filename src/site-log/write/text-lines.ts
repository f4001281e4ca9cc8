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
  const parts: string[] = [];
  let rest = line.trimEnd();
  while (rest.length > VALUE_COLUMNS) {
    const begin = rest.search(/\S/);
    let end = rest.lastIndexOf(' ', VALUE_COLUMNS);
    if (end <= begin) end = rest.indexOf(' ', Math.max(begin, VALUE_COLUMNS));
    if (end < 0) break;
    const part = rest.slice(0, end).trimEnd();
    const next = rest.slice(end).trimStart();
    if (isContinuedBy(part.length, next, VALUE_COLUMNS)) {
      parts.push(part);
      rest = next;
      // Of several blanks where the line is broken, one comes back, so the next word may fit.
    } else rest = `${part} ${next}`;
  }
  return [...parts, rest];
}

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
): string[] {
  const parts = value.split('\n').flatMap((line) => (breaks ? wrapped(line) : [line]));
  parts.filter((part) => part.length > VALUE_COLUMNS).forEach(onLong);
  const [first, ...more] = parts;
  return [
    `${`${before}${label}`.padEnd(LABEL_COLUMNS)}: ${first}`.trimEnd(),
    ...more.map((line) => `${' '.repeat(LABEL_COLUMNS)}: ${line}`.trimEnd()),
  ];
}

/** The hint of the blank form in place of a value. */
export const hintOf = ({ hint }: Row): string => (hint === undefined ? '' : `(${hint})`);
