import { closeSync, type Dirent, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, constants } from 'node:zlib';
import { readFileName } from '../../check/rinex/file-name.js';
import { type HeaderRecord, LONGEST_HEADER, recordsOf } from '../../check/rinex/header.js';
import { isUnixCompressed, UnixDecompressor } from '../../check/rinex/lzw.js';

/** RINEX files: plain, or compressed with gzip or Unix compress. */

/** How a file is compressed. */
export type Compression = 'none' | 'gzip' | 'compress';

const isGzip = (begin: Uint8Array): boolean => begin[0] === 0x1f && begin[1] === 0x8b;

/** How a file is compressed, by its first bytes. */
export function compressionOf(begin: Uint8Array): Compression {
  if (isGzip(begin)) return 'gzip';
  if (isUnixCompressed(begin)) return 'compress';
  return 'none';
}

/** How much of a file is read, until its header is complete. Most headers are in the first part. */
const PARTS = [4096, 32 * 1024, LONGEST_HEADER];
/** The most that the beginning of a compressed file may become, in bytes. */
const MOST_CONTENT = 8 * 1024 ** 2;

/** The content of the beginning of a file. */
function contentOf(begin: Buffer): Buffer {
  switch (compressionOf(begin)) {
    case 'gzip':
      return gunzipSync(begin, {
        finishFlush: constants.Z_SYNC_FLUSH,
        maxOutputLength: MOST_CONTENT,
      });
    case 'compress':
      return new UnixDecompressor().push(begin, LONGEST_HEADER);
    case 'none':
      return begin;
  }
}

/**
 * Reads the header of a file, and no more of the file than that needs.
 * @throws {Error} if the file cannot be read, or END OF HEADER is not in its first 256 KiB
 */
export function readFileHeader(path: string): {
  records: HeaderRecord[];
  compression: Compression;
} {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(LONGEST_HEADER);
    let length = 0;
    for (const part of PARTS) {
      length += readSync(file, buffer, length, part - length, length);
      const content = contentOf(buffer.subarray(0, length));
      const records = recordsOf(content.toString('latin1', 0, LONGEST_HEADER));
      if (records !== null) return { records, compression: compressionOf(buffer) };
      if (length < part || content.length >= LONGEST_HEADER) break;
    }
  } finally {
    closeSync(file);
  }
  throw new Error('has no END OF HEADER in its first 256 KiB');
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
 * their names. A path that cannot be read is one of them: whoever reads it learns why.
 */
export function* observationFiles(paths: string[]): Generator<string> {
  for (const path of paths) {
    const entries = entriesOf(path);
    if (entries === null) yield path;
    else yield* filesIn(path, entries);
  }
}

function* filesIn(folder: string, entries: Dirent[]): Generator<string> {
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* observationFiles([path]);
    else if (entry.isFile() && readFileName(entry.name) !== null) yield path;
  }
}
