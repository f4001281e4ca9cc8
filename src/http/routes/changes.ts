import { type Static, Type } from '@sinclair/typebox';
import { ChangeCollection, CORS_SITES, SETUPS, SiteIdParameter, SiteIdsParameter } from '../../../schemas/index.js';
import { href, PATHS, searchPathOf } from '../../links.js';
import { parseSiteId } from '../../requests/site-id.js';
import type { ChangesOfSites, SiteChange } from '../../store/changes.js';
import type { Found } from '../../store/search.js';
import type { StoreReader } from '../../store/store.js';
import { itemLink, pageOf, pagingOf } from '../hal.js';
import { SITE_PROBLEMS, siteProblem, type UrlOfSite } from '../known-site.js';
import type { App } from '../operations.js';
import { changeParameters, mergeGapsOf, only, periodOf, recordTimeOf } from '../parameters.js';

const OfSiteQuery = only({ id: SiteIdParameter, ...changeParameters });
const ChangesQuery = only({ id: Type.Optional(SiteIdsParameter), ...changeParameters });
type Query = Omit<Static<typeof ChangesQuery>, 'id'> & { id?: string | string[] };

/** The search that a query stands for. */
const searchOf = (query: Query) => ({
  ...periodOf({ names: ['from', 'to'], from: query.from, to: query.to }),
  equipmentType: query.equipmentType ?? null,
  mergeGaps: mergeGapsOf(query.mergeGaps),
  recordedSince: recordTimeOf('recordedSince', query.recordedSince),
  ...pagingOf(query),
});

/** Builds the body of a page of changes. */
function changesBody(
  base: string,
  path: string,
  query: Query,
  { elements, totalElements }: Found<SiteChange>,
): Static<typeof ChangeCollection> {
  const { links, page } = pageOf(base, path, query, totalElements, href(base, path, { query }));
  const changes = elements.map(({ siteId, fourCharacterId, nineCharacterId, ...change }) => ({
    ...change,
    siteId,
    fourCharacterId,
    nineCharacterId,
    _links: { corsSite: itemLink(base, CORS_SITES, siteId) },
  }));
  return { _embedded: { changes }, _links: links, page };
}

/** The changes that were found. @param urlOf builds the URL of the same request with another id in place of one @throws {ProblemError} if an id identifies no Site; it says why */
function ofKnownSites(answer: ChangesOfSites, urlOf: (asked: string) => UrlOfSite): Found<SiteChange> {
  if (answer.kind === 'found') return answer.found;
  const asked = answer.asked.nineCharacterId ?? answer.asked.fourCharacterId;
  throw siteProblem(answer, asked, urlOf(asked));
}

const GAPS =
  'A removal and the installation that ends it are one change, with the gap in it, if the gap is not longer than mergeGaps; its time is that of the removal.';

/** Adds the equipment changes: those of one Site, and those of all Sites. */
export function addChanges(app: App, store: StoreReader): void {
  const pathOfSite = searchPathOf(SETUPS, 'findChangesByFourCharacterId');
  app.get(
    pathOfSite,
    {
      schema: { querystring: OfSiteQuery, response: { 200: ChangeCollection } },
      config: {
        operation: {
          operationId: 'findChangesByFourCharacterId',
          tag: 'changes',
          summary: 'The equipment changes at a Site, in chronological order.',
          description: GAPS,
          problems: [...SITE_PROBLEMS],
          example: { query: { id: 'ALIC', from: '2016-01-01', size: '2' } },
        },
      },
    },
    async ({ query, baseUrl }) => {
      const found = await store.changes.findPageOfSites([parseSiteId(query.id)], searchOf(query));
      const urlOf: UrlOfSite = (id) => href(baseUrl, pathOfSite, { query: { ...query, id } });
      return changesBody(
        baseUrl,
        pathOfSite,
        query,
        ofKnownSites(found, () => urlOf),
      );
    },
  );
  app.get(
    PATHS.changes,
    {
      schema: { querystring: ChangesQuery, response: { 200: ChangeCollection } },
      config: {
        operation: {
          operationId: 'listChanges',
          tag: 'changes',
          summary: 'The equipment changes at all Sites, or at some, in chronological order.',
          description: GAPS,
          problems: [...SITE_PROBLEMS],
          example: { query: { from: '2016-01-01', to: '2017-01-01', equipmentType: 'gnss receiver', size: '2' } },
        },
      },
    },
    async ({ query, baseUrl }) => {
      const { id: ids } = query;
      if (ids === undefined) return changesBody(baseUrl, PATHS.changes, query, await store.changes.findPage(searchOf(query)));
      const found = await store.changes.findPageOfSites(ids.map(parseSiteId), searchOf(query));
      const urlOf =
        (asked: string): UrlOfSite =>
        (id) =>
          href(baseUrl, PATHS.changes, { query: { ...query, id: ids.map((each) => (each.toUpperCase() === asked ? id : each)) } });
      return changesBody(baseUrl, PATHS.changes, query, ofKnownSites(found, urlOf));
    },
  );
}
