import type { LogItemValues } from './log-items.js';

/** Finds which item of a newer log is which item of an older one. */

/** An item in both logs. */
export interface ItemPair {
  older: LogItemValues;
  newer: LogItemValues;
}

/** The items of a section in two logs. */
interface PairedItems {
  pairs: ItemPair[];
  /** The items that only the older log has. */
  removed: LogItemValues[];
  /** The items that only the newer log has. */
  added: LogItemValues[];
}

/**
 * The most pairs of items that are compared with each other in one step of a section, for items
 * with the same key together. Beyond, such items are paired in the order of the logs.
 */
const MOST_CANDIDATES = 40_000;

/** The meaning of all values of an item, to find equal items. */
const meaningsOf = ({ values, from, to }: LogItemValues): string =>
  JSON.stringify([from, to, ...[...values.values()].map(({ meaning }) => meaning)]);

/** How many known values two items have in common, and how many both have. */
function likenessOf({ older, newer }: ItemPair): { equal: number; known: number } {
  let equal = 0;
  let known = 0;
  for (const [member, { meaning }] of older.values) {
    const other = newer.values.get(member)?.meaning ?? null;
    if (meaning === null || other === null) continue;
    known += 1;
    if (meaning === other) equal += 1;
  }
  return { equal, known };
}

/** Whether the periods of two items overlap. An unknown end is open. */
function overlap({ older, newer }: ItemPair): boolean {
  const beginsInTime = newer.from === null || older.to === null || newer.from < older.to;
  const endsInTime = newer.to === null || older.from === null || older.from < newer.to;
  return (beginsInTime && endsInTime) || (older.from !== null && older.from === newer.from);
}

/** Whether at least half of the values that both items have are equal. */
function areAlike(pair: ItemPair): boolean {
  const { equal, known } = likenessOf(pair);
  return equal > 0 && equal * 2 >= known;
}

/** A step: items with the same key can be one, if they also match. */
interface Step {
  /** Null: the item is in no pair of this step. */
  keyOf: (item: LogItemValues) => string | null;
  matches: (pair: ItemPair) => boolean;
}

const always = (): boolean => true;

/** The steps, in order. Each pairs what the previous steps have left. */
const STEPS: readonly Step[] = [
  { keyOf: meaningsOf, matches: always },
  { keyOf: ({ device }) => device, matches: overlap },
  { keyOf: ({ from }) => from, matches: always },
  { keyOf: ({ to }) => to, matches: always },
  { keyOf: ({ index }) => String(index), matches: always },
  { keyOf: () => '', matches: areAlike },
];

/**
 * The pairs of some items that match, those most alike first, then those with the nearest places.
 */
function candidatesAmong(
  older: readonly LogItemValues[],
  newer: readonly LogItemValues[],
  matches: Step['matches'],
): ItemPair[] {
  const pairs = older.flatMap((each) => newer.map((other) => ({ older: each, newer: other })));
  const distanceOf = (pair: ItemPair): number => Math.abs(pair.older.index - pair.newer.index);
  return pairs
    .filter(matches)
    .map((pair) => ({ pair, likeness: likenessOf(pair).equal, distance: distanceOf(pair) }))
    .sort((a, b) => b.likeness - a.likeness || a.distance - b.distance)
    .map(({ pair }) => pair);
}

/** Too many items to compare each with each other: they are paired in order. */
function inOrder(
  older: readonly LogItemValues[],
  newer: readonly LogItemValues[],
  matches: Step['matches'],
): ItemPair[] {
  const pairs: ItemPair[] = [];
  for (const [index, each] of older.entries()) {
    const other = newer[index];
    if (other === undefined) break;
    const pair = { older: each, newer: other };
    if (matches(pair)) pairs.push(pair);
  }
  return pairs;
}

/** Groups items by their key. */
function groupsOf(
  items: Iterable<LogItemValues>,
  keyOf: Step['keyOf'],
): Map<string, LogItemValues[]> {
  const groups = new Map<string, LogItemValues[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === null) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** Pairs the items of a section, each at most once. */
export function pairItems(
  older: readonly LogItemValues[],
  newer: readonly LogItemValues[],
): PairedItems {
  const removed = new Set(older);
  const added = new Set(newer);
  const pairs: ItemPair[] = [];
  for (const { keyOf, matches } of STEPS) {
    const newerGroups = groupsOf(added, keyOf);
    let candidatesLeft = MOST_CANDIDATES;
    for (const [key, olderGroup] of groupsOf(removed, keyOf)) {
      const newerGroup = newerGroups.get(key) ?? [];
      const candidates = olderGroup.length * newerGroup.length;
      // A single pair needs no choice.
      const isChoice = candidates > 1 && candidates <= candidatesLeft;
      if (isChoice) candidatesLeft -= candidates;
      const find = isChoice ? candidatesAmong : inOrder;
      for (const pair of find(olderGroup, newerGroup, matches)) {
        if (!removed.has(pair.older) || !added.has(pair.newer)) continue;
        removed.delete(pair.older);
        added.delete(pair.newer);
        pairs.push(pair);
      }
    }
  }
  return { pairs, removed: [...removed], added: [...added] };
}
