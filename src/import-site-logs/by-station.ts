import { closeSync, openSync, readSync } from 'node:fs';
import { LARGEST_FILE } from '../site-log/read.js';
import { readFile } from './read-file.js';
import type { SiteLogFile } from './site-log-files.js';

/**
 * The order of an import. Logs that give the same four characters are decided about together, so
 * their files are read one after the other. This needs the ids before the logs are read.
 */

/** How many files of one station are saved together at most. */
export const MOST_TOGETHER = 200;
/** How much of a file is searched for its id, in bytes. Section 1 is at its beginning. */
const BEGINNING = 16_384;

/** The line or element with the id, written as the forms print it. */
const ID =
  /^[ \t]*(?:four|nine) character id[ \t]*:[ \t]*([a-z0-9_]{4})(?:\d\d[a-z]{3})?[ \t]*\r?$|<(?:\w+:)?fourCharacterId[^<>]*>\s*([a-z0-9_]{4})\s*</im;

/** Something like their label, anywhere in a file. */
const LABEL = /character.{0,20}id/i;

/** The first bytes of a file as text; undefined if it cannot be read. */
function beginningOf({ path, bytes }: SiteLogFile, length: number): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(bytes === undefined ? path : Buffer.from(bytes), 'r');
    const beginning = Buffer.allocUnsafe(length);
    return beginning.toString('latin1', 0, readSync(file, beginning));
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/**
 * The four characters that the log in a file gives; null if it gives none. Where the beginning of
 * the file does not say it plainly, the log is read.
 */
function fourCharactersOf(file: SiteLogFile): string | null {
  if (file.unreadable !== undefined) return null;
  const found = ID.exec(beginningOf(file, BEGINNING) ?? '');
  if (found !== null) return (found[1] ?? found[2])!.toUpperCase();
  if (!LABEL.test(beginningOf(file, LARGEST_FILE) ?? '')) return null;
  const { read } = readFile(file);
  return typeof read === 'string' ? null : read.log.identification.fourCharacterId;
}

/**
 * Groups files by the four characters that their logs give. A group is at the place of its first
 * file; a file without them is a group of its own.
 */
export function groupByStation(files: readonly SiteLogFile[]): SiteLogFile[][] {
  if (files.length < 2) return files.map((file) => [file]);
  const groups = Map.groupBy(files, (file) => fourCharactersOf(file) ?? Symbol(file.path));
  return [...groups.values()];
}
