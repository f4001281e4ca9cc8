/**
 * Finds telephone numbers in text, however they are divided, and with or without the code of the
 * country or place: `+61 2 6249 9111`, `(02) 6249-9111` and `62499111` are one number.
 */

/** A number with fewer digits is not looked for. */
export const FEWEST_DIGITS = 6;
/** Nor is the end of a number with fewer digits. */
const FEWEST_LOCAL_DIGITS = 7;
/** The most digits of a telephone number, and the most with what is dialled before it. */
const MOST_DIGITS = 15;
const MOST_DIALLED = 20;
/** More characters have more digits, with up to four signs between two of them. */
const LONGEST_NUMBER = 5 * (MOST_DIALLED + 1);

/** Digits that may be one number or several. */
const RUN = /[+(]{0,2}\d(?:[\s./()\-\u2010-\u2015\u2212]{0,4}\d){5,}/g;
/** A zero that is only dialled inside the country. */
const TRUNK_ZERO = /\(0\)/g;

/** The digits of a number as it is dialled from abroad, without the zeros before it. */
const digitsOf = (text: string): string => text.replace(/\D/g, '').replace(/^0+/, '');

/** The ends of a number, the longest first, with at least so many digits. */
const endsOf = (digits: string, fewest: number): string[] =>
  Array.from({ length: Math.max(0, digits.length - fewest + 1) }, (_, from) => digits.slice(from));

export class Telephones {
  private readonly whole = new Set<string>();
  /** What may stand for a number where the code of its country or place is left out. */
  private readonly local = new Set<string>();

  /** @param texts the telephone numbers, each with or without other words */
  constructor(texts: readonly string[]) {
    for (const [run] of texts.flatMap((text) => [...text.replace(TRUNK_ZERO, ' ').matchAll(RUN)])) {
      const digits = digitsOf(run);
      if (digits.length < FEWEST_DIGITS || digits.length > MOST_DIGITS) continue;
      this.whole.add(digits);
      for (const end of endsOf(digits, FEWEST_LOCAL_DIGITS)) this.local.add(end);
    }
  }

  /** A text with something else in place of each number. */
  replacedIn(text: string, replacement: string): string {
    if (this.whole.size === 0) return text;
    return text.replace(RUN, (run) => this.replacedInRun(run, replacement));
  }

  private replacedInRun(run: string, replacement: string): string {
    const kept: string[] = [];
    let end = 0;
    for (const { 0: begin, index } of run.matchAll(/[+(]{0,2}\d+/g)) {
      const to = index < end ? null : this.endOfNumberAt(run, index);
      if (to === null) continue;
      // A parenthesis around the whole number stays.
      const isAround = begin.startsWith('(') && !run.slice(index, to).includes(')');
      kept.push(run.slice(end, isAround ? index + 1 : index));
      end = to;
    }
    return [...kept, run.slice(end)].join(replacement);
  }

  /** Where the longest number ends that begins at a place of a run; null if none does. */
  private endOfNumberAt(run: string, from: number): number | null {
    let end: number | null = null;
    const beginning = run.slice(from, from + LONGEST_NUMBER);
    for (const { 0: digits, index } of beginning.matchAll(/\d+/g)) {
      const to = index + digits.length;
      if (this.has(beginning.slice(0, to))) end = from + to;
    }
    return end;
  }

  /** Whether a text is one of the numbers, and nothing else. */
  takes(text: string): boolean {
    return !/\p{L}/u.test(text) && this.has(text);
  }

  private has(text: string): boolean {
    const number = text.replace(TRUNK_ZERO, ' ');
    const dialled = number.replace(/\D/g, '');
    const digits = digitsOf(number);
    if (dialled.length > MOST_DIALLED) return false;
    if (this.whole.has(digits) || this.local.has(digits) || this.local.has(dialled)) return true;
    const isFromAbroad = /^[(]?(?:\+|00)/.test(number);
    return isFromAbroad && endsOf(digits, FEWEST_DIGITS).some((each) => this.whole.has(each));
  }
}
