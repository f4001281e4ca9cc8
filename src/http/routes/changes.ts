import type { Static } from '@sinclair/typebox';
import { Change, ChangeCollection, CORS_SITES } from '../../../schemas/index.js';
import { storeFor } from '../../exports/as-of.js';
import { changeFilterOf } from '../../exports/filters.js';
import {
  changesParameters,
  IdParameters,
  mergeGapsOf,
  onlyParameters,
} from '../../exports/parameters.js';
import { href, PATHS } from '../../links.js';
import type { ChangeSearch, SiteChange } from '../../store/read/changes.js';
import type { Found } from '../../store/page.js';
import type { Store } from '../../store/store.js';
import type { Page } from '../../web/page/layout.js';
import { readForm } from '../contract/form-query.js';
import { itemLink, pageOf, writeInTurns } from '../contract/hal.js';
import { type App, pageContent } from '../contract/operations.js';
import { pagingOf, type RequestedPage } from '../contract/paging.js';
import { prefersPage } from '../wire/accept.js';
import { ProblemError } from '../wire/problems.js';

const ChangesQuery = onlyParameters(changesParameters);
const ChangeQuery = onlyParameters({ mergeGaps: changesParameters.mergeGaps });
type Query = Static<typeof ChangesQuery>;

/**
 * The changes that a query asks for.
 * @throws {RequestRefused} if a parameter is malformed, or an id identifies no Site
 */
async function searchOf(
  store: Store,
  query: Query,
  paging: RequestedPage,
  latestFirst: boolean,
): Promise<ChangeSearch> {
  const filter = await changeFilterOf(store, query);
  const mergeGaps = mergeGapsOf(query.mergeGaps);
  return { ...filter, mergeGaps, group: query.group ?? null, latestFirst, ...paging };
}

const isLatestFirst = ({ sort }: Query): boolean => sort?.[0] === 'at,desc';

/** A change with its links. The one to itself says which gaps are merged. */
const changeResource = (
  base: string,
  { mergeGaps }: Pick<Query, 'mergeGaps'>,
  { id, ...change }: SiteChange,
) => ({
  ...change,
  _links: {
    self: { href: href(base, PATHS.change, { id, query: { mergeGaps } }) },
    corsSite: itemLink(base, CORS_SITES, change.siteId),
  },
});

/** Builds the body of a page of changes. */
async function changesBody(
  base: string,
  query: Query,
  paging: RequestedPage,
  found: Found<SiteChange>,
) {
  const self = href(base, PATHS.changes, { query });
  const { links, page } = pageOf(base, PATHS.changes, query, { paging, found }, self);
  const changes = await writeInTurns(Change, found.elements, (change) =>
    changeResource(base, query, change),
  );
  return { _embedded: { changes }, _links: links, page };
}

const GAPS =
  'A removal and the installation that ends it are one change, with the gap in it, if the gap ' +
  'is not longer than mergeGaps; its time is that of the removal.';

/** How many groups of changes a page for people shows. */
const ROWS = 100;

/** The day of the newest log of the Sites of a search, if that is before its period. */
async function newestBefore(
  { asOf, network }: Store,
  { from, sites }: ChangeSearch,
): Promise<string | null> {
  // The days are those of the logs that are current now.
  if (from === null || asOf !== null) return null;
  const newest = await network.newestPrepared(sites);
  return newest !== null && newest < from.slice(0, 10) ? newest : null;
}

/**
 * The page for people: groups of changes, or the changes of one group. Unlike those of the API, its
 * pages count from the latest change.
 */
async function changesPage(
  store: Store,
  { page: _page, size: _size, ...query }: Query,
  paging: RequestedPage,
): Promise<Page> {
  const latestFirst = query.sort === undefined || isLatestFirst(query);
  const search = await searchOf(store, query, paging, latestFirst);
  const { renderChangesPage } = await import('../../web/changes-page.js');
  const view = { query, asOf: store.asOf, paging };
  if (query.group !== undefined) {
    const changes = await store.changes.findPage(search);
    const linkedId = await store.sites.linkedIds(changes.elements);
    return renderChangesPage({ ...view, changes, linkedId });
  }
  const groups = await store.changeGroups.findPage(search);
  const newestLog = groups.totalElements === 0 ? await newestBefore(store, search) : null;
  const linkedId = await store.sites.linkedIds(groups.elements.flatMap(({ changes }) => changes));
  return renderChangesPage({ ...view, groups, newestLog, linkedId });
}

/** Adds the equipment changes, and a change by its id. @param clock the current time */
export function addChanges(app: App, storeNow: Store, clock: () => Date): void {
  app.get(PATHS.changes, {
    schema: { querystring: ChangesQuery, response: { 200: ChangeCollection } },
    preValidation: readForm,
    config: {
      page: 'if-preferred',
      operationId: 'listChanges',
      summary: 'The equipment changes at all Sites, or at some, in chronological order.',
      description: GAPS,
      problems: ['not-recorded'],
      example: {
        query: { from: '2016-01-01', to: '2017-01-01', equipmentType: 'gnss receiver', size: '1' },
      },
    },
    handler: async (request) => {
      const { query, baseUrl, headers } = request;
      const store = await storeFor(storeNow, query, clock());
      if (prefersPage(headers.accept))
        return pageContent(app, await changesPage(store, query, pagingOf(request, ROWS)));
      const paging = pagingOf(request);
      const search = await searchOf(store, query, paging, isLatestFirst(query));
      const found = await store.changes.findPage(search);
      return changesBody(baseUrl, query, paging, found);
    },
  });
  app.get(PATHS.change, {
    schema: { params: IdParameters, querystring: ChangeQuery, response: { 200: Change } },
    config: {
      operationId: 'getChange',
      summary: 'One of the equipment changes, by its id.',
      description: GAPS,
      example: { parameters: { id: 1 } },
    },
    handler: async ({ params: { id }, query, baseUrl }) => {
      const change = await storeNow.changes.findById(id, mergeGapsOf(query.mergeGaps));
      if (change === undefined)
        throw new ProblemError('not-found', `There is no change with the id ${id} on record.`);
      return changeResource(baseUrl, query, change);
    },
  });
}
