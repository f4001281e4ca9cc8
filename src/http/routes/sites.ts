import * as Type from '@sinclair/typebox';
import {
  asOfFilter,
  CORS_SITES,
  type CorsSiteResource,
  EQUIPMENT_TYPES,
  equipmentTypeFilter,
  EquippedSite,
  EquippedSiteCollection,
  pageAndSizeUpTo,
  placeFilters,
  radomeTypeFilter,
  satelliteSystemFilter,
  SETUPS,
  SITE_LOGS,
  SiteIdParameter,
  typeFilter,
} from '../../../schemas/index.js';
import { asOfTime, storeFor } from '../../exports/as-of.js';
import { duringOf, siteFilterOf, siteSearchOf, systemsOf } from '../../exports/filters.js';
import { AtParameter, onlyParameters, periodParameters } from '../../exports/parameters.js';
import { href, LOGS_OF_SITE_PATH, PATHS, searchPathOf } from '../../links.js';
import { type LinkedId, parseSiteId } from '../../requests/site-id.js';
import type { FoundSite } from '../../store/read/sites/page.js';
import { after, type Soon } from '../../store/database.js';
import type { Store } from '../../store/store.js';
import { addCollection } from '../contract/collection-routes.js';
import { itemLink, pageBody, writeInTurns } from '../contract/hal.js';
import { ofKnownSite } from '../contract/known-site.js';
import type { App } from '../contract/operations.js';
import { pagingOf } from '../contract/paging.js';
import { siteProblem } from '../wire/problems.js';

/**
 * The largest page of Sites with their equipment: larger ones would keep other requests waiting.
 */
const MOST_EQUIPPED = 100;

const EquipmentQuery = onlyParameters({
  ...typeFilter,
  ...equipmentTypeFilter(EQUIPMENT_TYPES),
  ...radomeTypeFilter,
  ...satelliteSystemFilter,
  at: Type.Optional(AtParameter),
  ...periodParameters,
  ...placeFilters,
  ...asOfFilter,
  ...pageAndSizeUpTo(MOST_EQUIPPED),
});

const IdQuery = onlyParameters({ id: SiteIdParameter, ...asOfFilter });

/** Adds links to a Site. @param linkedId how links name it */
function siteResource<S extends FoundSite>(
  base: string,
  site: S,
  linkedId: LinkedId,
): S & Pick<CorsSiteResource, '_links'> {
  const self = itemLink(base, CORS_SITES, site.id);
  const id = linkedId({ ...site, siteId: site.id });
  return {
    ...site,
    _links: {
      self,
      corsSite: self,
      setups: {
        href: href(base, searchPathOf(SETUPS, 'findBySiteId'), { query: { siteId: site.id } }),
      },
      currentSetup: {
        href: href(base, searchPathOf(SETUPS, 'findCurrentByFourCharacterId'), { query: { id } }),
      },
      changes: { href: href(base, PATHS.changes, { query: { site: id } }) },
      siteLog: {
        href: href(base, searchPathOf(SITE_LOGS, 'findByFourCharacterId'), { query: { id } }),
      },
      siteLogs: { href: href(base, LOGS_OF_SITE_PATH, { id: site.id }) },
      skeletonFile: { href: href(base, PATHS.skeletonFile, { file: `${id}.SKL` }) },
    },
  };
}

/** Returns what adds links to each of some Sites: to what is on record now. */
const siteResources = <S extends FoundSite>(
  { sites }: Store,
  base: string,
  found: readonly S[],
): Soon<(site: S) => S & Pick<CorsSiteResource, '_links'>> =>
  after(
    sites.linkedIds(found.map((site) => ({ ...site, siteId: site.id }))),
    (linkedId) => (site: S) => siteResource(base, site, linkedId),
  );

/** Adds the Sites: the collection, and the searches over them. @param clock the current time */
export function addSites(app: App, store: Store, clock: () => Date): void {
  addCollection(app, CORS_SITES, {
    findPage: async (search, query) => {
      const asked = await storeFor(store, query, clock());
      return asked.sites.findLoggedPage(await siteSearchOf(asked, search, query));
    },
    findById: async (id) => {
      const site = await store.sites.findById(id);
      if (site !== undefined && 'kind' in site) throw siteProblem(site, `Site ${id}`, String);
      return site;
    },
    problems: ['retired-site'],
    listProblems: ['not-recorded'],
    toResources: (base, elements) => siteResources(store, base, elements),
    exampleSort: 'fourCharacterId',
  });
  const idPath = searchPathOf(CORS_SITES, 'findByFourCharacterId');
  app.get(idPath, {
    schema: { querystring: IdQuery, response: { 200: CORS_SITES.element } },
    config: {
      operationId: 'findCorsSiteByFourCharacterId',
      summary: 'A Site by its four-character or nine-character id.',
      description: 'With asOf: the Site that had it then.',
      problems: ['not-recorded'],
      example: { query: { id: 'ALIC' } },
    },
    handler: ({ query, baseUrl }) => {
      const { id } = query;
      const urlOf = (other: string) => href(baseUrl, idPath, { query: { ...query, id: other } });
      return after(asOfTime(store, query.asOf, clock()), (asOf) =>
        after(store.sites.findOne(parseSiteId(id), asOf), (answer) => {
          const site = ofKnownSite(answer, id, urlOf, asOf);
          return after(siteResources(store, baseUrl, [site]), (toResource) => toResource(site));
        }),
      );
    },
  });
  const path = searchPathOf(CORS_SITES, 'findByEquipment');
  app.get(path, {
    schema: { querystring: EquipmentQuery, response: { 200: EquippedSiteCollection } },
    config: {
      operationId: 'findCorsSitesByEquipment',
      summary: 'The Sites that used some equipment, with that equipment.',
      description:
        'Sorted by four-character id. at: in use then. from and to: at any time in that period.',
      problems: ['not-recorded'],
      example: {
        query: {
          type: 'LEI*',
          equipmentType: 'gnss antenna',
          from: '2012-01-01',
          to: '2013-01-01',
          size: '1',
        },
      },
    },
    handler: async (request) => {
      const { query, baseUrl } = request;
      const {
        type: types = null,
        equipmentType: equipmentTypes = null,
        radomeType: radomeTypes = null,
      } = query;
      const asked = await storeFor(store, query, clock());
      const sites = await siteFilterOf(asked, query);
      const overlaps = duringOf(query) ?? { from: null, to: null };
      const paging = pagingOf(request);
      const systems = systemsOf(query);
      const search = { types, equipmentTypes, radomeTypes, systems, sites, overlaps, ...paging };
      const found = await asked.sites.findByEquipment(search);
      const toResource = await siteResources(store, baseUrl, found.elements);
      const elements = await writeInTurns(EquippedSite, found.elements, toResource);
      return pageBody(baseUrl, CORS_SITES, path, query, { paging, found, elements });
    },
  });
}
