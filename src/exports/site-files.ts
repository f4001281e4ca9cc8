import { type Static, type TObject, Type } from '@sinclair/typebox';
import { Zip, ZipPassThrough } from 'fflate';
import {
  agencyFilter,
  asOfFilter,
  type Instant,
  placeFilters,
  satelliteSystemFilter,
  siteFilter,
  siteFilters,
} from '../../schemas/index.js';
import type { SiteNote } from '../findings/notes.js';
import { berneseSta, STA_VERSIONS } from '../formats/bernese-sta.js';
import { CSV_MEDIA_TYPE } from '../formats/csv.js';
import { BLANK_ECCENTRICITIES } from '../formats/eccentricities.js';
import { offsetsCsv, offsetsSinex } from '../formats/offsets.js';
import { renderRinexHeader, RINEX_VERSIONS } from '../formats/rinex-header.js';
import { sinexSites } from '../formats/sinex.js';
import { type FormatOptions, type SiteFile, TEXT_MEDIA_TYPE } from '../formats/site-format.js';
import { stationInfo } from '../formats/station-info.js';
import { href, PATHS } from '../links.js';
import { EVERYTHING, type ExportSearch } from '../store/read/exports/tables.js';
import { storeFor } from './as-of.js';
import { type CitedRequest, type Dated, datedAsAsked } from './citation.js';
import { duringOf, siteFilterOf, systemsOf } from './filters.js';
import { AtParameter, instantOf, oneOf, onlyParameters, periodParameters } from './parameters.js';
import { ownTurn } from '../turns.js';
import { siteIdText } from '../requests/site-id.js';
import { visible } from '../visible.js';
import {
  type HistoriesSource,
  historiesOf,
  noteLine,
  type OnNote,
  PIECE_LENGTH,
  writeSites,
} from './site-parts.js';

/** The files for geodetic software. Sites come in the order of their four-character ids. */

const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

const sites = {
  q: siteFilters.q,
  ...siteFilter,
  ...agencyFilter,
  ...satelliteSystemFilter,
  ...placeFilters,
};
const firmware = {
  firmwareChanges: flag(
    'Whether firmware is written. If not, a change of firmware makes no line. Default: true.',
  ),
};
const blanks = {
  blankEccentricity: Type.Optional(
    oneOf(
      BLANK_ECCENTRICITIES,
      'What a blank north or east of a text log counts as, if up is known (default zero)',
    ),
  ),
};
const times = { at: Type.Optional(AtParameter), ...periodParameters, ...asOfFilter };
/** The parameters of files with a line for each time in which the equipment stays the same. */
const ofLines = { ...sites, ...times, ...firmware, ...blanks };
const sinexOrganisation = {
  organisation: Type.Optional(
    Type.String({
      pattern: '^[A-Z0-9]{3}$',
      description: 'Who writes the SINEX file: three characters.',
    }),
  ),
};
const header = {
  version: Type.Optional(oneOf(RINEX_VERSIONS, 'The version of RINEX')),
  markerName: Type.Optional(
    Type.Union([Type.Literal('four'), Type.Literal('nine')], {
      description:
        'Whether MARKER NAME has four or nine characters. ' +
        'Default: four in RINEX 2, otherwise nine.',
    }),
  ),
  organisation: Type.Optional(
    Type.String({ minLength: 1, maxLength: 20, description: 'RUN BY: who writes the file.' }),
  ),
};

/** A query of any of the files; each has its own parameters. */
type Query = Static<TObject<typeof ofLines & Omit<typeof header, 'version'>>> & {
  version?: string;
  antennaAzimuth?: boolean;
  receiverChanges?: boolean;
};

/** A kind of file. */
interface FileKind {
  path: string;
  mediaType: string;
  query: TObject;
  /** Whether firmware is written if the query does not specify it. */
  hasFirmware: boolean;
  file: (options: FormatOptions, query: Query) => SiteFile;
}

const offsetsQuery = onlyParameters({
  ...sites,
  ...periodParameters,
  ...blanks,
  ...asOfFilter,
  ...sinexOrganisation,
  receiverChanges: flag('Whether changes of the receiver are written too. Default: false.'),
  firmwareChanges: flag('Whether changes of its firmware are written too. Default: false.'),
});

/** Each kind of file, by the name that the command line gives it. */
export const SITE_FILES = {
  snx: {
    path: PATHS.sinexExport,
    mediaType: TEXT_MEDIA_TYPE,
    query: onlyParameters({
      ...ofLines,
      ...sinexOrganisation,
    }),
    hasFirmware: true,
    file: (options, { organisation }) => sinexSites(options, organisation ?? null),
  },
  'station-info': {
    path: PATHS.stationInfoExport,
    mediaType: TEXT_MEDIA_TYPE,
    query: onlyParameters({
      ...ofLines,
      antennaAzimuth: flag(
        'Whether lines have AntDAZ, the alignment of the antenna from true north. Default: false.',
      ),
    }),
    hasFirmware: true,
    file: (options, { antennaAzimuth = false }) => stationInfo(options, antennaAzimuth),
  },
  sta: {
    path: PATHS.staExport,
    mediaType: TEXT_MEDIA_TYPE,
    query: onlyParameters({
      ...ofLines,
      version: Type.Optional(oneOf(STA_VERSIONS, 'The version of the format')),
    }),
    hasFirmware: true,
    file: (options, { version }) => berneseSta(options, version === '1.01' ? '1.01' : '1.03'),
  },
  'offsets.csv': {
    path: href('', PATHS.offsetsExport, { format: 'csv' }),
    mediaType: CSV_MEDIA_TYPE,
    query: offsetsQuery,
    hasFirmware: false,
    file: (options, { receiverChanges = false }) => offsetsCsv({ ...options, receiverChanges }),
  },
  'offsets.snx': {
    path: href('', PATHS.offsetsExport, { format: 'snx' }),
    mediaType: TEXT_MEDIA_TYPE,
    query: offsetsQuery,
    hasFirmware: false,
    file: (options, { receiverChanges = false, organisation }) =>
      offsetsSinex({ ...options, receiverChanges }, organisation ?? null),
  },
} as const satisfies Record<string, FileKind>;
export type SiteFileName = keyof typeof SITE_FILES;

/** The query of the archive of RINEX headers. */
export const RINEX_QUERY = onlyParameters({
  ...sites,
  at: times.at,
  ...asOfFilter,
  ...header,
  ...blanks,
});
/** The version of a RINEX header, if none is asked for. */
export const DEFAULT_RINEX_VERSION = '3.05';
/** The query of one RINEX header, in addition to the time. */
export const headerParameters = { ...header, ...blanks };
export const ZIP_MEDIA_TYPE = 'application/zip';

/** What writing needs besides the query. */
export interface Writing extends HistoriesSource {
  now: () => Instant;
  /** The request for the file. Default: it has no URL. */
  cited?: CitedRequest;
}

/** From what to write, and how the file is dated. */
type WritingThen = Omit<Writing, 'now'> & Dated;

/** From what to write: the record that a query asks about. @throws {RequestRefused} */
async function asAsked(writing: Writing, query: object): Promise<WritingThen> {
  const { cited = null } = writing;
  const store = await storeFor(writing.store, query, new Date(writing.now()));
  return { ...writing, store, ...(await datedAsAsked(store, query, cited, writing.now())) };
}

/**
 * The numbers of the Sites that a query asks for; none if nobody waits for them.
 * @throws {RequestRefused} if a parameter is malformed, or an id identifies no Site
 */
async function numbersOf(writing: WritingThen, query: Query): Promise<number[]> {
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
  const given = query as Query;
  const writing = await asAsked(writingNow, query);
  const kind: FileKind = SITE_FILES[name];
  const during = duringOf(given);
  const numbers = await numbersOf(writing, given);
  const hasFirmware = given.firmwareChanges ?? kind.hasFirmware;
  const { blankEccentricity } = given;
  const { now, source } = writing;
  const options = { during, now, source, firmwareChanges: hasFirmware };
  const file = kind.file(options, given);
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
  query: Query,
  onNote: OnNote,
): AsyncGenerator<Header> {
  const {
    version = DEFAULT_RINEX_VERSION,
    markerName = null,
    organisation = null,
    blankEccentricity,
  } = query as Static<TObject<typeof header & typeof blanks>>;
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
  const given = query as Query;
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

/** The files whose notes have a path: they have no comments, or some Sites have no file. */
export const NOTED_FILES = ['sta', 'offsets.csv', 'rinex.zip'] as const;
type NotedFile = (typeof NOTED_FILES)[number];

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
