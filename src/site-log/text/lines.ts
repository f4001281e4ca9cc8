import type { Place as PlaceInLog } from '../../findings/finding.js';
import type { ItemStart } from '../fields.js';
import { keyOfLabel, type Labels } from './labels.js';

/** The lines of a text log, the labels in them, and the parts that they are in. */

/** The start of a section: `3.   GNSS Receiver Information`. */
export const SECTION = /^ {0,4}(\d{1,2})\.(?![\dx])([^:]*):?$/i;
/** A label ends within this many characters of a line. */
export const LABEL_COLUMNS = 80;
/**
 * Continuation lines are indented to column 32 in the form, but by hand or with tabs often to a
 * nearby column.
 */
export const CONTINUATION_INDENT = 20;
/** A line indented at least this far starts with a label only if the form has that label next. */
export const LABEL_INDENT = 28;

/** One line of a section. */
export interface TextLine {
  /** Counted from 1. */
  number: number;
  /**
   * The line with blanks instead of tabs, without those at its end; of an item, without its number.
   */
  text: string;
  indent: number;
  /** The columns of the line above; 0 if it is blank. */
  above: number;
  /**
   * `form`: a line of the form without a value. `heading`: that of a section, but not as the form
   * has it. `label`: a label of the section. `drawing`: a line of the drawing, blank or not.
   * `text`: all others, such as continuations.
   */
  kind: 'form' | 'heading' | 'label' | 'drawing' | 'text';
  /** What is before the colon, if there is one. */
  label: string | null;
  /** The label as it is compared. */
  key: string;
  /** What is behind the colon; empty without one. */
  value: string;
  /** The label of the form as which a label that is almost it was read; null for all others. */
  readAs: string | null;
  /** What such a continuation would be if it were not indented so far; null: nothing. */
  looksLike: 'label' | 'item' | null;
}

/** Whether a line is where labels are, and has one that the form does not have. */
export const isUnknownLabel = ({ kind, label, indent }: TextLine): boolean =>
  kind === 'text' && label !== null && indent < LABEL_INDENT;

/** A section without items, an item, or what is between a heading and the first item. */
export interface Part {
  /** The number of the section: 3, 8, 8.1; empty before the first. */
  section: string;
  /** The labels of the section; null if the form has none of that number. */
  labels: Labels | null;
  item: ItemStart | null;
  /** The line on which it begins. */
  line: number;
  /**
   * The number of the item among those of its section that are read, from 1; null if it is none, or
   * is not read yet.
   */
  readAs: number | null;
  /** Whether it is about contacts although no heading says so. */
  isWithoutHeading: boolean;
  lines: TextLine[];
}

/** The place of a part, for findings. */
export const placeOfPart = ({ line, section, readAs }: Part): PlaceInLog => ({
  line,
  section: section === '' ? null : section,
  item: readAs,
});

/** A line with blanks instead of tabs. */
export function expandTabs(line: string): string {
  if (!line.includes('\t')) return line;
  let expanded = '';
  for (const character of line)
    expanded += character === '\t' ? ' '.repeat(8 - (expanded.length % 8)) : character;
  return expanded;
}

/** The column of the colon in the form, from 0. */
const COLON = 30;

/** Where the value of a line begins, whose first colon is at a place. */
function valueStart(line: string, colon: number): number {
  // A label that ends with a colon of its own, before that of the form.
  const isDoubled = line[COLON] === ':' && /^ *$/.test(line.slice(colon + 1, COLON));
  return isDoubled ? Math.max(colon, COLON) + 1 : colon + 1;
}

/**
 * Splits `     Serial Number            : C128` into label and value; null if there is no label.
 */
export function splitLabel(line: string): { label: string; value: string } | null {
  const colon = line.indexOf(':');
  const label = line.slice(0, Math.max(colon, 0)).trim();
  if (label === '') return null;
  let begin = valueStart(line, colon);
  while (line[begin] === ':') begin++;
  return { label, value: line.slice(begin) };
}

/** Finds the label in the text of a line. */
export function readLabel(line: TextLine): void {
  const found = splitLabel(line.text);
  line.label = found?.label ?? null;
  line.key = found === null ? '' : keyOfLabel(found.label.slice(0, LABEL_COLUMNS));
  line.value = found?.value ?? '';
}

/** Keeps only what follows the item number. */
export function removeNumber(line: TextLine, rest: string): void {
  line.text = rest;
  line.indent = 0;
  readLabel(line);
}
