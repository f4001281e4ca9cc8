import { Type } from '@sinclair/typebox';
import {
  type Collection,
  COLLECTIONS,
  collectionQuery,
  type CorsSite,
  EQUIPMENT_KINDS,
  hasInstallations,
  projectionParameter,
  type Source,
} from '../../../schemas/index.js';
import { href, installationsPathOf, itemPathOf, PATHS, pathOf, template } from '../../links.js';
import type { Device } from '../../store/devices.js';
import type { Found } from '../../store/search.js';
import type { SetupRecord } from '../../store/setups.js';
import type { StoreReader } from '../../store/store.js';
import { type PagedQuery, pageBody, type Search, toSearch } from '../paging.js';
import { changeParameters } from '../time-parameters.js';
import { ProblemError } from '../problems.js';
import { prefersPage } from '../accept.js';
import { Elsewhere, IdParameters, type Resource } from '../resources.js';

/** What a source has elements of. */
interface Elements {
  setup: SetupRecord;
  site: CorsSite;
  equipment: Device;
}

/** How the elements of a source are found. */
const FINDERS: {
  [S in Source]: {
    page: (reader: StoreReader, search: Search) => Promise<Found<Elements[S]>>;
    byId: (reader: StoreReader, id: number, projection: Search['projection']) => Promise<Elements[S] | undefined>;
  };
} = {
  setup: {
    page: ({ setups }, search) => setups.findPage({ ...search, projection: search.projection && 'provenance' }),
    byId: ({ setups }, id, projection) => setups.findById(id, projection && 'provenance'),
  },
  site: { page: ({ sites }, search) => sites.findPage(search), byId: ({ sites }, id) => sites.findById(id) },
  equipment: {
    page: ({ devices }, search) => devices.findPage({ ...search, projection: search.projection && 'installations' }),
    byId: ({ devices }, id, projection) => devices.findById(id, projection && 'installations'),
  },
};

/** How an element of a source becomes a resource: HAL is a wrapper that is put on here. */
const WRAPPERS: { [S in Source]: (base: string, collection: Collection, element: Elements[S]) => object } = {
  setup: (base, collection, setup) =>
    withLinks(setup, { self: itemLink(base, collection, setup.id), setup: itemLink(base, collection, setup.id) }),
  site: (base, collection, site) =>
    withLinks(site, { self: itemLink(base, collection, site.id), corsSite: itemLink(base, collection, site.id) }),
  equipment: (base, collection, { id, identity, installations }: Device) => {
    const self = itemLink(base, collection, id);
    const kind = EQUIPMENT_KINDS[identity.equipmentType];
    return {
      ...identity,
      ...(installations !== undefined && {
        installations: installations.map((each) => withLinks(each, { corsSite: itemLink(base, { name: 'corsSites' }, each.siteId) })),
      }),
      _links: {
        self,
        [collection.item]: { href: template(self.href, '', projectionParameter(collection)), templated: true },
        ...(collection.equipmentType === null && {
          [kind.item]: itemLink(base, { name: kind.collection }, id),
          ...(hasInstallations(identity.equipmentType) && {
            installations: { href: href(base, installationsPathOf({ name: kind.collection }), { id }) },
          }),
        }),
      },
    };
  },
};

const itemLink = (base: string, collection: Pick<Collection, 'name'>, id: number) => ({ href: href(base, itemPathOf(collection), { id }) });
const withLinks = <T extends object>(element: T, _links: object) => ({ ...element, _links });

/** An element of a collection as it is sent. */
export function toResource<S extends Source>(base: string, collection: Collection & { source: S }, element: Elements[S]): object {
  return WRAPPERS[collection.source](base, collection, element);
}

/** The pages of a collection, and its elements. */
function resourcesOf(collection: Collection): Resource[] {
  const { name, typeName, title, source, equipmentType, item } = collection;
  const sorted = name === 'setups' ? 'effectivePeriod.from,desc' : name === 'corsSites' ? 'fourCharacterId' : 'type,asc';
  return [
    {
      path: pathOf(collection),
      operationId: `list${typeName}`,
      tag: name,
      summary: `The ${title}, a page at a time.`,
      query: collectionQuery(collection),
      response: `${typeName}Collection`,
      example: { query: { size: '2', sort: sorted } },
      read: async ({ reader, base, query }) => {
        const search = toSearch(collection, query as PagedQuery);
        const found = await FINDERS[source].page(reader, search);
        const elements = found.elements.map((element) => toResource(base, collection, element));
        return pageBody(base, collection, pathOf(collection), query as PagedQuery, search, { ...found, elements });
      },
    },
    {
      path: itemPathOf(collection),
      operationId: `get${typeName}`,
      tag: name,
      summary: `One of the ${title}, by its id.`,
      parameters: IdParameters,
      query: Type.Object(projectionParameter(collection), { additionalProperties: false }),
      response: typeName,
      problems: ['not-found'],
      example: { parameters: { id: 1 } },
      read: async ({ reader, base, query, parameters: { id } }) => {
        const element = await FINDERS[source].byId(reader, id, (query.projection as Search['projection']) ?? null);
        const other =
          element !== undefined && 'identity' in element && equipmentType !== null && element.identity.equipmentType !== equipmentType;
        if (element === undefined || other) throw new ProblemError('not-found', `There is no ${item} with the id ${id}.`);
        return toResource(base, collection, element);
      },
    },
  ];
}

/** Everything under the paths of the collections but for their searches and profiles. */
export const collectionResources: Resource[] = COLLECTIONS.flatMap(resourcesOf);

const rootLinks = (base: string): object => ({
  self: { href: href(base, PATHS.root) },
  ...Object.fromEntries(
    COLLECTIONS.map((collection) => {
      const { properties } = collectionQuery(collection);
      return [collection.name, { href: template(base, pathOf(collection), properties), templated: true }];
    }),
  ),
  changes: { href: template(base, PATHS.changes, changeParameters), templated: true },
  profile: { href: href(base, PATHS.profiles) },
  openapi: { href: href(base, PATHS.openApi) },
  schema: { href: `${href(base, PATHS.schemas)}/{name}.json`, templated: true },
  health: { href: href(base, PATHS.health) },
  ready: { href: href(base, PATHS.ready) },
});

/** `/`: a link to every collection, to the profiles, to the description, to the state of the service. */
export const ROOT: Resource = {
  path: PATHS.root,
  operationId: 'getRoot',
  tag: 'service',
  summary: 'Links to everything there is.',
  response: 'LinkIndex',
  example: {},
  // The answer depends on what is asked for.
  cacheable: false,
  read: async ({ base, request }) => {
    if (prefersPage(request.headers.accept)) return new Elsewhere(href('.', PATHS.sites));
    return { _links: rootLinks(base) };
  },
};
