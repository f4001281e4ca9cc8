/** One row of the results. */
export interface Row {
  name: string;
  /** The ratio or figure, with its unit. */
  result: string;
  /** The figures behind it. */
  raw: string;
  /** The target, and whether it is met; null if there is none. */
  target: { text: string; met: boolean } | null;
}

/** The rows as aligned columns. */
export function tableOf(rows: Row[]): string {
  const lines = rows.map(({ name, result, raw, target }) => {
    const verdict = target?.met === true ? 'met' : 'NOT MET';
    return [name, result, target?.text ?? '', target === null ? '' : verdict, raw];
  });
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...lines.map((line) => line[column]!.length)),
  );
  return lines
    .map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .join('\n');
}

/** The median; for an even count, the mean of the two middle numbers. */
export function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/**
 * Measures several in every round, so that a machine that slows down affects all. Each round begins
 * with another one.
 */
export async function interleave<K extends string, T>(
  rounds: number,
  measures: Record<K, () => Promise<T>>,
): Promise<Record<K, T[]>> {
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

/** A figure, which must be at least or at most its target. */
export const row = (
  name: string,
  figure: number,
  unit: string,
  bound: 'at least' | 'at most',
  target: number,
  raw: string,
): Row => ({
  name,
  result: `${figure.toFixed(unit === 'ms' ? 0 : 2)} ${unit}`,
  raw,
  target: {
    text: `${bound} ${target}`,
    met: bound === 'at least' ? figure >= target : figure <= target,
  },
});

/**
 * The medians of two series, and the smallest and largest ratio of a single round, which shows how
 * reliable their ratio is.
 */
export function rawOf(ours: number[], theirs: number[], unit: string, decimals = 0): string {
  const ratios = ours.map((each, round) => each / theirs[round]!);
  const spread = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
  const [own, other] = [median(ours).toFixed(decimals), median(theirs).toFixed(decimals)];
  return `${own} / ${other} ${unit} (rounds ${spread})`;
}

/** How a time compares with that of an older build, if there is one. */
export function besideOlder(
  name: string,
  ours: number[],
  older: number[] | undefined,
  most: number,
  decimals = 0,
): Row[] {
  if (older === undefined) return [];
  const raw = rawOf(ours, older, 'ms', decimals);
  return [row(name, median(ours) / median(older), '× the older build', 'at most', most, raw)];
}
