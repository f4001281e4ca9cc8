/** How each line of a text log was used. */

/**
 * The use of a line: a value (or part of one on several lines), part of the blank form, part of the
 * drawing of section 13, a line below the title, where nothing is to be read, or the subject of a
 * finding that says that it was not read.
 */
export type LineUse = 'value' | 'form' | 'drawing' | 'title' | 'finding';

/**
 * The account of the lines of a text log. Each step of the reader claims the lines that it used;
 * what nobody claimed was not read, and the reader reports it. So no line can be lost without a
 * finding, whichever way it takes.
 */
export class LineAccount {
  /** By the number of the line, counted from 1. A blank line has none. */
  private readonly uses: (LineUse | undefined)[] = [];
  /** Lines that two steps claimed for different uses, which is a mistake of the reader. */
  readonly contested: number[] = [];

  /** Claims a line for a use. The first claim counts. */
  claim(line: number, use: LineUse): void {
    const known = this.uses[line];
    if (known === undefined) this.uses[line] = use;
    else if (known !== use) this.contested.push(line);
  }

  /** What a line is; undefined if nobody claimed it, or it is blank. */
  useOf(line: number): LineUse | undefined {
    return this.uses[line];
  }
}
