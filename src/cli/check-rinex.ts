import { type Comparison, FIELDS, type Status, STATUSES } from '../check/rinex/compare.js';
import { csvHeader, csvRecord } from '../formats/csv.js';
import type { Column } from '../formats/columns.js';
import { INSTANT_FORMS } from '../requests/instant.js';
import { visible } from '../visible.js';
import type { CommandLine, Given } from './command-line.js';
import { FORMAT_FLAG, knownIn, type OutputFormat } from './output-format.js';
import { type CheckedFile, checkFiles, type UncheckedFile } from './rinex/check-files.js';
import { observationFiles } from './rinex/files.js';
import { recordsOf } from './rinex/records.js';
import { UsageError } from './failures.js';
import { parseBaseUrl, parseTime } from './setting-values.js';
import { count, say } from './terminal.js';

/** The flags for where records are, and for the time of files. */
export const RECORD_FLAGS = {
  service: {
    argument: 'URL',
    description: 'Ask the service at this base URL, instead of a database.',
    parse: parseBaseUrl,
  },
  at: {
    argument: 'TIME',
    description: `The time of all files, instead of their own, in UTC: ${INSTANT_FORMS}.`,
    parse: parseTime,
  },
} as const;

export const command = {
  usage: 'check-rinex FILE...',
  description: [
    'Checks headers of RINEX observation files against the record of their Sites at the time of each file.',
    'FILE is a file of version 2.10 to 4.02, plain, Hatanaka, compressed with gzip or Unix compress, or a folder of them.',
    'The Site is that of the name of the file, or of its marker name. Changes within 60 s of its begin or end do not count.',
    'Exit codes: 0 nothing differs, 1 something differs or a Site is unknown, 2 usage error, 3 a file or the record cannot be read.',
  ].join('\n'),
  settings: ['database'],
  flags: {
    ...RECORD_FLAGS,
    format: FORMAT_FLAG,
    'since-last': {
      argument: 'FILE',
      description:
        'Show only what is new since FILE: the output of an earlier run with --format ndjson.',
    },
  },
} as const satisfies CommandLine;

/** What identifies a difference from run to run. */
const fingerprint = (
  site: string,
  { field, header, record }: Pick<Comparison, 'field' | 'header' | 'record'>,
): string => JSON.stringify([site, field, header, record]);

/** A checked file as programs read it. */
const resultOf = ({ path, record: { site }, span, during, best, fields, hints }: CheckedFile) => ({
  file: path,
  site: site.nineCharacterId ?? site.fourCharacterId,
  from: span.from,
  to: span.to,
  setups: during.map(({ setup: { id, effectivePeriod } }) => ({ id, ...effectivePeriod })),
  bestSetup: best?.id ?? null,
  fields,
  hints,
});
type Result = ReturnType<typeof resultOf>;

type Row = Comparison &
  Pick<Result, 'file' | 'site' | 'from' | 'to' | 'bestSetup'> & { hints: string };
const COLUMNS: Column<Row>[] = (
  [
    'file',
    'site',
    'from',
    'to',
    'bestSetup',
    'field',
    'status',
    'header',
    'record',
    'tolerance',
    'normalisation',
    'hints',
  ] as const
).map((name) => [name, (row: Row) => row[name]]);

const quoted = (text: string | null): string => (text === null ? '-' : `"${text}"`);

const WIDTHS = [
  Math.max(...FIELDS.map(({ length }) => length)),
  Math.max(...STATUSES.map(({ length }) => length)),
] as const;

function tableOf({ file, site, from, to, fields, hints }: Result): string {
  const shown = fields.filter(({ status }) => !status.startsWith('equal'));
  if (shown.length === 0 && hints.length === 0) return '';
  const lines = shown.map(
    ({ field, status, header, record }) =>
      `  ${field.padEnd(WIDTHS[0])}  ${status.padEnd(WIDTHS[1])}  header ${quoted(header)}, log ${quoted(record)}`,
  );
  return [`${file}: ${site}, ${from} to ${to}`, ...lines, ...hints.map((hint) => `  ${hint}`)]
    .map((line) => `${visible(line)}\n`)
    .join('');
}

/** Renders a result in a format. @param isFirst whether it is the first one printed */
function textOf(result: Result, format: OutputFormat, isFirst: boolean): string {
  const { fields, hints, ...file } = result;
  switch (format) {
    case 'table':
      return tableOf(result);
    case 'csv':
      return fields
        .map((field) => csvRecord(COLUMNS, { ...file, ...field, hints: hints.join(' ') }))
        .join('');
    case 'ndjson':
      return `${JSON.stringify(result)}\n`;
    case 'json':
      return `${isFirst ? '[' : ','}\n${JSON.stringify(result, null, 2)}`;
  }
}

/** How often each field had each status, and how many files of each Site differ. */
class Summary {
  private readonly fields = new Map<string, Map<Status, number>>();
  private readonly sites = new Map<string, { files: number; differing: number }>();
  files = 0;

  add({ site, fields }: Result): void {
    this.files++;
    for (const { field, status } of fields) {
      const counts = this.fields.get(field) ?? new Map<Status, number>();
      this.fields.set(field, counts.set(status, (counts.get(status) ?? 0) + 1));
    }
    const { files, differing } = this.sites.get(site) ?? { files: 0, differing: 0 };
    const differs = fields.some(({ status }) => status === 'differs');
    this.sites.set(site, { files: files + 1, differing: differing + (differs ? 1 : 0) });
  }

  text(): string {
    const ofField = [...this.fields].map(
      ([field, counts]) =>
        `${field}: ${STATUSES.filter((each) => counts.has(each))
          .map((each) => `${counts.get(each)!} ${each}`)
          .join(', ')}\n`,
    );
    const ofSite = [...this.sites]
      .filter(([, { differing }]) => differing > 0)
      .map(
        ([site, { files, differing }]) =>
          `${visible(site)}: ${differing} of ${count(files, 'file')} differ\n`,
      );
    return [
      `${count(this.files, 'file')} of ${count(this.sites.size, 'Site')} checked\n`,
      ...ofField,
      ...ofSite,
    ].join('');
  }
}

/** Checks the files, and returns the exit code. */
export async function run({
  settings,
  flags,
  arguments: paths,
}: Given<typeof command>): Promise<number> {
  if (paths.length === 0)
    throw new UsageError('check-rinex needs at least one FILE: a RINEX file, or a folder of them');
  const { format = 'table', at = null, service, 'since-last': earlier } = flags;
  const fingerprintsOf = ({ site, fields }: Result): string[] =>
    fields.map((field) => fingerprint(site, field));
  const known =
    earlier === undefined
      ? new Set()
      : knownIn(earlier, 'since-last', 'check-rinex', fingerprintsOf);
  const records = await recordsOf(settings.database, service);
  const summary = new Summary();
  let code = 0;
  if (format === 'csv') process.stdout.write(csvHeader(COLUMNS));
  const add = (file: CheckedFile | UncheckedFile): void => {
    if ('reason' in file) {
      say(`"${file.path}" ${file.kind === 'unreadable' ? '' : 'was not checked: '}${file.reason}`);
      code = Math.max(code, file.kind === 'unreadable' ? 3 : 1);
      return;
    }
    const all = resultOf(file);
    const fields = all.fields.filter((field) => !known.has(fingerprint(all.site, field)));
    if (known.size > 0 && fields.length === 0) return;
    const result = { ...all, fields };
    process.stdout.write(textOf(result, format, summary.files === 0));
    summary.add(result);
    if (fields.some(({ status }) => status === 'differs')) code = Math.max(code, 1);
  };
  try {
    for await (const file of checkFiles(observationFiles(paths), records, at)) add(file);
  } finally {
    await records.close();
  }
  if (format === 'json') process.stdout.write(summary.files === 0 ? '[]\n' : '\n]\n');
  (format === 'table' ? process.stdout : process.stderr).write(summary.text());
  return code;
}
