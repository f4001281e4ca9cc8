import type { Static } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import {
  LogComparison,
  type LogChange,
  SITE_LOGS,
  type SiteLogSections,
} from '../../../schemas/index.js';
import { logBefore } from '../../derive/log-order.js';
import { IdParameters, logChangesParameters, onlyParameters } from '../../exports/parameters.js';
import { invalidParameter } from '../../exports/refusals.js';
import { COMPARISON_PATH, href } from '../../links.js';
import type { SiteLogRecord } from '../../store/read/logs/logs.js';
import type { Store } from '../../store/store.js';
import { ownTurn } from '../../turns.js';
import type { Page } from '../../web/page/layout.js';
import { itemLink, pageOf } from '../contract/hal.js';
import { type App, pageContent } from '../contract/operations.js';
import { pagingOf, type RequestedPage } from '../contract/paging.js';
import { knownLog } from '../site-logs/known-log.js';
import { prefersPage } from '../wire/accept.js';
import { ProblemError } from '../wire/problems.js';
import { siteIdText } from '../../requests/site-id.js';

const ComparisonQuery = onlyParameters({
  with: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'The id of the older log, of the same Site. Default: the previous log.',
    }),
  ),
  ...logChangesParameters,
});

type Query = Static<typeof ComparisonQuery>;

/**
 * The log of a Site that precedes another one.
 * @throws {ProblemError} if there is none
 */
async function earlierLog(store: Store, log: SiteLogRecord, now: Date): Promise<SiteLogRecord> {
  const before = logBefore(await store.logs.findKept(log.siteId), log, now);
  if (before === undefined)
    throw new ProblemError(
      'no-previous-log',
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

/** The log to compare another one with. @param id of that log; undefined for the previous one */
const olderLog = (
  store: Store,
  newer: SiteLogRecord,
  id: number | undefined,
  now: Date,
): Promise<SiteLogRecord> =>
  id === undefined ? earlierLog(store, newer, now) : otherLog(store, newer, id);

/**
 * The sections of a log, to compare it.
 * @throws {ProblemError} if this version cannot read it: as if it were blank, all would be removed
 */
async function comparable(store: Store, { id }: SiteLogRecord): Promise<SiteLogSections> {
  const sections = await store.publishedLogs.findComplete(id);
  if (sections !== undefined) return sections;
  const detail = `The site log ${id} cannot be read by this version, and so not compared.`;
  throw new ProblemError('not-found', detail);
}

/** What changed between two logs, as far as it may be published. Other requests run in between. */
async function changesBetween(
  store: Store,
  older: SiteLogRecord,
  newer: SiteLogRecord,
  publishContacts: boolean,
): Promise<LogChange[]> {
  const { compareLogs } = await import('../../derive/log-comparison.js');
  const { publishedTogether } = await import('../../site-log/read-published.js');
  await ownTurn();
  const before = await comparable(store, older);
  await ownTurn();
  const after = await comparable(store, newer);
  await ownTurn();
  const published = publishedTogether(before, after, publishContacts);
  return compareLogs(...published, publishContacts);
}

const identityOf = ({ id, name, datePrepared }: SiteLogRecord) => ({ id, name, datePrepared });

/** Two logs that were compared, and the page that was asked for. */
interface Compared {
  older: SiteLogRecord;
  newer: SiteLogRecord;
  /** What changed from one to the other: not only what the page shows. */
  changes: LogChange[];
  paging: RequestedPage;
  publishContacts: boolean;
}

/** The changes on the page that was asked for. */
function shownOf({ changes, paging: { page, size } }: Compared): LogChange[] {
  return changes.slice(page * size, (page + 1) * size);
}

/** What both the body and the page of a comparison have. */
const contentOf = (compared: Compared) => ({
  older: identityOf(compared.older),
  newer: identityOf(compared.newer),
  contactsCompared: compared.publishContacts,
  changes: shownOf(compared),
});

const selfHref = (base: string, { newer }: Compared, query: Query): string =>
  href(base, COMPARISON_PATH, { id: newer.id, query });

/** Builds the body of a comparison. */
function comparisonBody(base: string, query: Query, compared: Compared) {
  const { older, newer, changes, paging } = compared;
  const path = href('', COMPARISON_PATH, { id: newer.id });
  const found = { elements: shownOf(compared), totalElements: changes.length };
  const self = selfHref(base, compared, query);
  const { links, page } = pageOf(base, path, query, { paging, found }, self);
  return {
    ...contentOf(compared),
    page,
    _links: {
      ...links,
      older: itemLink(base, SITE_LOGS, older.id),
      newer: itemLink(base, SITE_LOGS, newer.id),
    },
  };
}

/** The page for people. */
async function comparisonPage(store: Store, query: Query, compared: Compared): Promise<Page> {
  const { newer, changes, paging } = compared;
  const { logChangesCounted } = await import('../../formats/log-comparison.js');
  const { renderLogComparisonPage, ROOT } = await import('../../web/log-comparison-page.js');
  return renderLogComparisonPage({
    comparison: contentOf(compared),
    counted: logChangesCounted(changes),
    paging,
    totalChanges: changes.length,
    with: query.with,
    site: { ...newer, linkedId: (await store.sites.linkedIds([newer]))(newer) },
    logs: await store.logs.findKept(newer.siteId),
    json: selfHref(ROOT, compared, query),
  });
}

/**
 * Adds what changed between two versions of a site log, as JSON and as a page.
 * @param clock the current time, which says which log is before another
 */
export function addLogComparisons(
  app: App,
  store: Store,
  clock: () => Date,
  publishContacts: boolean,
): void {
  app.get(COMPARISON_PATH, {
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
      problems: ['retired-site', 'no-previous-log'],
      example: { parameters: { id: 1 }, query: { with: '1' } },
    },
    handler: async (request) => {
      const { params, query, baseUrl, headers } = request;
      const newer = await knownLog(store, params.id);
      const older = await olderLog(store, newer, query.with, clock());
      const changes = await changesBetween(store, older, newer, publishContacts);
      const paging = pagingOf(request);
      const compared = { older, newer, changes, paging, publishContacts };
      if (!prefersPage(headers.accept)) return comparisonBody(baseUrl, query, compared);
      return pageContent(app, await comparisonPage(store, query, compared));
    },
  });
}
