import { Type } from '@sinclair/typebox';
import {
  type Instant,
  LogComparison,
  SITE_LOGS,
  type SiteLogSections,
} from '../../../schemas/index.js';
import { compareLogs } from '../../derive/log-comparison.js';
import { logBefore } from '../../derive/log-order.js';
import { IdParameters, logChangesParameters, onlyParameters } from '../../exports/parameters.js';
import { invalidParameter } from '../../exports/refusals.js';
import { logChangesCounted } from '../../formats/log-comparison.js';
import { comparisonPathOf, href } from '../../links.js';
import { publishedTogether, readStored } from '../../site-log/read-published.js';
import { SiteLogRejected } from '../../site-log/site-log.js';
import type { SiteLogRecord } from '../../store/read/logs/logs.js';
import type { Store } from '../../store/store.js';
import { ownTurn } from '../../turns.js';
import { renderLogComparisonPage, ROOT } from '../../web/log-comparison-page.js';
import { HTML_MEDIA_TYPE } from '../../web/page/layout.js';
import { itemLink, pageOf } from '../contract/hal.js';
import { type App, sendText } from '../contract/operations.js';
import { pagingOf } from '../contract/paging.js';
import { knownLog } from '../site-logs/known-log.js';
import { prefersPage } from '../wire/accept.js';
import { ProblemError } from '../wire/problems.js';
import { siteIdText } from '../../requests/site-id.js';

const PATH = comparisonPathOf(SITE_LOGS);

const ComparisonQuery = onlyParameters({
  with: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'The id of the older log, of the same Site. Default: the previous log.',
    }),
  ),
  ...logChangesParameters,
});

/**
 * The log of a Site that precedes another one.
 * @throws {ProblemError} if there is none
 */
async function earlierLog(store: Store, log: SiteLogRecord, now: Date): Promise<SiteLogRecord> {
  const before = logBefore(await store.logs.findKept(log.siteId), log, now);
  if (before === undefined)
    throw new ProblemError(
      'not-found',
      `Site log ${log.id} is the first one of ${siteIdText(log)}, so there is no previous ` +
        'log to compare it with.',
    );
  return knownLog(store, before.id);
}

/**
 * The log that a request compares with.
 * @throws {ProblemError} if there is none
 * @throws {RequestRefused} if it is a log of another Site
 */
async function otherLog(store: Store, log: SiteLogRecord, id: number): Promise<SiteLogRecord> {
  const other = await knownLog(store, id);
  if (other.siteId === log.siteId) return other;
  throw invalidParameter({
    name: 'with',
    value: String(id),
    reason: `is a site log of ${siteIdText(other)}`,
    allowed: `a site log of ${siteIdText(log)}.`,
  });
}

/**
 * Reads a log to compare it.
 * @throws {ProblemError} if this version cannot read it: as if it were blank, all would be removed
 */
function readComparable(log: SiteLogRecord, publishContacts: boolean): SiteLogSections {
  try {
    return readStored(log, publishContacts);
  } catch (error) {
    if (!(error instanceof SiteLogRejected)) throw error;
    const detail = `The site log ${log.id} cannot be read by this version, and so not compared.`;
    throw new ProblemError('not-found', detail);
  }
}

/** Reads two logs as they may be published. Other requests run in between. */
async function readBoth(
  older: SiteLogRecord,
  newer: SiteLogRecord,
  publishContacts: boolean,
): Promise<[SiteLogSections, SiteLogSections]> {
  await ownTurn();
  const before = readComparable(older, publishContacts);
  await ownTurn();
  const after = readComparable(newer, publishContacts);
  await ownTurn();
  return publishedTogether(before, after, publishContacts);
}

const identityOf = ({ id, name, datePrepared }: SiteLogRecord) => ({ id, name, datePrepared });

/**
 * Adds what changed between two versions of a site log, as JSON and as a page.
 * @param now the current time, which says which log is before another
 */
export function addLogComparisons(
  app: App,
  store: Store,
  now: () => Instant,
  publishContacts: boolean,
): void {
  app.get(PATH, {
    schema: {
      params: IdParameters,
      querystring: ComparisonQuery,
      response: { 200: LogComparison },
    },
    config: {
      page: 'if-preferred',
      costly: true,
      operationId: 'compareSiteLogs',
      summary: 'What changed between two versions of a site log.',
      description:
        'Section 0, values for which one of the forms has no place, and withheld contacts ' +
        'are not compared.',
      problems: ['retired-site'],
      example: { parameters: { id: 1 }, query: { with: '1' } },
    },
    handler: async (request, reply) => {
      const { query, baseUrl, headers } = request;
      const { id } = request.params;
      const newer = await knownLog(store, id);
      const older =
        query.with === undefined
          ? await earlierLog(store, newer, new Date(now()))
          : await otherLog(store, newer, query.with);
      const [before, after] = await readBoth(older, newer, publishContacts);
      const changes = compareLogs(before, after, publishContacts);
      const paging = pagingOf(request);
      const start = paging.page * paging.size;
      const shown = changes.slice(start, start + paging.size);
      const comparison = {
        older: identityOf(older),
        newer: identityOf(newer),
        contactsCompared: publishContacts,
        changes: shown,
      };
      const self = (base: string): string => href(base, PATH, { id, query });
      if (prefersPage(headers.accept)) {
        const page = renderLogComparisonPage({
          comparison,
          counted: logChangesCounted(changes),
          paging,
          totalChanges: changes.length,
          with: query.with,
          site: newer,
          logs: await store.logs.findKept(newer.siteId),
          json: self(ROOT),
        });
        return sendText(reply, HTML_MEDIA_TYPE, page);
      }
      const path = href('', PATH, { id });
      const foundPage = { paging, found: { elements: shown, totalElements: changes.length } };
      const { links, page } = pageOf(baseUrl, path, query, foundPage, self(baseUrl));
      return {
        ...comparison,
        page,
        _links: {
          ...links,
          older: itemLink(baseUrl, SITE_LOGS, older.id),
          newer: itemLink(baseUrl, SITE_LOGS, newer.id),
        },
      };
    },
  });
}
