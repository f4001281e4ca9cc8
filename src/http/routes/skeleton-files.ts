import { Type } from '@sinclair/typebox';
import { isSiteId } from '../../../schemas/index.js';
import { renderRinexSkeleton } from '../../formats/rinex-skeleton.js';
import { href, PATHS } from '../../links.js';
import { parseSiteId } from '../../requests/site-id.js';
import type { Store } from '../../store/store.js';
import { ofKnownSite, SITE_PROBLEMS } from '../known-site.js';
import { type App, sendText, TEXT_MEDIA_TYPE } from '../operations.js';
import { only } from '../parameters.js';
import { readPublished, withheldPersons } from '../site-log-sections.js';
import { ProblemError } from '../wire/problems.js';

const FILE_NAME = /^([^.]*)\.(?:skl|SKL)$/;

/** Adds the skeletons, by file name. */
export function addSkeletonFiles(app: App, store: Store, publishContacts: boolean): void {
  app.get(
    PATHS.skeletonFile,
    {
      schema: {
        params: only({
          file: Type.String({ description: 'The four-character or nine-character id of a Site, followed by .skl or .SKL.' }),
        }),
      },
      config: {
        mediaType: TEXT_MEDIA_TYPE,
        operation: {
          operationId: 'getSkeletonFile',
          tag: 'skeletonFiles',
          summary: 'The station records of a RINEX 2.11 header, for the current Setup of a Site.',
          description:
            'For NTRIP casters and RINEX converters. If several receivers or antennas are in use at once, it describes the one installed last. Unknown values are blank.',
          problems: ['not-found', ...SITE_PROBLEMS],
          example: { parameters: { file: 'ALIC.skl' } },
        },
      },
    },
    async ({ params: { file }, baseUrl }, reply) => {
      const [, id = ''] = FILE_NAME.exec(file) ?? [];
      if (!isSiteId(id))
        throw new ProblemError('not-found', 'There is no skeleton with this name; expected the id of a Site, followed by .skl or .SKL.');
      const urlOf = (other: string): string => href(baseUrl, PATHS.skeletonFile, { file: `${other}.skl` });
      const { site, setups, siteLog } = ofKnownSite(await store.sites.findRecord(parseSiteId(id)), id, urlOf);
      const inUse = setups.find(({ current }) => current)?.equipmentInUse ?? [];
      const published = readPublished(siteLog, await withheldPersons(store, publishContacts));
      return sendText(reply, TEXT_MEDIA_TYPE, renderRinexSkeleton(site, inUse, published));
    },
  );
}
