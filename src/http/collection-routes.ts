import type { Static, TSchema } from '@sinclair/typebox';
import { type Collection, collectionQuery, LinkIndex, type ProjectionName, projectionParameter } from '../../schemas/index.js';
import { href, itemPathOf, pathOf, searchPathOf, template } from '../links.js';
import type { Found, PageSearch } from '../store/search.js';
import { filtersOf, pageBody, pagingOf, sortOf } from './hal.js';
import type { App } from './operations.js';
import { IdParameters, only } from './parameters.js';
import { ProblemError } from './wire/problems.js';

/** How the elements of a collection are found, and how each is sent. */
interface CollectionReads<T, E extends TSchema, P extends ProjectionName> {
  findPage: (search: PageSearch & { projection: P | null }) => Promise<Found<T>>;
  findById: (id: number, projection: P | null) => Promise<T | undefined>;
  /** Adds the links of an element. */
  toResource: (base: string, element: T) => Static<E>;
  /** The order of the example in the description. */
  exampleSort: string;
  /** The parameter by which the first page is looked up so often that it is cached. */
  cachedBy?: string;
}

/** Adds the pages of a collection, and its elements by id. */
export function addCollection<T, E extends TSchema, P extends ProjectionName>(
  app: App,
  collection: Collection<E, P>,
  { findPage, findById, toResource, exampleSort, cachedBy }: CollectionReads<T, E, P>,
): void {
  const { name, typeName, title, item } = collection;
  const path = pathOf(collection);
  // What a handler answers with is typed by toResource; the schemas of a page and of an element are generic here.
  const ofElement: { 200: TSchema } = { 200: collection.element };
  app.get(
    path,
    {
      schema: { querystring: collectionQuery(collection), response: { 200: collection.page } },
      config: {
        operation: {
          operationId: `list${typeName}`,
          tag: name,
          summary: `The ${title}, a page at a time.`,
          example: { query: { size: '2', sort: exampleSort } },
        },
        ...(cachedBy !== undefined && {
          cacheKey: (query) => (Object.keys(query).length === 1 && typeof query[cachedBy] === 'string' ? query[cachedBy] : null),
        }),
      },
    },
    async (request) => {
      const { query, baseUrl } = request;
      const search = {
        filters: filtersOf(collection, query),
        sort: sortOf(query.sort),
        ...pagingOf(query),
        projection: query.projection ?? null,
      };
      const found = await findPage(search);
      // Only answers with elements are cached: there are no more of these than values in the database.
      if (found.totalElements === 0) request.cacheable = null;
      const elements = found.elements.map((element) => toResource(baseUrl, element));
      return pageBody(baseUrl, collection, path, query, { ...found, elements });
    },
  );
  app.get(
    itemPathOf(collection),
    {
      schema: {
        params: IdParameters,
        querystring: only(projectionParameter(collection)),
        response: ofElement,
      },
      config: {
        operation: {
          operationId: `get${typeName}`,
          tag: name,
          summary: `One of the ${title}, by its id.`,
          problems: ['not-found'],
          example: { parameters: { id: 1 } },
        },
      },
    },
    async ({ params: { id }, query: { projection }, baseUrl }) => {
      const element = await findById(id, projection ?? null);
      if (element === undefined) throw new ProblemError('not-found', `There is no ${item} with the id ${id}.`);
      return toResource(baseUrl, element);
    },
  );
}

/** Adds the index of the searches over a collection: a template for each search that is added to the app. */
export function addSearchIndex(app: App, collection: Collection): void {
  const path = searchPathOf(collection);
  app.get(
    path,
    {
      schema: { response: { 200: LinkIndex } },
      config: {
        operation: {
          operationId: `list${collection.typeName}Searches`,
          tag: collection.name,
          summary: `The searches over the ${collection.title}.`,
          example: {},
        },
      },
    },
    async ({ baseUrl }) => {
      const searches = app.operations.filter((operation) => operation.path.startsWith(`${path}/`));
      const links = searches.map(({ path: each, query }) => [
        each.slice(path.length + 1),
        { href: template(baseUrl, each, query.properties), templated: true as const },
      ]);
      return { _links: { self: { href: href(baseUrl, path) }, ...Object.fromEntries(links) } };
    },
  );
}
