import { type Static, type TString, Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  agencyFilter,
  CORS_SITES,
  type CorsSite,
  type Instant,
  isSiteId,
  placeFilters,
  type Problem,
  radomeTypeFilter,
  satelliteSystemFilter,
  SETUPS,
  typeFilter,
} from '../../../schemas/index.js';
import { siteFilterOf, systemsOf } from '../../exports/filters.js';
import { instantOf, onlyParameters, PageParameter, periodOf } from '../../exports/parameters.js';
import { href, PATHS, pathOf, searchPathOf } from '../../links.js';
import { nearestTo } from '../../requests/nearest.js';
import { BOX_FORM } from '../../requests/place.js';
import { parseSiteId } from '../../requests/site-id.js';
import { countryNamed } from '../../site-log/country.js';
import { ALL_SITES } from '../../store/read/filters.js';
import { SITE_ORDERS, type SiteOrder, type SiteSearch } from '../../store/read/sites/list.js';
import type { FoundSite } from '../../store/read/sites/page.js';
import type { SiteName } from '../../store/read/sites/sites.js';
import type { Store } from '../../store/store.js';
import { renderErrorPage } from '../../web/error-page.js';
import { HTML_MEDIA_TYPE, type JsonLink } from '../../web/page/layout.js';
import { renderSitePage } from '../../web/site-page.js';
import { type AskedSites, isFiltered, renderSitesPage } from '../../web/sites-page.js';
import { ICON, STYLE } from '../../web/page/style.js';
import { recordOf, SitePathParameters } from '../contract/known-site.js';
import { type App, sendText } from '../contract/operations.js';
import { linkedLogs } from '../site-logs/resource.js';
import { ownTurn } from '../../turns.js';
import { problemType } from '../wire/problems.js';

/** How many Sites are on one page. */
const SITES_PAGE = 50;
/** How many Sites with former equipment are shown in addition. */
const MOST_FORMER = 50;
/** How many places of Sites a map shows. */
const MOST_PLACES = 20_000;
/** How many similar Sites are offered. */
const MOST_NEAREST = 5;
/** How many names are compared with a text at once. It takes a few milliseconds. */
const COMPARED_AT_ONCE = 200;

/** A filter as a form sends it: any number of values, of which empty ones do not count. */
const formFilter = (value: TString, description: string) =>
  Type.Optional(Type.Array(value, { maxItems: 50, description: `${description} Empty for any.` }));

const SitesQuery = onlyParameters({
  q: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'Words that must all appear in the ids, name, place or equipment of a Site; ' +
        'Sites with such equipment in the past are a group of their own.',
    }),
  ),
  sort: Type.Optional(
    Type.String({
      pattern: `^(${SITE_ORDERS.join('|')})(,(asc|desc))?$`,
      description: `One of ${SITE_ORDERS.join(', ')}; append ",desc" for descending order.`,
    }),
  ),
  bbox: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: `Only Sites in this area: ${BOX_FORM}.`,
    }),
  ),
  countryCode: formFilter(
    Type.String({ maxLength: 100 }),
    `${placeFilters.countryCode.description} Its English name does, too.`,
  ),
  agency: formFilter(Type.String({ maxLength: 500 }), agencyFilter.agency.description!),
  satelliteSystem: formFilter(
    Type.String({ maxLength: 100 }),
    satelliteSystemFilter.satelliteSystem.description!,
  ),
  type: formFilter(
    Type.String({ maxLength: 500 }),
    `Only Sites with an antenna of a type. ${typeFilter.type.description}`,
  ),
  radomeType: formFilter(Type.String({ maxLength: 500 }), radomeTypeFilter.radomeType.description!),
  at: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'Only Sites that had a Setup at this instant, with the equipment of then; ' +
        'empty for now, and filters by equipment of any time.',
    }),
  ),
  map: Type.Optional(
    Type.Union([Type.Literal('world'), Type.Literal('sites')], {
      description: 'The extent of the map: world, or sites for the area of the Sites found.',
    }),
  ),
  page: PageParameter,
});

/** The values of a filter, of which a form sends empty ones; undefined if there are no others. */
function givenOf(values: string[] | undefined): string[] | undefined {
  const given = values?.map((value) => value.trim()).filter((value) => value !== '');
  return given?.length === 0 ? undefined : given;
}

/** The values that are known. */
const knownOf = <T extends object>(values: T): { [Name in keyof T]?: NonNullable<T[Name]> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: NonNullable<T[Name]>;
  };

/** The filters of a query that the form of the page has besides its words. */
function askedOf(query: Static<typeof SitesQuery>): AskedSites {
  const { at } = query;
  return knownOf({
    countryCode: givenOf(query.countryCode)?.map((value) => countryNamed(value) ?? value),
    agency: givenOf(query.agency),
    satelliteSystem: givenOf(query.satelliteSystem)?.map((value) => value.toUpperCase()),
    type: givenOf(query.type),
    radomeType: givenOf(query.radomeType)?.map((value) => value.toUpperCase()),
    at: givenOf(at === undefined ? undefined : [at])?.[0],
  });
}

/** The antennas that were asked for; null for any. */
const antennaOf = ({ type, radomeType }: AskedSites): SiteSearch['antenna'] =>
  type === undefined && radomeType === undefined
    ? null
    : { types: type ?? null, radomeTypes: radomeType ?? null };

const SiteQuery = onlyParameters({
  at: Type.Optional(
    Type.String({ maxLength: 100, description: 'The instant that the page shows; empty for now.' }),
  ),
  from: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'The start of the timeline.' }),
  ),
  to: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'The end of the timeline.' }),
  ),
});

/** Within how many kilometres the neighbours of a Site are. */
const NEIGHBOURHOOD = 200;
/** How many neighbours a page shows. */
const MOST_NEIGHBOURS = 12;

/** The nearest other Sites, the nearest first; none if the position is unknown. */
async function neighboursOf(store: Store, { id, location }: CorsSite): Promise<FoundSite[]> {
  const { latitude, longitude } = location;
  if (latitude === null || longitude === null) return [];
  const near = { latitude, longitude, radius: NEIGHBOURHOOD };
  const { elements } = await store.sites.findPage({
    page: 0,
    // The Site is found, too.
    size: MOST_NEIGHBOURS + 1,
    filters: [],
    sort: [],
    sites: { ...ALL_SITES, near },
  });
  return elements.filter((each) => each.id !== id).slice(0, MOST_NEIGHBOURS);
}

const html = (reply: FastifyReply, text: string): FastifyReply =>
  sendText(reply, HTML_MEDIA_TYPE, text);

/** The Sites whose ids, names or places are similar to a text. */
async function nearestSites(store: Store, text: string): Promise<SiteName[]> {
  const textsOf = ({ shortestId, name, city, state, country }: SiteName) =>
    [shortestId, name, city, state, country].filter((each) => each !== null);
  // The last five characters of a nine-character id say little about the Site.
  const asked = isSiteId(text) ? text.slice(0, 4) : text;
  const names = await store.sites.findNames();
  let sites: SiteName[] = [];
  for (let begin = 0; begin < names.length; begin += COMPARED_AT_ONCE) {
    // Let other requests run.
    await ownTurn();
    const compared = [...sites, ...names.slice(begin, begin + COMPARED_AT_ONCE)];
    sites = nearestTo(asked, compared, textsOf, MOST_NEAREST);
  }
  return sites;
}

/**
 * Adds the pages of Sites, with the style and icon of all pages.
 * @param now the current time, as pages show it
 */
export function addPages(
  app: App,
  store: Store,
  now: () => Instant,
  publishContacts: boolean,
): void {
  app.get(PATHS.sites, {
    schema: { querystring: SitesQuery },
    config: { page: true, costly: true },
    handler: async ({ query }, reply) => {
      const { q = '', sort = 'id', bbox, map = null, page = 0 } = query;
      const [by, direction] = sort.split(',') as [SiteOrder, string | undefined];
      const text = q.trim();
      const asked = askedOf(query);
      const at = asked.at === undefined ? null : instantOf('at', asked.at);
      const exact = isSiteId(text) ? await store.sites.findOne(parseSiteId(text), null) : null;
      const toSite = (): FastifyReply => {
        const site = text.toUpperCase();
        return reply.redirect(href('.', PATHS.site, { site, query: { at: asked.at } }));
      };
      if (exact?.kind === 'found') return toSite();
      const search = {
        text,
        sites: await siteFilterOf(store, { ...asked, ...knownOf({ bbox }) }),
        systems: systemsOf(asked),
        antenna: antennaOf(asked),
        at,
        sort: { by, descending: direction === 'desc' },
        page,
        size: SITES_PAGE,
      };
      const list = await store.sites.findList(search, { places: MOST_PLACES, former: MOST_FORMER });
      const isEmpty = !isFiltered({ search, asked }) && list.found.totalElements === 0;
      const retired = isEmpty ? (await store.sites.findRetired()).length : 0;
      const isNothing = text !== '' && list.found.totalElements + list.former.totalElements === 0;
      // The page of a retired Site says when it was retired.
      if (isNothing && exact?.kind === 'retired-site') return toSite();
      const nearest = isNothing ? await nearestSites(store, text) : [];
      // Reading all Sites and drawing them take tens of milliseconds each: let other requests run.
      await ownTurn();
      return html(reply, renderSitesPage({ search, asked, ...list, retired, nearest, map }));
    },
  });
  app.get(PATHS.site, {
    schema: { params: SitePathParameters, querystring: SiteQuery },
    config: { page: true },
    handler: async ({ params, query }, reply) => {
      const text = query.at?.trim() ?? '';
      const at = text === '' ? null : instantOf('at', text);
      const bounds = periodOf({ names: ['from', 'to'], from: query.from, to: query.to });
      const record = await recordOf(store, params.site, (site) => href('..', PATHS.site, { site }));
      const { site, siteLog } = record;
      const time = now();
      const logs =
        siteLog === null
          ? []
          : linkedLogs(
              '..',
              await store.logs.findKept(siteLog.siteId),
              siteLog,
              publishContacts,
              new Date(time),
            );
      const neighbours = { sites: await neighboursOf(store, site), radius: NEIGHBOURHOOD };
      const isFileShown = publishContacts;
      return html(
        reply,
        renderSitePage({ record, logs, neighbours, at, ...bounds, now: time, isFileShown }),
      );
    },
  });
  app.get(PATHS.style, async (_request, reply) => sendText(reply, 'text/css;charset=UTF-8', STYLE));
  app.get(PATHS.icon, async (_request, reply) =>
    sendText(reply, 'image/svg+xml;charset=UTF-8', ICON),
  );
}

/**
 * Renders a problem as a page, with a link to related JSON. If it is an unknown Site, the page
 * names similar ones.
 */
export async function problemPage(
  store: Store,
  request: FastifyRequest,
  problem: Problem,
): Promise<string> {
  const path = request.url.split('?')[0]!;
  const root = Array.from({ length: path.split('/').length - 2 }, () => '..').join('/') || '.';
  const { site } = (request.params ?? {}) as { site?: string };
  const { at } = (request.query ?? {}) as { at?: string | string[] };
  const isUnknown = problem.type === problemType('unknown-site') && site !== undefined;
  const similar = isUnknown
    ? (await nearestSites(store, site)).map(({ shortestId }) => shortestId)
    : [];
  const json =
    site !== undefined && isSiteId(site)
      ? setupLink(root, site, typeof at === 'string' ? at : undefined)
      : { title: 'The Sites', href: href(root, pathOf(CORS_SITES)) };
  return renderErrorPage(root, problem, [json], similar);
}

/** The link to the Setup of a Site as JSON. @param at left out for the current Setup */
function setupLink(root: string, site: string, at: string | undefined): JsonLink {
  const search = at === undefined ? 'findCurrentByFourCharacterId' : 'findAtByFourCharacterId';
  return {
    title: `The Setup of ${site.toUpperCase()}`,
    href: href(root, searchPathOf(SETUPS, search), { query: { id: site, at } }),
  };
}
