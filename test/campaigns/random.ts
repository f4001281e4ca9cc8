/** Numbers from a seed: the same seed gives the same numbers on every machine (mulberry32). */
export class Random {
  private state: number;

  constructor(seed: string) {
    // FNV-1a, so that neighbouring cases start from unrelated states.
    let hash = 0x811c9dc5;
    for (let index = 0; index < seed.length; index++)
      hash = Math.imul(hash ^ seed.charCodeAt(index), 0x01000193);
    this.state = hash >>> 0;
  }

  /** A number from 0 to below 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  /** A whole number from 0 to below `bound`. */
  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  /** 1, or sometimes more: each next number is half as likely. */
  few(most: number): number {
    let count = 1;
    while (count < most && this.chance(0.5)) count++;
    return count;
  }
}

/**
 * The numbers of one case of a part, which do not depend on other cases: so any case can be
 * repeated alone.
 */
export const randomOf = (seed: number, part: string, number: number): Random =>
  new Random(`${seed}/${part}/${number}`);
