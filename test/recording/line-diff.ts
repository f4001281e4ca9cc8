/** Above this number of pairs of lines, lines are compared without regard to their order. */
const MOST_PAIRS = 4_000_000;
/** How much of a line is shown. */
const WIDTH = 160;

/** A text as lines that are worth comparing: JSON documents are spread. */
function linesIn(text: string): string[] {
  if (/^[[{]/.test(text) && !text.trimEnd().includes('\n'))
    try {
      return JSON.stringify(JSON.parse(text), null, 1)
        .split('\n')
        .map((line) => line.trim());
    } catch {
      // It only looks like JSON.
    }
  return text.split('\n');
}

/** Lines that the other text has not, as often. */
function withoutOrder(lines: readonly string[], others: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = counts.get(line) ?? 0;
    counts.set(line, count - 1);
    return count <= 0;
  });
}

/** The shortest list of removed (`-`) and added (`+`) lines, by the longest common subsequence. */
function withOrder(before: readonly string[], after: readonly string[]): string[] {
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        before[i] === after[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
  const found: string[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    const isCommon = i < before.length && j < after.length && before[i] === after[j];
    if (isCommon) {
      i++;
      j++;
      continue;
    }
    const isRemoved =
      j === after.length ||
      (i < before.length && lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!);
    found.push(isRemoved ? `- ${before[i++]}` : `+ ${after[j++]}`);
  }
  return found;
}

/** The lines that differ between two texts, each with `- ` or `+ ` in front. */
export function lineDiff(before: string, after: string): string[] {
  const all = [linesIn(before), linesIn(after)] as const;
  const least = Math.min(all[0].length, all[1].length);
  let begin = 0;
  while (begin < least && all[0][begin] === all[1][begin]) begin++;
  let end = 0;
  while (end < least - begin && all[0].at(-1 - end) === all[1].at(-1 - end)) end++;
  const [a, b] = all.map((lines) => lines.slice(begin, lines.length - end)) as [string[], string[]];
  if (a.length * b.length <= MOST_PAIRS) return withOrder(a, b);
  const removed = withoutOrder(a, b).map((line) => `- ${line}`);
  const added = withoutOrder(b, a).map((line) => `+ ${line}`);
  return removed.length + added.length > 0
    ? [...removed, ...added]
    : ['the lines are the same, in another order'];
}

/**
 * Lines of a diff with a readable length: of a removed line and the added one after it, what is
 * about their first difference.
 */
export function clipped(lines: readonly string[]): string[] {
  return lines.map((line, at) => {
    if (line.length <= WIDTH) return line;
    const isRemoved = line.startsWith('-');
    const other = lines[isRemoved ? at + 1 : at - 1] ?? '';
    let same = 1;
    if (other.startsWith(isRemoved ? '+' : '-'))
      while (same < line.length && line[same] === other[same]) same++;
    const from = Math.max(2, Math.min(same - 40, line.length - WIDTH));
    const piece = line.slice(from, from + WIDTH);
    return `${line[0]} ${from > 2 ? '…' : ''}${piece}${from + WIDTH < line.length ? '…' : ''}`;
  });
}
