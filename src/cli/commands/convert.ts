import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import type { SiteLogSections } from '../../../schemas/index.js';
import { isBelow, searchForSiteLogs, type SiteLogFile } from '../../import-site-logs.js';
import { countryCode } from '../../site-log/values/country.js';
import { readWithheld } from '../../site-log/read.js';
import { readSections } from '../../site-log/read-sections.js';
import { Findings, reject, SiteLogRejected } from '../../findings/findings.js';
import {
  EXTENSIONS,
  writeSections,
  WRITTEN_FORMS,
  type WrittenForm,
} from '../../site-log/write.js';
import { withNineCharacters } from '../../site-log/write/identity.js';
import { reasonOf } from '../../system-error.js';
import { visible } from '../../visible.js';
import { inodeOf } from '../../whole-file.js';
import type { CommandLine, Given } from '../line/command-line.js';
import { fileFailure, UsageError, withFile } from '../line/failures.js';
import { count, printFindings } from '../line/terminal.js';
import { readBytes } from '../site-log-bytes.js';

/** Parses the country of logs with a four-character id. */
function parseCountry(text: string): string {
  const code = text.toUpperCase();
  if (countryCode(code) !== code)
    throw new Error('expected a country code of ISO 3166-1 such as AUS');
  return code;
}

export const command = {
  usage: 'convert FILE...',
  description: [
    'Converts site logs to another form, without a database. FILE is in IGS text format 1 ' +
      'or 2.0, GeodesyML 0.4 to 0.6, or SOPAC XML; or a folder of them, as for import.',
    'Values that the other form has no place for are reported on stderr, as file:line: ' +
      'level: message.',
    'Contacts are withheld, and the file says so; organisations and their addresses stay.',
    'Exit codes: 0 success, 1 some site logs were rejected, 2 usage error, 3 a file cannot ' +
      'be read or written.',
  ].join('\n'),
  examples: [
    ['Print a site log as GeodesyML.', 'convert --to geodesyml05 alic_20170223.log'],
    [
      'Write the logs in a folder in text form 2.0.',
      'convert --to text2 --output converted site-logs',
    ],
  ],
  completes: 'files',
  settings: [],
  flags: {
    to: {
      argument: 'FORM',
      description: `The form: ${WRITTEN_FORMS.join(', ')}.`,
      values: WRITTEN_FORMS,
    },
    country: {
      argument: 'CCC',
      description:
        'With --to text2: the country of logs that have only four characters, such as AUS. ' +
        'Monument 0 and receiver 0 are assumed.',
      parse: parseCountry,
    },
    output: {
      argument: 'DIR',
      description:
        'Write each site log to this folder, under its name; those of a folder with its ' +
        'subfolders. Default, for one FILE: stdout.',
    },
    'publish-contacts': { description: 'Do not withhold contacts.' },
  },
} as const satisfies CommandLine;

/** A log with a nine-character id, and a finding if the numbers in it are assumed. */
function completed(log: SiteLogSections, country: string, findings: Findings): SiteLogSections {
  const result = withNineCharacters(log, `00${country}`);
  const { fourCharacterId, nineCharacterId } = result.siteIdentification;
  if (result !== log) {
    const { line, written } = fourCharacterId!;
    const values = { nine: nineCharacterId!.written, text: written };
    findings.add('assumed-id', { line, section: '1' }, values);
  }
  return result;
}

/** A file to convert. */
interface Input extends SiteLogFile {
  /** Its path below the folder that was named; of a file that was named, its name. */
  relativePath: string;
}

/** Finds the files to convert. @throws {Error} if one of the paths cannot be read */
async function findInputs(paths: string[]): Promise<Input[]> {
  const inputs: Input[] = [];
  for (const path of paths)
    await searchForSiteLogs(path, (file) => {
      const relativePath = file.named ? basename(path) : relative(path, file.path);
      inputs.push({ ...file, relativePath });
    });
  return inputs;
}

/**
 * Where each site log is written to.
 * @throws {UsageError} if two that were named would be written to the same file, or one over a FILE
 */
function targetsIn(folder: string, inputs: Input[], form: WrittenForm): string[] {
  const targets = inputs.map(({ relativePath: path }) =>
    join(folder, dirname(path), `${basename(path, extname(path))}${EXTENSIONS[form]}`),
  );
  // Whether a file of a folder is a site log is known only when it is read.
  const named = targets.filter((_, index) => inputs[index]!.named);
  const twice = named.find((target, index) => named.indexOf(target) < index);
  if (twice !== undefined)
    throw new UsageError(`two FILEs would be written to "${twice}"; convert them one by one`);
  const inodes = inputs.map(({ path }) => inodeOf(path));
  const input = targets.find(
    (target) => inodeOf(target) !== null && inodes.includes(inodeOf(target)),
  );
  if (input !== undefined)
    throw new UsageError(`"${input}" would overwrite a FILE; choose another folder with --output`);
  return targets;
}

/**
 * Refuses to write into a folder that is converted: the next run would convert what this one wrote.
 * @throws {UsageError}
 */
function refuseInside(output: string, paths: string[]): void {
  const inside = paths.find(
    (path) => statSync(path).isDirectory() && isBelow([path])(resolve(output)),
  );
  if (inside !== undefined)
    throw new UsageError(
      `--output "${output}" is in "${inside}", which is converted; choose another`,
    );
}

/** What is written of each file, if it is not rejected. */
interface Conversion {
  form: WrittenForm;
  country: string | null;
  publish: boolean;
}

/**
 * Converts one file and prints the findings.
 * @returns why there is no text, if it is rejected or, in a folder, is not a site log
 */
function convert(
  input: Input,
  { form, country, publish }: Conversion,
): { text: string } | 'rejected' | 'skipped' {
  const findings = new Findings(input.path);
  try {
    const bytes = readInput(input, findings);
    const log = publish ? readSections(bytes, findings) : readWithheld(bytes, findings);
    const whole = country === null ? log : completed(log, country, findings);
    const text = writeSections(whole, form, findings);
    printFindings(findings.list);
    return { text };
  } catch (error) {
    if (!(error instanceof SiteLogRejected)) throw error;
    if (!input.named && !error.recognised) return 'skipped';
    printFindings(findings.list);
    return 'rejected';
  }
}

/** The content of a file. @throws {SiteLogRejected} if it is too large for a site log */
function readInput({ path, bytes, named, unreadable }: Input, findings: Findings): Uint8Array {
  try {
    if (unreadable !== undefined) throw unreadable;
    return readBytes(bytes === undefined ? path : Buffer.from(bytes), findings);
  } catch (error) {
    if (error instanceof SiteLogRejected) throw error;
    if (named) throw fileFailure(`"${path}" cannot be read`, error);
    return reject(findings, 'cannot-be-read', { line: 1 }, { reason: reasonOf(error) });
  }
}

/** Writes a site log, and creates the folder that it is in. */
const write = (target: string, text: string): void =>
  withFile(`"${target}" cannot be written`, () => {
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  });

/** Converts the files, and returns the exit code. */
export async function run({ flags, arguments: paths }: Given<typeof command>): Promise<number> {
  if (paths.length === 0)
    throw new UsageError('convert needs at least one FILE: a site log, or a folder of site logs');
  const { to: form, country = null, output: folder } = flags;
  if (form === undefined)
    throw new UsageError(`--to is missing: expected ${WRITTEN_FORMS.join(', ')}`);
  if (country !== null && form !== 'text2')
    throw new UsageError('--country is only for --to text2');
  // Before anything is written.
  const inputs = await findInputs(paths);
  if (inputs.length === 0)
    throw new UsageError(`no files found in ${paths.map((path) => `"${path}"`).join(', ')}`);
  if (folder === undefined && (inputs.length > 1 || !inputs[0]!.named))
    throw new UsageError('several FILEs, or a folder, need --output DIR');
  if (folder !== undefined) refuseInside(folder, paths);
  const targets = folder === undefined ? [] : targetsIn(folder, inputs, form);
  if (folder !== undefined) {
    withFile(`"${folder}" cannot be created`, () => mkdirSync(folder, { recursive: true }));
  }
  const conversion = { form, country, publish: flags['publish-contacts'] ?? false };
  const counts = { written: 0, rejected: 0, skipped: 0 };
  /** The files that were written, with what they were written from. */
  const sources = new Map<string, string>();
  for (const [index, input] of inputs.entries()) {
    const target = targets[index];
    const converted = convert(input, conversion);
    if (typeof converted === 'string') counts[converted]++;
    else if (target === undefined) process.stdout.write(converted.text);
    else if (sources.has(target)) {
      const findings = new Findings(input.path);
      findings.add('same-target', { line: 1 }, { quoted: [target, sources.get(target)!] });
      printFindings(findings.list);
      counts.rejected++;
    } else {
      write(target, converted.text);
      sources.set(target, input.path);
      counts.written++;
    }
  }
  if (folder !== undefined) {
    const skipped = counts.skipped === 0 ? '' : `, ${counts.skipped} skipped (not site logs)`;
    process.stdout.write(
      `${count(counts.written, 'site log')} written to ${visible(folder)}, ` +
        `${counts.rejected} rejected${skipped}\n`,
    );
  }
  return counts.rejected === 0 ? 0 : 1;
}
