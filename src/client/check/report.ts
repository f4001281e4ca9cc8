import type { Findings } from './findings.js';

/** How many problems of one operation are listed. */
const LISTED = 10;

/** Makes text from the service safe for a terminal, and for a line of TAP. */
const inLine = (text: string): string =>
  text.replace(
    /[\p{Cc}\p{Cf}]/gu,
    (character) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`,
  );
const inTitle = (text: string): string => inLine(text).replace(/[\\#]/g, '\\$&');

/**
 * Writes findings as TAP 14: a line for each operation, and below it a comment for each problem.
 */
export class TapReport {
  private operations = 0;
  private failed = 0;
  private unchecked = 0;

  /** @param write writes one line */
  constructor(private readonly write: (line: string) => void) {}

  /** Writes the findings for one operation. */
  add({ title, checks, failed, problems, unchecked }: Findings): void {
    if (this.operations === 0) this.write('TAP version 14');
    this.operations += 1;
    this.failed += failed;
    this.unchecked += unchecked.length;
    const line = `${this.operations} - ${inTitle(title)}`;
    if (failed > 0) this.write(`not ok ${line}: ${failed} of ${checks} checks failed`);
    else if (unchecked.length > 0) this.write(`ok ${line} # SKIP ${inLine(unchecked.join('; '))}`);
    else this.write(`ok ${line}: ${checks} checks`);
    for (const problem of problems.slice(0, LISTED)) this.write(`#   ${inLine(problem)}`);
    const more = problems.length - LISTED;
    if (more > 0) this.write(`#   and ${more} more`);
  }

  /** Ends with the totals and a remark. Returns whether all checks have passed. */
  end(remark: string): boolean {
    this.write(`1..${this.operations}`);
    this.write(`# ${inLine(remark)}`);
    this.write(`# ${this.failed} checks failed, ${this.unchecked} could not be made without data`);
    return this.failed === 0;
  }

  /** Ends early. */
  bailOut(reason: string): void {
    if (this.operations > 0) this.write(`Bail out! ${inLine(reason)}`);
  }
}
