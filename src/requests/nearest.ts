/** What a text that was not found may have meant. */

/** The most characters of a text that is compared. */
const LONGEST = 60;
/** A text with fewer characters is not compared with the beginnings of longer texts. */
const SHORTEST_BEGINNING = 5;

/** Without case and blanks. */
const fold = (text: string): string => text.toLowerCase().replace(/\s+/g, '').slice(0, LONGEST);

/** How many characters of a text may differ: a third. */
const limitOf = (text: string): number => Math.max(1, Math.floor(text.length / 3));

/**
 * How many single characters differ between two texts: replaced, added, missing or exchanged with a
 * neighbour; at most `limit` + 1.
 */
export function differences(a: string, b: string, limit: number): number {
  const most = limit + 1;
  if (Math.abs(a.length - b.length) > limit) return most;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const line = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      const exchanged =
        row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const least = Math.min(
        last[column]! + 1,
        line[column - 1]! + 1,
        last[column - 1]! + (same ? 0 : 1),
      );
      line.push(exchanged ? Math.min(least, before[column - 2]! + 1) : least);
    }
    if (Math.min(...line) > limit) return most;
    [before, last] = [last, line];
  }
  return Math.min(last[b.length]!, most);
}

/**
 * How far a wanted text is from another, or from its beginning; Infinity if it is too far. Both are
 * folded.
 */
function distance(wanted: string, text: string): number {
  if (text.startsWith(wanted)) return text.length === wanted.length ? 0 : 0.5;
  const limit = limitOf(wanted);
  const hasBeginning = wanted.length >= SHORTEST_BEGINNING && text.length > wanted.length;
  const ofBeginning = hasBeginning
    ? differences(wanted, text.slice(0, wanted.length), limit) + 0.5
    : Infinity;
  const far = Math.min(differences(wanted, text, limit), ofBeginning);
  return far < limit + 1 ? far : Infinity;
}

/**
 * The candidates nearest to a text, the nearest first; of equally near ones, the first. At most a
 * third of its characters differ from the candidate, the beginning of the candidate or one of the
 * candidate's words; or at most a third of each of its words differs from a word of the candidate.
 * @param textsOf the texts of a candidate, of which the nearest counts
 * @param most how many are found
 */
export function nearestTo<T>(
  text: string,
  candidates: readonly T[],
  textsOf: (candidate: T) => readonly string[],
  most: number,
): T[] {
  const wanted = fold(text);
  if (wanted === '') return [];
  const wantedWords = text.trim().slice(0, LONGEST).split(/\s+/).map(fold);
  const farOf = (texts: readonly string[]): number => {
    const words = texts.flatMap((each) => each.split(/\s+/)).map(fold);
    const nearestOf = (one: string, others: string[]): number =>
      Math.min(...others.map((other) => distance(one, other)));
    const whole = nearestOf(wanted, [...texts.map(fold), ...words]);
    const inWords = wantedWords.reduce((sum, word) => sum + nearestOf(word, words), 0);
    return Math.min(whole, inWords);
  };
  return candidates
    .map((candidate) => ({ candidate, far: farOf(textsOf(candidate)) }))
    .filter(({ far }) => far < limitOf(wanted) + 1)
    .sort((a, b) => a.far - b.far)
    .slice(0, most)
    .map(({ candidate }) => candidate);
}
