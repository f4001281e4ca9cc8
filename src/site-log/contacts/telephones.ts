import { WITHHELD } from '../../findings/findings.js';

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

/** Digits that may be one number or several, with any white space between them. */
const RUN = /[+(]{0,2}\d(?:(?:\s+(?!\s)|[./()\-\u2010-\u2015\u2212]){0,4}\d){5,}/g;
/** A zero that is only dialled inside the country. */
const TRUNK_ZERO = /\(0\)/g;

/** The digits of a number as it is dialled from abroad, without the zeros before it. */
const digitsOf = (text: string): string => text.replace(/\D/g, '').replace(/^0+/, '');

const OPENING = 0x28;
const ZERO = 0x30;
const isDigit = (code: number): boolean => code >= ZERO && code <= ZERO + 9;

/** Whether a number is written as it is dialled from abroad. */
const isFromAbroad = (text: string, from: number): boolean => {
  const place = text[from] === '(' ? from + 1 : from;
  return text[place] === '+' || text.startsWith('00', place);
};

/** Where a number begins, with its sign and parenthesis, of which a digit is the first one. */
function beginOf(text: string, digit: number): number {
  let begin = digit;
  while (digit - begin < 2 && (text[begin - 1] === '+' || text[begin - 1] === '(')) begin--;
  return begin;
}

/** In place of a place, where there is none. */
const NONE = -1;

/** The digits of a text, read once for all numbers that may begin there. */
interface Digits {
  /** How many there are; what the lists have behind these is of another text. */
  count: number;
  digits: number[];
  /** For each digit, where a number begins of which it is the first one. */
  begins: number[];
  /** For each digit, where a number ends of which it is the last one. */
  ends: number[];
}

/** Reads the digits of a text. @param found receives them in place of others */
function readDigits(text: string, found: Digits): void {
  const { digits, begins, ends } = found;
  let count = 0;
  let begin = NONE;
  let wasDigit = false;
  for (let place = 0; place < text.length; place++) {
    const code = text.charCodeAt(place);
    const isOne = isDigit(code);
    if (isOne) {
      // A number from abroad begins with its own zeros, whatever is before it.
      const isFirst = begin === NONE || text.startsWith('00', place);
      if (!wasDigit && isFirst) begin = beginOf(text, place);
      digits[count] = code - ZERO;
      begins[count] = begin;
      ends[count] = isDigit(text.charCodeAt(place + 1)) ? NONE : place + 1;
      count++;
      begin = NONE;
    } else if (code === OPENING && text.startsWith('(0)', place)) {
      // It is only dialled inside the country.
      if (begin === NONE) begin = beginOf(text, place + 1);
      place += 2;
    }
    wasDigit = isOne;
  }
  found.count = count;
}

/** No number of a {@link NumberTree} goes on so. */
const NOWHERE = 0;
/** Where all numbers of a {@link NumberTree} begin. */
const ROOT = 1;

/** A node ends a number without the code of its country or place. */
const LOCAL = 1;
/** A node ends a whole number. */
const WHOLE = 2;

/** Some numbers, found digit by digit. Numbers with the same beginning share its nodes. */
class NumberTree {
  /** The node behind each digit of each node. */
  private readonly following: Int32Array;
  /** What each node ends; 0 for nothing. */
  private readonly ends: Uint8Array;
  private nodes = ROOT + 1;

  /** @param numbers their digits */
  constructor(numbers: readonly string[]) {
    const local = numbers.flatMap((number) =>
      [...number].slice(0, -FEWEST_LOCAL_DIGITS).map((_, index) => number.slice(index + 1)),
    );
    const most = [...numbers, ...local].reduce((sum, { length }) => sum + length, this.nodes);
    this.following = new Int32Array(10 * most);
    this.ends = new Uint8Array(most);
    for (const number of local) this.add(number, LOCAL);
    for (const number of numbers) this.add(number, WHOLE);
  }

  private add(number: string, end: number): void {
    let node = ROOT;
    for (let index = 0; index < number.length; index++) {
      const place = 10 * node + number.charCodeAt(index) - ZERO;
      if (this.following[place] === NOWHERE) this.following[place] = this.nodes++;
      node = this.following[place]!;
    }
    this.ends[node] = end;
  }

  /**
   * The last digit of the longest number that begins with a digit.
   * @param least {@link WHOLE} to leave out local numbers
   */
  lastDigit(first: number, { digits, ends }: Digits, to: number, least: number): number {
    let last = NONE;
    let node = ROOT;
    for (let index = first; index < to; index++) {
      node = this.following[10 * node + digits[index]!]!;
      if (node === NOWHERE) break;
      if (this.ends[node]! >= least && ends[index] !== NONE) last = index;
    }
    return last;
  }
}

/** Finds some numbers in texts, also in those that consist of nothing but short numbers. */
export class Telephones {
  private readonly tree: NumberTree;
  private readonly isEmpty: boolean;
  /** The digits of what is searched, in the same memory for each: most texts have few. */
  private readonly found: Digits = { count: 0, digits: [], begins: [], ends: [] };

  /** @param texts the telephone numbers, each with or without other words */
  constructor(texts: readonly string[]) {
    const numbers = texts
      .flatMap((text) => text.replace(TRUNK_ZERO, ' ').match(RUN) ?? [])
      .map(digitsOf)
      .filter(({ length }) => length >= FEWEST_DIGITS && length <= MOST_DIGITS);
    this.tree = new NumberTree(numbers);
    this.isEmpty = numbers.length === 0;
  }

  /** A text without these numbers. */
  withheldIn(text: string): string {
    return this.isEmpty ? text : text.replace(RUN, (run) => this.withheldInRun(run));
  }

  private withheldInRun(run: string): string {
    readDigits(run, this.found);
    const { count, digits, begins, ends } = this.found;
    const kept: string[] = [];
    let end = 0;
    let nonZero = 0;
    for (let first = 0; first < count; first++) {
      while (nonZero < first || (nonZero < count && digits[nonZero] === 0)) nonZero++;
      const begin = begins[first]!;
      if (begin === NONE) continue;
      const last = this.lastDigit(first, nonZero, isFromAbroad(run, begin));
      if (last === NONE) continue;
      const to = ends[last]!;
      // A parenthesis around the whole number stays.
      const isAround = run[begin] === '(' && !run.slice(begin, to).includes(')');
      kept.push(run.slice(end, isAround ? begin + 1 : begin));
      end = to;
      first = last;
    }
    return end === 0 ? run : [...kept, run.slice(end)].join(WITHHELD);
  }

  /**
   * The last digit of the longest number that begins with a digit.
   * @param nonZero the next digit that is no zero
   */
  private lastDigit(first: number, nonZero: number, fromAbroad: boolean): number {
    const { found } = this;
    const to = Math.min(found.count, first + MOST_DIALLED);
    let last = this.tree.lastDigit(first, found, to, LOCAL);
    // The same without the zeros at the beginning.
    if (nonZero > first) last = Math.max(last, this.tree.lastDigit(nonZero, found, to, LOCAL));
    // Any digits may be dialled before a whole number.
    if (fromAbroad)
      for (let other = nonZero + 1; other < to; other++)
        last = Math.max(last, this.tree.lastDigit(other, found, to, WHOLE));
    return last;
  }

  /** Whether a text is one of the numbers as they are found, and else only punctuation. */
  takes(text: string): boolean {
    const [run = ''] = text.match(RUN) ?? [];
    if (/[^\s.,;]/.test(text.replace(run, ''))) return false;
    readDigits(text, this.found);
    const nonZero = this.found.digits.findIndex((digit) => digit > 0);
    const last = this.lastDigit(0, nonZero, isFromAbroad(text, 0));
    return last !== NONE && last === this.found.count - 1;
  }
}
