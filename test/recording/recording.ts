import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';
import { constants, createGunzip, createGzip } from 'node:zlib';

/** What was recorded: the answer to a request, or what a command did. */
export interface Entry {
  /** Names it in its recording: the request, or the command line. */
  key: string;
  /** What it is one of. Differences are counted by kind. */
  kind: string;
  /** The status of an answer, or the exit code of a command. */
  status: number | null;
  /** The header fields of an answer, `name: value`. */
  headers?: string[];
  /** Each part by name: `body`, `stdout`, `stderr`, or a file that a command wrote. */
  parts: Record<string, Part>;
}

/** Bytes. Those that are no UTF-8 are written as ISO 8859-1, which has each byte. */
export interface Part {
  sha256: string;
  encoding: 'utf8' | 'latin1';
  text: string;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Bytes as a part of an entry. */
export function partOf(bytes: Buffer): Part {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  try {
    return { sha256, encoding: 'utf8', text: UTF8.decode(bytes) };
  } catch {
    return { sha256, encoding: 'latin1', text: bytes.toString('latin1') };
  }
}

/** The ending of the files of a recording. */
export const ENDING = '.jsonl.gz';

/** Writes the entries of one file of a recording. */
export class Recorder {
  count = 0;
  private readonly gzip = createGzip({ level: constants.Z_BEST_SPEED });
  private readonly done: Promise<void>;
  private readonly keys = new Map<string, number>();

  /**
   * @param file its path, without {@link ENDING}
   * @param masks what differs between two runs, and what is written in its place
   */
  constructor(
    file: string,
    private readonly masks: readonly (readonly [text: string, placeholder: string])[],
  ) {
    this.done = finished(this.gzip.pipe(createWriteStream(`${file}${ENDING}`)));
  }

  /** A text, with each mask applied. */
  mask(text: string): string {
    return this.masks.reduce((rest, [found, instead]) => rest.replaceAll(found, instead), text);
  }

  /** Bytes, with each mask applied. */
  part(bytes: Buffer): Part {
    const isMasked = this.masks.some(([text]) => bytes.includes(text));
    return partOf(isMasked ? Buffer.from(this.mask(bytes.toString('latin1')), 'latin1') : bytes);
  }

  /** Adds an entry. If there is one with its key, it is numbered. */
  async add(entry: Entry): Promise<void> {
    const times = (this.keys.get(entry.key) ?? 0) + 1;
    this.keys.set(entry.key, times);
    this.count++;
    const key = times === 1 ? entry.key : `${entry.key} (${times})`;
    if (!this.gzip.write(`${JSON.stringify({ ...entry, key })}\n`))
      await new Promise((resolve) => this.gzip.once('drain', resolve));
  }

  /** Resolves when everything is written. */
  async close(): Promise<void> {
    this.gzip.end();
    await this.done;
  }
}

/** The lines of a file of a recording, each a JSON document of an {@link Entry}. */
export async function* linesOf(file: string): AsyncGenerator<string> {
  const input = createReadStream(file).pipe(createGunzip());
  yield* createInterface({ input, crlfDelay: Infinity });
}
