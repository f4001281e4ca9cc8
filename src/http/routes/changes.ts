import type { Static } from '@sinclair/typebox';
import { ChangeCollection, CORS_SITES, SETUPS, SiteIdParameter } from '../../../schemas/index.js';
import { href, PATHS, searchPathOf } from '../../links.js';
import { parseSiteId } from '../../requests/site-id.js';
import type { SiteChange } from '../../store/changes.js';
import type { Found } from '../../store/search.js';
import type { StoreReader } from '../../store/store.js';
import { itemLink, pageOf, pagingOf } from '../hal.js';
import { ofKnownSite, SITE_PROBLEMS } from '../known-site.js';
import type { App } from '../operations.js';
import { changeParameters, only, periodOf } from '../parameters.js';

const ChangesQuery = only(changeParameters);

/** The search that a query stands for. */
const searchOf = (query: Static<typeof ChangesQuery>) => ({
  ...periodOf({ names: ['from', 'to'], from: query.from, to: query.to }),
  equipmentType: query.equipmentType ?? null,
  ...pagingOf(query),
});

/** Builds the body of a page of changes. */
function changesBody(
  base: string,
  path: string,
  query: Static<typeof ChangesQuery>,
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

/** Adds the equipment changes: those of one Site, and those of all Sites. */
export function addChanges(app: App, store: StoreReader): void {
  const pathOfSite = searchPathOf(SETUPS, 'findChangesByFourCharacterId');
  app.get(
    pathOfSite,
    {
      schema: { querystring: only({ id: SiteIdParameter, ...changeParameters }), response: { 200: ChangeCollection } },
      config: {
        operation: {
          operationId: 'findChangesByFourCharacterId',
          tag: 'changes',
          summary: 'The equipment changes at a Site, in chronological order.',
          problems: [...SITE_PROBLEMS],
          example: { query: { id: 'ALIC', from: '2016-01-01', size: '2' } },
        },
      },
    },
    async ({ query, baseUrl }) => {
      const found = await store.changes.findPageOfSite(parseSiteId(query.id), searchOf(query));
      return changesBody(
        baseUrl,
        pathOfSite,
        query,
        ofKnownSite(found, query.id, (id) => href(baseUrl, pathOfSite, { query: { ...query, id } })),
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
          summary: 'The equipment changes at all Sites, in chronological order.',
          example: { query: { from: '2016-01-01', to: '2017-01-01', equipmentType: 'gnss receiver', size: '2' } },
        },
      },
    },
    async ({ query, baseUrl }) => changesBody(baseUrl, PATHS.changes, query, await store.changes.findPage(searchOf(query))),
  );
}
