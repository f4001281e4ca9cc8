import { type Dirent, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Instant } from '../../../schemas/index.js';
import { RinexUnreadable } from '../findings.js';
import { isObservationFileName } from '../header/file-name.js';
import { type HeaderLine, headerLinesOf, LONGEST_HEADER, whyNoHeader } from '../header/lines.js';
import { compareTexts } from '../../words.js';
import { type Bytes, bytesOf, compressedOtherwise, contentOf, type Content } from './content.js';
import { lastEpoch } from './epochs.js';

/** RINEX files: which ones paths name, and their headers. */

/** Where a RINEX file is read from. */
export interface RinexSource {
  /** What messages call it. */
  path: string;
  /** Its name without the folder; null if it has none. */
  name: string | null;
  /** Its bytes, which are read once. */
  bytes: Bytes;
  /** Opens its bytes again; null if they can be read only once. */
  again: (() => Bytes) | null;
}

/** The file at a path. It is opened when it is read. */
const sourceAt = (path: string): RinexSource => ({
  path,
  name: basename(path),
  bytes: bytesOf(path),
  again: () => bytesOf(path),
});

/** A file whose header was read. */
export interface RinexFile extends Pick<Content, 'compression' | 'warnings'> {
  headerLines: HeaderLine[];
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
 * @throws {RinexUnreadable} if the file has no such header
 * @throws {Error} of the system if it cannot be read
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
    const headerLines = isPossible ? headerLinesOf(text) : null;
    const isComplete = isEnd || headerLines?.at(-1)?.line.endsWith('\n') === true;
    if (headerLines !== null && isComplete) {
      const length = headerLines.reduce((sum, { line }) => sum + line.length, 0);
      const rest = continued(read.subarray(length), content);
      return { headerLines, rest, compression, warnings, close };
    }
    if (!isEnd) continue;
    await close();
    throw new RinexUnreadable(whyNoHeader(text, isWhole));
  }
}

/**
 * The last epoch of a file whose bytes are read again; null if it cannot be found.
 * @param version the RINEX version of its header
 */
export async function lastEpochOf(bytes: Bytes, version: string): Promise<Instant | null> {
  let file: RinexFile | null = null;
  try {
    file = await readRinex(bytes);
    const isCompact = file.headerLines.some(({ label }) => label === 'CRINEX VERS   / TYPE');
    return await lastEpoch(file.rest, { version, isCompact });
  } catch {
    // What is damaged is reported where it is copied.
    return null;
  } finally {
    await file?.close();
  }
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
    const all = [...this.reasons].sort((a, b) => b[1] - a[1] || compareTexts(a[0], b[0]));
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
 * The files that a path names. Of a folder, all observation files in it, and in the folders in it,
 * by their names; links to files are files. A path that cannot be read is one of them: reading it
 * gives the reason.
 * @param skipped counts the other files in folders
 */
export function* observationFiles(path: string, skipped: Skipped): Generator<RinexSource> {
  const entries = entriesOf(path);
  if (entries === null) yield sourceAt(path);
  else yield* filesIn(path, entries, skipped);
}

function* filesIn(folder: string, entries: Dirent[], skipped: Skipped): Generator<RinexSource> {
  for (const entry of entries.sort((a, b) => compareTexts(a.name, b.name))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* observationFiles(path, skipped);
    else if (isRead(path, entry, skipped)) yield sourceAt(path);
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
