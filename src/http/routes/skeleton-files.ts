import * as Type from '@sinclair/typebox';
import { asOfFilter, type Instant, isSiteId, type Setup } from '../../../schemas/index.js';
import { setupAt } from '../../derive/setup-at.js';
import { storeFor } from '../../exports/as-of.js';
import { datedAsAsked } from '../../exports/citation.js';
import { AtParameter, instantOf, onlyParameters } from '../../exports/parameters.js';
import {
  DEFAULT_RINEX_VERSION,
  headerParameters,
  TEXT_MEDIA_TYPE,
} from '../../exports/site-files.js';
import { intervalOf } from '../../formats/site-history.js';
import { href, PATHS } from '../../links.js';
import { instantAt } from '../../requests/units-of-time.js';
import { isTextForm } from '../../site-log/site-log.js';
import type { Store } from '../../store/store.js';
import { citedRequest } from '../contract/cited-request.js';
import { recordOf } from '../contract/known-site.js';
import { type App, Content } from '../contract/operations.js';
import { ProblemError, SITE_PROBLEMS } from '../wire/problems.js';

const FILE_NAME = /^([^.]*)\.(?:skl|SKL)$/;

/**
 * The Setup of a Site at an instant.
 * @param setups all, in chronological order
 * @throws {ProblemError} if there is none; it says why
 */
function knownSetupAt(setups: Setup[], at: Instant, site: string): Setup {
  const setup = setupAt(setups, at);
  if (setup !== undefined) return setup;
  const firstSetupFrom = setups[0]?.effectivePeriod.from;
  throw firstSetupFrom === undefined
    ? new ProblemError(
        'no-current-setup',
        `${site} has no Setup: its site log has no equipment with a date.`,
      )
    : new ProblemError(
        'before-first-setup',
        `The first Setup of ${site} starts at ${firstSetupFrom}.`,
        { firstSetupFrom },
      );
}

/**
 * Adds the skeletons and RINEX headers, by file name.
 * @param clock the current time
 */
export function addSkeletonFiles(app: App, store: Store, clock: () => Date): void {
  app.get(PATHS.skeletonFile, {
    schema: {
      params: onlyParameters({
        file: Type.String({
          description:
            'The four-character or nine-character id of a Site, followed by .skl or .SKL.',
        }),
      }),
      querystring: onlyParameters({
        at: Type.Optional(AtParameter),
        ...asOfFilter,
        ...headerParameters,
      }),
    },
    config: {
      mediaType: TEXT_MEDIA_TYPE,
      operationId: 'getSkeletonFile',
      summary:
        'The station records of a RINEX header, for the current Setup of a Site or the one at ' +
        'an instant.',
      description:
        'For NTRIP casters and RINEX converters. Of several receivers or antennas in use, it ' +
        'describes the one installed last. Without version, organisation, markerName and ' +
        'blankEccentricity, it is a skeleton like that of the reference service: RINEX 2.11 ' +
        'without its first records, long values cut, unknown ones blank (north and east 0, as ' +
        'in files). With any of them, it is a complete header (RINEX 3.05 by default), and ' +
        'comments say what could not be written exactly.',
      problems: [...SITE_PROBLEMS, 'no-current-setup', 'before-first-setup', 'not-recorded'],
      example: { parameters: { file: 'ALIC.skl' } },
    },
    handler: async (request) => {
      const { params, query, baseUrl } = request;
      const { file } = params;
      const [, id = ''] = FILE_NAME.exec(file) ?? [];
      if (!isSiteId(id))
        throw new ProblemError(
          'not-found',
          'There is no skeleton with this name; expected the id of a Site, followed by .skl or ' +
            '.SKL.',
        );
      const now = clock();
      const asked = await storeFor(store, query, now);
      const at = query.at === undefined ? null : instantOf('at', query.at);
      const urlOf = (other: string): string =>
        href(baseUrl, PATHS.skeletonFile, { file: `${other}.skl`, query });
      const { site, setups, siteLog } = await recordOf(asked, id, urlOf);
      const shownId = id.toUpperCase();
      const setup =
        at === null ? setups.find(({ current }) => current) : knownSetupAt(setups, at, shownId);
      if (siteLog === null)
        throw new ProblemError(
          'no-current-setup',
          `${shownId} has no Setup: its site log was withdrawn.`,
        );
      const { agency, agencies, form } = siteLog;
      const { version, organisation, markerName, blankEccentricity } = query;
      const isSkeleton = (version ?? organisation ?? markerName ?? blankEccentricity) === undefined;
      if (isSkeleton) {
        const { renderRinexSkeleton } = await import('../../formats/rinex-skeleton.js');
        const text = renderRinexSkeleton(site, setup, siteLog);
        return new Content(TEXT_MEDIA_TYPE, text);
      }
      if (setup === undefined)
        throw new ProblemError('no-current-setup', `${shownId} has no current Setup.`);
      const options = {
        version: version ?? DEFAULT_RINEX_VERSION,
        ...(await datedAsAsked(asked, query, citedRequest(request), instantAt(now))),
        organisation: organisation ?? null,
        markerName: markerName ?? null,
      };
      const interval = intervalOf(setup, { isText: isTextForm(form), blankEccentricity });
      const { renderRinexHeader } = await import('../../formats/rinex-header.js');
      const { text } = renderRinexHeader({ site, agency, agencies }, interval, options);
      return new Content(TEXT_MEDIA_TYPE, text);
    },
  });
}
