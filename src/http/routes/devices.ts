import type { TSchema } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import {
  type Collection,
  CORS_SITES,
  type deviceFilters,
  DEVICE_COLLECTIONS,
  EQUIPMENT,
  EQUIPMENT_KINDS,
  type EquipmentType,
  isInstrument,
  pageAndSize,
  projectionParameter,
  type SetupEquipmentType,
} from '../../../schemas/index.js';
import { deviceFilterOf } from '../../exports/filters.js';
import { onlyParameters } from '../../exports/parameters.js';
import { itemHref, searchPathOf, template } from '../../links.js';
import { isPlainType } from '../../requests/type-pattern.js';
import { JsonText, type Sendable } from '../../serializers/json-text.js';
import { after } from '../../store/database.js';
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

/** The link to a device in the collection of its kind, as JSON; none without a collection. */
function linkOfKind(base: string, equipmentType: EquipmentType, id: number): string {
  if (isInstrument(equipmentType)) return '';
  const { collection, item } = EQUIPMENT_KINDS[equipmentType];
  return `,"${item}":${JSON.stringify(itemLink(base, { name: collection }, id))}`;
}

/**
 * Writes the links of the devices of a collection. A page has many, so what all have in common is
 * written once. In the collection of all kinds, one leads to the device in that of its kind.
 */
function linksWriter(
  base: string,
  collection: Collection<TSchema, 'installations'>,
): (device: Pick<Device, 'id' | 'equipmentType'>) => string {
  const start = JSON.stringify(itemHref(base, collection, '')).slice(0, -1);
  const end = `${DEVICE_PARAMETERS}","templated":true}`;
  const ofAllKinds = collection.equipmentType === undefined;
  return ({ id, equipmentType }) => {
    const ofKind = ofAllKinds ? linkOfKind(base, equipmentType, id) : '';
    const url = start + id;
    return `{"self":{"href":${url}"},"${collection.item}":{"href":${url}${end}${ofKind}}`;
  };
}

/** Adds links to the devices of a collection. */
function deviceResources(base: string, collection: Collection<TSchema, 'installations'>) {
  const writeLinks = linksWriter(base, collection);
  return (device: Device): Sendable<Record<string, unknown>> => {
    const { identity, foundBy, installations, totalInstallations } = device;
    const links = writeLinks(device);
    if (foundBy === undefined && installations === undefined)
      return new JsonText(`${identity.text.slice(0, -1)},"_links":${links}}`);
    return {
      ...identity.value,
      ...(foundBy !== undefined && { foundBy }),
      ...(installations !== undefined && {
        installations: installations.map((each) => ({
          ...each,
          _links: { corsSite: itemLink(base, CORS_SITES, each.siteId) },
        })),
        totalInstallations: totalInstallations!,
      }),
      _links: new JsonText(links),
    };
  };
}

/**
 * Only lookups by one type in its usual spelling, without other parameters, are cached: there are
 * no more of these than types.
 */
function keyOfType(query: Readonly<Record<string, unknown>>): string | null {
  // A validated query has a list.
  const [type, ...others] = [query.type].flat();
  return Object.keys(query).length === 1 &&
    others.length === 0 &&
    typeof type === 'string' &&
    isPlainType(type)
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
        findById: (id, projection) =>
          after(store.devices.findById(id, projection), (device) =>
            device?.equipmentType === collection.equipmentType ? device : undefined,
          ),
        toResources: (base) => deviceResources(base, collection),
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
    toResources: (base) => deviceResources(base, EQUIPMENT),
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
        'If installations of a device overlap at two Sites, each names the other Site in ' +
        'conflictsWith, at most 10 of them; conflicts is their number.',
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
      const elements = found.elements.map(deviceResources(baseUrl, EQUIPMENT));
      return pageBody(baseUrl, EQUIPMENT, path, query, { paging, found, elements });
    },
  });
}
