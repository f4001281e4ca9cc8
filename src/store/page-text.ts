import { PageTooLarge } from './search.js';

/** The most text that the rows of one page may have, in UTF-16 code units. */
export const LARGEST_PAGE = 8 * 1024 ** 2;

/** Measures the text of the rows of a page, one after the other. */
export class PageText {
  private length = 0;
  private rows = 0;

  /** @throws {PageTooLarge} if the rows so far and this one have too much text; a single row never has */
  add(row: object): void {
    for (const value of Object.values(row) as unknown[]) if (typeof value === 'string') this.length += value.length;
    if (this.length > LARGEST_PAGE && this.rows > 0) throw new PageTooLarge(this.rows);
    this.rows++;
  }
}
