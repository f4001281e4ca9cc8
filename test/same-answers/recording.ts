import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Answer, Ask } from './client.js';

/** The answer to one ask, and those of the databases that answered something else. */
export interface Entry {
  ask: Ask;
  answer: Answer;
  others: Record<string, Answer>;
}

const fileOf = (folder: string, network: string): string => join(folder, `${network}.ndjson.gz`);

/** Writes the entries of a network, one line each. */
export function write(folder: string, network: string, entries: Entry[]): void {
  mkdirSync(folder, { recursive: true });
  const lines = entries.map((entry) => Buffer.from(`${JSON.stringify(entry)}\n`));
  writeFileSync(fileOf(folder, network), gzipSync(Buffer.concat(lines), { level: 2 }));
}

/** Reads the entries of a network; null if it was not recorded. */
export function read(folder: string, network: string): Entry[] | null {
  if (!existsSync(fileOf(folder, network))) return null;
  const bytes = gunzipSync(readFileSync(fileOf(folder, network)));
  const entries: Entry[] = [];
  // A text with all lines may be longer than a string can be.
  for (let start = 0, end; (end = bytes.indexOf('\n', start)) >= 0; start = end + 1)
    entries.push(JSON.parse(bytes.toString('utf8', start, end)) as Entry);
  return entries;
}

const AROUND = 50;

/** What differs between an expected answer and another, for people; none if they are the same. */
export function differences(expected: Answer, found: Answer): string[] {
  const list: string[] = [];
  if (expected.status !== found.status) list.push(`status ${expected.status} -> ${found.status}`);
  const [before, after] = [expected, found].map(({ headers }) => headers.map((field) => field.join(': ')));
  const gone = before!.filter((field) => !after!.includes(field));
  const added = after!.filter((field) => !before!.includes(field));
  list.push(...gone.map((field) => `header - ${field}`), ...added.map((field) => `header + ${field}`));
  if (gone.length + added.length === 0 && before!.join('\n') !== after!.join('\n')) list.push(`header order: ${after!.join(', ')}`);
  if (expected.body !== found.body) {
    let at = 0;
    while (at < expected.body.length && expected.body[at] === found.body[at]) at++;
    const around = ({ body }: Answer): string => JSON.stringify(body.slice(Math.max(0, at - AROUND), at + AROUND));
    list.push(`body at ${at} of ${expected.body.length} -> ${found.body.length}`, `  - ${around(expected)}`, `  + ${around(found)}`);
  }
  return list;
}
