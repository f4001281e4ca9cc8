import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import type { SiteLogSections } from '../../schemas/index.js';
import { countryCode } from '../site-log/country.js';
import { LARGEST_FILE, readWithheld } from '../site-log/read.js';
import { readSections } from '../site-log/read-sections.js';
import { Findings, reject, SiteLogRejected } from '../site-log/site-log.js';
import { EXTENSIONS, writeSections, WRITTEN_FORMS, type WrittenForm } from '../site-log/write.js';
import { withNineCharacters } from '../site-log/write/identity.js';
import { reasonOf } from '../system-error.js';
import { visible } from '../visible.js';
import { printFindings } from './import/output.js';
import { inodeOf } from '../whole-file.js';
import type { CommandLine, Given } from './command-line.js';
import { CommandFailed, UsageError } from './settings.js';
import { count } from './terminal.js';

type Flag = 'to' | 'country' | 'output' | 'publish-contacts';

export const command = {
  usage: 'convert FILE...',
  description: [
    'Converts site logs to another form, without a database. FILE is in IGS text format 1 or 2.0, GeodesyML 0.4 to 0.6, or SOPAC XML.',
    'Values that the other form has no place for are reported on stderr, as file:line: level: message.',
    'Contacts are withheld, and the file says so; organisations and their addresses stay.',
    'Exit codes: 0 success, 1 some site logs were rejected, 2 usage error, 3 a file cannot be read or written.',
  ].join('\n'),
  settings: [],
  flags: {
    to: { argument: 'FORM', description: `The form: ${WRITTEN_FORMS.join(', ')}.` },
    country: {
      argument: 'CCC',
      description:
        'With --to text2: the country of logs that have only four characters, such as AUS. Monument 0 and receiver 0 are assumed.',
    },
    output: { argument: 'DIR', description: 'Write each site log to this folder, under its name. Default, for one FILE: stdout.' },
    'publish-contacts': { description: 'Do not withhold contacts.' },
  },
} as const satisfies CommandLine<never, Flag>;

function parseForm(text: unknown): WrittenForm {
  const form = WRITTEN_FORMS.find((each) => each === text);
  if (form === undefined) {
    throw new UsageError(`--to ${typeof text === 'string' ? `"${text}"` : 'is missing'}: expected ${WRITTEN_FORMS.join(', ')}`);
  }
  return form;
}

/** The country of logs with four characters; null if it is not given. */
function parseCountry(text: unknown, form: WrittenForm): string | null {
  if (text === undefined) return null;
  if (form !== 'text2') throw new UsageError('--country is only for --to text2');
  const code = String(text).toUpperCase();
  if (countryCode(code) !== code) throw new UsageError(`--country "${String(text)}": expected three letters such as AUS`);
  return code;
}

/** A log with a nine-character id, and a finding if the numbers in it are assumed. */
function completed(log: SiteLogSections, country: string, findings: Findings): SiteLogSections {
  const result = withNineCharacters(log, `00${country}`);
  const { fourCharacterId, nineCharacterId } = result.siteIdentification;
  if (result !== log) {
    const message = `Four Character ID: monument 0 and receiver 0 assumed; ${nineCharacterId!.written} written`;
    findings.add(fourCharacterId!.line, 'info', message, fourCharacterId!.written);
  }
  return result;
}

/** Where each site log is written to. @throws {UsageError} if two would be written to the same file, or one over a FILE */
function targetsOf(paths: string[], folder: string, form: WrittenForm): Map<string, string> {
  const inputs = new Set(paths.map(inodeOf));
  const targets = new Map<string, string>();
  for (const path of paths) {
    const target = join(folder, `${basename(path, extname(path))}${EXTENSIONS[form]}`);
    const inode = inodeOf(target);
    if (inode !== null && inputs.has(inode))
      throw new UsageError(`"${target}" would overwrite a FILE; choose another folder with --output`);
    if ([...targets.values()].includes(target)) throw new UsageError(`two FILEs would be written to "${target}"; convert them one by one`);
    targets.set(path, target);
  }
  return targets;
}

/** Converts one file and prints the findings. @returns null if it is rejected */
function convert(path: string, form: WrittenForm, country: string | null, publish: boolean): string | null {
  const findings = new Findings(path);
  try {
    const bytes = readBytes(path, findings);
    const log = publish ? readSections(bytes, findings) : readWithheld(bytes, findings);
    return writeSections(country === null ? log : completed(log, country, findings), form, findings);
  } catch (error) {
    if (error instanceof SiteLogRejected) return null;
    throw error;
  } finally {
    printFindings(findings.list);
  }
}

/** The content of a file. @throws {CommandFailed} if it cannot be read @throws {SiteLogRejected} if it is too large for a site log */
function readBytes(path: string, findings: Findings): Uint8Array {
  try {
    const entry = statSync(path);
    if (!entry.isFile()) reject(findings, 1, 'not a regular file');
    if (entry.size > LARGEST_FILE) reject(findings, 1, `${entry.size} bytes; expected a site log of at most ${LARGEST_FILE}`);
    return readFileSync(path);
  } catch (error) {
    if (error instanceof SiteLogRejected) throw error;
    throw new CommandFailed(`"${path}" cannot be read: ${reasonOf(error)}`);
  }
}

function write(target: string, text: string): void {
  try {
    writeFileSync(target, text);
  } catch (error) {
    throw new CommandFailed(`"${target}" cannot be written: ${reasonOf(error)}`);
  }
}

/** Converts the files, and returns the exit code. */
export function run({ flags, arguments: paths }: Given<never, Flag>): Promise<number> {
  if (paths.length === 0) throw new UsageError('convert needs at least one FILE');
  const form = parseForm(flags.to);
  const country = parseCountry(flags.country, form);
  const folder = flags.output as string | undefined;
  if (folder === undefined && paths.length > 1) throw new UsageError('several FILEs need --output DIR');
  const targets = folder === undefined ? null : targetsOf(paths, folder, form);
  // Before anything is written.
  for (const path of paths) statSync(path);
  if (folder !== undefined) createFolder(folder);
  let rejected = 0;
  for (const path of paths) {
    const text = convert(path, form, country, flags['publish-contacts'] === true);
    if (text === null) rejected++;
    else if (targets === null) process.stdout.write(text);
    else write(targets.get(path)!, text);
  }
  if (folder !== undefined) {
    process.stdout.write(`${count(paths.length - rejected, 'site log')} written to ${visible(folder)}, ${rejected} rejected\n`);
  }
  return Promise.resolve(rejected === 0 ? 0 : 1);
}

function createFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new CommandFailed(`"${folder}" cannot be created: ${reasonOf(error)}`);
  }
}
