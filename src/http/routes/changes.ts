import type { Static } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { Change, ChangeCollection, CORS_SITES } from '../../../schemas/index.js';
import { href, PATHS } from '../../links.js';
import type { ChangeSearch, SiteChange } from '../../store/read/changes.js';
import type { Found } from '../../store/page.js';
import type { Store } from '../../store/store.js';
import { renderChangesPage } from '../../web/changes-page.js';
import { HTML_MEDIA_TYPE } from '../../web/layout.js';
import { changeFilterOf, requestTo } from '../filters.js';
import { itemLink, pageOf, pagingOf, writeInTurns } from '../hal.js';
import { type App, sendText } from '../operations.js';
import { changesParameters, mergeGapsOf, only } from '../parameters.js';
import { prefersPage } from '../wire/accept.js';

const ChangesQuery = only(changesParameters);
type Query = Static<typeof ChangesQuery>;

/** The search that a query stands for, in chronological order. @throws {ProblemError} if a parameter is malformed, or an id identifies no Site */
const searchOf = async (store: Store, base: string, query: Query): Promise<ChangeSearch> => ({
  ...(await changeFilterOf(store, requestTo(base, PATHS.changes), query)),
  mergeGaps: mergeGapsOf(query.mergeGaps),
  latestFirst: false,
  ...pagingOf(query),
});

/** Builds the body of a page of changes. */
async function changesBody(
  base: string,
  query: Query,
  { elements, totalElements }: Found<SiteChange>,
) {
  const { links, page } = pageOf(
    base,
    PATHS.changes,
    query,
    totalElements,
    href(base, PATHS.changes, { query }),
  );
  const changes = await writeInTurns(
    Change,
    elements,
    ({ siteId, fourCharacterId, nineCharacterId, ...change }) => ({
      ...change,
      siteId,
      fourCharacterId,
      nineCharacterId,
      _links: { corsSite: itemLink(base, CORS_SITES, siteId) },
    }),
  );
  return { _embedded: { changes }, _links: links, page };
}

const GAPS =
  'A removal and the installation that ends it are one change, with the gap in it, if the gap is not longer than mergeGaps; its time is that of the removal.';

/** How many changes a page for people shows. */
const ROWS = 100;

/** Adapts the query of a form, in which fields may be empty and one field names several Sites, to that of the API. */
function readForm(
  request: FastifyRequest,
  _reply: FastifyReply,
  done: HookHandlerDoneFunction,
): void {
  if (prefersPage(request.headers.accept)) {
    const entries = Object.entries(request.query as Record<string, string | string[]>).filter(
      ([, value]) => value !== '',
    );
    const { site, ...others } = Object.fromEntries(entries);
    const sites = [site ?? []]
      .flat()
      .flatMap((each) => each.split(/[\s,]+/).filter((part) => part !== ''));
    request.query = sites.length === 0 ? others : { site: sites, ...others };
  }
  done();
}

/** The page for people. Unlike those of the API, its pages count from the latest change. */
async function changesPage(
  store: Store,
  base: string,
  { page: asked = 0, size: rows = ROWS, ...query }: Query,
): Promise<string> {
  const { page, size } = pagingOf({ page: asked, size: rows });
  const search = { ...(await searchOf(store, base, query)), latestFirst: true, page, size };
  return renderChangesPage({ query, page, size, found: await store.changes.findPage(search) });
}

/** Adds the equipment changes. */
export function addChanges(app: App, store: Store): void {
  app.get(PATHS.changes, {
    schema: { querystring: ChangesQuery, response: { 200: ChangeCollection } },
    preValidation: readForm,
    config: {
      page: 'if-preferred',
      operationId: 'listChanges',
      summary: 'The equipment changes at all Sites, or at some, in chronological order.',
      description: GAPS,
      example: {
        query: { from: '2016-01-01', to: '2017-01-01', equipmentType: 'gnss receiver', size: '1' },
      },
    },
    handler: async ({ query, baseUrl, headers }, reply) => {
      if (prefersPage(headers.accept))
        return sendText(reply, HTML_MEDIA_TYPE, await changesPage(store, baseUrl, query));
      return changesBody(
        baseUrl,
        query,
        await store.changes.findPage(await searchOf(store, baseUrl, query)),
      );
    },
  });
}
