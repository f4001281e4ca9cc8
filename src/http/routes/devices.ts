import { type TSchema, Type } from '@sinclair/typebox';
import {
  type Collection,
  CORS_SITES,
  type deviceFilters,
  DEVICE_COLLECTIONS,
  EQUIPMENT,
  EQUIPMENT_KINDS,
  type EquipmentType,
  isInstrument,
  type Link,
  pageAndSize,
  projectionParameter,
  type SetupEquipmentType,
} from '../../../schemas/index.js';
import { deviceFilterOf } from '../../exports/filters.js';
import { onlyParameters } from '../../exports/parameters.js';
import { searchPathOf, template } from '../../links.js';
import { isPlainType } from '../../requests/type-pattern.js';
import type { Device } from '../../store/read/devices/devices.js';
import type { Store } from '../../store/store.js';
import { addCollection } from '../contract/collection-routes.js';
import { itemLink, pageBody } from '../contract/hal.js';
import type { App } from '../contract/operations.js';
import { pagingOf } from '../contract/paging.js';

const EXAMPLE_SORT = 'type,asc';
/** Devices of the sample network. */
const EXAMPLE_IDS: Record<SetupEquipmentType, number> = {
  'gnss receiver': 9,
  'gnss antenna': 5,
  'humidity sensor': 3,
  clock: 1,
};

/**
 * What follows the URL of a device in its link template. It is the same for every device of every
 * kind, and not built for each.
 */
const DEVICE_PARAMETERS = template('', '', projectionParameter(EQUIPMENT));

/** The link to a device in the collection of its kind; none if its kind has no collection. */
function linkOfKind(base: string, equipmentType: EquipmentType, id: number): Record<string, Link> {
  if (isInstrument(equipmentType)) return {};
  const { collection, item } = EQUIPMENT_KINDS[equipmentType];
  return { [item]: itemLink(base, { name: collection }, id) };
}

/**
 * Adds links to a device. In the collection of all kinds, one leads to it in the collection of its
 * kind.
 */
function deviceResource(
  base: string,
  collection: Collection<TSchema, 'installations'>,
  { id, equipmentType, identity, foundBy, installations, totalInstallations }: Device,
) {
  const self = itemLink(base, collection, id);
  return {
    ...identity,
    ...(foundBy !== undefined && { foundBy }),
    ...(installations !== undefined && {
      installations: installations.map((each) => ({
        ...each,
        _links: { corsSite: itemLink(base, CORS_SITES, each.siteId) },
      })),
      totalInstallations: totalInstallations!,
    }),
    _links: {
      self,
      [collection.item]: { href: self.href + DEVICE_PARAMETERS, templated: true },
      ...(collection.equipmentType === undefined && linkOfKind(base, equipmentType, id)),
    },
  };
}

/**
 * Only lookups by one type in its usual spelling, without other parameters, are cached: there are
 * no more of these than types.
 */
function keyOfType(query: Readonly<Record<string, unknown>>): string | null {
  const { type } = query;
  return Object.keys(query).length === 1 && typeof type === 'string' && isPlainType(type)
    ? type
    : null;
}

/** Adds a collection for each kind of device that Setups have. */
export function addDevices(app: App, store: Store): void {
  for (const collection of DEVICE_COLLECTIONS) {
    const ofKind = { equipmentTypes: [collection.equipmentType] };
    addCollection<Device, TSchema, 'installations', ReturnType<typeof deviceFilters>>(
      app,
      collection,
      {
        findPage: (search, query) =>
          store.devices.findPage({ ...search, ...deviceFilterOf(query), ...ofKind }),
        findById: async (id, projection) => {
          const device = await store.devices.findById(id, projection);
          return device?.equipmentType === collection.equipmentType ? device : undefined;
        },
        toResource: (base, device) => deviceResource(base, collection, device),
        exampleSort: EXAMPLE_SORT,
        exampleId: EXAMPLE_IDS[collection.equipmentType],
        cacheKey: keyOfType,
      },
    );
  }
}

/** Adds the devices of all kinds, and the search by serial number. */
export function addEquipment(app: App, store: Store): void {
  addCollection(app, EQUIPMENT, {
    findPage: (search, query) => store.devices.findPage({ ...search, ...deviceFilterOf(query) }),
    findById: (id, projection) => store.devices.findById(id, projection),
    toResource: (base, device) => deviceResource(base, EQUIPMENT, device),
    exampleSort: EXAMPLE_SORT,
  });
  const path = searchPathOf(EQUIPMENT, 'findBySerialNumber');
  app.get(path, {
    schema: {
      querystring: onlyParameters({
        serialNumber: Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'The serial number. Case, blanks and hyphens do not count.',
        }),
        ...pageAndSize,
      }),
      response: { 200: EQUIPMENT.page },
    },
    config: {
      operationId: 'findEquipmentBySerialNumber',
      summary: 'The devices of any kind with a serial number, and where each has been in use.',
      description:
        'If installations of a device overlap at two Sites, each names the other Site in conflictsWith, at most 10 of them; ' +
        'conflicts is their number.',
      example: { query: { serialNumber: '1831786' } },
    },
    handler: async (request) => {
      const { query, baseUrl } = request;
      const paging = pagingOf(request);
      const search = {
        filters: [],
        serialNumbers: [query.serialNumber],
        sort: [],
        ...paging,
      };
      const found = await store.devices.findPage({ ...search, projection: 'installations' });
      const elements = found.elements.map((device) => deviceResource(baseUrl, EQUIPMENT, device));
      return pageBody(baseUrl, EQUIPMENT, path, query, { paging, found, elements });
    },
  });
}
