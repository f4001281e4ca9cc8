import { AntexIndex } from '../check/antex.js';
import { CommandFailed, fileFailure } from './line/failures.js';
import { type Bytes, bytesOf, contentOf } from '../rinex/file/content.js';

/** Reads ANTEX files, plain or compressed with gzip or Unix compress. */

/** The longest content that is read, in bytes. The file of the IGS has about 40 MB. */
const LONGEST = 1024 ** 3;
/** A line has 80 columns. Anything after them is ignored. */
const COLUMNS = 80;

/** The lines of a text, of any length, in bounded memory. */
async function* linesOf(parts: Bytes): AsyncGenerator<string> {
  let begin = '';
  let length = 0;
  for await (const part of parts) {
    length += part.length;
    if (length > LONGEST) throw new Error(`has more than ${LONGEST} bytes`);
    const lines = part.toString('latin1').split('\n');
    for (const [index, line] of lines.entries()) {
      if (index > 0) {
        yield begin;
        begin = '';
      }
      begin += line.slice(0, COLUMNS - begin.length);
    }
  }
  yield begin;
}

/**
 * The index of the ANTEX file that `--antex` names.
 * @throws {CommandFailed} if it cannot be read, or has no calibrations of receiver antennas
 */
export async function readAntexFile(path: string): Promise<AntexIndex> {
  const index = new AntexIndex();
  try {
    const { parts } = await contentOf(bytesOf(path));
    for await (const line of linesOf(parts)) index.add(line);
  } catch (error) {
    const isOfSystem = (error as NodeJS.ErrnoException).syscall !== undefined;
    if (isOfSystem) throw fileFailure(`--antex "${path}" cannot be read`, error);
    throw new CommandFailed(`--antex "${path}" ${(error as Error).message}`);
  }
  if (index.size > 0) return index;
  throw new CommandFailed(
    index.hasSatellites
      ? `--antex "${path}" has only antennas of satellites; expected those of receivers`
      : `--antex "${path}" has no calibrations; expected an ANTEX file`,
  );
}
