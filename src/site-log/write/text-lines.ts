import type { Row } from '../sections/index.js';

/** The lines of the text form: 80 columns, the label before column 31, the value from column 33. */

const LABEL_COLUMNS = 30;
const VALUE_COLUMNS = 48;

/** Breaks a line at blanks into parts of at most 48 characters. A longer word stays in one part. */
function wrapped(line: string): string[] {
  const parts: string[] = [];
  let rest = line;
  while (rest.length > VALUE_COLUMNS) {
    const begin = rest.search(/\S/);
    let end = rest.lastIndexOf(' ', VALUE_COLUMNS);
    if (end <= begin) end = rest.indexOf(' ', Math.max(begin, VALUE_COLUMNS));
    if (end < 0) break;
    parts.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return [...parts, rest];
}

/**
 * The lines of a label with its value, which may have several lines.
 * @param before what is in place of the indentation
 * @param breaks whether blanks may become line breaks
 */
export function labelled(before: string, label: string, value: string, breaks: boolean): string[] {
  const [first, ...more] = value.split('\n').flatMap((line) => (breaks ? wrapped(line) : [line]));
  return [
    `${`${before}${label}`.padEnd(LABEL_COLUMNS)}: ${first}`.trimEnd(),
    ...more.map((line) => `${' '.repeat(LABEL_COLUMNS)}: ${line}`.trimEnd()),
  ];
}

/** The hint of the blank form in place of a value. */
export const hintOf = ({ hint }: Row): string => (hint === undefined ? '' : `(${hint})`);
