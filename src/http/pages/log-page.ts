import * as Type from '@sinclair/typebox';
import { asOfFilter } from '../../../schemas/index.js';
import { storeFor, timeShown } from '../../exports/as-of.js';
import { onlyParameters } from '../../exports/parameters.js';
import { href, PATHS } from '../../links.js';
import { instantAt } from '../../requests/units-of-time.js';
import type { SiteLogRecord } from '../../store/read/logs/logs.js';
import type { SiteThen } from '../../store/read/sites/sites.js';
import type { Store } from '../../store/store.js';
import { ownTurn } from '../../turns.js';
import type { LogView } from '../../web/log-page.js';
import { recordOf, SitePathParameters } from '../contract/known-site.js';
import { type App, pageContent } from '../contract/operations.js';
import { logsOfSite, siteLogLinks } from '../site-logs/resource.js';
import { ProblemError } from '../wire/problems.js';

const LogQuery = onlyParameters({
  ...asOfFilter,
  line: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10_000_000,
      description: 'A line of the log that the page shows.',
    }),
  ),
});

/** What is on record about a Site whose log was not withdrawn. */
type LoggedSite = SiteThen & { siteLog: SiteLogRecord };

/**
 * @param root the relative path from the page to the root of the service
 * @throws {ProblemError} if the id identifies no Site, or its log was withdrawn
 */
async function loggedSite(store: Store, id: string, root: string): Promise<LoggedSite> {
  const record = await recordOf(store, id, (site) => href(root, PATHS.siteLog, { site }));
  const { siteLog } = record;
  if (siteLog === null)
    throw new ProblemError('not-found', `The site log of ${id.toUpperCase()} was withdrawn.`);
  return { ...record, siteLog };
}

/** The text of a log as it may be published, and what its other forms leave out. */
async function textOf(
  store: Store,
  siteLog: SiteLogRecord,
  publishContacts: boolean,
): Promise<Pick<LogView, 'text' | 'isOriginal' | 'leftOut' | 'metadata'>> {
  const { leftOutOf, sectionsOf, writeText } = await import('../site-logs/written.js');
  const { decode } = await import('../../site-log/values/decode.js');
  const sections = await sectionsOf(store, siteLog, publishContacts);
  const original = publishContacts ? await store.logs.findContent(siteLog.id) : undefined;
  return {
    text: original === undefined ? writeText(sections) : decode(original),
    isOriginal: publishContacts,
    leftOut: leftOutOf(sections),
    metadata: sections.metadata,
  };
}

/**
 * Adds the page of the current log of a Site, now or at an earlier time of record.
 * @param clock the current time
 * @param publishContacts false shows it in the text form, without its contacts
 */
export function addLogPage(
  app: App,
  store: Store,
  clock: () => Date,
  publishContacts: boolean,
): void {
  app.get(PATHS.siteLog, {
    schema: { params: SitePathParameters, querystring: LogQuery },
    config: { page: true },
    handler: async ({ params: { site }, query }) => {
      const { line = 1 } = query;
      const { renderLogPage, ROOT } = await import('../../web/log-page.js');
      const now = clock();
      const asked = await storeFor(store, query, now);
      const record = await loggedSite(asked, site, ROOT);
      const { siteLog } = record;
      const text = await textOf(asked, siteLog, publishContacts);
      const time = timeShown(asked, instantAt(now));
      const logs = await logsOfSite(asked, ROOT, siteLog, publishContacts, time);
      const own = logs.find(({ id }) => id === siteLog.id);
      const links = own?.links ?? siteLogLinks(ROOT, siteLog, publishContacts);
      await ownTurn();
      return pageContent(app, renderLogPage({ record, ...text, links, logs, line }));
    },
  });
}
