import { type TSchema, Type } from '@sinclair/typebox';
import {
  type Collection,
  type DeviceCollection,
  DEFAULT_INSTALLATIONS_SIZE,
  type deviceWordsParameters,
  DEVICE_COLLECTIONS,
  EQUIPMENT,
  EQUIPMENT_KINDS,
  hasInstallations,
  type Link,
  MAXIMUM_PAGE_SIZE,
  pageAndSize,
  projectionParameter,
  type TemplatedLink,
} from '../../../schemas/index.js';
import { href, installationsPathOf, itemPathOf, searchPathOf, template } from '../../links.js';
import { ExtendedJson, JsonText, valueOf } from '../../serializers/json-text.js';
import type { Device } from '../../store/read/devices.js';
import type { Identity } from '../../derive/devices.js';
import type { Installation } from '../../store/read/installations.js';
import type { FoundBy } from '../../store/search.js';
import type { Store } from '../../store/store.js';
import { addCollection } from '../collection-routes.js';
import { itemLink, pageBody, pageOf, pagingOf } from '../hal.js';
import type { App } from '../operations.js';
import { IdParameters, only } from '../parameters.js';
import { ProblemError } from '../wire/problems.js';

const EXAMPLE_SORT = 'type,asc';

const InstallationsQuery = only({
  page: pageAndSize.page,
  size: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: `Installations per page. Default: ${DEFAULT_INSTALLATIONS_SIZE}. More than ${MAXIMUM_PAGE_SIZE} means ${MAXIMUM_PAGE_SIZE}.`,
    }),
  ),
});

/** An installation with a link to its Site. */
const installationResource = (base: string, installation: Installation) => ({
  ...installation,
  _links: { corsSite: itemLink(base, { name: 'corsSites' }, installation.siteId) },
});

/** The members of a device that follow its identity. */
type OtherMembers = {
  foundBy?: FoundBy;
  installations?: ReturnType<typeof installationResource>[];
  totalInstallations?: number;
  _links: { self: Link; [relation: string]: Link | TemplatedLink };
};

/** The parameters of the link template of a device. They are the same for every device of every kind, and not built for each. */
const DEVICE_PARAMETERS = projectionParameter(EQUIPMENT);

/** Adds links to a device. In the collection of all kinds they also lead to the collection of its kind. */
function deviceResource(
  base: string,
  collection: Collection<TSchema, 'installations'>,
  { id, equipmentType, identity, foundBy, installations, totalInstallations }: Device,
): (Identity & OtherMembers) | ExtendedJson<Identity, OtherMembers> {
  const self = itemLink(base, collection, id);
  const kind = { name: EQUIPMENT_KINDS[equipmentType].collection };
  const others: OtherMembers = {
    ...(foundBy !== undefined && { foundBy }),
    ...(installations !== undefined && {
      installations: installations.map((each) => installationResource(base, each)),
      totalInstallations: totalInstallations!,
    }),
    _links: {
      self,
      [collection.item]: { href: template(self.href, '', DEVICE_PARAMETERS), templated: true },
      ...(collection.equipmentType === null && {
        [EQUIPMENT_KINDS[equipmentType].item]: itemLink(base, kind, id),
        ...(hasInstallations(equipmentType) && { installations: { href: href(base, installationsPathOf(kind), { id }) } }),
      }),
    },
  };
  // In the collection of all kinds, the serializer reads the kind from the identity.
  if (identity instanceof JsonText && collection.equipmentType !== null) return new ExtendedJson(identity, others);
  return { ...valueOf(identity), ...others };
}

/** A device of one kind by its id; undefined if there is none. */
async function findOfKind(store: Store, { equipmentType }: DeviceCollection, id: number, projection: 'installations' | null) {
  const device = await store.devices.findById(id, projection);
  return device?.equipmentType === equipmentType ? device : undefined;
}

/** Adds the installations of the devices of a kind. */
function addInstallations(app: App, store: Store, collection: DeviceCollection, response: NonNullable<DeviceCollection['installations']>) {
  const { name, typeName, title, item } = collection;
  app.get(
    installationsPathOf(collection),
    {
      schema: { params: IdParameters, querystring: InstallationsQuery, response: { 200: response } },
      config: {
        operation: {
          operationId: `list${typeName}Installations`,
          tag: name,
          summary: `Where and when one of the ${title} has been in use, in chronological order.`,
          description:
            'If installations of the device overlap at two Sites, each names the other Site in conflictsWith, at most 10 of them; conflicts is their number.',
          problems: ['not-found'],
          example: { parameters: { id: 1 } },
        },
      },
    },
    async ({ params: { id }, query, baseUrl }) => {
      const chosen = { size: DEFAULT_INSTALLATIONS_SIZE, ...query };
      const found = await store.devices.findInstallations({ id, equipmentType: collection.equipmentType }, pagingOf(chosen));
      if (found === undefined) throw new ProblemError('not-found', `There is no ${item} with the id ${id}.`);
      const list = installationsPathOf(collection).replace(':id', String(id));
      const { links, page } = pageOf(baseUrl, list, chosen, found.totalElements, href(baseUrl, list, { query }));
      return {
        _embedded: { installations: found.elements.map((each) => installationResource(baseUrl, each)) },
        _links: { ...links, [item]: { href: href(baseUrl, itemPathOf(collection), { id }) } },
        page,
      };
    },
  );
}

/** Adds a collection for each kind of device, and the installations of each device. */
export function addDevices(app: App, store: Store): void {
  for (const collection of DEVICE_COLLECTIONS) {
    const ofKind = { property: 'equipmentType', values: [collection.equipmentType] };
    addCollection<Device, TSchema, 'installations', typeof deviceWordsParameters>(app, collection, {
      findPage: (search, { q = '' }) => store.devices.findPage({ ...search, text: q, filters: [ofKind, ...search.filters] }),
      findById: (id, projection) => findOfKind(store, collection, id, projection),
      toResource: (base, device) => deviceResource(base, collection, device),
      exampleSort: EXAMPLE_SORT,
      cachedBy: 'type',
    });
    if (collection.installations !== null) addInstallations(app, store, collection, collection.installations);
  }
}

/** Adds the devices of all kinds, and the search by serial number. */
export function addEquipment(app: App, store: Store): void {
  addCollection(app, EQUIPMENT, {
    findPage: (search, { q = '' }) => store.devices.findPage({ ...search, text: q }),
    findById: (id, projection) => store.devices.findById(id, projection),
    toResource: (base, device) => deviceResource(base, EQUIPMENT, device),
    exampleSort: EXAMPLE_SORT,
  });
  const path = searchPathOf(EQUIPMENT, 'findBySerialNumber');
  app.get(
    path,
    {
      schema: {
        querystring: only({
          serialNumber: Type.String({ minLength: 1, maxLength: 200, description: 'The serial number, exact and case-sensitive.' }),
          ...pageAndSize,
        }),
        response: { 200: EQUIPMENT.page },
      },
      config: {
        operation: {
          operationId: 'findEquipmentBySerialNumber',
          tag: EQUIPMENT.name,
          summary: 'The devices of any kind with a serial number, and where each has been in use.',
          description:
            'If installations of a device overlap at two Sites, each names the other Site in conflictsWith, at most 10 of them; conflicts is their number.',
          example: { query: { serialNumber: '1830439' } },
        },
      },
    },
    async ({ query, baseUrl }) => {
      const filters = [{ property: 'serialNumber', values: [query.serialNumber] }];
      const found = await store.devices.findPage({ filters, sort: [], ...pagingOf(query), projection: 'installations' });
      const elements = found.elements.map((device) => deviceResource(baseUrl, EQUIPMENT, device));
      return pageBody(baseUrl, EQUIPMENT, path, query, { ...found, elements });
    },
  );
}
