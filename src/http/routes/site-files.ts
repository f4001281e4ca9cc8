import type { FastifyRequest } from 'fastify';
import { oneOf, onlyParameters } from '../../exports/parameters.js';
import {
  NOTED_FILES,
  RINEX_QUERY,
  SITE_FILES,
  TEXT_MEDIA_TYPE,
  ZIP_MEDIA_TYPE,
} from '../../exports/site-files.js';
import type { Writing } from '../../exports/written-site-files.js';
import { PATHS } from '../../links.js';
import type { Store } from '../../store/store.js';
import { citedRequest } from '../contract/cited-request.js';
import { type App, Content, isWantedBy } from '../contract/operations.js';
import type { ProblemKind } from '../wire/problems.js';

const NOTES =
  'Sites come in the order of their four-character ids. ' +
  'Comments, where the format has them, note what it cannot represent exactly.';
const HISTORY =
  'Lines are for receivers and antennas only. ' +
  `at: only the lines in effect then; from and to: at some time in the period; none: all. ${NOTES}`;

/** The operation and its summary of each file with one path. */
const ABOUT = {
  snx: [
    'exportSinex',
    'Site blocks of SINEX 2.02: identity, receivers, antennas and eccentricities of Sites.',
  ],
  'station-info': ['exportStationInfo', 'station.info of GAMIT. Gaps of up to a day are bridged.'],
  sta: [
    'exportSta',
    'Station information (STA) of the Bernese GNSS Software. The format has no comments.',
  ],
} as const;

/** The paths of the notes of files. They are for people, and not part of the contract. */
const NOTES_PATHS = {
  sta: PATHS.staNotes,
  'offsets.csv': PATHS.offsetsNotes,
  'rinex.zip': PATHS.rinexNotes,
} as const;

const PROBLEMS: ProblemKind[] = ['not-found', 'not-recorded'];
const EXAMPLE = { query: { bbox: '110,-45,155,-10' } };

/** What writes the files. */
const writers = () => import('../../exports/written-site-files.js');

/** Adds the files for geodetic software. @param clock the current time */
export function addSiteFiles(app: App, store: Store, clock: () => Date): void {
  const writingFor = (request: FastifyRequest): Writing => ({
    store,
    clock,
    isWanted: isWantedBy(request),
  });
  for (const name of ['snx', 'station-info', 'sta'] as const) {
    const { path, mediaType, query: querystring } = SITE_FILES[name];
    const [operationId, summary] = ABOUT[name];
    app.get(path, {
      schema: { querystring },
      config: {
        mediaType,
        operationId,
        summary,
        description: HISTORY,
        problems: PROBLEMS,
        example: EXAMPLE,
      },
      handler: async (request) => {
        const writing = { ...writingFor(request), cited: citedRequest(request) };
        const { writeSiteFile } = await writers();
        const file = await writeSiteFile(writing, name, request.query);
        return new Content(mediaType, file);
      },
    });
  }

  app.get(PATHS.offsetsExport, {
    schema: {
      params: onlyParameters({ format: oneOf(['csv', 'snx'] as const, 'The format') }),
      querystring: SITE_FILES['offsets.csv'].query,
    },
    config: {
      mediaType: SITE_FILES['offsets.csv'].mediaType,
      operationId: 'exportOffsets',
      summary:
        'The changes that may be offsets in time series: as CSV, as SINEX SOLUTION/DISCONTINUITY.',
      description: [
        'Changes of antenna, radome and eccentricity, and of receiver and firmware on request.',
        'A change across a gap is dated at the end of the gap.',
        'Each of up, north and east is compared with its last known value;',
        'where one is unknown on one side, a note says so.',
        `Unknown values are empty, or "unknown" beside known ones. ${NOTES}`,
      ].join(' '),
      otherMediaTypes: [SITE_FILES['offsets.snx'].mediaType],
      problems: PROBLEMS,
      example: { parameters: { format: 'csv' }, ...EXAMPLE },
    },
    handler: async (request) => {
      const name = `offsets.${request.params.format}` as const;
      const writing = { ...writingFor(request), cited: citedRequest(request) };
      const { writeSiteFile } = await writers();
      const file = await writeSiteFile(writing, name, request.query);
      return new Content(SITE_FILES[name].mediaType, file);
    },
  });

  app.get(PATHS.rinexExport, {
    schema: { querystring: RINEX_QUERY },
    config: {
      mediaType: ZIP_MEDIA_TYPE,
      operationId: 'exportRinexHeaders',
      summary: 'A ZIP archive with one RINEX header for each Site.',
      description:
        'The station records, now or at an instant. ' +
        `Sites without a Setup then have none. Default: version 3.05. ${NOTES}`,
      problems: PROBLEMS,
      example: EXAMPLE,
    },
    handler: async (request) => {
      const writing = writingFor(request);
      const { rinexHeaders, zipped } = await writers();
      const headers = await rinexHeaders(writing, request.query);
      return new Content(ZIP_MEDIA_TYPE, zipped(headers, writing, request.query));
    },
  });

  for (const name of NOTED_FILES) {
    const querystring = name === 'rinex.zip' ? RINEX_QUERY : SITE_FILES[name].query;
    app.get(NOTES_PATHS[name], {
      schema: { querystring },
      handler: async (request) => {
        const { writeNotes } = await writers();
        const notes = await writeNotes(writingFor(request), name, request.query);
        return new Content(TEXT_MEDIA_TYPE, notes);
      },
    });
  }
}
