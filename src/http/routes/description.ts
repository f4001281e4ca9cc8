import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as Type from '@sinclair/typebox';
import {
  CORS_SITES,
  DEVICE_COLLECTIONS,
  LinkIndex,
  PUBLISHED,
  SETUPS,
  SITE_LOGS,
} from '../../../schemas/index.js';
import { onlyParameters } from '../../exports/parameters.js';
import { href, PATHS } from '../../links.js';
import { parseSiteId } from '../../requests/site-id.js';
import { ALL_SITES } from '../../store/read/filters.js';
import type { Store } from '../../store/store.js';
import type { ApiDocument, ExampleRequest } from '../../web/reference-page.js';
import {
  type App,
  Content,
  type DescribedRoute,
  JSON_MEDIA_TYPE,
  pageContent,
  SCHEMA_MEDIA_TYPE,
} from '../contract/operations.js';
import { ProblemError } from '../wire/problems.js';

const NameParameters = onlyParameters({
  name: Type.String({
    pattern: '^[A-Za-z]{1,60}\\.json$',
    description: 'The name of a published type, followed by ".json". /schemas lists them.',
  }),
});

const FIRST = { filters: [], sort: [], page: 0, size: 1 };

/** The number of an element of a list; undefined if the list is empty. */
async function anyIn(store: Store, collection: string): Promise<number | undefined> {
  if (collection === CORS_SITES.name || collection === SITE_LOGS.name) {
    const site = (await store.sites.findPage({ ...FIRST, sites: ALL_SITES })).elements[0]?.id;
    return site === undefined || collection === CORS_SITES.name
      ? site
      : (await store.logs.findCurrent(site))?.id;
  }
  if (collection === PATHS.changes.slice(1)) return (await store.changes.findAny())?.id;
  if (collection === PATHS.findings.slice(1)) return (await store.findings.findAny())?.id;
  if (collection === SETUPS.name)
    return (await store.setups.findPage({ ...FIRST, projection: null })).elements[0]?.id;
  const ofKind = DEVICE_COLLECTIONS.find(({ name }) => name === collection);
  const filters =
    ofKind === undefined ? [] : [{ property: 'equipmentType', values: [ofKind.equipmentType] }];
  return (await store.devices.findPage({ ...FIRST, filters, projection: null })).elements[0]?.id;
}

/** The cursor of an entry of the feed. @param otherwise what to use if the feed is empty */
const anyEntry = async ({ feed }: Store, otherwise: string): Promise<string> =>
  (await feed.findAny())?.cursor ?? otherwise;

/**
 * The request that shows an operation, with an element and a Site that the database has instead of
 * those of the sample network.
 */
async function exampleOf(
  { path, operationId, example }: DescribedRoute,
  store: Store,
): Promise<ExampleRequest> {
  const { parameters = {}, query = {} } = example;
  const id =
    'id' in parameters
      ? ((await anyIn(store, path.split('/')[1]!)) ?? Number(parameters.id))
      : undefined;
  const isKnown =
    query.id === undefined ||
    (await store.sites.findOne(parseSiteId(query.id), null)).kind === 'found';
  const site = isKnown ? query.id : ((await store.sites.findExample()) ?? query.id);
  const target = href('', path, {
    ...parameters,
    ...(id !== undefined && { id }),
    ...('cursor' in parameters && { cursor: await anyEntry(store, String(parameters.cursor)) }),
    query: { ...query, ...(site !== undefined && { id: site }) },
  });
  return { operationId, target };
}

/**
 * Adds the published contract, and the reference of the API for people.
 * @param folder the folder that `export-schemas` wrote
 */
export function addDescription(app: App, store: Store, folder: string): void {
  const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');
  app.get(PATHS.reference, {
    config: { page: true },
    handler: async () => {
      const document = JSON.parse(await read('openapi.json')) as ApiDocument;
      const requests = await Promise.all(app.operations.map((route) => exampleOf(route, store)));
      const { renderReferencePage } = await import('../../web/reference-page.js');
      return pageContent(app, renderReferencePage(document, requests));
    },
  });
  app.get(PATHS.openApi, {
    config: {
      mediaType: JSON_MEDIA_TYPE,
      operationId: 'getOpenApi',
      tag: 'service',
      summary: 'This description of the service (OpenAPI 3.1).',
      example: {},
    },
    handler: async ({ baseUrl }) =>
      new Content(
        JSON_MEDIA_TYPE,
        (await read('openapi.json')).replace('"url": "/"', `"url": ${JSON.stringify(baseUrl)}`),
      ),
  });
  app.get(PATHS.schemas, {
    schema: { response: { 200: LinkIndex } },
    config: {
      operationId: 'listSchemas',
      tag: 'service',
      summary: 'The published types, with links to their JSON Schemas.',
      example: {},
    },
    handler: async ({ baseUrl }) => ({
      _links: {
        self: { href: href(baseUrl, PATHS.schemas) },
        ...Object.fromEntries(
          Object.keys(PUBLISHED).map((name) => [
            name,
            { href: href(baseUrl, PATHS.schema, { name: `${name}.json` }) },
          ]),
        ),
      },
    }),
  });
  app.get(PATHS.schema, {
    schema: { params: NameParameters },
    config: {
      mediaType: SCHEMA_MEDIA_TYPE,
      operationId: 'getSchema',
      tag: 'service',
      summary: 'A published type as JSON Schema (2020-12).',
      description:
        'The types are those of the components of the OpenAPI document. ' +
        'Each schema has those that it refers to in $defs.',
      // Tools would follow the references inside another example.
      example: { parameters: { name: 'Link.json' } },
    },
    handler: async ({ params: { name } }) => {
      if (!Object.hasOwn(PUBLISHED, name.replace(/\.json$/, '')))
        throw new ProblemError(
          'not-found',
          `There is no published type ${name}; /schemas lists them.`,
        );
      return new Content(SCHEMA_MEDIA_TYPE, await read(name));
    },
  });
}
