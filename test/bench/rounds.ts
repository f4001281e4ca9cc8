/** The middle of the numbers, of an even count the mean of the two in the middle. */
export function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** What was measured of ours and of what it is compared with, one entry a round. */
export interface Rounds<T> {
  ours: T[];
  theirs: T[];
}

/** Measures both in every round, in turns the one or the other first, so that a machine that gets slower does so for both. */
export async function interleave<T>(rounds: number, ours: () => Promise<T>, theirs: () => Promise<T>): Promise<Rounds<T>> {
  const measured: Rounds<T> = { ours: [], theirs: [] };
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) measured.ours.push(await ours());
    measured.theirs.push(await theirs());
    if (round % 2 === 1) measured.ours.push(await ours());
  }
  return measured;
}

/** Measures each of several in every round, each round beginning with another one. @returns one entry a round for each */
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

/** One number of ours and of theirs, and how they compare. */
export interface Comparison {
  ours: number;
  theirs: number;
  /** ours / theirs, of the medians. */
  ratio: number;
  /** The smallest and the largest ratio of a single round: how far the ratio can be trusted. */
  spread: string;
}

/** Compares the medians of what `number` takes from each round. */
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
