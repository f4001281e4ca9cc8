import { Type } from '@sinclair/typebox';
import { type Feature, GEOJSON_MEDIA_TYPE } from '../../formats/geojson.js';
import { href, PATHS, type QueryValues } from '../../links.js';
import type { Extent } from '../../store/read/exports.js';
import type { Store } from '../../store/store.js';
import { DATETIME_FORM, FEATURE_COLLECTIONS, type FeatureCollection, findItem, findItems, schemaOf } from '../ogc.js';
import { type App, JSON_MEDIA_TYPE, type Operation, SCHEMA_MEDIA_TYPE, sendText } from '../operations.js';
import { IdParameters, oneOf, only } from '../parameters.js';
import { ProblemError } from '../wire/problems.js';

const CRS = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84';
/** How many items a page has by default, and at most. */
const DEFAULT_LIMIT = 10;
const MOST_ITEMS = 1000;

const ItemsQuery = only({
  bbox: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Only items within a box: west,south,east,north in degrees. With heights, west,south,lowest,east,north,highest.',
    }),
  ),
  datetime: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: `Only items of a time: ${DATETIME_FORM}.` })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, description: `Items per page. Default: ${DEFAULT_LIMIT}. More than ${MOST_ITEMS} means ${MOST_ITEMS}.` }),
  ),
  after: Type.Optional(Type.Integer({ minimum: 0, description: 'The id after which the page begins, as the link "next" has it.' })),
});

interface OgcLink {
  rel: string;
  type: string;
  href: string;
  title?: string;
}

const json = (rel: string, url: string, title: string): OgcLink => ({ rel, type: 'application/json', href: url, title });
const geoJson = (rel: string, url: string): OgcLink => ({ rel, type: 'application/geo+json', href: url });

const collectionPath = { collectionId: oneOf(Object.keys(FEATURE_COLLECTIONS) as (keyof typeof FEATURE_COLLECTIONS)[], 'The collection') };
const CollectionParameters = only(collectionPath);
const FeatureParameters = only({ ...collectionPath, featureId: IdParameters.properties.id });

/** The extent of a collection. OGC API Features has no box of unknown corners, so it is left out. */
function extentObject({ west, south, east, north, from, to }: Extent) {
  return {
    ...(west !== null && { spatial: { bbox: [[west, south, east, north]], crs: CRS } }),
    temporal: { interval: [[from, to]] },
  };
}

const collectionObject = (base: string, { id: collectionId, title, description }: FeatureCollection, extent: Extent) => ({
  id: collectionId,
  title,
  description,
  extent: extentObject(extent),
  itemType: 'feature',
  crs: [CRS],
  links: [
    json('self', href(base, PATHS.ogcCollection, { collectionId }), title),
    // GDAL knows the relation in this spelling only.
    {
      rel: 'describedBy',
      type: SCHEMA_MEDIA_TYPE,
      href: href(base, PATHS.ogcSchema, { collectionId }),
      title: 'The schema of the features',
    },
    { ...geoJson('items', href(base, PATHS.ogcItems, { collectionId })), title },
  ],
});

const collectionLink = (base: string, { id: collectionId, title }: FeatureCollection): OgcLink =>
  json('collection', href(base, PATHS.ogcCollection, { collectionId }), title);

const documentOperation = (operationId: string, summary: string): Operation => ({
  operationId,
  tag: 'ogc',
  summary,
  description: 'As defined by OGC API Features 1.0 (core, GeoJSON).',
  example: {},
});

/** The operation of a part of one collection. */
const collectionOperation = (operationId: string, summary: string, example: Operation['example'] = {}): Operation => ({
  ...documentOperation(operationId, summary),
  problems: ['not-found'],
  example: { ...example, parameters: { collectionId: 'sites', ...example.parameters } },
});

/** Adds a document that takes no parameters. */
function addDocument(app: App, path: string, operation: Operation, documentOf: (base: string) => object | Promise<object>): void {
  app.get(path, { config: { mediaType: JSON_MEDIA_TYPE, operation } }, async ({ baseUrl }, reply) =>
    sendText(reply, JSON_MEDIA_TYPE, JSON.stringify(await documentOf(baseUrl))),
  );
}

/** Adds the documents about the service and the list of its collections. */
function addDocuments(app: App, store: Store): void {
  addDocument(app, PATHS.ogc, documentOperation('getOgcLandingPage', 'The landing page for GIS programs.'), (base) => ({
    title: 'GNSS site setups',
    description: 'GNSS stations and the equipment that is, or was, in use at them.',
    links: [
      json('self', href(base, PATHS.ogc), 'This document'),
      {
        ...json('service-desc', href(base, PATHS.openApi), 'The definition of the API'),
        type: 'application/vnd.oai.openapi+json;version=3.1',
      },
      json('conformance', href(base, PATHS.ogcConformance), 'The conformance classes'),
      json('data', href(base, PATHS.ogcCollections), 'The collections'),
    ],
  }));
  const conformance = documentOperation('getOgcConformance', 'The conformance classes of OGC API Features.');
  addDocument(app, PATHS.ogcConformance, conformance, () => ({
    conformsTo: ['core', 'geojson'].map((name) => `http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/${name}`),
  }));
  addDocument(app, PATHS.ogcCollections, documentOperation('listOgcCollections', 'The collections of features.'), async (base) => ({
    links: [json('self', href(base, PATHS.ogcCollections), 'The collections')],
    collections: await Promise.all(
      Object.values(FEATURE_COLLECTIONS).map(async (each) => collectionObject(base, each, await store.exports.extent(each.id))),
    ),
  }));
}

/** Adds what describes one collection. */
function addCollections(app: App, store: Store): void {
  app.get(
    PATHS.ogcCollection,
    {
      schema: { params: CollectionParameters },
      config: { mediaType: JSON_MEDIA_TYPE, operation: collectionOperation('getOgcCollection', 'One of the collections of features.') },
    },
    async ({ params: { collectionId }, baseUrl }, reply) => {
      const extent = await store.exports.extent(collectionId);
      return sendText(reply, JSON_MEDIA_TYPE, JSON.stringify(collectionObject(baseUrl, FEATURE_COLLECTIONS[collectionId], extent)));
    },
  );
  app.get(
    PATHS.ogcSchema,
    {
      schema: { params: CollectionParameters },
      config: {
        mediaType: SCHEMA_MEDIA_TYPE,
        operation: collectionOperation('getOgcSchema', 'The JSON Schema of the features of a collection.'),
      },
    },
    async ({ params: { collectionId } }, reply) =>
      sendText(reply, SCHEMA_MEDIA_TYPE, JSON.stringify(schemaOf(FEATURE_COLLECTIONS[collectionId]))),
  );
}

/** Adds the items of the collections. */
function addItems(app: App, store: Store): void {
  const selfLink = (base: string, collectionId: string, featureId: number): OgcLink =>
    geoJson('self', href(base, PATHS.ogcItem, { collectionId, featureId }));
  app.get(
    PATHS.ogcItems,
    {
      schema: { params: CollectionParameters, querystring: ItemsQuery },
      config: {
        mediaType: GEOJSON_MEDIA_TYPE,
        operation: {
          ...collectionOperation('listOgcItems', 'The items of a collection, as GeoJSON features, one page at a time.', {
            query: { bbox: '110,-45,155,-10', limit: '1' },
          }),
          description: 'Items are in the order of their ids; follow the link "next".',
        },
      },
    },
    async ({ params: { collectionId }, query, baseUrl }, reply) => {
      const { bbox, datetime, after = 0 } = query;
      const collection = FEATURE_COLLECTIONS[collectionId];
      const limit = Math.min(query.limit ?? DEFAULT_LIMIT, MOST_ITEMS);
      const given = { ...(bbox !== undefined && { bbox }), ...(datetime !== undefined && { datetime }) };
      const { features, next, numberMatched } = await findItems(store, collection, given, { after, limit });
      const page = (values: QueryValues): OgcLink['href'] => href(baseUrl, PATHS.ogcItems, { collectionId, query: values });
      const body = {
        type: 'FeatureCollection',
        features: features.map((feature) => ({ ...feature, links: [selfLink(baseUrl, collectionId, feature.id)] })),
        links: [
          geoJson('self', page(query)),
          ...(next === null ? [] : [geoJson('next', page({ ...given, limit, after: next }))]),
          collectionLink(baseUrl, collection),
        ],
        numberMatched,
        numberReturned: features.length,
      };
      return sendText(reply, GEOJSON_MEDIA_TYPE, JSON.stringify(body));
    },
  );
  app.get(
    PATHS.ogcItem,
    {
      schema: { params: FeatureParameters },
      config: {
        mediaType: GEOJSON_MEDIA_TYPE,
        operation: collectionOperation('getOgcItem', 'One of the items of a collection, as a GeoJSON feature.', {
          parameters: { featureId: 1 },
        }),
      },
    },
    async ({ params: { collectionId, featureId }, baseUrl }, reply) => {
      const collection = FEATURE_COLLECTIONS[collectionId];
      const feature = await findItem(store, collection, featureId);
      if (feature === undefined) throw new ProblemError('not-found', `There is no item with the id ${featureId} in ${collectionId}.`);
      const links = [selfLink(baseUrl, collectionId, featureId), collectionLink(baseUrl, collection)];
      return sendText(reply, GEOJSON_MEDIA_TYPE, JSON.stringify({ ...feature, links } satisfies Feature & { links: OgcLink[] }));
    },
  );
}

/** Adds the Sites and installations for GIS programs: OGC API Features 1.0, core with GeoJSON. */
export function addOgc(app: App, store: Store): void {
  addDocuments(app, store);
  addCollections(app, store);
  addItems(app, store);
}
