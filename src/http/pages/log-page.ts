import { Type } from '@sinclair/typebox';
import type { Instant } from '../../../schemas/index.js';
import { onlyParameters } from '../../exports/parameters.js';
import { href, PATHS } from '../../links.js';
import { decode } from '../../site-log/read-sections.js';
import type { Store } from '../../store/store.js';
import { HTML_MEDIA_TYPE } from '../../web/page/layout.js';
import { renderLogPage, ROOT } from '../../web/log-page.js';
import { type App, sendText } from '../contract/operations.js';
import { leftOutOf, readComplete, writeText } from '../site-logs/forms.js';
import { linkedLogs, siteLogLinks } from '../site-logs/resource.js';
import { recordOf, SitePathParameters } from '../contract/known-site.js';
import { ProblemError } from '../wire/problems.js';

const LogQuery = onlyParameters({
  line: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10_000_000,
      description: 'A line of the log that the page shows.',
    }),
  ),
});

/**
 * Adds the page of the current log of a Site.
 * @param now the current time, which says which log is before another
 * @param publishContacts false shows it in the text form, without its contacts
 */
export function addLogPage(
  app: App,
  store: Store,
  now: () => Instant,
  publishContacts: boolean,
): void {
  app.get(PATHS.siteLog, {
    schema: { params: SitePathParameters, querystring: LogQuery },
    config: { page: true },
    handler: async ({ params: { site }, query: { line = 1 } }, reply) => {
      const record = await recordOf(store, site, (other) =>
        href(ROOT, PATHS.siteLog, { site: other }),
      );
      const { siteLog } = record;
      if (siteLog === null)
        throw new ProblemError('not-found', `The site log of ${site.toUpperCase()} was withdrawn.`);
      const { siteId, nineCharacterId } = siteLog;
      const sections = readComplete(siteLog, publishContacts);
      const logs = linkedLogs(
        ROOT,
        await store.logs.findKept(siteId),
        { siteId, nineCharacterId },
        publishContacts,
        new Date(now()),
      );
      const own = logs.find(({ id }) => id === siteLog.id);
      const page = {
        record: { ...record, siteLog },
        text: publishContacts ? decode(siteLog.original) : writeText(sections),
        isOriginal: publishContacts,
        links: own?.links ?? siteLogLinks(ROOT, siteLog, publishContacts),
        leftOut: leftOutOf(sections),
      };
      return sendText(reply, HTML_MEDIA_TYPE, renderLogPage({ ...page, logs, line }));
    },
  });
}
