import type { Static } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { Change, ChangeCollection, CORS_SITES, SETUPS, SiteIdParameter } from '../../../schemas/index.js';
import { href, PATHS, searchPathOf } from '../../links.js';
import { parseSiteId } from '../../requests/site-id.js';
import type { ChangeSearch, SiteChange } from '../../store/read/changes.js';
import type { Found } from '../../store/search.js';
import type { Store } from '../../store/store.js';
import { renderChangesPage } from '../../web/changes-page.js';
import { HTML_MEDIA_TYPE } from '../../web/layout.js';
import { itemLink, pageOf, pagingOf, writeInTurns } from '../hal.js';
import { ofKnownSites, SITE_PROBLEMS, type UrlOfSite } from '../known-site.js';
import { type App, sendText } from '../operations.js';
import { changeParameters, changesParameters, mergeGapsOf, only, periodOf, recordTimeOf } from '../parameters.js';
import { prefersPage } from '../wire/accept.js';

const OfSiteQuery = only({ id: SiteIdParameter, ...changeParameters });
const ChangesQuery = only(changesParameters);
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
async function changesBody(base: string, path: string, query: Query, { elements, totalElements }: Found<SiteChange>) {
  const { links, page } = pageOf(base, path, query, totalElements, href(base, path, { query }));
  const changes = await writeInTurns(Change, elements, ({ siteId, fourCharacterId, nineCharacterId, ...change }) => ({
    ...change,
    siteId,
    fourCharacterId,
    nineCharacterId,
    _links: { corsSite: itemLink(base, CORS_SITES, siteId) },
  }));
  return { _embedded: { changes }, _links: links, page };
}

const GAPS =
  'A removal and the installation that ends it are one change, with the gap in it, if the gap is not longer than mergeGaps; its time is that of the removal.';

/** How many changes a page for people shows. */
const ROWS = 100;

/**
 * Adapts the query of a form, in which fields may be empty and one field names several Sites, to that of the API. Without a
 * page, people get the last one, which has the latest changes.
 */
function readForm(request: FastifyRequest, _reply: FastifyReply, done: HookHandlerDoneFunction): void {
  if (prefersPage(request.headers.accept)) {
    const entries = Object.entries(request.query as Record<string, string | string[]>).filter(([, value]) => value !== '');
    const { id, ...others } = Object.fromEntries(entries);
    const ids = [id ?? []].flat().flatMap((each) => each.split(/[\s,]+/).filter((part) => part !== ''));
    request.query = ids.length === 0 ? others : { id: ids, ...others };
  }
  done();
}

/** Finds the changes that a query asks for. @throws {ProblemError} if an id identifies no Site; it says why */
async function findChanges(store: Store, base: string, query: Query, search: ChangeSearch): Promise<Found<SiteChange>> {
  const ids = query.id === undefined ? undefined : [query.id].flat();
  if (ids === undefined) return store.changes.findPage(search);
  const found = await store.changes.findPageOfSites(ids.map(parseSiteId), search);
  const urlOf =
    (asked: string): UrlOfSite =>
    (id) =>
      href(base, PATHS.changes, { query: { ...query, id: ids.map((each) => (each.toUpperCase() === asked ? id : each)) } });
  return ofKnownSites(found, urlOf);
}

/** The page for people. */
async function changesPage(
  store: Store,
  base: string,
  { page: asked, size: rows = ROWS, ...query }: Static<typeof ChangesQuery>,
): Promise<string> {
  const { size } = pagingOf({ size: rows });
  const find = (page: number, of: number) => findChanges(store, base, query, { ...searchOf(query), page, size: of });
  const page = asked ?? Math.max(Math.ceil((await find(0, 1)).totalElements / size) - 1, 0);
  return renderChangesPage({ query, page, size, found: await find(page, size) });
}

/** Adds the equipment changes: those of one Site, and those of all Sites. */
export function addChanges(app: App, store: Store): void {
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
      preValidation: readForm,
      config: {
        page: 'if-preferred',
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
    async ({ query, baseUrl, headers }, reply) => {
      if (prefersPage(headers.accept)) return sendText(reply, HTML_MEDIA_TYPE, await changesPage(store, baseUrl, query));
      return changesBody(baseUrl, PATHS.changes, query, await findChanges(store, baseUrl, query, searchOf(query)));
    },
  );
}
