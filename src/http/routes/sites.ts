import { Type } from '@sinclair/typebox';
import {
  CORS_SITES,
  type CorsSiteResource,
  EQUIPMENT_TYPES,
  EquippedSite,
  EquippedSiteCollection,
  pageAndSize,
  SETUPS,
  SiteIdParameter,
} from '../../../schemas/index.js';
import { href, hrefsBy, PATHS, searchPathOf, siteLogPathOf, siteLogsPathOf } from '../../links.js';
import { parseSiteId } from '../../requests/site-id.js';
import { decode } from '../../site-log/decode.js';
import { TYPE_PATTERN_FORM } from '../../requests/type-pattern.js';
import type { FoundSite } from '../../store/read/site-searches.js';
import type { Store } from '../../store/store.js';
import { addCollection } from '../collection-routes.js';
import { itemLink, pageBody, pagingOf, writeInTurns } from '../hal.js';
import { ofKnownSite, SITE_PROBLEMS, siteProblem, siteUrl } from '../known-site.js';
import { type App, sendText, TEXT_MEDIA_TYPE } from '../operations.js';
import { AtParameter, changeParameters, equipmentTypeParameter, IdParameters, instantOf, only, periodOf } from '../parameters.js';
import { siteSearchOf } from '../site-search.js';
import { publishedOriginal, withheldPersons } from '../site-log-sections.js';
import { ProblemError } from '../wire/problems.js';

const EquipmentQuery = only({
  type: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
    minItems: 1,
    maxItems: 50,
    description: `The type of the equipment: ${TYPE_PATTERN_FORM}. Repeated values are ORed.`,
  }),
  equipmentType: equipmentTypeParameter(EQUIPMENT_TYPES),
  from: changeParameters.from,
  to: changeParameters.to,
  ...pageAndSize,
});

/** The links of the Sites, at a base URL. */
function siteLinksAt(base: string): (site: FoundSite) => CorsSiteResource['_links'] {
  const setupsOf = hrefsBy(base, searchPathOf(SETUPS, 'findBySiteId'), 'siteId');
  const currentOf = hrefsBy(base, searchPathOf(SETUPS, 'findCurrentByFourCharacterId'), 'id');
  const changesOf = hrefsBy(base, searchPathOf(SETUPS, 'findChangesByFourCharacterId'), 'id');
  return ({ id: number, nineCharacterId, fourCharacterId }) => {
    const self = itemLink(base, CORS_SITES, number);
    const id = nineCharacterId ?? fourCharacterId;
    return {
      self,
      corsSite: self,
      setups: { href: setupsOf(number) },
      currentSetup: { href: currentOf(id) },
      changes: { href: changesOf(id) },
      siteLog: { href: href(base, siteLogPathOf(CORS_SITES), { id: number }) },
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

/** Adds the Sites: the collection, and the searches over them. @param publishContacts whether site logs have their personal data */
export function addSites(app: App, store: Store, publishContacts: boolean): void {
  addCollection(app, CORS_SITES, {
    findPage: (search, query) => store.sites.findPage(siteSearchOf(search, query)),
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
  app.get(
    siteLogPathOf(CORS_SITES),
    {
      schema: { params: IdParameters },
      config: {
        mediaType: TEXT_MEDIA_TYPE,
        operation: {
          operationId: 'getCorsSiteLog',
          tag: CORS_SITES.name,
          summary: 'The current site log of a Site, as it was imported.',
          description:
            'Whatever its form and encoding were, it is sent as text in UTF-8. If personal data is withheld, the text says so; line numbers do not change.',
          problems: ['not-found'],
          example: { parameters: { id: 1 } },
        },
      },
    },
    async ({ params: { id } }, reply) => {
      const log = await store.logs.findCurrent(id);
      if (log === undefined) throw new ProblemError('not-found', `There is no Site with the id ${id} that has a current site log.`);
      return sendText(reply, TEXT_MEDIA_TYPE, decode(publishedOriginal(log, await withheldPersons(store, publishContacts))));
    },
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
      const elements = await writeInTurns(CORS_SITES.element, found.elements, (site) => siteResource(baseUrl, site));
      return pageBody(baseUrl, CORS_SITES, path, query, { ...found, elements });
    },
  );
  const equipmentPath = searchPathOf(CORS_SITES, 'findByEquipment');
  app.get(
    equipmentPath,
    {
      schema: { querystring: EquipmentQuery, response: { 200: EquippedSiteCollection } },
      config: {
        operation: {
          operationId: 'findCorsSitesByEquipment',
          tag: CORS_SITES.name,
          summary: 'The Sites that used a type of equipment at any time in a period, with that equipment.',
          description: 'Sorted by four-character id. Without bounds, the period is all of time. Equal bounds stand for that instant.',
          example: { query: { type: 'LEI*', equipmentType: 'gnss antenna', from: '2012-01-01', to: '2013-01-01', size: '2' } },
        },
      },
    },
    async ({ query, baseUrl }) => {
      const { type: types, equipmentType = null, from, to } = query;
      const overlaps = periodOf({ names: ['from', 'to'], from, to });
      const found = await store.sites.findByEquipment({ types, equipmentType, overlaps, ...pagingOf(query) });
      const elements = await writeInTurns(EquippedSite, found.elements, (site) => siteResource(baseUrl, site));
      return pageBody(baseUrl, CORS_SITES, equipmentPath, query, { ...found, elements });
    },
  );
}
