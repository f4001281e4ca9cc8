import { createWriteStream, realpathSync, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { EXPORTS, type ExportName, type SiteNote } from '../../schemas/index.js';
import { TABLE_FORMATS, type TableFormat } from '../formats/tables.js';
import { EXPORT_QUERIES, exportTable } from '../http/exports.js';
import { RINEX_QUERY, rinexHeaders, SITE_FILES, type SiteFileName, type Writing, writeSiteFile, zipped } from '../http/site-files.js';
import { ProblemError } from '../http/wire/problems.js';
import { compileParameters } from '../http/wire/query-validator.js';
import { openReader } from '../store/open.js';
import type { Store } from '../store/store.js';
import type { CommandLine, Given } from './command-line.js';
import { CommandFailed, UsageError } from './settings.js';
import { reasonOf } from '../system-error.js';
import { visible } from '../visible.js';
import { expectedOf } from './wrong-usage.js';

const FILES = Object.keys(SITE_FILES) as SiteFileName[];
const RINEX = 'rinex.zip';
const HEADER = 'rinex';
const NAMES = [...EXPORTS, ...FILES, RINEX, HEADER];

export const command = {
  usage: 'export NAME [SITE...]',
  description: [
    'Writes a table of the database, as /exports/NAME of the service does: sites, setups, installations or changes.',
    'Or a file for geodetic software: snx (SINEX), station-info (GAMIT), sta (Bernese), rinex (the RINEX header of one Site),',
    'rinex.zip (of several), offsets.csv or offsets.snx. Whatever a file cannot represent exactly is reported on stderr.',
    'SITE: the id of a Site; none: all Sites. Reads the database directly; no server needed.',
    'Exit codes: 0 written, 1 refused because of --query strict=true, 2 usage error, 3 the database or the file cannot be used.',
  ].join('\n'),
  settings: ['database'],
  flags: {
    format: { argument: 'FORMAT', description: `Of a table: one of ${TABLE_FORMATS.join(', ')} [csv].` },
    at: { argument: 'INSTANT', description: 'What was in use at this instant: 2020-01-01.' },
    query: { argument: 'QUERY', description: 'The parameters of the request, as in its URL: countryCode=AUS&version=1.01.' },
    output: { argument: 'FILE', description: 'Write to FILE instead of stdout. An earlier export stays if this one fails.' },
  },
} as const satisfies CommandLine<'database', 'format' | 'at' | 'query' | 'output'>;

const isOneOf = <T extends string>(values: readonly T[], text: unknown): text is T => (values as readonly unknown[]).includes(text);

/** A query string as the service parses it: a repeated parameter becomes a list. */
function parseQuery(query: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      const values = query.getAll(name);
      return [name, values.length === 1 ? values[0]! : values];
    }),
  );
}

/** What is wrong with a query, in one line. */
function reasonIn({ problem }: ProblemError): string {
  const [invalid] = problem.invalidParameters ?? [];
  return invalid === undefined ? problem.detail! : `--query ${invalid.name}=${invalid.value}: ${expectedOf(invalid)}`;
}

/** Writes to a file, which is replaced in one step unless it is a device or a pipe. */
async function writeFile(output: string, pieces: AsyncIterable<string | Buffer>): Promise<void> {
  const found = statSync(output, { throwIfNoEntry: false });
  const write = (path: string): Promise<void> => pipeline(Readable.from(pieces), createWriteStream(path));
  if (found?.isFile() === false) return write(output);
  const { replaceInOneStep } = await import('../whole-file.js');
  // A symbolic link stays, and the file that it names is replaced.
  await replaceInOneStep(found === undefined ? output : realpathSync(output), write, found?.mode ?? 0o666);
}

/** What the request with the same parameters would have. @throws {UsageError} if it would be refused */
function queryOf(name: string, { at, query }: { at?: unknown; query?: unknown }, sites: string[]): object {
  const files = Object.fromEntries(FILES.map((each) => [each, SITE_FILES[each].query]));
  const schemas = { ...EXPORT_QUERIES, ...files, [RINEX]: RINEX_QUERY, [HEADER]: RINEX_QUERY };
  const given = new URLSearchParams(typeof query === 'string' ? query : '');
  for (const site of sites) given.append('site', site);
  if (typeof at === 'string') given.set('at', at);
  const parsed = compileParameters(schemas[name as keyof typeof schemas])(parseQuery(given));
  if ('error' in parsed) throw new UsageError(reasonIn(parsed.error as ProblemError));
  return parsed.value;
}

const onNote = ({ site, text }: SiteNote): void => void process.stderr.write(`${visible(`${site}: ${text}`)}\n`);

/** What is written, in pieces. */
async function piecesOf(store: Store, name: string, format: TableFormat, query: object): Promise<AsyncIterable<string | Buffer>> {
  if (isOneOf<ExportName>(EXPORTS, name)) return exportTable(store, '', { name, format }, query);
  const writing: Writing = { store, base: '', now: () => new Date().toISOString().replace(/\.\d+Z$/, 'Z') };
  if (isOneOf(FILES, name)) return writeSiteFile(writing, name, query, onNote);
  const headers = await rinexHeaders(writing, query, onNote);
  return name === RINEX ? zipped(headers, writing.now()) : textOfOne(headers);
}

/** The header of the only Site. @throws {UsageError} if there are several */
async function* textOfOne(headers: AsyncIterable<{ text: string }>): AsyncGenerator<string> {
  let only: string | undefined;
  for await (const { text } of headers) {
    if (only !== undefined) throw new UsageError(`export ${HEADER} writes the header of one Site; ${RINEX} has those of several`);
    only = text;
  }
  if (only !== undefined) yield only;
}

/** Writes the table or the file and returns the exit code. */
export async function run({
  settings,
  flags,
  arguments: [name, ...sites],
}: Given<'database', 'format' | 'at' | 'query' | 'output'>): Promise<number> {
  if (!isOneOf(NAMES, name)) throw new UsageError(`export takes one NAME: ${NAMES.join(', ')}`);
  const format = flags.format ?? 'csv';
  if (!isOneOf<TableFormat>(TABLE_FORMATS, format))
    throw new UsageError(`--format "${String(format)}": expected ${TABLE_FORMATS.join(', ')}`);
  if (flags.format !== undefined && !isOneOf(EXPORTS, name)) throw new UsageError(`--format: only with ${EXPORTS.join(', ')}`);
  const query = queryOf(name, flags, sites);
  const reader = await openReader(settings.database);
  try {
    const pieces = await piecesOf(reader, name, format, query);
    const { output } = flags;
    if (typeof output === 'string') await writeFile(output, pieces);
    else await pipeline(Readable.from(pieces), process.stdout, { end: false });
    return 0;
  } catch (error) {
    if (error instanceof ProblemError && error.problem.notes !== undefined) {
      error.problem.notes.forEach(onNote);
      return 1;
    }
    if (error instanceof ProblemError) throw new UsageError(reasonIn(error));
    const { code, path } = error as NodeJS.ErrnoException;
    // The reader of a pipe has what it wanted.
    if (code === 'EPIPE') return 0;
    if (path !== undefined && typeof code === 'string') throw new CommandFailed(`"${path}" cannot be written: ${reasonOf(error)}`);
    throw error;
  } finally {
    await reader.close();
  }
}
