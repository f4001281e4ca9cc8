import { finding, type RinexFinding } from '../findings.js';
import { END, labelAtEnd, labelMeantBy, VERSION } from './labels.js';

/** Divides the header of a RINEX file into records, each in its columns. */

/** The longest header that is read, in bytes. */
export const LONGEST_HEADER = 256 * 1024;
/** The columns of the content of a record. The label follows. */
export const CONTENT_WIDTH = 60;

/** A record of a header. */
export interface HeaderLine {
  /** The whole line, with its end, each byte as one character. */
  line: string;
  /** The content in 60 columns. */
  content: string;
  /** As RINEX spells it, if it is known. */
  label: string;
  /** The label as written. */
  written: string;
  /** Whether the label is not in its columns. The content is what stands before it. */
  isDisplaced: boolean;
}

/** The text of bytes in UTF-8; null if they are ASCII or not UTF-8. @param bytes as characters */
function utf8In(bytes: string): string | null {
  if (!/[\x80-\xff]/.test(bytes) || /[^\0-\xff]/.test(bytes)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(bytes, 'latin1'));
  } catch {
    return null;
  }
}

/** A character of UTF-8 whose end is cut off. */
const CUT_CHARACTER = /[\xc2-\xf4][\x80-\xbf]{0,2}$/;

/** Columns of a header, decoded as UTF-8 if they are valid UTF-8, otherwise as ISO 8859-1. */
export const decoded = (columns: string): string =>
  utf8In(columns) ?? utf8In(columns.replace(CUT_CHARACTER, '')) ?? columns;

/** The mark at the beginning of a text in UTF-8, which RINEX does not know. */
export const BYTE_ORDER_MARK = '\xef\xbb\xbf';

/**
 * A line in its columns. In UTF-8, some programs count characters, and some bytes: the label says
 * which. Bytes stay as they are.
 */
function columnsOf(line: string): string {
  const text = utf8In(line);
  if (text === null) return line;
  const isOfCharacters = /\S/.test(text[CONTENT_WIDTH] ?? '');
  return isOfCharacters && labelMeantBy(text.slice(CONTENT_WIDTH)) !== null ? text : line;
}

/** The columns between tab stops. */
const TAB = 8;

/** A line with blanks instead of tabs. */
export function withoutTabs(line: string): string {
  let text = '';
  for (const character of line) {
    const blanks = TAB - (text.length % TAB);
    text += character === '\t' ? ' '.repeat(blanks) : character;
  }
  return text;
}

/** Whether the content of a line runs into the columns of its label. */
const isOverflowing = (line: string): boolean =>
  /^\S\S$/.test(line.slice(CONTENT_WIDTH - 1, CONTENT_WIDTH + 1));

/**
 * The record of a line whose label is not in its columns, because of tabs, or because its content
 * is too long; null if the line is no such record.
 */
function displacedIn(line: string): Pick<HeaderLine, 'content' | 'label' | 'written'> | null {
  if (!line.includes('\t') && !isOverflowing(line)) return null;
  const text = withoutTabs(line).trimEnd();
  const label = labelAtEnd(text);
  if (label === null) return null;
  return { content: text.slice(0, -label.length).trimEnd(), label, written: label };
}

/**
 * The records of a header, up to END OF HEADER. The two lines of Hatanaka compression before it are
 * records too.
 * @param text the beginning of a file
 * @returns null if END OF HEADER is not in it
 */
export function headerLinesOf(text: string): HeaderLine[] | null {
  const headerLines: HeaderLine[] = [];
  for (const [line] of text.matchAll(/[^\n]*\n|[^\n]+$/g)) {
    const isMarked = headerLines.length === 0 && line.startsWith(BYTE_ORDER_MARK);
    const columns = columnsOf(isMarked ? line.slice(BYTE_ORDER_MARK.length) : line);
    const content = columns.slice(0, CONTENT_WIDTH).replace(/[\r\n]+$/, '');
    const written = columns.slice(CONTENT_WIDTH).trim();
    const meant = labelMeantBy(written);
    const displaced = meant === null ? displacedIn(columns) : null;
    const label = meant ?? displaced?.label ?? written;
    const isDisplaced = displaced !== null;
    headerLines.push({ line, content, written, ...displaced, label, isDisplaced });
    if (label === END) return headerLines;
  }
  return null;
}

/** The column in which a label stands elsewhere, from 1; null if it is in no other column. */
export function otherColumnOf(label: string, text: string): number | null {
  for (const line of text.split('\n')) {
    const column = line.indexOf(label);
    if (column !== -1 && column !== CONTENT_WIDTH) return column + 1;
  }
  return null;
}

const MARKS_OF_UTF16 = ['\xff\xfe', '\xfe\xff'];

/**
 * Why a text has no header that can be read.
 * @param text the beginning of a file, each byte as one character
 * @param isWhole whether the file ends there
 */
export function whyNoHeader(text: string, isWhole: boolean): RinexFinding {
  if (text === '') return finding('empty-file', {});
  if (MARKS_OF_UTF16.some((mark) => text.startsWith(mark))) return finding('utf-16', {});
  if (text.includes('\r') && !text.includes('\n')) return finding('carriage-returns', {});
  for (const label of [VERSION, END]) {
    const column = otherColumnOf(label, text);
    if (column !== null) return finding('label-elsewhere', { label, column });
  }
  const [first = ''] = text.split('\n', 1);
  const isRinex = /^.{60} *(?:RINEX|CRINEX) VERS/.test(first);
  if (!isRinex) return finding('not-rinex', { begin: first });
  return isWhole ? finding('header-cut-off', {}) : finding('header-too-long', {});
}
