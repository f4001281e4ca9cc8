import { createWriteStream, realpathSync, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { EXPORTS, type ExportName } from '../../schemas/index.js';
import { TABLE_FORMATS, type TableFormat } from '../formats/tables.js';
import { EXPORT_QUERIES, exportTable } from '../http/exports.js';
import { ProblemError } from '../http/wire/problems.js';
import { compileParameters } from '../http/wire/query-validator.js';
import { openReader } from '../store/open.js';
import type { CommandLine, Given } from './command-line.js';
import { CommandFailed, UsageError } from './settings.js';

export const command = {
  usage: 'export TABLE',
  description: [
    'Writes a table of the database, as /exports/TABLE of the service does: sites, setups, installations or changes.',
    'Reads the database directly; no server needed. Exit codes: 0 written, 2 usage error, 3 the database or the file cannot be used.',
  ].join('\n'),
  settings: ['database'],
  flags: {
    format: { argument: 'FORMAT', description: `One of ${TABLE_FORMATS.join(', ')} [csv].` },
    query: { argument: 'QUERY', description: 'The parameters of the request, as in its URL: countryCode=AUS&at=2020-01-01.' },
    output: { argument: 'FILE', description: 'Write to FILE instead of stdout. An earlier export stays if this one fails.' },
  },
} as const satisfies CommandLine<'database', 'format' | 'query' | 'output'>;

const isOneOf = <T extends string>(values: readonly T[], text: unknown): text is T => (values as readonly unknown[]).includes(text);

/** A query string as the service parses it: a repeated parameter becomes a list. */
function parseQuery(text: string): Record<string, string | string[]> {
  const query = new URLSearchParams(text);
  return Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      const values = query.getAll(name);
      return [name, values.length === 1 ? values[0]! : values];
    }),
  );
}

/** What is wrong with a query, in one line. */
function reasonOf({ problem }: ProblemError): string {
  const [invalid] = problem.invalidParameters ?? [];
  return invalid === undefined ? problem.detail! : `--query: ${problem.detail} ${invalid.allowed}`;
}

/** Writes to a file, which is replaced in one step unless it is a device or a pipe. */
async function writeFile(output: string, pieces: AsyncIterable<string>): Promise<void> {
  const found = statSync(output, { throwIfNoEntry: false });
  const write = (path: string): Promise<void> => pipeline(Readable.from(pieces), createWriteStream(path));
  if (found?.isFile() === false) return write(output);
  const { replaceInOneStep } = await import('../whole-file.js');
  // A symbolic link stays, and the file that it names is replaced.
  await replaceInOneStep(found === undefined ? output : realpathSync(output), write, found?.mode ?? 0o666);
}

/** Writes the table and returns the exit code. */
export async function run({
  settings,
  flags,
  arguments: [name, ...rest],
}: Given<'database', 'format' | 'query' | 'output'>): Promise<number> {
  if (!isOneOf<ExportName>(EXPORTS, name) || rest.length > 0) throw new UsageError(`export takes exactly one TABLE: ${EXPORTS.join(', ')}`);
  const format = flags.format ?? 'csv';
  if (!isOneOf<TableFormat>(TABLE_FORMATS, format))
    throw new UsageError(`--format "${String(format)}": expected ${TABLE_FORMATS.join(', ')}`);
  const parsed = compileParameters(EXPORT_QUERIES[name])(parseQuery(typeof flags.query === 'string' ? flags.query : ''));
  if ('error' in parsed) throw new UsageError(reasonOf(parsed.error as ProblemError));
  const reader = await openReader(settings.database);
  try {
    const pieces = await exportTable(reader, '', { name, format }, parsed.value);
    const { output } = flags;
    if (typeof output === 'string') await writeFile(output, pieces);
    else await pipeline(Readable.from(pieces), process.stdout, { end: false });
    return 0;
  } catch (error) {
    if (error instanceof ProblemError) throw new UsageError(reasonOf(error));
    const { code, path } = error as NodeJS.ErrnoException;
    // The reader of a pipe has what it wanted.
    if (code === 'EPIPE') return 0;
    if (path !== undefined && typeof code === 'string') throw new CommandFailed(`"${path}" cannot be written (${code})`);
    throw error;
  } finally {
    await reader.close();
  }
}
