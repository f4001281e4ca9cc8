import { createWriteStream, existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type CheckedFile, checkFiles, type FileResult } from '../../rinex/check-files.js';
import { type CorrectedHeader, correctHeader } from '../../rinex/correct.js';
import { Skipped } from '../../rinex/file/files.js';
import { finding, RinexUnreadable } from '../../rinex/findings.js';
import { reasonOf } from '../../system-error.js';
import { visible } from '../../visible.js';
import { replaceInOneStep } from '../../whole-file.js';
import type { CommandLine, Given } from '../line/command-line.js';
import { CommandFailed, UsageError } from '../line/failures.js';
import { say } from '../line/terminal.js';
import {
  CONTRADICTORY,
  inWords,
  openRecords,
  Outcome,
  RECORD_FLAGS,
  sourcesAt,
  STANDARD_INPUT,
  statedSite,
} from '../rinex.js';

export const command = {
  usage: 'fix-rinex FILE...',
  description: [
    'Writes copies of RINEX observation files with headers corrected from the record of ' +
      'their Sites: marker, position, azimuth, an empty agency and',
    'eccentricities. Comments in the header say what was changed. The observations stay as ' +
      'they are, byte for byte.',
    'Values that belong together are corrected together: an eccentricity only with its ' +
      'antenna; type, serial number and firmware of a',
    'receiver all at once. If the file is newer than the record and has other equipment, ' +
      'only marker and an empty agency are corrected.',
    'A file that contradicts itself or the record is not copied. Each line says what was ' +
      'corrected, and what was not and why.',
    'Types, radomes and markers that differ only in spelling or columns are written as on record.',
    'FILE is as for check-rinex; - is written to standard output. Files in Unix compress ' +
      'are written in gzip. No file is replaced.',
    'Exit codes: 0 all written, 1 a Site is unknown, a file contradicts itself or exists, 2 ' +
      'usage error or nothing to fix, 3 a file or the record cannot be used.',
  ].join('\n'),
  examples: [
    ['See what would be corrected.', 'fix-rinex --dry-run rinex'],
    [
      'Write corrected copies, with the receiver and antenna on record.',
      'fix-rinex --include-equipment --output copies rinex',
    ],
  ],
  completes: 'files',
  settings: ['database'],
  flags: {
    output: {
      argument: 'DIR',
      description: 'The folder for the copies. Required, except with --dry-run or standard input.',
    },
    'include-equipment': { description: 'Correct the receiver and the antenna too.' },
    'include-agency': { description: 'Correct an agency that differs too, not only an empty one.' },
    'dry-run': { description: 'Print what would be written, and write nothing.' },
    ...RECORD_FLAGS,
  },
} as const satisfies CommandLine;

/** A file and its corrections. */
interface Correction extends CorrectedHeader {
  file: CheckedFile;
}

/** Writes a corrected file. @param path the file; null for standard output */
async function writeCorrected({ text, file }: Correction, path: string | null): Promise<void> {
  const { rest, compression } = file.rinex;
  const pieces = async function* (): AsyncGenerator<Buffer> {
    yield Buffer.from(text, 'latin1');
    yield* rest;
  };
  const compressors = compression === 'none' ? [] : [createGzip()];
  const target = path === null ? process.stdout : createWriteStream(path);
  await pipeline([Readable.from(pieces()), ...compressors, target], { end: path !== null });
}

/** What is said about a file. @param did what was done, or would be done */
function reportOf(title: string, { file, changes, left }: Correction, did: string): string {
  const what = changes.length === 0 ? 'nothing corrected' : `${did} ${changes.join(', ')}`;
  const noEquipment = file.noEquipment.map((each) => finding('no-equipment', each));
  const found = [...left, ...file.rinex.warnings, ...noEquipment, ...file.hints];
  const lines = found.map((each) => `  ${inWords(each)}`);
  return [`${title}: ${what}`, ...lines].map((line) => `${visible(line)}\n`).join('');
}

/** The lines that would be written, and the lines that they would replace. */
const linesOf = ({ edits }: Correction): string =>
  edits
    .flatMap(({ before, after }) => [
      ...(before === null ? [] : [`- ${before}`]),
      ...after.map((line) => `+ ${line}`),
    ])
    .map((line) => `  ${visible(line).trimEnd()}\n`)
    .join('');

/** Where the copies are written. */
type Target =
  | { kind: 'folder'; folder: string }
  /** Only said, not written; into this folder, if it was named. */
  | { kind: 'nowhere'; folder: string | null }
  | { kind: 'standard-output' };

function targetOf(
  paths: string[],
  { output, 'dry-run': dryRun }: Given<typeof command>['flags'],
): Target {
  const isDryRun = dryRun === true;
  const isOfInput = paths.includes(STANDARD_INPUT);
  if (isOfInput && (paths.length > 1 || output !== undefined))
    throw new UsageError('fix-rinex - writes to standard output; give no other FILE or --output');
  if (output === undefined) {
    if (isDryRun) return { kind: 'nowhere', folder: null };
    if (isOfInput) return { kind: 'standard-output' };
    throw new UsageError('fix-rinex needs --output DIR');
  }
  if (!existsSync(output) || !statSync(output).isDirectory())
    throw new CommandFailed(`--output "${output}" is not a folder; create it first`);
  return { kind: isDryRun ? 'nowhere' : 'folder', folder: output };
}

/** The name of the copy of a file. */
const copyName = (path: string): string => basename(path).replace(/\.Z$/i, '.gz');

/** Writes the corrected copy of a file, or says what it would be. */
async function writeCopy(correction: Correction, target: Target): Promise<void> {
  const { path } = correction.file;
  if (target.kind === 'nowhere') {
    const title = target.folder === null ? path : join(target.folder, copyName(path));
    process.stdout.write(reportOf(title, correction, 'would correct') + linesOf(correction));
    return;
  }
  if (target.kind === 'standard-output') {
    await writeCorrected(correction, null);
    process.stderr.write(reportOf('standard input', correction, 'corrected'));
    return;
  }
  const copy = join(target.folder, copyName(path));
  const mode = statSync(path).mode & 0o666;
  await replaceInOneStep(copy, (temporary) => writeCorrected(correction, temporary), mode);
  process.stdout.write(reportOf(copy, correction, 'corrected'));
}

/** Writes the copies, and returns the exit code. */
export async function run({
  settings,
  flags,
  arguments: paths,
}: Given<typeof command>): Promise<number> {
  const { at = null, service } = flags;
  const includes = {
    equipment: flags['include-equipment'] === true,
    agency: flags['include-agency'] === true,
  };
  if (paths.length === 0)
    throw new UsageError('fix-rinex needs at least one FILE: a RINEX file, or a folder of them');
  const target = targetOf(paths, flags);
  const skipped = new Skipped();
  const sources = sourcesAt(paths, skipped);
  const records = await openRecords(settings.database, service);
  const outcome = new Outcome();
  const refuse = (path: string, reason: string, how: 'wrong' | 'unreadable'): void => {
    say(`"${path}" ${reason}`);
    outcome.add(how);
  };
  const fix = async (file: FileResult): Promise<void> => {
    if (file.kind === 'unreadable') return refuse(file.path, inWords(file.reason), 'unreadable');
    if (file.kind === 'unknown-site') return refuse(file.path, inWords(file.reason), 'wrong');
    if (file.kind === 'contradicts') {
      const why = [...file.contradictions, ...file.hints].map(inWords).join(' ');
      return refuse(file.path, `was left alone: ${CONTRADICTORY}. ${why}`, 'wrong');
    }
    if (target.kind !== 'standard-output' && target.folder !== null) {
      const copy = join(target.folder, copyName(file.path));
      if (existsSync(copy)) return refuse(copy, 'exists already, and is not replaced', 'wrong');
    }
    try {
      const { headerLines } = file.rinex;
      const corrected = correctHeader(headerLines, file.header, file, includes);
      await writeCopy({ file, ...corrected }, target);
      outcome.add('right');
    } catch (error) {
      refuse(file.path, `was not copied: ${whyNot(error)}`, 'unreadable');
    }
  };
  try {
    const site = await statedSite(flags.site, records);
    const blankEccentricity = flags['blank-eccentricity'] ?? 'zero';
    const options = { at, site, antex: null, blankEccentricity };
    for await (const file of checkFiles(sources, records, options)) await fix(file);
  } finally {
    await records.close();
  }
  const skippedText = skipped.inWords();
  if (skippedText !== null) say(skippedText);
  if (skipped.hasUnreadable) outcome.add('unreadable');
  return outcome.exitCode('fix');
}

/** Why a file was not copied. */
function whyNot(error: unknown): string {
  // What is wrong with a file follows its name.
  if (error instanceof RinexUnreadable) return `it ${error.message}`;
  const isOfSystem = (error as NodeJS.ErrnoException).syscall !== undefined;
  return isOfSystem ? reasonOf(error) : (error as Error).message;
}
