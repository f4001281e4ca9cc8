import { Type } from '@sinclair/typebox';
import { CORS_SITES, type CorsSite, type CorsSiteResource, pageAndSize, SiteIdParameter } from '../../../schemas/index.js';
import { searchPathOf } from '../../links.js';
import { parseSiteId } from '../../requests/site-id.js';
import type { StoreReader } from '../../store/store.js';
import { addCollection } from '../collection-routes.js';
import { itemLink, pageBody, pagingOf } from '../hal.js';
import { ofKnownSite, SITE_PROBLEMS, siteProblem, siteUrl } from '../known-site.js';
import type { App } from '../operations.js';
import { AtParameter, instantOf, only } from '../parameters.js';

/** A Site with its links. */
const siteResource = (base: string, site: CorsSite): CorsSiteResource => ({
  ...site,
  _links: { self: itemLink(base, CORS_SITES, site.id), corsSite: itemLink(base, CORS_SITES, site.id) },
});

/** Adds the Sites: the collection, and the searches over them. */
export function addSites(app: App, store: StoreReader): void {
  addCollection(app, CORS_SITES, {
    findPage: (search) => store.sites.findPage(search),
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
  const path = searchPathOf(CORS_SITES, 'findByEquipmentTypeAt');
  app.get(
    path,
    {
      schema: {
        querystring: only({
          type: Type.String({ minLength: 1, maxLength: 200, description: 'The type of the equipment, exact and case-sensitive.' }),
          at: AtParameter,
          ...pageAndSize,
        }),
        response: { 200: CORS_SITES.page },
      },
      config: {
        operation: {
          operationId: 'findCorsSitesByEquipmentTypeAt',
          tag: CORS_SITES.name,
          summary: 'The Sites that used a type of equipment at an instant, sorted by four-character id.',
          example: { query: { type: 'TRIMBLE NETRS', at: '2012-01-01', size: '2' } },
        },
      },
    },
    async ({ query, baseUrl }) => {
      const { type, at } = query;
      const found = await store.sites.findByEquipmentType({ type, at: instantOf('at', at), ...pagingOf(query) });
      const elements = found.elements.map((site) => siteResource(baseUrl, site));
      return pageBody(baseUrl, CORS_SITES, path, query, { ...found, elements });
    },
  );
}
