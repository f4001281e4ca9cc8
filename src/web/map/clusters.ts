/** Sites that would cover each other on a map become one mark with their number. */

/** One or more items at their mean place. */
export interface Cluster<T> {
  x: number;
  y: number;
  items: T[];
}

/** The radius of the mark of a cluster, in map units. */
export const radiusOf = ({ items: { length } }: Cluster<unknown>, size: number): number =>
  (length === 1 ? 4.5 : length < 10 ? 9 : length < 100 ? 11 : 14) * size;

/**
 * Merges clusters until no two marks overlap. Each becomes part of the first one that it overlaps.
 */
export function clustersOf<T>(clusters: Cluster<T>[], size: number): Cluster<T>[] {
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
