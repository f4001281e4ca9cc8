/** Sites that would cover each other on a map become one mark with their number. */

/** One or more items at their mean place. */
export interface Cluster<T> {
  x: number;
  y: number;
  items: T[];
}

/** The radius of a mark in map units, by the largest number of items that it is for. */
const RADII = [
  { most: 1, radius: 4.5 },
  { most: 9, radius: 9 },
  { most: 99, radius: 11 },
];
/** The radius of the marks of larger clusters. */
const LARGEST_RADIUS = 14;

/** The radius of the mark of a cluster, in map units. @param size how large marks are drawn */
export function radiusOf({ items }: Cluster<unknown>, size: number): number {
  const step = RADII.find(({ most }) => items.length <= most);
  return (step?.radius ?? LARGEST_RADIUS) * size;
}

/** The most marks of a map: more would be a carpet, and a page of a hundred kilobytes. */
const MOST_MARKS = 150;

/**
 * The marks of a map: no two of them overlap, and there are not too many.
 * @param size how large they are drawn
 */
export function marksOf<T>(items: Cluster<T>[], size: number): Cluster<T>[] {
  let distance = size;
  let marks = clustersOf(items, distance);
  while (marks.length > MOST_MARKS) {
    distance *= 1.2;
    marks = clustersOf(marks, distance);
  }
  return marks;
}

/**
 * Merges clusters until no two marks overlap. Each becomes part of the first one that it overlaps.
 */
function clustersOf<T>(clusters: Cluster<T>[], size: number): Cluster<T>[] {
  const merged: Cluster<T>[] = [];
  for (const each of clusters) {
    const { x, y, items } = each;
    const radius = radiusOf(each, size);
    const other = merged.find(
      (known) => (known.x - x) ** 2 + (known.y - y) ** 2 < (radiusOf(known, size) + radius) ** 2,
    );
    if (other === undefined) {
      merged.push({ x, y, items: [...items] });
      continue;
    }
    const all = other.items.length + items.length;
    other.x = (other.x * other.items.length + x * items.length) / all;
    other.y = (other.y * other.items.length + y * items.length) / all;
    other.items.push(...items);
  }
  return merged.length < clusters.length ? clustersOf(merged, size) : merged;
}
