import type { Column } from '../formats/columns.js';
import { csvHeader, csvRecord } from '../formats/csv.js';
import type { OwnFlag } from './command-line.js';
import { UsageError } from './settings.js';

/** The formats in which commands print what they find. */
export const OUTPUT_FORMATS = ['table', 'json', 'ndjson', 'csv'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** The flag that chooses one. */
export const FORMAT_FLAG = {
  argument: 'FORMAT',
  description: `How to print: ${OUTPUT_FORMATS.join(', ')}. ndjson is JSON with one object per line. Default: table.`,
} as const satisfies OwnFlag;

/** The format that a flag names. @throws {UsageError} if there is none with that name */
export function formatOf(flag: string | boolean | string[] | undefined): OutputFormat {
  const format = OUTPUT_FORMATS.find((each) => each === (flag ?? 'table'));
  if (format === undefined) throw new UsageError(`--format "${String(flag)}": expected ${OUTPUT_FORMATS.join(', ')}`);
  return format;
}

/** The elements as a text for programs. @param columns those of CSV */
export function textFor<T>(format: Exclude<OutputFormat, 'table'>, elements: T[], columns: readonly Column<T>[]): string {
  switch (format) {
    case 'json':
      return `${JSON.stringify(elements, null, 2)}\n`;
    case 'ndjson':
      return elements.map((element) => `${JSON.stringify(element)}\n`).join('');
    case 'csv':
      return csvHeader(columns) + elements.map((element) => csvRecord(columns, element)).join('');
  }
}
