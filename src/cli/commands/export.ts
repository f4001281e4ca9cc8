import { createWriteStream, realpathSync, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { EXPORTS, type ExportName, type InvalidParameter } from '../../../schemas/index.js';
import { countsOf, type SiteNote } from '../../findings/notes.js';
import { newestRecordTime, storeFor } from '../../exports/as-of.js';
import type { CitedRequest } from '../../exports/citation.js';
import { RequestRefused } from '../../exports/refusals.js';
import { RINEX_QUERY, SITE_FILES } from '../../exports/site-files.js';
import type { OnNote } from '../../exports/site-parts.js';
import { EXPORT_QUERIES, exportTable } from '../../exports/tables.js';
import {
  noteText,
  rinexHeaders,
  type Writing,
  writeSiteFile,
  zipped,
} from '../../exports/written-site-files.js';
import { TABLE_FORMATS } from '../../formats/tables.js';
import type { QueryValues } from '../../links.js';
import { openReader } from '../../store/open.js';
import type { Store } from '../../store/store.js';
import {
  type Export,
  FILES,
  HEADER,
  isOneOf,
  requestFor,
  textOfCitation,
} from '../export-citation.js';
import type { CommandLine, Given } from '../line/command-line.js';
import { fileFailure, UsageError } from '../line/failures.js';
import { parseQuery, usageErrorOf } from '../line/query.js';

const RINEX = 'rinex.zip';
const NAMES = [...EXPORTS, ...FILES, RINEX, HEADER];

export const command = {
  usage: 'export NAME [SITE...]',
  description: [
    'Writes a table of the database, as /exports/NAME of the service does: sites, setups, ' +
      'installations, changes, findings or the feed.',
    'Or a file for geodetic software: snx (SINEX), station-info (GAMIT), sta (Bernese), ' +
      'rinex (the RINEX header of one Site),',
    'rinex.zip (of several), offsets.csv or offsets.snx. What a file cannot represent exactly ' +
      'is counted on stderr; --notes has the notes.',
    'SITE: the id of a Site; none: all Sites. Reads the database directly; no server needed.',
    'Exit codes: 0 written, 2 usage error, 3 the database or the file cannot be used.',
  ].join('\n'),
  examples: [
    [
      'Write the Sites of a country as GeoJSON.',
      'export sites --format geojson --query countryCode=AUS',
    ],
    [
      'Write STA for a Site, its notes, and what to cite.',
      'export sta ALIC --output alic.sta --notes notes.txt --cite',
    ],
  ],
  completes: NAMES,
  settings: ['database', 'baseUrl', 'networkName'],
  flags: {
    format: {
      argument: 'FORMAT',
      description: `Of a table: one of ${TABLE_FORMATS.join(', ')} [csv].`,
      values: TABLE_FORMATS,
    },
    at: { argument: 'INSTANT', description: 'What was in use at this instant: 2020-01-01.' },
    'as-of': {
      argument: 'INSTANT',
      description: 'What was on record at this instant: 2026-01-01.',
    },
    query: {
      argument: 'QUERY',
      repeatable: true,
      description: 'The parameters of the request, as in its URL: countryCode=AUS&version=1.01.',
    },
    output: {
      argument: 'FILE',
      description: 'Write to FILE instead of stdout. An earlier export stays if this one fails.',
    },
    cite: {
      description:
        'Write also FILE.citation.txt: what to state about FILE, and how to have the same file ' +
        'again.',
    },
    notes: {
      argument: 'FILE',
      description: 'Write to FILE all notes about what a file cannot represent exactly.',
    },
  },
} as const satisfies CommandLine;

/** The flags that stand for a parameter of the request. */
const FLAGS = { at: 'at', asOf: 'as-of' } as const;

/** The flags that stand for a parameter, as given. */
interface TimeFlags {
  at?: string;
  'as-of'?: string;
}

/**
 * Adds what the flags stand for to the parameters of `--query`.
 * @throws {UsageError} if `--query` has one of them too
 */
function addFlags(given: URLSearchParams, flags: TimeFlags): void {
  for (const [name, flag] of Object.entries(FLAGS)) {
    const value = flags[flag];
    if (value === undefined) continue;
    if (given.has(name))
      throw new UsageError(
        `--${flag} "${value}" and --query ${name}=${given.get(name)}: expected one of them`,
      );
    given.set(name, value);
  }
}

/** Shows a parameter as it was given on the command line. */
const shownWith =
  (flags: TimeFlags) =>
  ({ name, value }: InvalidParameter): string => {
    const flag = isOneOf(['at', 'asOf'] as const, name) ? FLAGS[name] : null;
    if (flag === null || flags[flag] === undefined) return `--query ${name}=${value}`;
    return `--${flag} ${value}`;
  };

/** Writes to a file, which is replaced in one step unless it is a device or a pipe. */
async function writeFile(
  output: string,
  pieces: AsyncIterable<string | Buffer> | Iterable<string>,
): Promise<void> {
  const found = statSync(output, { throwIfNoEntry: false });
  const write = (path: string): Promise<void> =>
    pipeline(Readable.from(pieces), createWriteStream(path));
  if (found?.isFile() === false) return write(output);
  const { replaceInOneStep } = await import('../../whole-file.js');
  // A symbolic link stays, and the file that it names is replaced.
  await replaceInOneStep(
    found === undefined ? output : realpathSync(output),
    write,
    found?.mode ?? 0o666,
  );
}

/** The parameters of the request for the same content. */
function parametersOf(name: string): Parameters<typeof parseQuery>[0] {
  if (isOneOf<ExportName>(EXPORTS, name)) return EXPORT_QUERIES[name];
  return isOneOf(FILES, name) ? SITE_FILES[name].query : RINEX_QUERY;
}

/** Counts the notes on stderr, and writes them all to a file if one is given. */
async function reportNotes(notes: readonly SiteNote[], file: string | undefined): Promise<void> {
  if (notes.length > 0) {
    const total = `${notes.length.toLocaleString('en')} ${notes.length === 1 ? 'note' : 'notes'}`;
    const hint = file === undefined ? '; --notes FILE writes all notes' : '';
    const lines = [...countsOf(notes.map(({ note }) => note)), `${total} in all${hint}`];
    process.stderr.write(lines.map((line) => `${line}\n`).join(''));
  }
  if (file === undefined) return;
  await writeFile(file, notes.map(noteText));
}

/** What is written, in pieces. */
async function piecesOf(
  store: Store,
  { name, format, query }: Export,
  cited: CitedRequest | null,
  onNote: OnNote,
): Promise<AsyncIterable<string | Buffer>> {
  if (isOneOf<ExportName>(EXPORTS, name)) {
    return exportTable(store, { name, format }, query, new Date());
  }
  const writing: Writing = {
    store,
    clock: () => new Date(),
    ...(cited !== null && name !== RINEX && { cited }),
  };
  if (isOneOf(FILES, name)) return writeSiteFile(writing, name, query, onNote);
  const headers = await rinexHeaders(writing, query, onNote);
  return name === RINEX ? zipped(headers, writing, query) : textOfOne(headers);
}

/** The header of the only Site. @throws {UsageError} if there are several */
async function* textOfOne(headers: AsyncIterable<{ text: string }>): AsyncGenerator<string> {
  let only: string | undefined;
  for await (const { text } of headers) {
    if (only !== undefined)
      throw new UsageError(
        `export ${HEADER} writes the header of one Site; ${RINEX} has those of several`,
      );
    only = text;
  }
  if (only !== undefined) yield only;
}

/** Writes the table or the file and returns the exit code. */
export async function run({
  settings,
  flags,
  arguments: [name, ...sites],
}: Given<typeof command>): Promise<number> {
  if (!isOneOf(NAMES, name)) throw new UsageError(`export takes one NAME: ${NAMES.join(', ')}`);
  const { format = 'csv', output } = flags;
  const isTable = isOneOf(EXPORTS, name);
  if (flags.format !== undefined && !isTable)
    throw new UsageError(`--format: only with ${EXPORTS.join(', ')}`);
  if (flags.notes !== undefined && isTable)
    throw new UsageError(`--notes: not with ${EXPORTS.join(', ')}, which have none`);
  if (flags.cite && output === undefined)
    throw new UsageError('--cite: only with --output, which names the file');
  if (flags.cite && !('asOf' in parametersOf(name).properties))
    throw new UsageError(`--cite: not with ${name}, which only shows what is on record now`);
  if (flags.notes !== undefined && flags.notes === output)
    throw new UsageError('--notes and --output: expected two files');
  const given = new URLSearchParams(flags.query?.join('&'));
  for (const site of sites) given.append('site', site);
  addFlags(given, flags);
  const shown = shownWith(flags);
  const asked = parseQuery(parametersOf(name), given, shown);
  const reader = await openReader(settings.database);
  try {
    const notes: SiteNote[] = [];
    // So it is refused as without --cite.
    if (flags.cite)
      await piecesOf(reader, { name, format, query: asked as QueryValues }, null, () => undefined);
    const isDated = flags.cite || 'asOf' in asked;
    const then = await storeFor(reader, asked, new Date());
    const asOf = isDated ? await newestRecordTime(then) : null;
    const query = { ...asked, ...(asOf !== null && { asOf }) } as QueryValues;
    const exported = { name, format, query };
    const { baseUrl } = settings;
    const cited = baseUrl === null ? null : requestFor(exported, baseUrl);
    const pieces = await piecesOf(reader, exported, cited, (note) => notes.push(note));
    if (output !== undefined) await writeFile(output, pieces);
    if (flags.cite && output !== undefined && asOf !== null)
      await writeFile(`${output}.citation.txt`, [
        await textOfCitation(reader, { ...exported, asOf }, settings),
      ]);
    if (output === undefined) await pipeline(Readable.from(pieces), process.stdout, { end: false });
    await reportNotes(notes, flags.notes);
    return 0;
  } catch (error) {
    if (error instanceof RequestRefused) throw usageErrorOf(error, shown);
    const { code, path } = error as NodeJS.ErrnoException;
    // The reader of a pipe has what it wanted.
    if (code === 'EPIPE') return 0;
    if (path !== undefined && typeof code === 'string')
      throw fileFailure(`"${path}" cannot be written`, error);
    throw error;
  } finally {
    await reader.close();
  }
}
