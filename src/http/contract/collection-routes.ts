import type { Static, TObject, TProperties, TSchema } from '@sinclair/typebox';
import {
  type Collection,
  collectionQuery,
  LinkIndex,
  type ProjectionName,
  projectionParameter,
} from '../../../schemas/index.js';
import type { Sendable } from '../../serializers/json-text.js';
import { CITATION, href, itemPathOf, pathOf, searchPathOf, template } from '../../links.js';
import { after, type Soon } from '../../store/database.js';
import type { Found, PageSearch } from '../../store/page.js';
import { filtersOf } from '../../exports/filters.js';
import { IdParameters, onlyParameters } from '../../exports/parameters.js';
import { sortOf } from '../../exports/sorting.js';
import { pageBody, writeInTurns } from './hal.js';
import type { App } from './operations.js';
import { pagingOf } from './paging.js';
import { ProblemError, type ProblemKind } from '../wire/problems.js';

/** How the elements of a collection are found and sent. */
interface CollectionReads<T, E extends TSchema, P extends ProjectionName, Q extends TProperties> {
  /** @param query the parameters of the collection itself */
  findPage: (
    search: PageSearch & { projection: P | null },
    query: Static<TObject<Q>>,
  ) => Promise<Found<T>>;
  findById: (id: number, projection: P | null) => Soon<T | undefined>;
  /** Returns what adds links to each element of an answer. @param elements all of them */
  toResources: (base: string, elements: T[]) => Soon<(element: T) => Sendable<Static<E>>>;
  /** The sort order, and the id of an element, of the examples in the OpenAPI document. */
  exampleSort: string;
  exampleId?: number;
  /** The problems of a request for one element, except that it does not exist. */
  problems?: ProblemKind[];
  /** The problems of a request for a page, besides those of its parameters. */
  listProblems?: ProblemKind[];
  /** The key under which the answer to a query is cached; null for none. */
  cacheKey?: (query: Readonly<Record<string, unknown>>) => string | null;
}

/** Adds the routes of a collection: its pages, and an element by its id. */
export function addCollection<
  T,
  E extends TSchema,
  P extends ProjectionName,
  Q extends TProperties,
>(
  app: App,
  collection: Collection<E, P, Q>,
  {
    findPage,
    findById,
    toResources,
    exampleSort,
    exampleId = 1,
    problems = [],
    listProblems = [],
    cacheKey,
  }: CollectionReads<T, E, P, Q>,
): void {
  const { typeName, title, item } = collection;
  const path = pathOf(collection);
  // toResources types what the handlers return, because the schemas of a page and of an element are
  // generic here.
  const ofElement: { 200: TSchema } = { 200: collection.element };
  app.get(path, {
    schema: { querystring: collectionQuery(collection), response: { 200: collection.page } },
    config: {
      operationId: `list${typeName}`,
      summary: `The ${title}, one page at a time.`,
      problems: listProblems,
      example: { query: { size: '1', sort: exampleSort } },
      ...(cacheKey !== undefined && { cacheKey }),
    },
    handler: async (request) => {
      const { query, baseUrl } = request;
      const paging = pagingOf(request);
      const search = {
        filters: filtersOf(collection, query),
        sort: sortOf(query.sort),
        ...paging,
        projection: query.projection ?? null,
      };
      const found = await findPage(search, query as unknown as Static<TObject<Q>>);
      // Cache no empty pages: clients can make up any number of values that match nothing.
      if (found.totalElements === 0) request.cacheable = null;
      const toResource = await toResources(baseUrl, found.elements);
      const elements = await writeInTurns(collection.element, found.elements, toResource);
      return pageBody(baseUrl, collection, path, query, { paging, found, elements });
    },
  });
  app.get(itemPathOf(collection), {
    schema: {
      params: IdParameters,
      querystring: onlyParameters(projectionParameter(collection)),
      response: ofElement,
    },
    config: {
      operationId: `get${typeName}`,
      summary: `One of the ${title}, by its id.`,
      problems,
      example: { parameters: { id: exampleId } },
    },
    handler: ({ params: { id }, query: { projection }, baseUrl }) =>
      after(findById(id, projection ?? null), (element) => {
        if (element === undefined)
          throw new ProblemError('not-found', `There is no ${item} with the id ${id}.`);
        return after(toResources(baseUrl, [element]), (toResource) => toResource(element));
      }),
  });
}

/** Adds the list of the searches over a collection: a link template for each search in the app. */
export function addSearchIndex(app: App, collection: Collection): void {
  const path = searchPathOf(collection);
  app.get(path, {
    schema: { response: { 200: LinkIndex } },
    config: {
      operationId: `list${collection.typeName}Searches`,
      summary: `The searches over the ${collection.title}.`,
      example: {},
    },
    handler: async ({ baseUrl }) => {
      const searches = app.operations.filter(
        (operation) => operation.path.startsWith(`${path}/`) && !operation.path.endsWith(CITATION),
      );
      const links = searches.map(({ path: each, query }) => [
        each.slice(path.length + 1),
        { href: template(baseUrl, each, query.properties), templated: true as const },
      ]);
      return { _links: { self: { href: href(baseUrl, path) }, ...Object.fromEntries(links) } };
    },
  });
}
