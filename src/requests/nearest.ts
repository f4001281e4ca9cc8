/** What a text that was not found may have meant. */

/** The most characters of a text that is compared. */
const LONGEST = 60;

/** Without case and blanks. */
const fold = (text: string): string => text.toLowerCase().replace(/\s+/g, '').slice(0, LONGEST);

/** The last lines of the table of {@link differences}, of which each call needs three. */
const lines = [0, 1, 2].map(() => new Uint8Array(LONGEST + 2));

/**
 * How many single characters differ between two texts: replaced, added, missing or exchanged with a neighbour; at most `limit` + 1.
 * The texts have at most {@link LONGEST} characters.
 */
export function differences(a: string, b: string, limit: number): number {
  const most = limit + 1;
  if (Math.abs(a.length - b.length) > limit) return most;
  let [before, last, line] = lines as [Uint8Array, Uint8Array, Uint8Array];
  for (let column = 0; column <= b.length; column++) last[column] = column;
  for (let row = 1; row <= a.length; row++) {
    // Cells farther from the diagonal exceed the limit.
    const [from, to] = [Math.max(1, row - limit), Math.min(b.length, row + limit)];
    let leastOfLine = (line[from - 1] = from === 1 ? row : most);
    for (let column = from; column <= to; column++) {
      const same = a.charCodeAt(row - 1) === b.charCodeAt(column - 1);
      let least = Math.min(last[column]! + 1, line[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1));
      if (row > 1 && column > 1 && a.charCodeAt(row - 1) === b.charCodeAt(column - 2) && a.charCodeAt(row - 2) === b.charCodeAt(column - 1))
        least = Math.min(least, before[column - 2]! + 1);
      line[column] = least;
      if (least < leastOfLine) leastOfLine = least;
    }
    line[to + 1] = most;
    if (leastOfLine > limit) return most;
    [before, last, line] = [last, line, before];
  }
  return Math.min(last[b.length]!, most);
}

/** Which characters a text has: one bit for each letter, and six bits for all other characters. */
function charactersOf(text: string): number {
  let bits = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index) - 97;
    bits |= 1 << (code >= 0 && code < 26 ? code : 26 + (Math.abs(code) % 6));
  }
  return bits;
}

/** How many bits of a 32-bit number are set. */
function bitsIn(number: number): number {
  let bits = 0;
  for (let left = number; left !== 0; left &= left - 1) bits++;
  return bits;
}

/** A text with fewer characters is not compared with the beginnings of longer texts. */
const SHORTEST_BEGINNING = 5;

/** A text that was asked for, or a word of it. */
class Wanted {
  readonly text: string;
  /** How many characters may differ. */
  readonly limit: number;
  private readonly characters: number;

  constructor(text: string) {
    this.text = fold(text);
    this.limit = Math.max(1, Math.floor(this.text.length / 3));
    this.characters = charactersOf(this.text);
  }

  /** Whether a text, and each of its words, certainly differs by more than a limit: each character that it lacks is a difference. */
  lacks(text: string, limit: number): boolean {
    return bitsIn(this.characters & ~charactersOf(text)) > limit;
  }

  /** How far a folded text is from this one, or its beginning; more than the limit if it is farther than that. */
  distanceTo(text: string, limit: number): number {
    const { length } = this.text;
    if (text.startsWith(this.text)) return text.length === length ? 0 : 0.5;
    const far = differences(this.text, text, limit);
    if (length < SHORTEST_BEGINNING || text.length <= length) return far;
    return Math.min(far, differences(this.text, text.slice(0, length), limit) + 0.5);
  }
}

/**
 * Finds the candidates nearest to a text. At most a third of its characters differ from the candidate, the beginning of the
 * candidate or one of the candidate's words; or at most a third of each of its words differs from a word of the candidate.
 */
export class NearestSearch<T> {
  private readonly wanted: Wanted;
  /** The words, if there are several. */
  private readonly words: Wanted[];
  /** The nearest so far, the nearest first. */
  private readonly found: { candidate: T; far: number }[] = [];

  /**
   * @param textsOf the texts of a candidate, of which the nearest counts
   * @param most how many are found
   */
  constructor(
    text: string,
    private readonly textsOf: (candidate: T) => readonly string[],
    private readonly most: number,
  ) {
    this.wanted = new Wanted(text);
    const words = text.trim().slice(0, LONGEST).split(/\s+/);
    this.words = words.length > 1 ? words.map((word) => new Wanted(word)) : [];
  }

  /** The nearest candidates so far, the nearest first; of equally near ones, the first. */
  get nearest(): T[] {
    return this.found.map(({ candidate }) => candidate);
  }

  /** Compares further candidates. */
  add(candidates: readonly T[]): void {
    if (this.wanted.text === '') return;
    for (const candidate of candidates) {
      // Once there are enough, only a candidate nearer than the last of them counts.
      const last = this.found.length === this.most ? this.found.at(-1)!.far : this.wanted.limit + 1;
      if (last === 0) return;
      const texts = this.textsOf(candidate);
      const whole = texts.reduce((least, text) => Math.min(least, this.distanceOf(text, Math.ceil(least) - 1)), last);
      const far = this.words.length === 0 ? whole : Math.min(whole, this.distanceOfWords(texts.join(' ').toLowerCase(), whole));
      if (far >= last) continue;
      if (this.found.length === this.most) this.found.pop();
      this.found.splice(this.found.findLastIndex((each) => each.far <= far) + 1, 0, { candidate, far });
    }
  }

  /** How far a text, or one of its words, is from the wanted one; more than the limit if it is farther than that. */
  private distanceOf(text: string, limit: number): number {
    if (this.wanted.lacks(text.toLowerCase(), limit)) return limit + 1;
    const whole = fold(text);
    if (whole.startsWith(this.wanted.text)) return this.wanted.distanceTo(whole, limit);
    const words = text.split(/\s+/);
    return [whole, ...(words.length > 1 ? words.map(fold) : [])].reduce(
      (least, each) => Math.min(least, this.wanted.distanceTo(each, limit)),
      limit + 1,
    );
  }

  /** How far the words that were asked for are from words of a text, in total; at least a limit if one of them is similar to none. */
  private distanceOfWords(text: string, limit: number): number {
    if (this.words.some((word) => word.lacks(text, word.limit))) return limit;
    const words = text.split(/\s+/).map((word) => word.slice(0, LONGEST));
    let sum = 0;
    for (const wanted of this.words) {
      const far = words.reduce((least, word) => Math.min(least, wanted.distanceTo(word, wanted.limit)), limit);
      if (far > wanted.limit) return limit;
      sum += far;
    }
    return sum;
  }
}

/** The candidates nearest to a text, as {@link NearestSearch} finds them. */
export function nearestTo<T>(text: string, candidates: readonly T[], textsOf: (candidate: T) => readonly string[], most: number): T[] {
  const search = new NearestSearch(text, textsOf, most);
  search.add(candidates);
  return search.nearest;
}
