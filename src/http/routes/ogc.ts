import { Type } from '@sinclair/typebox';
import { type Feature, GEOJSON_MEDIA_TYPE } from '../../formats/geojson.js';
import { href, PATHS } from '../../links.js';
import type { Store } from '../../store/store.js';
import { DATETIME_FORM, FEATURE_COLLECTIONS, type FeatureCollection, findItem, findItems, schemaOf } from '../ogc.js';
import { type App, JSON_MEDIA_TYPE, SCHEMA_MEDIA_TYPE, sendText } from '../operations.js';
import { IdParameters, only } from '../parameters.js';
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

const collectionPath = ({ id }: FeatureCollection): string => `${PATHS.ogcCollections}/${id}`;
const schemaPath = (collection: FeatureCollection): string => `${collectionPath(collection)}/schema`;
const itemsPath = (collection: FeatureCollection): string => `${collectionPath(collection)}/items`;

const collectionObject = (base: string, collection: FeatureCollection) => ({
  ...collection,
  extent: { spatial: { bbox: [[-180, -90, 180, 90]], crs: CRS }, temporal: { interval: [[null, null]] } },
  itemType: 'feature',
  crs: [CRS],
  links: [
    json('self', href(base, collectionPath(collection)), collection.title),
    // GDAL knows the relation in this spelling only.
    { rel: 'describedBy', type: SCHEMA_MEDIA_TYPE, href: href(base, schemaPath(collection)), title: 'The schema of the features' },
    { ...geoJson('items', href(base, itemsPath(collection))), title: collection.title },
  ],
});

/** Adds a document that takes no parameters. */
function addDocument(
  app: App,
  path: string,
  operationId: string,
  summary: string,
  documentOf: (base: string) => object,
  mediaType = JSON_MEDIA_TYPE,
): void {
  app.get(
    path,
    {
      config: {
        mediaType,
        operation: { operationId, tag: 'ogc', summary, description: 'As defined by OGC API Features 1.0 (core, GeoJSON).', example: {} },
      },
    },
    async ({ baseUrl }, reply) => sendText(reply, mediaType, JSON.stringify(documentOf(baseUrl))),
  );
}

/** Adds the items of a collection. */
function addItems(app: App, store: Store, collection: FeatureCollection): void {
  const path = itemsPath(collection);
  const name = `${collection.id[0]!.toUpperCase()}${collection.id.slice(1)}`;
  app.get(
    path,
    {
      schema: { querystring: ItemsQuery },
      config: {
        mediaType: GEOJSON_MEDIA_TYPE,
        operation: {
          operationId: `listOgc${name}`,
          tag: 'ogc',
          summary: `${collection.title}, as GeoJSON features, one page at a time.`,
          description: `${collection.description} Items are in the order of their ids; follow the link "next".`,
          example: { query: { bbox: '110,-45,155,-10', limit: '2' } },
        },
      },
    },
    async ({ query, baseUrl }, reply) => {
      const { bbox, datetime, after = 0 } = query;
      const limit = Math.min(query.limit ?? DEFAULT_LIMIT, MOST_ITEMS);
      const given = { ...(bbox !== undefined && { bbox }), ...(datetime !== undefined && { datetime }) };
      const { features, next } = await findItems(store, collection, given, { after, limit });
      const body = {
        type: 'FeatureCollection',
        features: features.map((feature) => ({
          ...feature,
          links: [geoJson('self', href(baseUrl, `${path}/:id`, { id: feature.id }))],
        })),
        links: [
          geoJson('self', href(baseUrl, path, { query })),
          ...(next === null ? [] : [geoJson('next', href(baseUrl, path, { query: { ...given, limit, after: next } }))]),
          json('collection', href(baseUrl, collectionPath(collection)), collection.title),
        ],
        numberReturned: features.length,
      };
      return sendText(reply, GEOJSON_MEDIA_TYPE, JSON.stringify(body));
    },
  );
  app.get(
    `${path}/:id`,
    {
      schema: { params: IdParameters },
      config: {
        mediaType: GEOJSON_MEDIA_TYPE,
        operation: {
          operationId: `getOgc${name}Item`,
          tag: 'ogc',
          summary: `One of the ${collection.id}, as a GeoJSON feature.`,
          description: 'By its id.',
          problems: ['not-found'],
          example: { parameters: { id: 1 } },
        },
      },
    },
    async ({ params: { id }, baseUrl }, reply) => {
      const feature = await findItem(store, collection, id);
      if (feature === undefined) throw new ProblemError('not-found', `There is no item with the id ${id} in ${collection.id}.`);
      const links = [
        geoJson('self', href(baseUrl, `${path}/:id`, { id })),
        json('collection', href(baseUrl, collectionPath(collection)), collection.title),
      ];
      return sendText(reply, GEOJSON_MEDIA_TYPE, JSON.stringify({ ...feature, links } satisfies Feature & { links: OgcLink[] }));
    },
  );
}

/** Adds the Sites and installations for GIS programs: OGC API Features 1.0, core with GeoJSON. */
export function addOgc(app: App, store: Store): void {
  addDocument(app, PATHS.ogc, 'getOgcLandingPage', 'The landing page for GIS programs.', (base) => ({
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
  addDocument(app, PATHS.ogcConformance, 'getOgcConformance', 'The conformance classes of OGC API Features.', () => ({
    conformsTo: ['core', 'geojson'].map((name) => `http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/${name}`),
  }));
  addDocument(app, PATHS.ogcCollections, 'listOgcCollections', 'The collections of features.', (base) => ({
    links: [json('self', href(base, PATHS.ogcCollections), 'The collections')],
    collections: FEATURE_COLLECTIONS.map((collection) => collectionObject(base, collection)),
  }));
  for (const collection of FEATURE_COLLECTIONS) {
    const name = `${collection.id[0]!.toUpperCase()}${collection.id.slice(1)}`;
    const summary = `The collection of ${collection.id}.`;
    addDocument(app, collectionPath(collection), `getOgc${name}`, summary, (base) => collectionObject(base, collection));
    const schema = schemaOf(collection);
    addDocument(
      app,
      schemaPath(collection),
      `getOgc${name}Schema`,
      `The JSON Schema of the features in ${collection.id}.`,
      () => schema,
      SCHEMA_MEDIA_TYPE,
    );
    addItems(app, store, collection);
  }
}
