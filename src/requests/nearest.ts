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

/**
 * Finds the candidates nearest to a text: at most a third of its characters differ, or of a word of the candidate, or it is the
 * beginning of the candidate.
 */
export class NearestSearch<T> {
  private readonly wanted: string;
  private readonly characters: number;
  private readonly limit: number;
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
    this.wanted = fold(text);
    this.characters = charactersOf(this.wanted);
    this.limit = Math.max(1, Math.floor(this.wanted.length / 3));
  }

  /** The nearest candidates so far, the nearest first; of equally near ones, the first. */
  get nearest(): T[] {
    return this.found.map(({ candidate }) => candidate);
  }

  /** Compares further candidates. */
  add(candidates: readonly T[]): void {
    if (this.wanted === '') return;
    for (const candidate of candidates) {
      // Once there are enough, only a candidate nearer than the last of them counts.
      const last = this.found.length === this.most ? this.found.at(-1)!.far : this.limit + 1;
      if (last === 0) return;
      const far = this.textsOf(candidate).reduce((least, text) => Math.min(least, this.distanceOf(text, Math.ceil(least) - 1)), last);
      if (far >= last) continue;
      if (this.found.length === this.most) this.found.pop();
      this.found.splice(this.found.findLastIndex((each) => each.far <= far) + 1, 0, { candidate, far });
    }
  }

  /** How far a text is from the wanted one; more than the limit if it is farther than that. */
  private distanceOf(text: string, limit: number): number {
    // Each wanted character that the text lacks is a difference, from the text and from each of its words.
    if (bitsIn(this.characters & ~charactersOf(text.toLowerCase())) > limit) return limit + 1;
    const whole = fold(text);
    if (whole.startsWith(this.wanted)) return 0.5;
    const words = text.split(/\s+/);
    return [whole, ...(words.length > 1 ? words.map(fold) : [])].reduce(
      (least, each) => Math.min(least, differences(this.wanted, each, limit)),
      limit + 1,
    );
  }
}

/** The candidates nearest to a text, as {@link NearestSearch} finds them. */
export function nearestTo<T>(text: string, candidates: readonly T[], textsOf: (candidate: T) => readonly string[], most: number): T[] {
  const search = new NearestSearch(text, textsOf, most);
  search.add(candidates);
  return search.nearest;
}
