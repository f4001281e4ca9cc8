import { Type } from '@sinclair/typebox';
import {
  CORS_SITES,
  type CorsSiteResource,
  EQUIPMENT_TYPES,
  equipmentTypeFilter,
  EquippedSite,
  EquippedSiteCollection,
  pageAndSizeUpTo,
  placeFilters,
  radomeTypeFilter,
  SETUPS,
  SITE_LOGS,
  SiteIdParameter,
  typeFilter,
} from '../../../schemas/index.js';
import { href, hrefsBy, PATHS, searchPathOf, siteLogsPathOf } from '../../links.js';
import { parseSiteId } from '../../requests/site-id.js';
import type { FoundSite } from '../../store/read/site-page.js';
import type { Store } from '../../store/store.js';
import { addCollection } from '../collection-routes.js';
import { duringOf, requestTo, siteFilterOf, siteSearchOf } from '../filters.js';
import { itemLink, pageBody, pagingOf, writeInTurns } from '../hal.js';
import { ofKnownSite, SITE_PROBLEMS, siteProblem, siteUrl } from '../known-site.js';
import type { App } from '../operations.js';
import { AtParameter, only, periodParameters } from '../parameters.js';

/** The largest page of Sites with their equipment: larger ones would keep other requests waiting. */
const MOST_EQUIPPED = 100;

const EquipmentQuery = only({
  ...typeFilter,
  ...equipmentTypeFilter(EQUIPMENT_TYPES),
  ...radomeTypeFilter,
  at: Type.Optional(AtParameter),
  ...periodParameters,
  ...placeFilters,
  ...pageAndSizeUpTo(MOST_EQUIPPED),
});

/** The links of the Sites, at a base URL. */
function siteLinksAt(base: string): (site: FoundSite) => CorsSiteResource['_links'] {
  const setupsOf = hrefsBy(base, searchPathOf(SETUPS, 'findBySiteId'), 'siteId');
  const currentOf = hrefsBy(base, searchPathOf(SETUPS, 'findCurrentByFourCharacterId'), 'id');
  const changesOf = hrefsBy(base, PATHS.changes, 'site');
  const siteLogOf = hrefsBy(base, searchPathOf(SITE_LOGS, 'findByFourCharacterId'), 'id');
  return ({ id: number, nineCharacterId, fourCharacterId }) => {
    const self = itemLink(base, CORS_SITES, number);
    const id = nineCharacterId ?? fourCharacterId;
    return {
      self,
      corsSite: self,
      setups: { href: setupsOf(number) },
      currentSetup: { href: currentOf(id) },
      changes: { href: changesOf(id) },
      siteLog: { href: siteLogOf(id) },
      siteLogs: { href: href(base, siteLogsPathOf(CORS_SITES), { id: number }) },
      skeletonFile: { href: href(base, PATHS.skeletonFile, { file: `${id}.SKL` }) },
    };
  };
}

/** The links at the last base URL; nearly all requests have the same. */
let known = { base: '', linksOf: siteLinksAt('') };

/** Adds links to a Site. */
function siteResource<S extends FoundSite>(base: string, site: S): S & Pick<CorsSiteResource, '_links'> {
  if (known.base !== base) known = { base, linksOf: siteLinksAt(base) };
  return { ...site, _links: known.linksOf(site) };
}

/** Adds the Sites: the collection, and the searches over them. */
export function addSites(app: App, store: Store): void {
  addCollection(app, CORS_SITES, {
    findPage: async (search, query, urlOf) => store.sites.findPage(await siteSearchOf(store, urlOf, search, query)),
    findById: async (id) => {
      const site = await store.sites.findById(id);
      if (site !== undefined && 'kind' in site) throw siteProblem(site, `Site ${id}`, String);
      return site;
    },
    problems: ['retired-site'],
    toResource: siteResource,
    exampleSort: 'fourCharacterId',
  });
  app.get(
    searchPathOf(CORS_SITES, 'findByFourCharacterId'),
    {
      schema: { querystring: only({ id: SiteIdParameter }), response: { 200: CORS_SITES.element } },
      config: {
        operation: {
          operationId: 'findCorsSiteByFourCharacterId',
          tag: CORS_SITES.name,
          summary: 'A Site by its four-character or nine-character id.',
          problems: [...SITE_PROBLEMS],
          example: { query: { id: 'ALIC' } },
        },
      },
    },
    async ({ query: { id }, baseUrl }) =>
      siteResource(baseUrl, ofKnownSite(await store.sites.findOne(parseSiteId(id)), id, siteUrl(baseUrl))),
  );
  const path = searchPathOf(CORS_SITES, 'findByEquipment');
  app.get(
    path,
    {
      schema: { querystring: EquipmentQuery, response: { 200: EquippedSiteCollection } },
      config: {
        operation: {
          operationId: 'findCorsSitesByEquipment',
          tag: CORS_SITES.name,
          summary: 'The Sites that used some equipment, with that equipment.',
          description: 'Sorted by four-character id. at: in use then. from and to: at any time in that period.',
          example: { query: { type: 'LEI*', equipmentType: 'gnss antenna', from: '2012-01-01', to: '2013-01-01', size: '1' } },
        },
      },
    },
    async ({ query, baseUrl }) => {
      const { type: types = null, equipmentType: equipmentTypes = null, radomeType: radomeTypes = null } = query;
      const sites = await siteFilterOf(store, requestTo(baseUrl, path), query);
      const overlaps = duringOf(query) ?? { from: null, to: null };
      const search = { types, equipmentTypes, radomeTypes, sites, overlaps, ...pagingOf(query, MOST_EQUIPPED) };
      const found = await store.sites.findByEquipment(search);
      const elements = await writeInTurns(EquippedSite, found.elements, (site) => siteResource(baseUrl, site));
      return pageBody(baseUrl, CORS_SITES, path, query, { ...found, elements });
    },
  );
}
