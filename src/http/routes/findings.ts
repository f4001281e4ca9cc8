import type { Static } from '@sinclair/typebox';
import {
  CORS_SITES,
  SITE_LOGS,
  SiteFinding,
  SiteFindingCollection,
} from '../../../schemas/index.js';
import { findingFilterOf } from '../../exports/filters.js';
import { findingsParameters, IdParameters, onlyParameters } from '../../exports/parameters.js';
import { sortOf } from '../../exports/sorting.js';
import { href, PATHS } from '../../links.js';
import type { Found } from '../../store/page.js';
import type { CodeCount, FindingOfSite } from '../../store/read/findings.js';
import type { Store } from '../../store/store.js';
import { ownTurn } from '../../turns.js';
import type { FindingsView } from '../../web/findings-page.js';
import type { Page } from '../../web/page/layout.js';
import { readForm } from '../contract/form-query.js';
import { itemLink, pageOf, writeInTurns } from '../contract/hal.js';
import { type App, pageContent } from '../contract/operations.js';
import { pagingOf, type RequestedPage } from '../contract/paging.js';
import { prefersPage } from '../wire/accept.js';
import { ProblemError } from '../wire/problems.js';

const FindingsQuery = onlyParameters(findingsParameters);

type Query = Static<typeof FindingsQuery>;

/** How many findings a page for people shows. */
const ROWS = 50;
/** How many of the Sites with the most findings it shows. */
const MOST_SITES = 20;

/**
 * The findings that a query asks for.
 * @throws {RequestRefused} if a parameter is malformed, or an id identifies no Site
 */
const find = async (store: Store, query: Query, paging: RequestedPage) =>
  store.findings.findPage({
    ...(await findingFilterOf(store, query)),
    sort: sortOf(query.sort),
    ...paging,
  });

/** A finding with its links. */
const findingResource = (base: string, { id, ...finding }: FindingOfSite) => ({
  ...finding,
  _links: {
    self: { href: href(base, PATHS.finding, { id }) },
    corsSite: itemLink(base, CORS_SITES, finding.siteId),
    siteLog: itemLink(base, SITE_LOGS, finding.siteLogId),
  },
});

/** Builds the body of a page of findings. */
async function findingsBody(
  base: string,
  query: Query,
  paging: RequestedPage,
  found: Found<FindingOfSite>,
) {
  const self = href(base, PATHS.findings, { query });
  const { links, page } = pageOf(base, PATHS.findings, query, { paging, found }, self);
  const findings = await writeInTurns(SiteFinding, found.elements, (finding) =>
    findingResource(base, finding),
  );
  return { _embedded: { findings }, _links: links, page };
}

/** How many receivers and antennas are in conflict. */
async function conflictsIn({ devices }: Store): Promise<FindingsView['conflicts']> {
  const { conflicts: receivers } = await devices.count('gnss receiver');
  const { conflicts: antennas } = await devices.count('gnss antenna');
  return { receivers, antennas };
}

/** The number of findings of each code at all Sites, of the levels that are asked for. */
async function countAll({ network }: Store, { level: levels }: Query): Promise<CodeCount[]> {
  const counts = await network.countFindings();
  return counts.filter(({ level }) => levels === undefined || levels.includes(level));
}

/** The page for people. Codes and Sites are counted among all that the other filters find. */
async function findingsPage(
  store: Store,
  { page: _page, size: _size, ...query }: Query,
  paging: RequestedPage,
  isFileShown: boolean,
): Promise<Page> {
  const found = await find(store, query, paging);
  await ownTurn();
  const filter = await findingFilterOf(store, query);
  const isWhole = Object.keys(query).every((name) => name === 'level' || name === 'sort');
  const codes = isWhole
    ? await countAll(store, query)
    : await store.findings.countByCode({ ...filter, codes: null });
  await ownTurn();
  const sites = await store.findings.countBySite(filter, MOST_SITES);
  const conflicts = isWhole ? await conflictsIn(store) : null;
  const rejected = isWhole ? (await store.status()).rejectedFiles : 0;
  const { renderFindingsPage } = await import('../../web/findings-page.js');
  return renderFindingsPage({
    query,
    paging,
    found,
    linkedId: await store.sites.linkedIds(found.elements),
    codes,
    sites,
    conflicts,
    rejected,
    isFileShown,
  });
}

/**
 * Adds what was found in the current site logs.
 * @param publishContacts whether pages show files as they were imported
 */
export function addFindings(app: App, store: Store, publishContacts: boolean): void {
  app.get(PATHS.findings, {
    schema: { querystring: FindingsQuery, response: { 200: SiteFindingCollection } },
    preValidation: readForm,
    config: {
      page: 'if-preferred',
      operationId: 'listFindings',
      tag: 'siteLogs',
      summary: 'The findings in the current site logs; without sort, by Site and line.',
      description: 'Values about contacts are never quoted.',
      example: { query: { site: 'ALIC', size: '1' } },
    },
    handler: async (request) => {
      const { query, baseUrl, headers } = request;
      if (prefersPage(headers.accept)) {
        const shown = pagingOf(request, ROWS);
        return pageContent(app, await findingsPage(store, query, shown, publishContacts));
      }
      const paging = pagingOf(request);
      return findingsBody(baseUrl, query, paging, await find(store, query, paging));
    },
  });
  app.get(PATHS.finding, {
    schema: { params: IdParameters, response: { 200: SiteFinding } },
    config: {
      operationId: 'getFinding',
      tag: 'siteLogs',
      summary: 'One of the findings in the current site logs, by its id.',
      example: { parameters: { id: 4096 } },
    },
    handler: async ({ params: { id }, baseUrl }) => {
      const finding = await store.findings.findById(id);
      if (finding === undefined)
        throw new ProblemError('not-found', `There is no finding with the id ${id} on record.`);
      return findingResource(baseUrl, finding);
    },
  });
}
