import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isObservationFileName } from '../../check/rinex/file-name.js';
import {
  type HeaderRecord,
  LONGEST_HEADER,
  recordsOf,
  whyNoHeader,
} from '../../check/rinex/header.js';
import { type Bytes, bytesOf, compressedOtherwise, contentOf, type Content } from './content.js';

/** RINEX files: which ones paths name, and their headers. */

/** The path that stands for standard input. */
export const STANDARD_INPUT = '-';

/**
 * Standard input as two readers need it, one of the header and one of the whole: what the first one
 * has read is kept for the second.
 */
class StandardInput {
  private readonly parts = process.stdin[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  private first: Buffer[] | null = null;

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    const isFirst = this.first === null;
    const kept = this.first ?? [];
    this.first = kept;
    yield* kept;
    for (;;) {
      const { value, done } = await this.parts.next();
      if (done === true) return;
      if (isFirst) kept.push(value);
      yield value;
    }
  }
}

let standardInput: StandardInput | undefined;

/** The bytes of the file that a path names. */
function bytesAt(path: string): Bytes {
  if (path !== STANDARD_INPUT) return bytesOf(path);
  standardInput ??= new StandardInput();
  return standardInput;
}

/** Ends the reading of standard input, which otherwise keeps the process alive. */
export function releaseStandardInput(): void {
  if (standardInput === undefined) return;
  process.stdin.destroy();
  standardInput = undefined;
}

/** A file whose header was read. */
export interface RinexFile extends Pick<Content, 'compression' | 'warnings'> {
  records: HeaderRecord[];
  /** What follows the header; can be read only once. */
  rest: AsyncGenerator<Buffer>;
  /** Releases the file, whether the rest was read or not. */
  close(): Promise<void>;
}

/** A part of a content, and what follows. */
async function* continued(
  begin: Buffer,
  { parts }: Pick<Content, 'parts'>,
): AsyncGenerator<Buffer> {
  if (begin.length > 0) yield begin;
  yield* parts;
}

const END = Buffer.from('END OF HEADER');

/**
 * Reads the header of a file, and no more of the file than that needs.
 * @throws {Error} if the file cannot be read, or has no such header
 */
export async function readRinex(bytes: Bytes): Promise<RinexFile> {
  const content = await contentOf(bytes);
  const { compression, parts, warnings } = content;
  const close = async (): Promise<void> => {
    await parts.return(undefined);
  };
  let read: Buffer = Buffer.alloc(0);
  let isPossible = false;
  for (;;) {
    const { value, done } = await parts.next();
    const isWhole = done === true;
    const searched = Math.max(0, read.length - END.length);
    if (!isWhole) read = Buffer.concat([read, value]);
    const text = read.toString('latin1', 0, LONGEST_HEADER);
    // The end of its line may be in the next part.
    const isEnd = isWhole || read.length >= LONGEST_HEADER;
    isPossible ||= isEnd || read.indexOf(END, searched, 'latin1') !== -1;
    const records = isPossible ? recordsOf(text) : null;
    const isComplete = isEnd || records?.at(-1)?.line.endsWith('\n') === true;
    if (records !== null && isComplete) {
      const length = records.reduce((sum, { line }) => sum + line.length, 0);
      const rest = continued(read.subarray(length), content);
      return { records, rest, compression, warnings, close };
    }
    if (!isEnd) continue;
    await close();
    throw new Error(whyNoHeader(text, isWhole));
  }
}

/** Reads the header of the file that a path names. @throws {Error} as {@link readRinex} */
export const openRinex = (path: string): Promise<RinexFile> => readRinex(bytesAt(path));

/** Reads the header of the file that a path names, and no more. */
export async function readFileHeader(path: string): Promise<HeaderRecord[]> {
  const { records, close } = await openRinex(path);
  await close();
  return records;
}

/** The files of folders that are not read, by the reason. */
export class Skipped {
  private readonly reasons = new Map<string, number>();
  /** Whether one of them is an observation file that cannot be read. */
  hasUnreadable = false;

  /** @param isUnreadable whether it is an observation file */
  add(reason: string, isUnreadable = false): void {
    this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1);
    this.hasUnreadable ||= isUnreadable;
  }

  /** `3 skipped: 2 bzip2, 1 zip`; null if there are none. */
  inWords(): string | null {
    if (this.reasons.size === 0) return null;
    const all = [...this.reasons].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    const total = all.reduce((sum, [, number]) => sum + number, 0);
    return `${total} skipped: ${all.map(([reason, number]) => `${number} ${reason}`).join(', ')}`;
  }
}

/** What a folder contains; null if the path is not a folder, or cannot be read. */
function entriesOf(path: string): Dirent[] | null {
  try {
    return statSync(path).isDirectory() ? readdirSync(path, { withFileTypes: true }) : null;
  } catch {
    return null;
  }
}

/**
 * The files that paths name. Of a folder, all observation files in it, and in the folders in it, by
 * their names; links to files are files. A path that cannot be read is one of them: reading it
 * gives the reason.
 * @param skipped counts the other files in folders
 */
export function* observationFiles(paths: string[], skipped: Skipped): Generator<string> {
  for (const path of paths) {
    const entries = path === STANDARD_INPUT ? null : entriesOf(path);
    if (entries === null) yield path;
    else yield* filesIn(path, entries, skipped);
  }
}

function* filesIn(folder: string, entries: Dirent[], skipped: Skipped): Generator<string> {
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* observationFiles([path], skipped);
    else if (isRead(path, entry, skipped)) yield path;
  }
}

/** Whether a file in a folder is read; counts it if not. */
function isRead(path: string, entry: Dirent, skipped: Skipped): boolean {
  const kind = entry.isSymbolicLink() ? kindOfTarget(path) : kindOf(entry);
  const isNamed = isObservationFileName(entry.name);
  const compressed = compressedOtherwise(entry.name);
  if (kind === 'folder') skipped.add('link to a folder');
  else if (kind === 'other') skipped.add('not a regular file');
  else if (isNamed) return true;
  else if (compressed !== null)
    skipped.add(compressed.compression, isObservationFileName(compressed.bare));
  else skipped.add('not named as an observation file');
  return false;
}

type Kind = 'file' | 'folder' | 'other';

function kindOf(found: Pick<Dirent, 'isFile' | 'isDirectory'>): Kind {
  if (found.isDirectory()) return 'folder';
  return found.isFile() ? 'file' : 'other';
}

/** What a link leads to. A broken one counts as a file, and reading it gives the reason. */
function kindOfTarget(path: string): Kind {
  try {
    return kindOf(statSync(path));
  } catch {
    return 'file';
  }
}
