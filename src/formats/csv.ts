import type { Cell, Column } from './columns.js';

/** The media type of CSV (RFC 4180, section 3). */
export const CSV_MEDIA_TYPE = 'text/csv;charset=UTF-8;header=present';

/** A field. An unknown value is empty; an empty text is quoted, so that it differs from that. */
function field(value: Cell): string {
  if (value === null) return '';
  // String() keeps the text of each number in a cache of V8, so a long export would take 50 MB more
  // until the next full collection.
  const text = typeof value === 'number' ? JSON.stringify(value) : String(value);
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line with some cells. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(field).join(',')}\r\n`;

/** The first line of a table: the names of the columns. */
export const csvHeader = <T>(columns: readonly Column<T>[]): string =>
  csvLine(columns.map(([name]) => name));

/** The line of an element. */
export const csvRecord = <T>(columns: readonly Column<T>[], element: T): string =>
  csvLine(columns.map(([, valueOf]) => valueOf(element)));
