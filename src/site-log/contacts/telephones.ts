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

/** Digits that may be one number or several. */
const RUN = /[+(]{0,2}\d(?:[\s./()\-\u2010-\u2015\u2212]{0,4}\d){5,}/g;
/** A zero that is only dialled inside the country. */
const TRUNK_ZERO = /\(0\)/g;

/** The digits of a number as it is dialled from abroad, without the zeros before it. */
const digitsOf = (text: string): string => text.replace(/\D/g, '').replace(/^0+/, '');

const POWERS = Array.from({ length: MOST_DIGITS + 1 }, (_, count) => 10 ** count);
/** The least number of as many digits as are kept. */
const FULL = POWERS[MOST_DIGITS - 1]!;

/** Digits as a number that also tells how many there are. Of more digits, the last ones count. */
const keyOf = (count: number, digits: number): number => POWERS[count]! + (digits % POWERS[count]!);

const OPENING = 0x28;
const ZERO = 0x30;
const isDigit = (code: number): boolean => code >= ZERO && code <= ZERO + 9;

/** Whether a number is written as it is dialled from abroad. */
const isFromAbroad = (text: string, from: number): boolean => {
  const place = text[from] === '(' ? from + 1 : from;
  return text[place] === '+' || text.startsWith('00', place);
};

/** The digits of a text, read once for all numbers that may begin there. */
interface Digits {
  digits: number[];
  places: number[];
  /** Where digits begin behind something else, and how many were before. */
  starts: { place: number; index: number }[];
}

function digitsIn(text: string): Digits {
  const found: Digits = { digits: [], places: [], starts: [] };
  const { digits, places, starts } = found;
  let wasDigit = false;
  for (let place = 0; place < text.length; place++) {
    const code = text.charCodeAt(place);
    const isOne = isDigit(code);
    if (isOne) {
      if (!wasDigit) starts.push({ place, index: digits.length });
      digits.push(code - ZERO);
      places.push(place);
    } else if (code === OPENING && text.startsWith('(0)', place)) {
      // It is only dialled inside the country.
      starts.push({ place: place + 1, index: digits.length });
      place += 2;
    }
    wasDigit = isOne;
  }
  return found;
}

/** No number of a {@link NumberTree} goes on so. */
const NOWHERE = 0;
/** Where all numbers of a {@link NumberTree} begin. */
const ROOT = 1;

/** Some numbers, which are found digit by digit. Numbers with the same beginning share its nodes. */
class NumberTree {
  /** The node behind each digit of each node. */
  private readonly following: Int32Array;
  /** 1 for each node at which a number ends. */
  private readonly ends: Uint8Array;

  /** @param numbers their digits */
  constructor(numbers: readonly string[]) {
    const most = numbers.reduce((sum, { length }) => sum + length, ROOT + 1);
    this.following = new Int32Array(10 * most);
    this.ends = new Uint8Array(most);
    let nodes = ROOT + 1;
    for (const number of numbers) {
      let node = ROOT;
      for (let index = 0; index < number.length; index++) {
        const place = 10 * node + number.charCodeAt(index) - ZERO;
        if (this.following[place] === NOWHERE) this.following[place] = nodes++;
        node = this.following[place]!;
      }
      this.ends[node] = 1;
    }
  }

  /** The node behind a digit. */
  after(node: number, digit: number): number {
    return this.following[10 * node + digit]!;
  }

  isEnd(node: number): boolean {
    return this.ends[node] === 1;
  }
}

/** Finds some numbers in texts, also in those that consist of nothing but short numbers. */
export class Telephones {
  /** Whole numbers, as {@link keyOf} gives them, like the others. */
  private readonly whole = new Set<number>();
  /** And what may stand for a number where the code of its country or place is left out. */
  private readonly all: NumberTree;
  /** How many digits the whole numbers have. */
  private readonly counts: readonly number[];

  /** @param texts the telephone numbers, each with or without other words */
  constructor(texts: readonly string[]) {
    const counts = new Set<number>();
    const all: string[] = [];
    for (const [run] of texts.flatMap((text) => [...text.replace(TRUNK_ZERO, ' ').matchAll(RUN)])) {
      const digits = digitsOf(run);
      if (digits.length < FEWEST_DIGITS || digits.length > MOST_DIGITS) continue;
      this.whole.add(keyOf(digits.length, Number(digits)));
      counts.add(digits.length);
      all.push(digits);
      for (let from = 1; digits.length - from >= FEWEST_LOCAL_DIGITS; from++)
        all.push(digits.slice(from));
    }
    this.counts = [...counts];
    this.all = new NumberTree(all);
  }

  /** A text with something else in place of each number. */
  replacedIn(text: string, replacement: string): string {
    if (this.whole.size === 0) return text;
    return text.replace(RUN, (run) => this.replacedInRun(run, replacement));
  }

  private replacedInRun(run: string, replacement: string): string {
    const found = digitsIn(run);
    const kept: string[] = [];
    let end = 0;
    for (const { place, index } of found.starts) {
      if (place < end) continue;
      let begin = place;
      while (place - begin < 2 && (run[begin - 1] === '+' || run[begin - 1] === '(')) begin--;
      const to = this.endOfNumberAt(found, index, isFromAbroad(run, begin));
      if (to === null) continue;
      // A parenthesis around the whole number stays.
      const isAround = run[begin] === '(' && !run.slice(begin, to).includes(')');
      kept.push(run.slice(end, isAround ? begin + 1 : begin));
      end = to;
    }
    return end === 0 ? run : [...kept, run.slice(end)].join(replacement);
  }

  /** Where the longest number ends that begins with a digit; null if none does. */
  private endOfNumberAt(
    { digits, places }: Digits,
    from: number,
    fromAbroad: boolean,
  ): number | null {
    let end: number | null = null;
    let node = ROOT;
    // The same without the zeros at the beginning.
    let withoutZeros = ROOT;
    // How many digits there are without these, and the last of them as a number.
    let count = 0;
    let last = 0;
    const to = Math.min(digits.length, from + MOST_DIALLED);
    for (let index = from; index < to; index++) {
      const digit = digits[index]!;
      node = this.all.after(node, digit);
      if (count > 0 || digit > 0) {
        count++;
        withoutZeros = this.all.after(withoutZeros, digit);
      }
      if (fromAbroad) last = 10 * (last < FULL ? last : last % FULL) + digit;
      else if (node === NOWHERE && withoutZeros === NOWHERE) break;
      if (places[index + 1] === places[index]! + 1) continue;
      const isFound = this.all.isEnd(node) || this.all.isEnd(withoutZeros);
      if (isFound || (fromAbroad && this.endsWithWhole(count, last))) end = places[index]! + 1;
    }
    return end;
  }

  /** Whether digits end with a whole number. */
  private endsWithWhole(count: number, last: number): boolean {
    return this.counts.some((each) => each <= count && this.whole.has(keyOf(each, last)));
  }

  /** Whether a text is one of the numbers, and nothing else. */
  takes(text: string): boolean {
    if (/\p{L}/u.test(text)) return false;
    const found = digitsIn(text);
    const end = this.endOfNumberAt(found, 0, isFromAbroad(text, 0));
    return end !== null && end === found.places.at(-1)! + 1;
  }
}
