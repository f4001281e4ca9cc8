import type { Column } from '../../formats/columns.js';
import { csvHeader, csvRecord } from '../../formats/csv.js';
import type { OwnFlag } from './command-line.js';
import { CommandFailed, readTextFile } from './failures.js';

/** The formats in which commands print what they find. */
const OUTPUT_FORMATS = ['table', 'json', 'ndjson', 'csv'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** The flag that chooses one. */
export const FORMAT_FLAG = {
  argument: 'FORMAT',
  description:
    `How to print: ${OUTPUT_FORMATS.join(', ')}. ndjson is JSON with one object per line. ` +
    'Default: table.',
  values: OUTPUT_FORMATS,
} as const satisfies OwnFlag;

/** The elements as a text for programs. @param columns those of CSV */
export function textFor<T>(
  format: Exclude<OutputFormat, 'table'>,
  elements: T[],
  columns: readonly Column<T>[],
): string {
  switch (format) {
    case 'json':
      return `${JSON.stringify(elements, null, 2)}\n`;
    case 'ndjson':
      return elements.map((element) => `${JSON.stringify(element)}\n`).join('');
    case 'csv':
      return csvHeader(columns) + elements.map((element) => csvRecord(columns, element)).join('');
  }
}

/** The longest list that a flag names, in bytes. */
export const LONGEST_LIST = 64 * 1024 ** 2;

/**
 * The fingerprints of the results in a file: the output of an earlier run of a command with
 * `--format ndjson`.
 * @param flag the flag that names the file
 * @param fingerprintsOf may throw a CommandFailed that says more
 * @throws {CommandFailed} if the file cannot be read, or is not such output
 */
export function knownIn<T>(
  path: string,
  flag: string,
  command: string,
  fingerprintsOf: (result: T) => string[],
): Set<string> {
  const text = readTextFile(`--${flag} "${path}" cannot be read`, path, LONGEST_LIST);
  try {
    return new Set(
      text
        .split('\n')
        .flatMap((line) => (line === '' ? [] : fingerprintsOf(JSON.parse(line) as T))),
    );
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    throw new CommandFailed(`--${flag} "${path}" is not the output of ${command} --format ndjson`);
  }
}
