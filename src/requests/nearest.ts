/** What a text that was not found may have meant. */

/** The most characters of a text that is compared. */
const LONGEST = 60;

/** How many single characters differ between two texts: replaced, added, missing or exchanged with a neighbour; at most `limit` + 1. */
export function differences(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const line = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let least = Math.min(last[column]! + 1, line[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1));
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        least = Math.min(least, before[column - 2]! + 1);
      line.push(least);
    }
    if (Math.min(...line) > limit) return limit + 1;
    [before, last] = [last, line];
  }
  return last[b.length]!;
}

/** Without case and blanks. */
const fold = (text: string): string => text.toLowerCase().replace(/\s+/g, '').slice(0, LONGEST);

/**
 * The candidates nearest to a text, the nearest first: at most a third of its characters differ, or of a word of the
 * candidate, or it is the beginning of the candidate.
 * @param textsOf the texts of a candidate, of which the nearest counts
 */
export function nearestTo<T>(text: string, candidates: readonly T[], textsOf: (candidate: T) => readonly string[], most: number): T[] {
  const wanted = fold(text);
  if (wanted === '') return [];
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  const distance = (candidate: string): number => {
    const words = candidate.split(/\s+/);
    const whole = fold(candidate);
    if (whole.startsWith(wanted)) return 0.5;
    return Math.min(...[whole, ...(words.length > 1 ? words.map(fold) : [])].map((each) => differences(wanted, each, limit)));
  };
  return candidates
    .map((candidate, index) => ({ candidate, index, far: Math.min(...textsOf(candidate).map(distance)) }))
    .filter(({ far }) => far <= limit)
    .sort((a, b) => a.far - b.far || a.index - b.index)
    .slice(0, most)
    .map(({ candidate }) => candidate);
}
