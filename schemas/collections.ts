import { type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { CorsSite, CorsSiteResource } from './cors-site.js';
import { EQUIPMENT_KINDS, EQUIPMENT_TYPES, Equipment, type EquipmentType } from './equipment.js';
import { Page, PageLinks } from './hal.js';
import { DEFAULT_PAGE_SIZE, MAXIMUM_PAGE_SIZE } from './paging.js';
import { Setup, SetupResource } from './setup.js';

/** What the elements of a collection are: Setups, Sites or devices. */
export type Source = 'setup' | 'site' | 'equipment';

/** A scalar property by which the elements of a collection can be filtered and sorted. */
export interface Property {
  /** Its name. Nested properties use a dot: `effectivePeriod.from`. */
  name: string;
  type: 'string' | 'integer' | 'number' | 'boolean';
  description: string;
}

/** Extra content of an element, requested with `projection`. */
export interface Projection {
  name: 'installations' | 'provenance';
  description: string;
}

/** A collection. Its routes, filters, sort order, profile and OpenAPI description are all generated from this. */
export interface Collection {
  /** Its path segment, its key in `_embedded` and its link relation in `/`: `gnssReceivers`. */
  name: string;
  /** The link relation of one element: `gnssReceiver`. */
  item: string;
  /** The published name of the element schema, `GnssReceiver`. The page schema is `GnssReceiverCollection`. */
  typeName: string;
  /** What its elements are called, in the plural. */
  title: string;
  source: Source;
  /** Limits a collection of devices to one kind; null for no limit. */
  equipmentType: EquipmentType | null;
  properties: Property[];
  projections: Projection[];
  /** Whether it has a search index, `/setups/search`. */
  searched: boolean;
  /** The schema of an element as it is sent. */
  element: TSchema;
  /** The schema of a page of elements. */
  page: TObject;
}

/** The scalar properties of an object schema, including those of nested objects, as `outer.inner`. */
function scalarsOf(schema: TObject, prefix = ''): Property[] {
  return Object.entries(schema.properties as TProperties).flatMap(([key, member]): Property[] => {
    const name = prefix + key;
    if (member.type === 'object') return scalarsOf(member as TObject, `${name}.`);
    const type: unknown = member.anyOf === undefined ? member.type : (member.anyOf as TSchema[])[0]!.type;
    if (type !== 'string' && type !== 'integer' && type !== 'number' && type !== 'boolean') return [];
    return [{ name, type, description: member.description ?? '' }];
  });
}

/** The schema of one page of elements. */
export const pageSchema = (name: string, title: string, element: TSchema): TObject =>
  Type.Object(
    {
      _embedded: Type.Object(
        { [name]: Type.Array(element, { description: `The ${title} on this page.` }) },
        { additionalProperties: false, description: 'The elements of the page.' },
      ),
      _links: PageLinks,
      page: Page,
    },
    { additionalProperties: false, description: `One page of ${title}.` },
  );

const INSTALLATIONS: Projection = {
  name: 'installations',
  description: 'adds where, when and in which configuration the device has been in use',
};
const PROVENANCE: Projection = {
  name: 'provenance',
  description: 'adds the site log the Setup comes from and when the Setup was recorded',
};

function define<S extends Source>(collection: Omit<Collection, 'page'> & { source: S }): Collection & { source: S } {
  return { ...collection, page: pageSchema(collection.name, collection.title, collection.element) };
}

/** The Setups. */
export const SETUPS = define({
  name: 'setups',
  item: 'setup',
  typeName: 'Setup',
  title: 'Setups',
  source: 'setup',
  equipmentType: null,
  properties: scalarsOf(Setup),
  projections: [PROVENANCE],
  searched: true,
  element: SetupResource,
});

/** The Sites. */
export const CORS_SITES = define({
  name: 'corsSites',
  item: 'corsSite',
  typeName: 'CorsSite',
  title: 'Sites',
  source: 'site',
  equipmentType: null,
  properties: scalarsOf(CorsSite),
  projections: [],
  searched: true,
  element: CorsSiteResource,
});

/** One collection of devices for each kind. */
const KINDS = EQUIPMENT_TYPES.map((equipmentType) => {
  const { collection, item, typeName, title, id, device } = EQUIPMENT_KINDS[equipmentType];
  return define({
    name: collection,
    item,
    typeName,
    title: `${title}s`,
    source: 'equipment',
    equipmentType,
    properties: scalarsOf(id),
    projections: [INSTALLATIONS],
    searched: false,
    element: device,
  });
});

/** The devices of all kinds. */
export const EQUIPMENT = define({
  name: 'equipment',
  item: 'equipment',
  typeName: 'Equipment',
  title: 'devices of any kind',
  source: 'equipment',
  equipmentType: null,
  properties: [
    ...new Map(EQUIPMENT_TYPES.flatMap((type) => scalarsOf(EQUIPMENT_KINDS[type].id)).map((each) => [each.name, each])).values(),
  ],
  projections: [INSTALLATIONS],
  searched: true,
  element: Equipment,
});

/** Every collection, in the order in which `/` lists them. */
export const COLLECTIONS: readonly Collection[] = [SETUPS, CORS_SITES, ...KINDS, EQUIPMENT];

/** The parameters for the page and its size. */
export const pageAndSize: TProperties = {
  page: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'Page number, starting at 0. Default: 0.' })),
  size: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: `Elements per page. Default: ${DEFAULT_PAGE_SIZE}. Values above ${MAXIMUM_PAGE_SIZE} are treated as ${MAXIMUM_PAGE_SIZE}.`,
    }),
  ),
};

/** The parameters for the page, its size and the sort order. */
export function pagingParameters({ properties }: Collection): TProperties {
  const names = properties.map(({ name }) => name);
  return {
    ...pageAndSize,
    sort: Type.Optional(
      Type.Array(Type.String({ pattern: `^(${names.map((name) => name.replace('.', '\\.')).join('|')})(,(asc|desc))?$` }), {
        maxItems: 10,
        description: `Sort order: property, property,asc or property,desc. Repeat it to add secondary keys. Unknown values come last. Properties: ${names.join(', ')}.`,
      }),
    ),
  };
}

/** The `projection` parameter, if the collection has projections. */
export function projectionParameter({ projections }: Collection): TProperties {
  if (projections.length === 0) return {};
  const choices = projections.map(({ name, description }) => `${name} (${description})`).join(', ');
  return {
    projection: Type.Optional(
      Type.Union(
        projections.map(({ name }) => Type.Literal(name)),
        { description: `One of: ${choices}.` },
      ),
    ),
  };
}

const VALUES: Record<Property['type'], () => TSchema> = {
  string: () => Type.String({ minLength: 1, maxLength: 500 }),
  integer: () => Type.Integer({ minimum: 0 }),
  number: () => Type.Number(),
  boolean: () => Type.Boolean(),
};

/** The query parameters of a collection: a filter for each scalar property, paging, sorting and projection. */
export function collectionQuery(collection: Collection): TObject {
  const filters = collection.properties.map(({ name, type, description }) => [
    name,
    Type.Optional(Type.Array(VALUES[type](), { maxItems: 50, description: `${description} Exact match. Repeated values are ORed.` })),
  ]);
  return Type.Object(
    { ...pagingParameters(collection), ...projectionParameter(collection), ...Object.fromEntries(filters) },
    { additionalProperties: false },
  );
}
