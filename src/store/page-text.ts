import { PageTooLarge } from './search.js';

/** The most text that the rows of one page may have, in UTF-16 code units. */
export const LARGEST_PAGE = 8 * 1024 ** 2;

/** Measures the text of the rows of a page, one after the other. */
export class PageText<Row extends object> {
  private length = 0;
  private elements = 0;
  private element: unknown;

  /** @param elementOf of which element of the page a row is; the rows of each follow one another. By default, each row is an element */
  constructor(private readonly elementOf: (row: Row) => unknown = (row) => row) {}

  /** @throws {PageTooLarge} if the rows so far and this one have too much text; those of a single element never have */
  add(row: Row): void {
    for (const value of Object.values(row) as unknown[]) if (typeof value === 'string') this.length += value.length;
    const element = this.elementOf(row);
    const isNext = this.elements === 0 || element !== this.element;
    const complete = isNext ? this.elements : this.elements - 1;
    if (this.length > LARGEST_PAGE && complete > 0) throw new PageTooLarge(complete);
    this.elements = complete + 1;
    this.element = element;
  }
}
