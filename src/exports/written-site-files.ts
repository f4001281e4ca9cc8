import type { Static, TObject } from '@sinclair/typebox';
import { Zip, ZipPassThrough } from 'fflate';
import type { Instant } from '../../schemas/index.js';
import { instantAt } from '../requests/units-of-time.js';
import type { SiteNote } from '../findings/notes.js';
import { berneseSta } from '../formats/bernese-sta.js';
import { offsetsCsv, offsetsSinex } from '../formats/offsets.js';
import { renderRinexHeader } from '../formats/rinex-header.js';
import { sinexSites } from '../formats/sinex.js';
import type { FormatOptions, SiteFile } from '../formats/site-format.js';
import { stationInfo } from '../formats/station-info.js';
import { siteIdText } from '../requests/site-id.js';
import { EVERYTHING, type ExportSearch } from '../store/read/exports/tables.js';
import { ownTurn } from '../turns.js';
import { visible } from '../visible.js';
import { storeFor } from './as-of.js';
import { type CitedRequest, type Dated, datedAsAsked } from './citation.js';
import { duringOf, siteFilterOf, systemsOf } from './filters.js';
import { instantOf } from './parameters.js';
import {
  DEFAULT_RINEX_VERSION,
  type headerParameters,
  type NotedFile,
  type SiteFileQuery,
  SITE_FILES,
  type SiteFileName,
} from './site-files.js';
import {
  type HistoriesSource,
  historiesOf,
  noteLine,
  type OnNote,
  PIECE_LENGTH,
  writeSites,
} from './site-parts.js';

/**
 * Writes the files for geodetic software. What writes them takes memory, so routes load it with the
 * first file.
 */

/** Writes each kind of file. */
const WRITERS: Record<SiteFileName, (options: FormatOptions, query: SiteFileQuery) => SiteFile> = {
  snx: (options, { organisation }) => sinexSites(options, organisation ?? null),
  'station-info': (options, { antennaAzimuth = false }) => stationInfo(options, antennaAzimuth),
  sta: (options, { version }) => berneseSta(options, version === '1.01' ? '1.01' : '1.03'),
  'offsets.csv': (options, { receiverChanges = false }) =>
    offsetsCsv({ ...options, receiverChanges }),
  'offsets.snx': (options, { receiverChanges = false, organisation }) =>
    offsetsSinex({ ...options, receiverChanges }, organisation ?? null),
};

/** What writing needs besides the query. */
export interface Writing extends HistoriesSource {
  clock: () => Date;
  /** The request for the file. Default: it has no URL. */
  cited?: CitedRequest;
}

/** From what to write, and how the file is dated. */
type WritingThen = Omit<Writing, 'clock'> & Dated;

/** From what to write: the record that a query asks about. @throws {RequestRefused} */
async function asAsked(writing: Writing, query: object): Promise<WritingThen> {
  const { cited = null, clock } = writing;
  const now = clock();
  const store = await storeFor(writing.store, query, now);
  return { ...writing, store, ...(await datedAsAsked(store, query, cited, instantAt(now))) };
}

/**
 * The numbers of the Sites that a query asks for; none if nobody waits for them.
 * @throws {RequestRefused} if a parameter is malformed, or an id identifies no Site
 */
async function numbersOf(writing: WritingThen, query: SiteFileQuery): Promise<number[]> {
  const { store, isWanted } = writing;
  if (!(await ownTurn(isWanted))) return [];
  const systems = systemsOf(query);
  const search: ExportSearch = {
    ...EVERYTHING,
    sites: await siteFilterOf(store, query),
    systems,
    // A Site without equipment then is in the files too, but it has no receiver that tracked.
    during: systems === null ? null : duringOf(query),
    devices: { ...EVERYTHING.devices, text: query.q ?? '' },
  };
  return store.exports.siteNumbers(search);
}

/**
 * Writes a file for geodetic software, in pieces, which are made when the client is ready for them.
 * @param query validated by its schema in {@link SITE_FILES}
 * @throws {RequestRefused} before the first piece, if a parameter is malformed, or an id identifies
 *   no Site
 */
export async function writeSiteFile(
  writingNow: Writing,
  name: SiteFileName,
  query: object,
  onNote: OnNote = () => undefined,
): Promise<AsyncGenerator<string>> {
  const given = query as SiteFileQuery;
  const writing = await asAsked(writingNow, query);
  const { hasFirmware: byDefault } = SITE_FILES[name];
  const during = duringOf(given);
  const numbers = await numbersOf(writing, given);
  const hasFirmware = given.firmwareChanges ?? byDefault;
  const { blankEccentricity } = given;
  const { now, source } = writing;
  const options = { during, now, source, firmwareChanges: hasFirmware };
  const file = WRITERS[name](options, given);
  return writeSites(writing, file, numbers, { hasFirmware, blankEccentricity }, onNote);
}

/** A RINEX header and its name. */
interface Header {
  name: string;
  text: string;
}

async function* headersOf(
  writing: WritingThen,
  numbers: number[],
  at: Instant | null,
  query: SiteFileQuery,
  onNote: OnNote,
): AsyncGenerator<Header> {
  const {
    version = DEFAULT_RINEX_VERSION,
    markerName = null,
    organisation = null,
    blankEccentricity,
  } = query as Static<TObject<typeof headerParameters>>;
  for await (const history of historiesOf(writing, numbers, { blankEccentricity })) {
    const site = siteIdText(history.site);
    const interval = history.intervals.findLast(({ from, to }) =>
      at === null ? to === null : from <= at,
    );
    if (interval === undefined) {
      onNote({ site, note: { code: 'no-header' } });
      continue;
    }
    const { text, notes } = renderRinexHeader(history, interval, {
      version,
      markerName,
      organisation,
      now: writing.now,
      source: writing.source,
    });
    for (const note of notes) onNote({ site, note });
    yield { name: `${site}.skl`, text };
  }
}

/**
 * Writes the RINEX headers of Sites, one each. Sites without a Setup have none.
 * @param query validated by {@link RINEX_QUERY}
 * @throws {RequestRefused} as {@link writeSiteFile}
 */
export async function rinexHeaders(
  writingNow: Writing,
  query: object,
  onNote: OnNote = () => undefined,
): Promise<AsyncGenerator<Header>> {
  const given = query as SiteFileQuery;
  const writing = await asAsked(writingNow, query);
  const numbers = await numbersOf(writing, given);
  const at = given.at === undefined ? null : instantOf('at', given.at);
  return headersOf(writing, numbers, at, given, onNote);
}

/**
 * Archives headers as they are made, without compression, which would take most of the time and
 * memory.
 * @param query the one that {@link rinexHeaders} was given
 */
export async function* zipped(
  files: AsyncIterable<Header>,
  writing: Writing,
  query: object,
): AsyncGenerator<Buffer> {
  const { now } = await asAsked(writing, query);
  const chunks: Uint8Array[] = [];
  const zip = new Zip((_error, chunk) => chunks.push(chunk));
  for await (const { name, text } of files) {
    const file = new ZipPassThrough(name);
    file.mtime = now;
    zip.add(file);
    file.push(Buffer.from(text, 'latin1'), true);
    if (chunks.reduce((sum, { length }) => sum + length, 0) >= PIECE_LENGTH)
      yield Buffer.concat(chunks.splice(0));
  }
  zip.end();
  yield Buffer.concat(chunks);
}

/** A note as a line of a file. */
export const noteText = (note: SiteNote): string => `${visible(noteLine(note))}\n`;

/**
 * Writes the notes of a file, one a line, as they are made.
 * @param query validated by the schema of the file
 * @throws {RequestRefused} as {@link writeSiteFile}
 */
export async function writeNotes(
  writing: Writing,
  name: NotedFile,
  query: object,
): Promise<AsyncGenerator<string>> {
  const lines: string[] = [];
  const onNote: OnNote = (note) => lines.push(noteText(note));
  const file =
    name === 'rinex.zip'
      ? await rinexHeaders(writing, query, onNote)
      : await writeSiteFile(writing, name, query, onNote);
  return linesDuring(file, lines);
}

/** The lines that are added while a file is written. */
async function* linesDuring(file: AsyncIterable<unknown>, lines: string[]): AsyncGenerator<string> {
  for await (const _ of file) if (lines.length > 0) yield lines.splice(0).join('');
  if (lines.length > 0) yield lines.join('');
}
