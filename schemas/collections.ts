import type { TArray, TObject, TProperties, TSchema } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import { CorsSite, CorsSiteResource, EquippedSite } from './cors-site.js';
import {
  EQUIPMENT_KINDS,
  EQUIPMENT_TYPES,
  Equipment,
  SETUP_EQUIPMENT_TYPES,
  type SetupEquipmentType,
} from './equipment.js';
import {
  asOfFilter,
  deviceFilters,
  recordedSinceFilter,
  siteFilter,
  siteFilters,
} from './filters.js';
import { type Page, PageLinks, pageOf } from './hal.js';
import { Setup, SetupResource } from './setup.js';
import { AnySiteLog, SiteLogSummary } from './site-log-resource.js';

/** A scalar property of the elements of a collection. */
export interface Property {
  /** Its name. Nested properties use a dot: `effectivePeriod.from`. */
  name: string;
  type: 'string' | 'integer' | 'number' | 'boolean';
  /** All values that it can have; absent if they are not a closed list. */
  values?: string[];
  description: string;
}

/** What `projection` does to an element. */
export const PROJECTIONS = {
  installations: 'adds where, when and in which configuration the device has been in use',
  provenance: 'adds the site log the Setup comes from and when the Setup was recorded',
  site: 'adds the present ids and name of the Site, and a link to it',
  gaps:
    'adds what was in use before and after, if the Setup is between a removal and an ' +
    'installation at most a day later',
  written: 'adds the whole log, each value as written and as read, with its line',
  datePrepared:
    'gives only the id of the Site, Date Prepared and when this service imported the log',
};

/** The names of the projections. */
export type ProjectionName = keyof typeof PROJECTIONS;

/** The names of the projections of a collection. */
export type ProjectionOf<C> = C extends { projections: readonly (infer P extends ProjectionName)[] }
  ? P
  : never;

/** What defines a collection. `E` is the schema of an element, `P` the names of its projections. */
interface CollectionDefinition<E extends TSchema, P extends ProjectionName, Q extends TProperties> {
  /** Its path segment, its key in `_embedded` and its link relation in `/`: `gnssReceivers`. */
  name: string;
  /** The link relation of one element: `gnssReceiver`. */
  item: string;
  /**
   * The published name of the element schema, `GnssReceiver`. The page schema is
   * `GnssReceiverCollection`.
   */
  typeName: string;
  /** What its elements are called, in the plural. */
  title: string;
  /**
   * Limits a collection of devices to one kind. Such a collection has no search index like
   * `/setups/search`.
   */
  equipmentType?: SetupEquipmentType;
  /** The properties by which its elements can be sorted. */
  properties: Property[];
  /** The names of those by which they can be filtered too: exactly. */
  filters: readonly string[];
  /** The names of those filters that are accepted for the sake of existing clients only. */
  unlistedFilters?: readonly string[];
  /** The names of those filters for which case does not count. */
  caselessFilters?: readonly string[];
  projections: readonly P[];
  /** The parameters of its pages besides these filters, paging and projection. */
  parameters: Q;
  /** The schema of an element as it is sent. */
  element: E;
}

/**
 * A collection: its routes, filters, sorting, profile and OpenAPI description are made from this.
 */
export interface Collection<
  E extends TSchema = TSchema,
  P extends ProjectionName = ProjectionName,
  Q extends TProperties = TProperties,
> extends CollectionDefinition<E, P, Q> {
  /** The schema of a page of elements. */
  page: TObject<{
    _embedded: TObject<Record<string, TArray<E>>>;
    _links: typeof PageLinks;
    page: typeof Page;
  }>;
}

/**
 * The scalar properties of an object schema, including those of nested objects, as `outer.inner`.
 */
function scalarsOf(schema: TObject, prefix = ''): Property[] {
  return Object.entries(schema.properties).flatMap(([key, member]): Property[] => {
    const name = prefix + key;
    if (member.type === 'object') return scalarsOf(member as TObject, `${name}.`);
    const variants = (member.anyOf as TSchema[] | undefined) ?? [member];
    const type: unknown = variants[0]!.type;
    if (type !== 'string' && type !== 'integer' && type !== 'number' && type !== 'boolean')
      return [];
    const values = variants.every((each) => each.const !== undefined) && {
      values: variants.map((each) => each.const as string),
    };
    return [{ name, type, ...values, description: member.description ?? '' }];
  });
}

function define<
  E extends TSchema,
  P extends ProjectionName = never,
  Q extends TProperties = TProperties,
>(collection: CollectionDefinition<E, P, Q>): Collection<E, P, Q> {
  return {
    ...collection,
    page: pageOf(collection.name, collection.title, collection.element, PageLinks),
  };
}

/** The Setups. */
export const SETUPS = define({
  name: 'setups',
  item: 'setup',
  typeName: 'Setup',
  title: 'Setups',
  properties: scalarsOf(Setup),
  filters: ['id', 'siteId', 'invalidated', 'current'],
  projections: ['provenance', 'site', 'gaps'],
  parameters: { ...siteFilter, ...recordedSinceFilter, ...asOfFilter },
  element: SetupResource,
});

/** The Sites. */
export const CORS_SITES = define({
  name: 'corsSites',
  item: 'corsSite',
  typeName: 'CorsSite',
  title: 'Sites',
  properties: scalarsOf(CorsSite),
  filters: [
    'id',
    'name',
    'fourCharacterId',
    'nineCharacterId',
    'domesNumber',
    'location.city',
    'location.state',
  ],
  unlistedFilters: ['name', 'location.city', 'location.state'],
  caselessFilters: ['domesNumber'],
  projections: [],
  parameters: { ...siteFilters, ...asOfFilter },
  element: CorsSiteResource,
});

/** The scalar properties that identify a site log. */
const LOG_PROPERTIES = scalarsOf(
  Type.Pick(SiteLogSummary, ['id', 'name', 'form', 'datePrepared', 'importedAt']),
);

/**
 * The current site logs of the Sites. They are sorted by their own properties, and by those of
 * their Sites that have other names.
 */
export const SITE_LOGS = define({
  name: 'siteLogs',
  item: 'siteLog',
  typeName: 'SiteLog',
  title: 'current site logs',
  properties: [
    ...LOG_PROPERTIES,
    ...CORS_SITES.properties.filter(({ name }) =>
      LOG_PROPERTIES.every((each) => each.name !== name),
    ),
  ],
  filters: [
    'id',
    'name',
    'form',
    'datePrepared',
    'fourCharacterId',
    'nineCharacterId',
    'domesNumber',
  ],
  unlistedFilters: ['name'],
  caselessFilters: ['domesNumber'],
  projections: ['written', 'datePrepared'],
  parameters: { ...siteFilters, ...asOfFilter },
  element: AnySiteLog,
});

/** The parameters of devices. */
type DeviceParameters = ReturnType<typeof deviceFilters>;

/** A page of Sites found by their equipment. */
export const EquippedSiteCollection = pageOf(
  CORS_SITES.name,
  CORS_SITES.title,
  EquippedSite,
  PageLinks,
);

/** The devices of one kind. */
interface DeviceCollection extends Collection<TSchema, 'installations', DeviceParameters> {
  equipmentType: SetupEquipmentType;
}

/** The number of a device, which appears only in its URL. */
const ID_IN_URL: Property = {
  name: 'id',
  type: 'integer',
  description: 'The number in the URL of the device.',
};

/** The kinds of which logs state the manufacturer; of others, a filter by it finds nothing. */
const NAMES_MANUFACTURER: SetupEquipmentType[] = ['humidity sensor'];

/** One collection of devices for each kind that Setups have. */
export const DEVICE_COLLECTIONS: readonly DeviceCollection[] = SETUP_EQUIPMENT_TYPES.map(
  (equipmentType) => {
    const { collection, item, typeName, title, id, device } = EQUIPMENT_KINDS[equipmentType];
    return {
      ...define<TSchema, 'installations', DeviceParameters>({
        name: collection,
        item,
        typeName,
        title: `${title}s`,
        properties: [...scalarsOf(id), ID_IN_URL],
        filters: ['manufacturer'],
        unlistedFilters: NAMES_MANUFACTURER.includes(equipmentType) ? [] : ['manufacturer'],
        projections: ['installations'],
        parameters: deviceFilters([equipmentType]),
        element: device,
      }),
      equipmentType,
    };
  },
);

/** What these properties mean for devices of any kind. */
const OF_ANY_KIND: Record<string, string> = {
  type: 'Type or model, as written in the site log.',
  manufacturer:
    'Manufacturer as given in the site log. The IGS form asks for it only in sections 8.1 to 8.4.',
  serialNumber: 'Serial Number; clocks and other instruments have none.',
};

/** The properties that devices of some kind have, each once. */
function propertiesOfAnyKind(): Property[] {
  const ofKinds = EQUIPMENT_TYPES.flatMap((type) => scalarsOf(EQUIPMENT_KINDS[type].id));
  const byName = new Map(ofKinds.map((each) => [each.name, each]));
  return [...byName.values()].map((each) => ({
    ...each,
    description: OF_ANY_KIND[each.name] ?? each.description,
  }));
}

/** The devices of all kinds. */
export const EQUIPMENT = define({
  name: 'equipment',
  item: 'equipment',
  typeName: 'Equipment',
  title: 'devices of any kind',
  properties: [...propertiesOfAnyKind(), ID_IN_URL],
  filters: ['manufacturer'],
  projections: ['installations'],
  parameters: deviceFilters(EQUIPMENT_TYPES),
  element: Equipment,
});

/** Every collection, in the order in which `/` lists them. */
export const COLLECTIONS: readonly Collection[] = [
  SETUPS,
  CORS_SITES,
  SITE_LOGS,
  ...DEVICE_COLLECTIONS,
  EQUIPMENT,
];
