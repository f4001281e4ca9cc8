import { createReadStream, createWriteStream, existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pipeline as connected, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { correctHeader } from '../../check/rinex/correct.js';
import { UnixDecompressor } from '../../check/rinex/lzw.js';
import { visible } from '../../visible.js';
import { replaceInOneStep } from '../../whole-file.js';
import { RECORD_FLAGS } from './check-rinex.js';
import type { CommandLine, Given } from '../line/command-line.js';
import { type CheckedFile, checkFiles, type FileResult } from '../rinex/check-files.js';
import { type Compression, observationFiles, readFileHeader } from '../rinex/files.js';
import { openRecords } from '../rinex/open-records.js';
import { CommandFailed, UsageError } from '../line/failures.js';
import { say } from '../line/terminal.js';

export const command = {
  usage: 'fix-rinex FILE...',
  description: [
    'Writes copies of RINEX observation files with headers corrected from the record of ' +
      'their Sites: marker, agency, position and',
    'eccentricities. Comments in the header say what was changed. The observations stay as ' +
      'they are, byte for byte.',
    'What belongs together is corrected together: an eccentricity only with its antenna, ' +
      'type, serial number and firmware of a',
    'receiver only together. Where the file is newer than the record and has other ' +
      'equipment, only marker and agency are corrected.',
    'A file that contradicts itself or the record is not copied. Each line says what was ' +
      'corrected, and what stayed and why.',
    'FILE is what check-rinex takes. A file of Unix compress is written with gzip. No file ' +
      'is replaced.',
    'Exit codes: 0 all written, 1 a Site is unknown, a file contradicts itself or exists, 2 ' +
      'usage error, 3 a file or the record cannot be used.',
  ].join('\n'),
  settings: ['database'],
  flags: {
    output: { argument: 'DIR', description: 'The folder for the copies. Required.' },
    'include-equipment': { description: 'Correct the receiver and the antenna too.' },
    ...RECORD_FLAGS,
  },
} as const satisfies CommandLine;

/** The content of a file, decompressed, without its first bytes. */
async function* contentAfter(
  path: string,
  compression: Compression,
  skipped: number,
): AsyncGenerator<Buffer> {
  const file = createReadStream(path);
  const decompressor = compression === 'compress' ? new UnixDecompressor() : null;
  let left = skipped;
  try {
    for await (const chunk of compression === 'gzip'
      ? connected(file, createGunzip(), () => undefined)
      : file) {
      const content =
        decompressor === null ? (chunk as Buffer) : decompressor.push(chunk as Buffer);
      const begin = Math.min(left, content.length);
      left -= begin;
      if (begin < content.length) yield content.subarray(begin);
    }
  } finally {
    file.destroy();
  }
}

/** Writes the copy of a file, and returns what to say about it. */
async function writeCopy(
  file: CheckedFile,
  target: string,
  includesEquipment: boolean,
): Promise<string> {
  const { records, compression } = readFileHeader(file.path);
  const { text, changes, left } = correctHeader(records, file.header, file, includesEquipment);
  const length = records.reduce((sum, { line }) => sum + line.length, 0);
  const pieces = async function* (): AsyncGenerator<Buffer> {
    yield Buffer.from(text, 'latin1');
    yield* contentAfter(file.path, compression, length);
  };
  const compressors = compression === 'none' ? [] : [createGzip()];
  const write = (path: string): Promise<void> =>
    pipeline([Readable.from(pieces()), ...compressors, createWriteStream(path)]);
  await replaceInOneStep(target, write, statSync(file.path).mode & 0o666);
  const what = changes.length === 0 ? 'nothing corrected' : `corrected ${changes.join(', ')}`;
  return [`${target}: ${what}`, ...[...left, ...file.hints].map((each) => `  ${each}`)]
    .map((line) => `${visible(line)}\n`)
    .join('');
}

/** Writes the copies, and returns the exit code. */
export async function run({
  settings,
  flags,
  arguments: paths,
}: Given<typeof command>): Promise<number> {
  const { output, at = null, service, 'include-equipment': includesEquipment = false } = flags;
  if (paths.length === 0)
    throw new UsageError('fix-rinex needs at least one FILE: a RINEX file, or a folder of them');
  if (output === undefined) throw new UsageError('fix-rinex needs --output DIR');
  if (!existsSync(output) || !statSync(output).isDirectory())
    throw new CommandFailed(`--output "${output}" is not a folder; create it first`);
  const records = await openRecords(settings.database, service);
  let code = 0;
  const fail = (path: string, reason: string, exit: number): void => {
    say(`"${path}" ${reason}`);
    code = Math.max(code, exit);
  };
  const fix = async (file: FileResult): Promise<void> => {
    if (file.kind === 'unreadable') return fail(file.path, file.reason, 3);
    if (file.kind === 'unknown-site') return fail(file.path, file.reason, 1);
    if (file.kind === 'contradicts') {
      const why = [...file.contradictions, ...file.hints].join(' ');
      return fail(
        file.path,
        `was left alone: its name, marker and times contradict each other. ${why}`,
        1,
      );
    }
    const target = join(output, basename(file.path).replace(/\.Z$/i, '.gz'));
    if (existsSync(target)) return fail(target, 'exists already, and is not replaced', 1);
    try {
      process.stdout.write(await writeCopy(file, target, includesEquipment));
    } catch (error) {
      fail(file.path, `was not copied: ${(error as Error).message}`, 3);
    }
  };
  try {
    for await (const file of checkFiles(observationFiles(paths), records, at)) await fix(file);
  } finally {
    await records.close();
  }
  return code;
}
