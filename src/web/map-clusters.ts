/** Sites that would cover each other on a map become one mark with their number. */

/** Something at a place on the map. */
export interface Placed<T> {
  x: number;
  y: number;
  item: T;
}

/** One or more items at their mean place. */
export interface Cluster<T> {
  x: number;
  y: number;
  radius: number;
  items: T[];
}

/** The radius of the mark of one item, in map units. */
const SINGLE = 4.5;
/** The radius of a mark with a number. */
const radiusOf = (count: number): number => (count === 1 ? SINGLE : count < 10 ? 9 : count < 100 ? 11 : 14);

/** The squares of the grid in which clusters are searched are as large as the largest mark of size 1. */
const CELL = 28;

/** Identifies a square of the grid. No map has 10,000 columns. */
const keyOf = (column: number, row: number): number => row * 10_000 + column;

/** Groups items so that no two marks overlap. Items that are close to each other come into one group. */
export function clustersOf<T>(placed: readonly Placed<T>[], size: number): Cluster<T>[] {
  let count = placed.length;
  let clusters = mergedOnce(singles(placed, size), size);
  while (clusters.length < count) {
    count = clusters.length;
    clusters = mergedOnce(clusters, size);
  }
  return clusters;
}

/** A cluster for each item, one after the other: nearly all of them are merged at once. */
function* singles<T>(placed: readonly Placed<T>[], size: number): Generator<Cluster<T>> {
  for (const { x, y, item } of placed) yield { x, y, radius: SINGLE * size, items: [item] };
}

/** Merges each cluster with the first one that it overlaps. */
function mergedOnce<T>(clusters: Iterable<Cluster<T>>, size: number): Cluster<T>[] {
  const cellSize = CELL * size;
  const grid = new Map<number, Cluster<T>[]>();
  const merged: Cluster<T>[] = [];
  for (const { x, y, radius, items } of clusters) {
    const [column, row] = [Math.floor(x / cellSize), Math.floor(y / cellSize)];
    let other: Cluster<T> | undefined;
    for (let index = 0; index < 9 && other === undefined; index++) {
      const cell = grid.get(keyOf(column - 1 + (index % 3), row - 1 + Math.floor(index / 3)));
      other = cell?.find((each) => Math.hypot(each.x - x, each.y - y) < each.radius + radius);
    }
    if (other === undefined) {
      const cluster = { x, y, radius, items: [...items] };
      merged.push(cluster);
      const key = keyOf(column, row);
      const cell = grid.get(key);
      if (cell === undefined) grid.set(key, [cluster]);
      else cell.push(cluster);
      continue;
    }
    // It stays in its square of the grid; the next round searches again with the new place.
    const all = other.items.length + items.length;
    other.x = (other.x * other.items.length + x * items.length) / all;
    other.y = (other.y * other.items.length + y * items.length) / all;
    other.radius = radiusOf(all) * size;
    other.items.push(...items);
  }
  return merged;
}
