import * as Type from '@sinclair/typebox';
import type { CorsSite, ExportedInstallation } from '../../../schemas/index.js';
import {
  FEATURE_FORMAT,
  ItemsQuery,
  type ItemsRequest,
  partOf,
  searchOf,
} from '../../exports/ogc.js';
import { IdParameters, oneOf, onlyParameters } from '../../exports/parameters.js';
import { type Column, INSTALLATION_COLUMNS, SITE_COLUMNS } from '../../formats/columns.js';
import {
  featureSchema,
  featureText,
  GEOJSON_MEDIA_TYPE,
  propertiesSchema,
} from '../../formats/geojson.js';
import { href, PATHS, type QueryValues } from '../../links.js';
import type { ExportSearch } from '../../store/read/exports/tables.js';
import type { Part } from '../../store/read/exports/elements.js';
import type { Extent } from '../../store/read/exports/exports.js';
import type { Found } from '../../store/page.js';
import type { Store } from '../../store/store.js';
import { ownTurn } from '../../turns.js';
import { pageSizeOf } from '../contract/paging.js';
import {
  type App,
  Content,
  JSON_MEDIA_TYPE,
  type Operation,
  SCHEMA_MEDIA_TYPE,
} from '../contract/operations.js';
import { ProblemError } from '../wire/problems.js';

const CRS = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84';

/** The collections of features. */
const COLLECTIONS = {
  sites: {
    title: 'GNSS stations',
    description: 'The Sites. datetime: those that had a Setup then.',
  },
  installations: {
    title: 'Equipment at GNSS stations',
    description:
      'Each device in use at a Site in one configuration. datetime: what was in use then.',
  },
};
type CollectionId = keyof typeof COLLECTIONS;
const IDS = Object.keys(COLLECTIONS) as CollectionId[];
/** The columns that the items of each collection have as properties. */
const COLUMNS = { sites: SITE_COLUMNS, installations: INSTALLATION_COLUMNS };

/** An item: its id, and its feature as JSON with some links. */
interface Item {
  id: number;
  textWith: (links: OgcLink[]) => string;
}

const itemOf = <T extends { id: number }>(columns: readonly Column<T>[], element: T): Item => ({
  id: element.id,
  textWith: (links) => featureText(columns, element, { links }),
});
const siteItem = (site: CorsSite): Item => itemOf(SITE_COLUMNS, site);
const installationItem = (installation: ExportedInstallation): Item =>
  itemOf(INSTALLATION_COLUMNS, installation);

/** Reads a part of the items, and how many there are in all. */
async function findItems(
  { exports }: Store,
  id: CollectionId,
  search: ExportSearch,
  part: Part,
): Promise<Found<Item>> {
  if (id === 'sites') {
    const { elements, totalElements } = await exports.findSites(search, part);
    return { elements: elements.map(siteItem), totalElements };
  }
  const { elements, totalElements } = await exports.findInstallations(search, part);
  return { elements: elements.map(installationItem), totalElements };
}

/** Reads an item by its id; undefined if there is none. */
async function findItem(
  { exports }: Store,
  collection: CollectionId,
  id: number,
): Promise<Item | undefined> {
  if (collection === 'sites') {
    const site = await exports.findSite(id);
    return site && siteItem(site);
  }
  const installation = await exports.findInstallation(id);
  return installation && installationItem(installation);
}

/**
 * The format of an answer. There is only one, but most clients of OGC API Features ask for it, and
 * the standard refuses parameters that are not defined.
 */
const FORMAT = { f: Type.Optional(oneOf(['json'], 'The format')) };
const FormatQuery = onlyParameters(FORMAT);
interface OgcLink {
  rel: string;
  type: string;
  href: string;
  title?: string;
}

const json = (rel: string, url: string, title: string): OgcLink => ({
  rel,
  type: 'application/json',
  href: url,
  title,
});
const geoJson = (rel: string, url: string): OgcLink => ({
  rel,
  type: 'application/geo+json',
  href: url,
});

/**
 * The extent of a collection. OGC API Features has no box of unknown corners, so it is left out.
 */
function extentObject({ west, south, east, north, from, to }: Extent) {
  return {
    ...(west !== null && { spatial: { bbox: [[west, south, east, north]], crs: CRS } }),
    temporal: { interval: [[from, to]] },
  };
}

async function collectionObject(store: Store, base: string, id: CollectionId) {
  const { title, description } = COLLECTIONS[id];
  const of = { collectionId: id };
  return {
    id,
    title,
    description,
    extent: extentObject(await store.exports.extent(id)),
    itemType: 'feature',
    crs: [CRS],
    links: [
      json('self', href(base, PATHS.ogcCollection, of), title),
      // GDAL knows the relation in this spelling only.
      {
        rel: 'describedBy',
        type: SCHEMA_MEDIA_TYPE,
        href: href(base, PATHS.ogcSchema, of),
        title: 'The schema of the features',
      },
      {
        rel: 'http://www.opengis.net/def/rel/ogc/1.0/schema',
        type: SCHEMA_MEDIA_TYPE,
        href: href(base, PATHS.ogcProperties, of),
        title: 'The schema of the properties',
      },
      { ...geoJson('items', href(base, PATHS.ogcItems, of)), title },
    ],
  };
}

const collectionLink = (base: string, id: CollectionId): OgcLink =>
  json('collection', href(base, PATHS.ogcCollection, { collectionId: id }), COLLECTIONS[id].title);

const itemLink = (base: string, collectionId: CollectionId, featureId: number): OgcLink =>
  geoJson('self', href(base, PATHS.ogcItem, { collectionId, featureId }));

const DESCRIPTION = 'As defined by OGC API Features 1.0 (core, GeoJSON).';
const path = { collectionId: oneOf(IDS, 'The collection') };
const CollectionParameters = onlyParameters(path);
const OF_SITES = { parameters: { collectionId: 'sites' } };

const jsonContent = (mediaType: string, document: object): Content =>
  new Content(mediaType, JSON.stringify(document));

/** Adds a document about all collections. */
function addDocument(
  app: App,
  path: string,
  about: Pick<Operation, 'operationId' | 'summary'>,
  documentOf: (base: string) => object | Promise<object>,
): void {
  app.get(path, {
    schema: { querystring: FormatQuery },
    config: { mediaType: JSON_MEDIA_TYPE, ...about, description: DESCRIPTION, example: {} },
    handler: async ({ baseUrl }) => jsonContent(JSON_MEDIA_TYPE, await documentOf(baseUrl)),
  });
}

/**
 * Redirects from the landing page with a slash, which is where the standard has it: QGIS asks for
 * it.
 */
function addSlash(app: App): void {
  app.get(`${PATHS.ogc}/`, {
    schema: { querystring: FormatQuery },
    config: { page: 'if-preferred' },
    handler: async ({ query }, reply) => reply.redirect(href('..', PATHS.ogc, { query }), 301),
  });
}

/** Adds the documents about the service and its collections. */
function addDocuments(app: App, store: Store): void {
  const landing = {
    operationId: 'getOgcLandingPage',
    summary: 'The landing page for GIS programs.',
  };
  addDocument(app, PATHS.ogc, landing, (base) => ({
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
  const conformance = {
    operationId: 'getOgcConformance',
    summary: 'The conformance classes of OGC API Features.',
  };
  addDocument(app, PATHS.ogcConformance, conformance, () => ({
    conformsTo: ['core', 'geojson'].map(
      (name) => `http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/${name}`,
    ),
  }));
  const collections = {
    operationId: 'listOgcCollections',
    summary: 'The collections of features.',
  };
  addDocument(app, PATHS.ogcCollections, collections, async (base) => ({
    links: [json('self', href(base, PATHS.ogcCollections), 'The collections')],
    collections: await Promise.all(IDS.map((id) => collectionObject(store, base, id))),
  }));
  app.get(PATHS.ogcCollection, {
    schema: { params: CollectionParameters, querystring: FormatQuery },
    config: {
      mediaType: JSON_MEDIA_TYPE,
      operationId: 'getOgcCollection',
      summary: 'One of the collections of features.',
      description: DESCRIPTION,
      example: OF_SITES,
    },
    handler: async ({ params: { collectionId }, baseUrl }) =>
      jsonContent(JSON_MEDIA_TYPE, await collectionObject(store, baseUrl, collectionId)),
  });
  app.get(PATHS.ogcSchema, {
    schema: { params: CollectionParameters, querystring: FormatQuery },
    config: {
      mediaType: SCHEMA_MEDIA_TYPE,
      operationId: 'getOgcSchema',
      summary: 'The JSON Schema of the features of a collection.',
      description: DESCRIPTION,
      example: OF_SITES,
    },
    handler: async ({ params: { collectionId: id } }) =>
      jsonContent(SCHEMA_MEDIA_TYPE, featureSchema<never>(COLUMNS[id], COLLECTIONS[id].title)),
  });
  app.get(PATHS.ogcProperties, {
    schema: { params: CollectionParameters, querystring: FormatQuery },
    config: {
      mediaType: SCHEMA_MEDIA_TYPE,
      operationId: 'getOgcProperties',
      summary: 'The JSON Schema of the properties of a collection, with the formats of dates.',
      description: 'As defined by OGC API Features, Part 5.',
      example: OF_SITES,
    },
    handler: async ({ params: { collectionId: id }, baseUrl }) => {
      const url = href(baseUrl, PATHS.ogcProperties, { collectionId: id });
      const schema = propertiesSchema<never>(COLUMNS[id], COLLECTIONS[id].title, url);
      return jsonContent(SCHEMA_MEDIA_TYPE, schema);
    },
  });
}

/** A page of items as JSON. The link "next" begins after the last of them. */
function itemsText(
  base: string,
  collectionId: CollectionId,
  query: ItemsRequest,
  limit: number,
  { elements, totalElements }: Found<Item>,
): string {
  const items = elements.slice(0, limit);
  const url = (values: QueryValues): string =>
    href(base, PATHS.ogcItems, { collectionId, query: values });
  const { bbox, datetime, f } = query;
  const links = [geoJson('self', url(query))];
  if (elements.length > limit)
    links.push(geoJson('next', url({ bbox, datetime, limit, after: items.at(-1)!.id, f })));
  links.push(collectionLink(base, collectionId));
  const features = items.map((item) => item.textWith([itemLink(base, collectionId, item.id)]));
  const about = { links, numberMatched: totalElements, numberReturned: items.length };
  return (
    `{"type":"FeatureCollection","features":[${features.join(',')}],` +
    JSON.stringify(about).slice(1)
  );
}

/** Adds the items of the collections. */
function addItems(app: App, store: Store): void {
  app.get(PATHS.ogcItems, {
    schema: { params: CollectionParameters, querystring: ItemsQuery },
    config: {
      mediaType: GEOJSON_MEDIA_TYPE,
      operationId: 'listOgcItems',
      summary: 'The items of a collection, as GeoJSON features, one page at a time.',
      description: 'Items are in the order of their ids; follow the link "next".',
      costly: true,
      example: { query: { bbox: '110,-45,155,-10', limit: '1' }, ...OF_SITES },
    },
    handler: async (request) => {
      const { params, query, baseUrl } = request;
      const { collectionId } = params;
      const limit = pageSizeOf(request, 'limit');
      const found = await findItems(store, collectionId, searchOf(query), partOf(query, limit));
      await ownTurn();
      const text = itemsText(baseUrl, collectionId, query, limit, found);
      return new Content(GEOJSON_MEDIA_TYPE, text);
    },
  });
  app.get(PATHS.ogcItem, {
    schema: {
      params: onlyParameters({ ...path, featureId: IdParameters.properties.id }),
      querystring: onlyParameters(FEATURE_FORMAT),
    },
    config: {
      mediaType: GEOJSON_MEDIA_TYPE,
      operationId: 'getOgcItem',
      summary: 'One of the items of a collection, as a GeoJSON feature.',
      description: DESCRIPTION,
      example: { parameters: { collectionId: 'sites', featureId: 1 } },
    },
    handler: async ({ params: { collectionId, featureId: id }, baseUrl }) => {
      const item = Number.isSafeInteger(id) ? await findItem(store, collectionId, id) : undefined;
      if (item === undefined)
        throw new ProblemError(
          'not-found',
          `There is no item with the id ${id} in ${collectionId}.`,
        );
      const links = [itemLink(baseUrl, collectionId, id), collectionLink(baseUrl, collectionId)];
      return new Content(GEOJSON_MEDIA_TYPE, item.textWith(links));
    },
  });
}

/** Adds the Sites and installations for GIS programs: OGC API Features 1.0, core with GeoJSON. */
export function addOgc(app: App, store: Store): void {
  addDocuments(app, store);
  addSlash(app);
  addItems(app, store);
}
