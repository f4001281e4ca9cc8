import { readFileSync } from 'node:fs';
import type { Instant } from '../../schemas/index.js';
import { type Comparison, FIELDS, type Status, STATUSES } from '../check/rinex/compare.js';
import { csvHeader, csvRecord } from '../formats/csv.js';
import type { Column } from '../formats/columns.js';
import { INSTANT_FORMS, parseInstant } from '../requests/instant.js';
import { reasonOf } from '../system-error.js';
import { visible } from '../visible.js';
import type { CommandLine, Given } from './command-line.js';
import { FORMAT_FLAG, formatOf, type OutputFormat } from './output-format.js';
import { type CheckedFile, checkFiles, type UncheckedFile } from './rinex/check-files.js';
import { observationFiles } from './rinex/files.js';
import { type Records, recordsOfDatabase, recordsOfService } from './rinex/records.js';
import { CommandFailed, UsageError } from './settings.js';
import { count } from './terminal.js';

type Flag = 'service' | 'at' | 'format' | 'since-last';

/** The flags for where records are, and for the time of files. */
export const RECORD_FLAGS = {
  service: { argument: 'URL', description: 'Ask the service at this base URL, instead of a database.' },
  at: { argument: 'TIME', description: `The time of all files, instead of their own, in UTC: ${INSTANT_FORMS}.` },
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
    'since-last': { argument: 'FILE', description: 'Show only what is new since FILE: the output of an earlier run with --format ndjson.' },
  },
} as const satisfies CommandLine<'database', Flag>;

/** The records that the command line names, and the time that it gives. @throws {UsageError} */
export async function readRecordFlags(
  database: string,
  { service, at }: { service?: unknown; at?: unknown },
): Promise<{ records: Records; at: Instant | null }> {
  const time = typeof at === 'string' ? parseInstant(at) : null;
  if (typeof at === 'string' && time === null) throw new UsageError(`--at "${at}": expected ${INSTANT_FORMS}`);
  if (typeof service !== 'string') return { records: await recordsOfDatabase(database), at: time };
  if (!URL.canParse(service) || !/^https?:$/.test(new URL(service).protocol))
    throw new UsageError(`--service "${service}": expected an http or https URL`);
  return { records: recordsOfService(service.replace(/\/$/, '')), at: time };
}

/** What identifies a difference from run to run. */
const fingerprint = (site: string, { field, header, record }: Pick<Comparison, 'field' | 'header' | 'record'>): string =>
  JSON.stringify([site, field, header, record]);

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

/** The differences in the output of an earlier run. */
function knownIn(path: unknown): Set<string> {
  if (typeof path !== 'string') return new Set();
  try {
    const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
    const results = lines.map((line) => JSON.parse(line) as Result);
    return new Set(results.flatMap(({ site, fields }) => fields.map((field) => fingerprint(site, field))));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === undefined ? 'is not the output of check-rinex --format ndjson' : `cannot be read: ${reasonOf(error)}`;
    throw new CommandFailed(`--since-last "${path}" ${why}`);
  }
}

type Row = Comparison & Pick<Result, 'file' | 'site' | 'from' | 'to' | 'bestSetup'> & { hints: string };
const COLUMNS: Column<Row>[] = (
  ['file', 'site', 'from', 'to', 'bestSetup', 'field', 'status', 'header', 'record', 'tolerance', 'normalisation', 'hints'] as const
).map((name) => [name, (row: Row) => row[name]]);

const quoted = (text: string | null): string => (text === null ? '-' : `"${text}"`);

const WIDTHS = [Math.max(...FIELDS.map(({ length }) => length)), Math.max(...STATUSES.map(({ length }) => length))] as const;

function tableOf({ file, site, from, to, fields, hints }: Result): string {
  const shown = fields.filter(({ status }) => !status.startsWith('equal'));
  if (shown.length === 0 && hints.length === 0) return '';
  const lines = shown.map(
    ({ field, status, header, record }) =>
      `  ${field.padEnd(WIDTHS[0])}  ${status.padEnd(WIDTHS[1])}  header ${quoted(header)}, log ${quoted(record)}`,
  );
  return [`${file}: ${site}, ${from} to ${to}`, ...lines, ...hints.map((hint) => `  ${hint}`)].map((line) => `${visible(line)}\n`).join('');
}

/** Writes results, one after another. */
class Output {
  private isFirst = true;

  constructor(private readonly format: OutputFormat) {
    if (format === 'csv') process.stdout.write(csvHeader(COLUMNS));
  }

  add(result: Result): void {
    const { fields, hints, ...file } = result;
    switch (this.format) {
      case 'table':
        process.stdout.write(tableOf(result));
        break;
      case 'csv':
        process.stdout.write(fields.map((field) => csvRecord(COLUMNS, { ...file, ...field, hints: hints.join(' ') })).join(''));
        break;
      case 'ndjson':
        process.stdout.write(`${JSON.stringify(result)}\n`);
        break;
      case 'json':
        process.stdout.write(`${this.isFirst ? '[' : ','}\n${JSON.stringify(result, null, 2)}`);
    }
    this.isFirst = false;
  }

  end(): void {
    if (this.format === 'json') process.stdout.write(this.isFirst ? '[]\n' : '\n]\n');
  }
}

/** How often each field had each status, and how many files of each Site differ. */
class Summary {
  private readonly fields = new Map<string, Map<Status, number>>();
  private readonly sites = new Map<string, { files: number; differing: number }>();

  add({ site, fields }: Result): void {
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
      .map(([site, { files, differing }]) => `${visible(site)}: ${differing} of ${count(files, 'file')} differ\n`);
    const files = [...this.sites.values()].reduce((sum, each) => sum + each.files, 0);
    return [`${count(files, 'file')} of ${count(this.sites.size, 'Site')} checked\n`, ...ofField, ...ofSite].join('');
  }
}

/** Checks the files, and returns the exit code. */
export async function run({ settings, flags, arguments: paths }: Given<'database', Flag>): Promise<number> {
  if (paths.length === 0) throw new UsageError('check-rinex needs at least one FILE: a RINEX file, or a folder of them');
  const format = formatOf(flags.format);
  const known = knownIn(flags['since-last']);
  const { records, at } = await readRecordFlags(settings.database, flags);
  const output = new Output(format);
  const summary = new Summary();
  let code = 0;
  const add = (file: CheckedFile | UncheckedFile): void => {
    if ('reason' in file) {
      process.stderr.write(
        `${visible(`gnss-site-setups: "${file.path}" ${file.kind === 'unreadable' ? '' : 'was not checked: '}${file.reason}`)}\n`,
      );
      code = Math.max(code, file.kind === 'unreadable' ? 3 : 1);
      return;
    }
    const all = resultOf(file);
    const fields = all.fields.filter((field) => !known.has(fingerprint(all.site, field)));
    if (known.size > 0 && fields.length === 0) return;
    const result = { ...all, fields };
    output.add(result);
    summary.add(result);
    if (fields.some(({ status }) => status === 'differs')) code = Math.max(code, 1);
  };
  try {
    for await (const file of checkFiles(observationFiles(paths), records, at)) add(file);
  } finally {
    await records.close();
  }
  output.end();
  (format === 'table' ? process.stdout : process.stderr).write(summary.text());
  return code;
}
