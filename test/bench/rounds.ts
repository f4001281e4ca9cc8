/** The median; for an even count, the mean of the two middle numbers. */
export function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The measurements of ours and of what it is compared with, one entry per round. */
export interface Rounds<T> {
  ours: T[];
  theirs: T[];
}

/** Measures both in every round and alternates which comes first, so that a machine that slows down affects both. */
export async function interleave<T>(rounds: number, ours: () => Promise<T>, theirs: () => Promise<T>): Promise<Rounds<T>> {
  const measured: Rounds<T> = { ours: [], theirs: [] };
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) measured.ours.push(await ours());
    measured.theirs.push(await theirs());
    if (round % 2 === 1) measured.ours.push(await ours());
  }
  return measured;
}

/** Measures several in every round. Each round begins with another one. @returns one entry per round for each */
export async function rotate<K extends string, T>(rounds: number, measures: Record<K, () => Promise<T>>): Promise<Record<K, T[]>> {
  const names = Object.keys(measures) as K[];
  const measured = Object.fromEntries(names.map((name) => [name, [] as T[]])) as Record<K, T[]>;
  for (let round = 0; round < rounds; round++) {
    for (let index = 0; index < names.length; index++) {
      const name = names[(round + index) % names.length]!;
      measured[name].push(await measures[name]());
    }
  }
  return measured;
}

/** A figure of ours and of theirs, and their ratio. */
export interface Comparison {
  ours: number;
  theirs: number;
  /** ours / theirs, from the medians. */
  ratio: number;
  /** The smallest and largest ratio of a single round, which shows how reliable the ratio is. */
  spread: string;
}

/** Compares the medians of a figure. @param number takes the figure from a round */
export function compare<T>(rounds: Rounds<T>, number: (measured: T) => number): Comparison {
  const [ours, theirs] = [rounds.ours.map(number), rounds.theirs.map(number)];
  const ratios = ours.map((each, round) => each / theirs[round]!);
  return {
    ours: median(ours),
    theirs: median(theirs),
    ratio: median(ours) / median(theirs),
    spread: `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`,
  };
}
