import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { clipped, lineDiff } from './line-diff.js';
import { ENDING, type Entry, linesOf } from './recording.js';

/** How many differences of a kind are shown, and how many lines of each. */
const SHOWN = { entries: 2, lines: 8 };
const LISTED = { entries: Infinity, lines: 60 };
/** How many of the lines that differ most often are shown. */
const MOST_FREQUENT = 30;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const filesIn = (folder: string): string[] =>
  readdirSync(folder).filter((name) => name.endsWith(ENDING));

/** The kind of each entry of a file, and a hash of all that it has, by key. */
type Index = Map<string, { kind: string; hash: string }>;

async function indexOf(file: string): Promise<Index> {
  const index: Index = new Map();
  for await (const line of linesOf(file)) {
    const { key, kind } = JSON.parse(line) as Entry;
    const hash = createHash('sha256').update(line).digest('base64');
    index.set(key, { kind, hash });
  }
  return index;
}

/** Some entries of a file. */
async function entriesOf(file: string, keys: ReadonlySet<string>): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  if (keys.size === 0) return entries;
  for await (const line of linesOf(file)) {
    const entry = JSON.parse(line) as Entry;
    if (keys.has(entry.key)) entries.set(entry.key, entry);
  }
  return entries;
}

/** How two entries differ, as lines. */
function differences(before: Entry, after: Entry): string[] {
  const lines: string[] = [];
  if (before.kind !== after.kind) lines.push(`- kind ${before.kind}`, `+ kind ${after.kind}`);
  if (before.status !== after.status)
    lines.push(`- status ${before.status}`, `+ status ${after.status}`);
  // The length of a body that differs says nothing more.
  const headers = (entry: Entry): string =>
    (entry.headers ?? []).filter((field) => !/^content-length:/i.test(field)).join('\n');
  if (headers(before) !== headers(after)) lines.push(...lineDiff(headers(before), headers(after)));
  const names = new Set([...Object.keys(before.parts), ...Object.keys(after.parts)]);
  for (const name of names) {
    const [a, b] = [before.parts[name], after.parts[name]];
    if (a?.sha256 === b?.sha256) continue;
    if (name !== 'body') lines.push(`  ${name}:`);
    if (a === undefined || b === undefined) lines.push(a === undefined ? '+ (new)' : '- (gone)');
    else lines.push(...lineDiff(a.text, b.text));
  }
  if (lines.length === 0)
    lines.push(...lineDiff((before.headers ?? []).join('\n'), (after.headers ?? []).join('\n')));
  return lines;
}

/** Counts lines that differ, in how many entries each. */
class Frequencies {
  private readonly counts = new Map<string, number>();

  add(lines: readonly string[]): void {
    for (const line of new Set(lines)) this.counts.set(line, (this.counts.get(line) ?? 0) + 1);
  }

  print(): void {
    const sorted = [...this.counts].filter(([, count]) => count > 2).sort((a, b) => b[1] - a[1]);
    if (sorted.length === 0) return;
    say('\nlines that differ most often, and in how many entries:');
    for (const [line, count] of sorted.slice(0, MOST_FREQUENT))
      say(`${String(count).padStart(6)}  ${clipped([line])[0]}`);
  }
}

/** Compares one file of two recordings. Returns how many entries differ. */
async function compareFile(
  name: string,
  folders: readonly [string, string],
  isListed: boolean,
  frequencies: Frequencies,
): Promise<number> {
  const paths = folders.map((folder) => join(folder, name)) as [string, string];
  const [before, after] = [await indexOf(paths[0]), await indexOf(paths[1])];
  const groups = new Map<string, { changed: string[]; gone: string[]; new: string[] }>();
  const groupOf = (kind: string) => {
    const group = groups.get(kind) ?? { changed: [], gone: [], new: [] };
    groups.set(kind, group);
    return group;
  };
  for (const [key, { kind, hash }] of before) {
    const other = after.get(key);
    if (other === undefined) groupOf(kind).gone.push(key);
    else if (other.hash !== hash) groupOf(kind).changed.push(key);
  }
  for (const [key, { kind }] of after) if (!before.has(key)) groupOf(kind).new.push(key);
  if (groups.size === 0) return 0;

  const changed = new Set([...groups.values()].flatMap((group) => group.changed));
  const entries = [await entriesOf(paths[0], changed), await entriesOf(paths[1], changed)] as const;
  const limits = isListed ? LISTED : SHOWN;
  let count = 0;
  for (const [kind, group] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const counts = Object.entries(group).filter(([, keys]) => keys.length > 0);
    const figures = counts.map(([how, keys]) => `${keys.length} ${how}`).join(', ');
    const total = [...before.values()].filter((entry) => entry.kind === kind).length;
    say(`\n== ${name.slice(0, -ENDING.length)}  ${kind}: ${figures} (of ${total})`);
    for (const [how, keys] of counts) {
      count += keys.length;
      if (how !== 'changed')
        for (const key of keys.slice(0, limits.entries)) say(`   ${how}: ${clipped([key])[0]}`);
    }
    for (const [at, key] of group.changed.entries()) {
      const lines = differences(entries[0].get(key)!, entries[1].get(key)!);
      frequencies.add(lines.filter((line) => /^[-+]/.test(line)));
      if (at >= limits.entries) continue;
      say(`   ${clipped([key])[0]}`);
      for (const line of clipped(lines).slice(0, limits.lines)) say(`      ${line}`);
      if (lines.length > limits.lines) say(`      … ${lines.length - limits.lines} more lines`);
    }
  }
  return count;
}

/**
 * Compares two recordings and prints what differs, by kind. A file that only one of them has, as
 * after a recording of fewer networks, is named and not compared.
 * @returns whether all that both have is equal; false if they have no file in common
 */
export async function compare(before: string, after: string, isListed: boolean): Promise<boolean> {
  const [a, b] = [new Set(filesIn(before)), new Set(filesIn(after))];
  const both = [...a].filter((name) => b.has(name)).sort();
  const frequencies = new Frequencies();
  let count = 0;
  for (const name of both) count += await compareFile(name, [before, after], isListed, frequencies);
  frequencies.print();
  const withoutEnding = (names: Iterable<string>): string =>
    [...names].map((name) => name.slice(0, -ENDING.length)).join(', ');
  for (const [folder, names, others] of [
    [before, a, b],
    [after, b, a],
  ] as const) {
    const alone = [...names].filter((name) => !others.has(name));
    if (alone.length > 0) say(`not compared, only in ${folder}: ${withoutEnding(alone)}`);
  }
  say(`compared: ${both.length === 0 ? 'nothing' : withoutEnding(both)}`);
  const isEqual = count === 0 && both.length > 0;
  say(isEqual ? 'equal' : `${count} entries differ`);
  return isEqual;
}
