import type { Static, TObject } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import {
  agencyFilter,
  asOfFilter,
  placeFilters,
  satelliteSystemFilter,
  siteFilter,
  siteFilters,
} from '../../schemas/index.js';
import { CSV_MEDIA_TYPE } from '../formats/csv.js';
import { BLANK_ECCENTRICITIES } from '../formats/eccentricities.js';
import { RINEX_VERSIONS, STA_VERSIONS } from '../formats/versions.js';
import { href, PATHS } from '../links.js';
import { AtParameter, oneOf, onlyParameters, periodParameters } from './parameters.js';

/**
 * What can be asked of the files for geodetic software. Sites come in the order of their
 * four-character ids.
 */

/** The media type of plain text. */
export const TEXT_MEDIA_TYPE = 'text/plain;charset=UTF-8';
/** The media type of archives. */
export const ZIP_MEDIA_TYPE = 'application/zip';

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
export type SiteFileQuery = Static<TObject<typeof ofLines & Omit<typeof header, 'version'>>> & {
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
  },
  sta: {
    path: PATHS.staExport,
    mediaType: TEXT_MEDIA_TYPE,
    query: onlyParameters({
      ...ofLines,
      version: Type.Optional(oneOf(STA_VERSIONS, 'The version of the format')),
    }),
    hasFirmware: true,
  },
  'offsets.csv': {
    path: href('', PATHS.offsetsExport, { format: 'csv' }),
    mediaType: CSV_MEDIA_TYPE,
    query: offsetsQuery,
    hasFirmware: false,
  },
  'offsets.snx': {
    path: href('', PATHS.offsetsExport, { format: 'snx' }),
    mediaType: TEXT_MEDIA_TYPE,
    query: offsetsQuery,
    hasFirmware: false,
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

/** The files whose notes have a path: they have no comments, or some Sites have no file. */
export const NOTED_FILES = ['sta', 'offsets.csv', 'rinex.zip'] as const;
export type NotedFile = (typeof NOTED_FILES)[number];
