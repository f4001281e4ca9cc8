import type { Mark } from './layout.js';

/** Marks of a row at one place. */
interface JoinedMarks {
  /** In percent of the width. */
  x: number;
  /** In chronological order. */
  items: Mark[];
}

/**
 * Joins marks that would overlap, at their mean place, until none does.
 * @param marks from left to right
 * @param width of a mark, in the unit of their places
 */
export function joinMarks(marks: JoinedMarks[], width: number): JoinedMarks[] {
  const joined: JoinedMarks[] = [];
  for (const { x, items } of marks) {
    const last = joined.at(-1);
    if (last === undefined || x - last.x >= width) {
      joined.push({ x, items: [...items] });
      continue;
    }
    const all = last.items.length + items.length;
    last.x = Math.round(((last.x * last.items.length + x * items.length) / all) * 1e3) / 1e3;
    last.items.push(...items);
  }
  return joined.length < marks.length ? joinMarks(joined, width) : joined;
}
