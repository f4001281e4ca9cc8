import { open } from 'node:fs/promises';
import { constants, crc32, createInflateRaw } from 'node:zlib';
import { finding, type RinexFinding, RinexUnreadable } from '../findings.js';
import { isUnixCompressed, UnixDecompressor } from './lzw.js';

/** The content of files: plain, or compressed with gzip or Unix compress, from beginning to end. */

/** How a file is compressed. */
type Compression = 'none' | 'gzip' | 'compress';

/** Bytes, in parts. */
export type Bytes = AsyncIterable<Buffer>;

/** How much of a file is read at once, in bytes: initially enough for most headers. */
const FIRST_PART = 8 * 1024;
const PART = 64 * 1024;

/** The bytes of a file. */
export async function* bytesOf(path: string): AsyncGenerator<Buffer> {
  const file = await open(path);
  try {
    for (let size = FIRST_PART; ; size = PART) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(size), 0, size);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** Reads bytes one after the other. */
class Input {
  private readonly parts: AsyncIterator<Buffer>;
  private left: Buffer = Buffer.alloc(0);

  constructor(bytes: Bytes) {
    this.parts = bytes[Symbol.asyncIterator]();
  }

  /** The next bytes, as many as there are; none at the end. */
  async part(): Promise<Buffer> {
    const { left } = this;
    this.left = Buffer.alloc(0);
    if (left.length > 0) return left;
    for (;;) {
      const { value, done } = await this.parts.next();
      if (done === true) return Buffer.alloc(0);
      if (value.length > 0) return value;
    }
  }

  /** Reads this many bytes; fewer at the end. */
  async take(length: number): Promise<Buffer> {
    const taken: Buffer[] = [];
    for (let missing = length; missing > 0;) {
      const part = await this.part();
      if (part.length === 0) break;
      this.left = part.subarray(missing);
      taken.push(part.subarray(0, missing));
      missing -= taken.at(-1)!.length;
    }
    return Buffer.concat(taken);
  }

  /** Skips a text up to its end, a zero. Returns whether there is one. */
  async skipText(): Promise<boolean> {
    for (;;) {
      const part = await this.part();
      if (part.length === 0) return false;
      const end = part.indexOf(0);
      this.left = end === -1 ? this.left : part.subarray(end + 1);
      if (end !== -1) return true;
    }
  }

  /** Puts bytes back before the next ones. */
  putBack(bytes: Buffer): void {
    this.left = Buffer.concat([bytes, this.left]);
  }

  /** Releases the source. */
  async close(): Promise<void> {
    await this.parts.return?.();
  }
}

/** A gzip file that is damaged. */
const damaged = (why: string): RinexUnreadable =>
  new RinexUnreadable(finding('damaged-gzip', { why }));
const EARLY_END = 'it ends too early';

const isGzip = (begin: Uint8Array): boolean => begin[0] === 0x1f && begin[1] === 0x8b;
const GZIP_HEADER = 10;
const DEFLATE = 8;
const HAS_CHECK = 2;
const HAS_EXTRA = 4;
const HAS_NAME = 8;
const HAS_COMMENT = 16;
/** The checksum and the length of a member. */
const GZIP_TRAILER = 8;
const SUM_LENGTH = 4;

/** Skips the header of a gzip member. */
async function skipGzipHeader(input: Input): Promise<void> {
  const header = await input.take(GZIP_HEADER);
  if (header.length < GZIP_HEADER) throw damaged(EARLY_END);
  if (header[2] !== DEFLATE) throw damaged('its method of compression is unknown');
  const flags = header[3]!;
  if ((flags & HAS_EXTRA) !== 0) {
    const length = await input.take(2);
    if (length.length === 2) await input.take(length.readUInt16LE());
  }
  const texts = [HAS_NAME, HAS_COMMENT].filter((flag) => (flags & flag) !== 0);
  for (let index = 0; index < texts.length; index++)
    if (!(await input.skipText())) throw damaged(EARLY_END);
  if ((flags & HAS_CHECK) !== 0) await input.take(2);
}

/** The content of deflated data. What follows it stays in the input. */
async function* inflated(input: Input): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw({ finishFlush: constants.Z_SYNC_FLUSH });
  const feed = async (): Promise<void> => {
    for (let given = 0; ;) {
      const part = await input.part();
      if (part.length === 0) {
        inflate.end();
        return;
      }
      given += part.length;
      await new Promise((done) => inflate.write(part, done));
      const unused = given - inflate.bytesWritten;
      if (unused > 0) {
        input.putBack(part.subarray(part.length - unused));
        return;
      }
    }
  };
  const feeding = feed().catch((error: unknown) => inflate.destroy(error as Error));
  try {
    for await (const part of inflate) yield part as Buffer;
    await feeding;
  } catch (error) {
    const isOfZlib = (error as NodeJS.ErrnoException).code?.startsWith('Z_') === true;
    throw isOfZlib ? damaged((error as Error).message) : error;
  } finally {
    inflate.destroy();
  }
}

/** The content of a gzip file: of all its members, one after the other. */
async function* gunzipped(input: Input, warnings: RinexFinding[]): AsyncGenerator<Buffer> {
  do {
    await skipGzipHeader(input);
    let sum = 0;
    let length = 0;
    for await (const part of inflated(input)) {
      sum = crc32(part, sum);
      length += part.length;
      yield part;
    }
    const trailer = await input.take(GZIP_TRAILER);
    if (trailer.length < GZIP_TRAILER) throw damaged(EARLY_END);
    const isSum = trailer.readUInt32LE(0) === sum;
    const isLength = trailer.readUInt32LE(SUM_LENGTH) === length % 2 ** 32;
    if (!isSum || !isLength) throw damaged('its checksum is wrong');
  } while (await beginsWith(input, isGzip));
  let behind = 0;
  for (;;) {
    const part = await input.part();
    if (part.length === 0) break;
    // Zeros fill the last block of a tape.
    behind += part.some((byte) => byte !== 0) ? part.length : 0;
  }
  if (behind > 0) warnings.push(finding('bytes-after-gzip', { bytes: behind }));
}

/** How many bytes are decompressed at once: one byte can become many. */
const COMPRESS_PART = 512;

async function* uncompressed(input: Input): AsyncGenerator<Buffer> {
  const decompressor = new UnixDecompressor();
  for (;;) {
    const part = await input.part();
    if (part.length === 0) return;
    for (let start = 0; start < part.length; start += COMPRESS_PART)
      yield decompressor.push(part.subarray(start, start + COMPRESS_PART));
  }
}

async function* plain(input: Input): AsyncGenerator<Buffer> {
  for (;;) {
    const part = await input.part();
    if (part.length === 0) return;
    yield part;
  }
}

/** Whether the next bytes are of a kind. They stay in the input. */
async function beginsWith(input: Input, isIt: (begin: Buffer) => boolean): Promise<boolean> {
  const begin = await input.take(LONGEST_MARK);
  input.putBack(begin);
  return isIt(begin);
}

/** Compressions that are not read, with the bytes at their beginning. */
const OTHERS: [name: string, mark: string][] = [
  ['bzip2', 'BZh'],
  ['zip', 'PK\x03\x04'],
  ['xz', '\xfd7zXZ\0'],
  ['zstd', '\x28\xb5\x2f\xfd'],
  ['7z', '7z\xbc\xaf\x27\x1c'],
  ['lzip', 'LZIP'],
  ['rar', 'Rar!'],
];
const LONGEST_MARK = 6;

/** The content of a file. */
export interface Content {
  compression: Compression;
  /** Can be read only once. Stopping early releases the file. */
  parts: AsyncGenerator<Buffer>;
  /** What has been ignored so far. */
  warnings: RinexFinding[];
}

async function* released(parts: AsyncGenerator<Buffer>, input: Input): AsyncGenerator<Buffer> {
  try {
    yield* parts;
  } finally {
    await input.close();
  }
}

/**
 * The content of a file, decompressed.
 * @throws {RinexUnreadable} if it is compressed in a way that is not read; what is damaged shows
 * later
 */
export async function contentOf(bytes: Bytes): Promise<Content> {
  const input = new Input(bytes);
  const warnings: RinexFinding[] = [];
  const content = (compression: Compression, parts: AsyncGenerator<Buffer>): Content => ({
    compression,
    parts: released(parts, input),
    warnings,
  });
  if (await beginsWith(input, isGzip)) return content('gzip', gunzipped(input, warnings));
  if (await beginsWith(input, isUnixCompressed)) return content('compress', uncompressed(input));
  for (const [name, mark] of OTHERS) {
    if (!(await beginsWith(input, (begin) => begin.toString('latin1').startsWith(mark)))) continue;
    await input.close();
    throw new RinexUnreadable(finding('compressed-otherwise', { compression: name }));
  }
  return content('none', plain(input));
}

/** The file name extensions of compressions that are not read. */
const ENDINGS: Record<string, string> = {
  bz2: 'bzip2',
  zip: 'zip',
  xz: 'xz',
  zst: 'zstd',
  '7z': '7z',
  lz: 'lzip',
  rar: 'rar',
};

/**
 * The compression in the name of a file that is not read, and the name without it; null if there is
 * none.
 */
export function compressedOtherwise(name: string): { compression: string; bare: string } | null {
  const end = name.lastIndexOf('.');
  const compression = ENDINGS[name.slice(end + 1).toLowerCase()];
  return end === -1 || compression === undefined ? null : { compression, bare: name.slice(0, end) };
}
