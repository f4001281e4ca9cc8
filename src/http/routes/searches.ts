import { type TObject, Type } from '@sinclair/typebox';
import {
  type Collection,
  CORS_SITES,
  pagingParameters,
  projectionParameter,
  SETUPS,
  SetupTypeParameter,
  SiteIdParameter,
} from '../../../schemas/index.js';
import { href, searchPathOf, template } from '../../links.js';
import type { Search, SiteReference } from '../../store/store.js';
import { type PagedQuery, pageBody, toSearch } from '../paging.js';
import { ProblemError } from '../problems.js';
import type { Resource } from '../resources.js';
import { toResource } from './collections.js';

const query = (properties: TObject['properties']): TObject => Type.Object(properties, { additionalProperties: false });
const projectionOf = (given: Record<string, unknown>): Search['projection'] => (given.projection as Search['projection']) ?? null;

/** A Site as a query names it. */
const siteReference = (id: string): SiteReference => ({
  fourCharacterId: id.slice(0, 4).toUpperCase(),
  nineCharacterId: id.length === 9 ? id.toUpperCase() : null,
});

const unknownSite = (id: string): ProblemError => new ProblemError('unknown-site', `There is no Site with the id ${id.toUpperCase()}.`);

const findCurrentByFourCharacterId: Resource = {
  path: searchPathOf(SETUPS, 'findCurrentByFourCharacterId'),
  operationId: 'findCurrentSetupByFourCharacterId',
  tag: SETUPS.name,
  summary: 'The current Setup of a Site.',
  description: 'The Setup that is in effect and has no end, even when all that was in it has been removed.',
  query: query({ id: SiteIdParameter, type: SetupTypeParameter, ...projectionParameter(SETUPS) }),
  response: SETUPS.typeName,
  problems: ['unknown-site', 'no-current-setup'],
  example: { query: { id: 'ALIC' } },
  read: async ({ reader, base, query: given }) => {
    const id = given.id as string;
    const setup = await reader.findCurrentSetup(siteReference(id), projectionOf(given));
    if (setup === undefined) throw unknownSite(id);
    if (setup === null) {
      throw new ProblemError('no-current-setup', `The Site ${id.toUpperCase()} is known, and its site log gives no Setup.`);
    }
    return toResource(base, SETUPS, setup);
  },
};

const findBySiteId: Resource = {
  path: searchPathOf(SETUPS, 'findBySiteId'),
  operationId: 'findSetupsBySiteId',
  tag: SETUPS.name,
  summary: 'The Setups of a Site, in order of time.',
  description: 'Those that hold; /setups?siteId= has the invalidated ones too.',
  query: query({
    siteId: Type.Integer({ minimum: 1, description: 'The id of the Site.' }),
    ...pagingParameters(SETUPS),
    ...projectionParameter(SETUPS),
  }),
  response: `${SETUPS.typeName}Collection`,
  example: { query: { siteId: '1', size: '2' } },
  read: async ({ reader, base, query: given }) => {
    const { siteId, ...paging } = given as PagedQuery & { siteId: number };
    const filters = [
      { property: 'siteId', values: [siteId] },
      { property: 'invalidated', values: [false] },
    ];
    const search = toSearch(SETUPS, { sort: ['effectivePeriod.from'], ...paging }, filters);
    const found = await reader.find('setup', search);
    const elements = found.elements.map((setup) => toResource(base, SETUPS, setup));
    return pageBody(base, SETUPS, findBySiteId.path, given as PagedQuery, search, { ...found, elements });
  },
};

const findByFourCharacterId: Resource = {
  path: searchPathOf(CORS_SITES, 'findByFourCharacterId'),
  operationId: 'findCorsSiteByFourCharacterId',
  tag: CORS_SITES.name,
  summary: 'A Site by its four-character id.',
  query: query({ id: SiteIdParameter }),
  response: CORS_SITES.typeName,
  problems: ['unknown-site'],
  example: { query: { id: 'ALIC' } },
  read: async ({ reader, base, query: given }) => {
    const id = given.id as string;
    const site = await reader.findSite(siteReference(id));
    if (site === undefined) throw unknownSite(id);
    return toResource(base, CORS_SITES, site);
  },
};

/** The searches of each collection that has any. */
const SEARCHES: [Collection, Resource[]][] = [
  [SETUPS, [findCurrentByFourCharacterId, findBySiteId]],
  [CORS_SITES, [findByFourCharacterId]],
];

/** The list of the searches of a collection, each a template. */
function searchIndex(collection: Collection, searches: Resource[]): Resource {
  const path = searchPathOf(collection);
  return {
    path,
    operationId: `list${collection.typeName}Searches`,
    tag: collection.name,
    summary: `The searches over the ${collection.title}.`,
    response: 'LinkIndex',
    example: {},
    read: async ({ base }) => ({
      _links: {
        self: { href: href(base, path) },
        ...Object.fromEntries(
          searches.map((search) => [
            search.path.slice(path.length + 1),
            { href: template(base, search.path, Object.keys(search.query!.properties)), templated: true },
          ]),
        ),
      },
    }),
  };
}

/** The searches, and the list of them for each collection that has any. */
export const searchResources: Resource[] = SEARCHES.flatMap(([collection, searches]) => [searchIndex(collection, searches), ...searches]);
