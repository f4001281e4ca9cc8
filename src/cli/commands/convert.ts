import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import type { SiteLogSections } from '../../../schemas/index.js';
import { countryCode } from '../../site-log/country.js';
import { readWithheld } from '../../site-log/read.js';
import { readSections } from '../../site-log/read-sections.js';
import { Findings, SiteLogRejected } from '../../site-log/site-log.js';
import {
  EXTENSIONS,
  writeSections,
  WRITTEN_FORMS,
  type WrittenForm,
} from '../../site-log/write.js';
import { withNineCharacters } from '../../site-log/write/identity.js';
import { visible } from '../../visible.js';
import { inodeOf } from '../../whole-file.js';
import type { CommandLine, Given } from '../line/command-line.js';
import { UsageError, withFile } from '../line/failures.js';
import { parseOneOf } from '../line/setting-values.js';
import { count, printFindings } from '../line/terminal.js';
import { readBytes } from '../site-log-bytes.js';

/** Parses the country of logs with a four-character id. */
function parseCountry(text: string): string {
  const code = text.toUpperCase();
  if (countryCode(code) !== code) throw new Error('expected three letters such as AUS');
  return code;
}

export const command = {
  usage: 'convert FILE...',
  description: [
    'Converts site logs to another form, without a database. FILE is in IGS text format 1 ' +
      'or 2.0, GeodesyML 0.4 to 0.6, or SOPAC XML.',
    'Values that the other form has no place for are reported on stderr, as file:line: ' +
      'level: message.',
    'Contacts are withheld, and the file says so; organisations and their addresses stay.',
    'Exit codes: 0 success, 1 some site logs were rejected, 2 usage error, 3 a file cannot ' +
      'be read or written.',
  ].join('\n'),
  settings: [],
  flags: {
    to: {
      argument: 'FORM',
      description: `The form: ${WRITTEN_FORMS.join(', ')}.`,
      parse: parseOneOf(WRITTEN_FORMS),
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
        'Write each site log to this folder, under its name. Default, for one FILE: stdout.',
    },
    'publish-contacts': { description: 'Do not withhold contacts.' },
  },
} as const satisfies CommandLine;

/** A log with a nine-character id, and a finding if the numbers in it are assumed. */
function completed(log: SiteLogSections, country: string, findings: Findings): SiteLogSections {
  const result = withNineCharacters(log, `00${country}`);
  const { fourCharacterId, nineCharacterId } = result.siteIdentification;
  if (result !== log) {
    const message =
      'Four Character ID: monument 0 and receiver 0 assumed; ' +
      `${nineCharacterId!.written} written`;
    findings.add(fourCharacterId!.line, 'info', message, fourCharacterId!.written);
  }
  return result;
}

/**
 * Where each site log is written to.
 * @throws {UsageError} if two would be written to the same file, or one over a FILE
 */
function targetsIn(folder: string, paths: string[], form: WrittenForm): string[] {
  const targets = paths.map((path) =>
    join(folder, `${basename(path, extname(path))}${EXTENSIONS[form]}`),
  );
  const twice = targets.find((target, index) => targets.indexOf(target) < index);
  if (twice !== undefined)
    throw new UsageError(`two FILEs would be written to "${twice}"; convert them one by one`);
  const inputs = paths.map(inodeOf);
  const input = targets.find(
    (target) => inodeOf(target) !== null && inputs.includes(inodeOf(target)),
  );
  if (input !== undefined)
    throw new UsageError(`"${input}" would overwrite a FILE; choose another folder with --output`);
  return targets;
}

/** Converts one file and prints the findings. @returns null if it is rejected */
function convert(
  path: string,
  form: WrittenForm,
  country: string | null,
  publish: boolean,
): string | null {
  const findings = new Findings(path);
  try {
    const bytes = readBytes(path, findings);
    const log = publish ? readSections(bytes, findings) : readWithheld(bytes, findings);
    return writeSections(
      country === null ? log : completed(log, country, findings),
      form,
      findings,
    );
  } catch (error) {
    if (error instanceof SiteLogRejected) return null;
    throw error;
  } finally {
    printFindings(findings.list);
  }
}

/** Converts the files, and returns the exit code. */
export function run({ flags, arguments: paths }: Given<typeof command>): Promise<number> {
  if (paths.length === 0) throw new UsageError('convert needs at least one FILE');
  const { to: form, country = null, output: folder } = flags;
  if (form === undefined)
    throw new UsageError(`--to is missing: expected ${WRITTEN_FORMS.join(', ')}`);
  if (country !== null && form !== 'text2')
    throw new UsageError('--country is only for --to text2');
  if (folder === undefined && paths.length > 1)
    throw new UsageError('several FILEs need --output DIR');
  const targets = folder === undefined ? [] : targetsIn(folder, paths, form);
  // Before anything is written.
  for (const path of paths) statSync(path);
  if (folder !== undefined)
    withFile(`"${folder}" cannot be created`, () => mkdirSync(folder, { recursive: true }));
  let rejected = 0;
  for (const [index, path] of paths.entries()) {
    const target = targets[index];
    const text = convert(path, form, country, flags['publish-contacts'] ?? false);
    if (text === null) rejected++;
    else if (target === undefined) process.stdout.write(text);
    else withFile(`"${target}" cannot be written`, () => writeFileSync(target, text));
  }
  if (folder !== undefined) {
    process.stdout.write(
      `${count(paths.length - rejected, 'site log')} written to ${visible(folder)}, ` +
        `${rejected} rejected\n`,
    );
  }
  return Promise.resolve(rejected === 0 ? 0 : 1);
}
