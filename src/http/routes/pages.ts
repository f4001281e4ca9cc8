import { Type } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import { CORS_SITES, type Instant, isSiteId, type Problem, SETUPS } from '../../../schemas/index.js';
import { href, PATHS, pathOf, searchPathOf } from '../../links.js';
import { parseSiteId } from '../../requests/site-id.js';
import { SITE_ORDERS, type SiteOrder, type SiteRecord } from '../../store/sites.js';
import { DEVICE_SECTIONS, type DeviceSection, renderDevicesPage, renderDeviceTypesPage } from '../../web/devices-pages.js';
import { renderErrorPage } from '../../web/error-page.js';
import { HTML_MEDIA_TYPE } from '../../web/layout.js';
import { logTextOf, renderSitePage } from '../../web/site-page.js';
import { ICON, STYLE } from '../../web/style.js';
import { instantOf } from '../time-parameters.js';
import { OtherBody, type Reading, type Route } from '../resources.js';
import { query } from '../parameters.js';
import { unknownSite } from '../known-site.js';
import { ProblemError } from '../problems.js';

/** Sites and devices on one page. */
const SITES_PAGE = 1000;
const DEVICES_PAGE = 200;

/** The most characters of a type or a serial number; logs have them as long as they like. */
const LONGEST = 4000;

const PageParameter = Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'The page, from 0.' }));

const SitesQuery = query({
  q: Type.Optional(Type.String({ maxLength: 200, description: 'Words that all stand in what is known of a site.' })),
  sort: Type.Optional(
    Type.String({
      pattern: `^(${SITE_ORDERS.join('|')})(,(asc|desc))?$`,
      description: `One of ${SITE_ORDERS.join(', ')}, with ",desc" behind it for the other way round.`,
    }),
  ),
  map: Type.Optional(Type.Union([Type.Literal('world'), Type.Literal('sites')], { description: 'The map: world, or sites.' })),
  page: PageParameter,
});

const DevicesQuery = query({
  type: Type.Optional(Type.String({ maxLength: LONGEST, description: 'The type, exact and case-sensitive; empty: unknown.' })),
  serialNumber: Type.Optional(
    Type.String({ minLength: 1, maxLength: LONGEST, description: 'The serial number, exact and case-sensitive.' }),
  ),
  page: PageParameter,
});

const SiteParameters = query({ site: Type.String({ maxLength: 200, description: 'The id of the Site.' }) });
const SiteQuery = query({
  at: Type.Optional(Type.String({ maxLength: 100, description: 'The instant as of which the page is; empty: now.' })),
});

/** A page: it is made anew at each request, for it shows the time that has passed. */
const page = <Q, P>(route: Pick<Route, 'path' | 'query' | 'parameters'>, read: (reading: Reading<Q, P>) => Promise<string>): Route => ({
  ...route,
  response: null,
  cacheable: false,
  page: true,
  read: async (reading) => new OtherBody(HTML_MEDIA_TYPE, await read(reading as unknown as Reading<Q, P>)),
});

const asset = (path: string, mediaType: string, text: string): Route => ({
  path,
  response: null,
  cacheable: false,
  read: async () => new OtherBody(mediaType, text),
});

/** The record of the Site that a path names; a problem where there is none. */
async function recordOf({ reader, parameters: { site } }: Reading<unknown, { site: string }>): Promise<SiteRecord> {
  const record = isSiteId(site) ? await reader.sites.findRecord(parseSiteId(site)) : undefined;
  if (record === undefined) throw unknownSite(site);
  return record;
}

function devicesPage(section: DeviceSection, now: () => Instant): Route {
  const { path, equipmentType } = DEVICE_SECTIONS[section];
  return page<{ type?: string; serialNumber?: string; page?: number }, object>(
    { path, query: DevicesQuery },
    async ({ reader, query: given }) => {
      const { type, serialNumber, page: number = 0 } = given;
      if (type === undefined && serialNumber === undefined) {
        if (given.page !== undefined) {
          const allowed = 'Together with type or serialNumber: the types are on one page.';
          throw new ProblemError('invalid-parameter', 'Refused: "page".', {
            invalidParameters: [{ name: 'page', value: String(given.page), allowed }],
          });
        }
        return renderDeviceTypesPage(section, await reader.devices.findTypes(equipmentType));
      }
      const found = await reader.devices.findPage({
        filters: [
          { property: 'equipmentType', values: [equipmentType] },
          ...(type === undefined ? [] : [{ property: 'type', values: type === '' ? [] : [type] }]),
          ...(serialNumber === undefined ? [] : [{ property: 'serialNumber', values: [serialNumber] }]),
        ],
        sort: [{ property: 'serialNumber', descending: false }],
        page: number,
        size: DEVICES_PAGE,
        projection: 'installations',
      });
      return renderDevicesPage({
        section,
        type: type === '' ? null : type,
        serialNumber,
        page: number,
        size: DEVICES_PAGE,
        found,
        now: now(),
      });
    },
  );
}

/** The pages for people, and what they are made of. @param clock the time that they show as now */
export function pageRoutes(clock: () => Date): Route[] {
  const now = (): Instant =>
    clock()
      .toISOString()
      .replace(/\.\d+Z$/, 'Z');
  return [
    page<{ q?: string; sort?: string; map?: 'world' | 'sites'; page?: number }, object>(
      { path: PATHS.sites, query: SitesQuery },
      async ({ reader, query: { q = '', sort = 'id', map = 'world', page: number = 0 } }) => {
        const [by, direction] = sort.split(',') as [SiteOrder, string | undefined];
        const search = { text: q.trim(), sort: { by, descending: direction === 'desc' }, page: number, size: SITES_PAGE };
        // The map's libraries would take a quarter of the start.
        const { renderSitesPage } = await import('../../web/sites-page.js');
        return renderSitesPage({ search, found: await reader.sites.findSummaries(search), map });
      },
    ),
    page<{ at?: string }, { site: string }>({ path: PATHS.site, parameters: SiteParameters, query: SiteQuery }, async (reading) => {
      const at = reading.query.at === undefined || reading.query.at.trim() === '' ? null : instantOf({ at: reading.query.at.trim() }, 'at');
      return renderSitePage({ record: await recordOf(reading), at, now: now() });
    }),
    {
      path: PATHS.siteLog,
      parameters: SiteParameters,
      response: null,
      cacheable: false,
      page: true,
      read: async (reading) =>
        new OtherBody('text/plain;charset=UTF-8', logTextOf(await recordOf(reading as unknown as Reading<unknown, { site: string }>))),
    },
    devicesPage('receivers', now),
    devicesPage('antennas', now),
    asset(PATHS.style, 'text/css;charset=UTF-8', STYLE),
    asset(PATHS.icon, 'image/svg+xml;charset=UTF-8', ICON),
  ];
}

/** The page of a problem. */
export function problemPage(request: FastifyRequest, problem: Problem): string {
  const path = request.url.split('?')[0]!;
  const root = Array.from({ length: path.split('/').length - 2 }, () => '..').join('/') || '.';
  const { site } = (request.params ?? {}) as { site?: string };
  const { at } = (request.query ?? {}) as { at?: string | string[] };
  return renderErrorPage(root, problem, [
    site !== undefined && isSiteId(site)
      ? {
          title: `The Setup of ${site.toUpperCase()}`,
          href:
            typeof at === 'string'
              ? href(root, searchPathOf(SETUPS, 'findAtByFourCharacterId'), { query: { id: site, at } })
              : href(root, searchPathOf(SETUPS, 'findCurrentByFourCharacterId'), { query: { id: site } }),
        }
      : { title: 'The Sites', href: href(root, pathOf(CORS_SITES)) },
  ]);
}
