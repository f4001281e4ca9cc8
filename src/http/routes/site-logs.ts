import type { Static, TObject } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import {
  asOfFilter,
  collectionQuery,
  CORS_SITES,
  MAXIMUM_PAGE_SIZE,
  projectionParameter,
  SITE_LOGS,
  SiteIdParameter,
  SiteLogList,
  type siteFilters,
} from '../../../schemas/index.js';
import { storeFor } from '../../exports/as-of.js';
import { filtersOf, siteSearchOf } from '../../exports/filters.js';
import { AtParameter, IdParameters, instantOf, onlyParameters } from '../../exports/parameters.js';
import { sortOf } from '../../exports/sorting.js';
import {
  href,
  itemPathOf,
  ORIGINAL_PATH,
  pathOf,
  searchPathOf,
  LOGS_OF_SITE_PATH,
} from '../../links.js';
import { parseSiteId } from '../../requests/site-id.js';
import { serializerOf } from '../../serializers/serializers.js';
import type { SiteLogRecord } from '../../store/read/logs/logs.js';
import type { SitePageSearch } from '../../store/read/sites/page.js';
import { LARGEST_PAGE, PageTooLarge } from '../../store/page.js';
import type { Store } from '../../store/store.js';
import { addSearchIndex } from '../contract/collection-routes.js';
import { itemLink, pageBody } from '../contract/hal.js';
import { ofKnownSite } from '../contract/known-site.js';
import { type App, Content, isWantedBy } from '../contract/operations.js';
import { pagingOf, type RequestedPage, withAtMost } from '../contract/paging.js';
import {
  formOf,
  formParameters,
  OTHER_MEDIA_TYPES,
  type RequestedForm,
} from '../site-logs/forms.js';
import {
  checkContacts,
  datesText,
  identityOf,
  type Published,
  linkedLogs,
  siteLogText,
} from '../site-logs/resource.js';
import { knownLog } from '../site-logs/known-log.js';
import { ownTurn } from '../../turns.js';
import { HAL_MEDIA_TYPE } from '../wire/header-fields.js';
import { ProblemError, siteProblem, type UrlOfSite } from '../wire/problems.js';

/** Browsers save a file of this type instead of showing it, so they run no script in it. */
const FILE_MEDIA_TYPE = 'application/octet-stream';

const ListQuery = collectionQuery(SITE_LOGS);
const LogQuery = onlyParameters({ ...formParameters, ...projectionParameter(SITE_LOGS) });
const SearchQuery = onlyParameters({
  id: SiteIdParameter,
  at: Type.Optional(AtParameter),
  ...asOfFilter,
  ...LogQuery.properties,
});

const FORMATS =
  'JSON by default; format and version, or the header field Accept, choose another form.';
const WITHHELD = 'Contacts are withheld unless the operator publishes them.';

const writePage = serializerOf(SITE_LOGS.page);

/** How many logs are written before other requests run. This takes a few milliseconds. */
const WRITTEN_AT_ONCE = 40;
/** The same with contacts, or with values as written, which are not stored as they are sent. */
const MADE_AT_ONCE = 5;

/** Writes logs as JSON. */
async function writeSome(
  store: Store,
  base: string,
  logs: readonly SiteLogRecord[],
  { publishContacts, projection }: Published,
): Promise<string[]> {
  if (projection === 'datePrepared')
    return logs.map((log) => datesText(base, log, publishContacts));
  const parts = { publishContacts, isWritten: projection === 'written' };
  const ids = logs.map(({ id }) => id);
  const texts = await store.publishedLogs.findTexts(ids, parts);
  return logs.map((log) => siteLogText(base, log, texts.get(log.id)!, publishContacts));
}

/**
 * Writes the logs of a page, as long as the client waits for them. Other requests run in between.
 * One that was withdrawn meanwhile is left out.
 * @throws {PageTooLarge} if together they are too large to be sent at once; a single one never is
 */
async function writeLogs(
  store: Store,
  request: FastifyRequest,
  ids: readonly number[],
  published: Published,
): Promise<Buffer[]> {
  const isWanted = isWantedBy(request);
  const written: Buffer[] = [];
  let bytes = 0;
  const isMade = published.publishContacts || published.projection === 'written';
  const atOnce = isMade ? MADE_AT_ONCE : WRITTEN_AT_ONCE;
  // Others may wait for an answer that is cached, so it is made in one turn.
  const pause = request.cacheable ? ownTurn : () => request.giveWay();
  for (let first = 0; first < ids.length && isWanted(); first += atOnce) {
    if (first > 0) await pause();
    const some = await store.logs.findMany(ids.slice(first, first + atOnce));
    for (const text of await writeSome(store, request.baseUrl, some, published)) {
      const element = Buffer.from(text);
      bytes += element.length;
      if (bytes > LARGEST_PAGE && written.length > 0) throw new PageTooLarge(written.length);
      written.push(element);
    }
  }
  return written;
}

/**
 * The page to answer with: smaller than asked for if one of that size would have too many bytes.
 */
async function fittingPage(
  store: Store,
  paging: RequestedPage,
  search: SitePageSearch,
  { projection }: Published,
): Promise<RequestedPage> {
  if (projection === 'datePrepared') return paging;
  const isWritten = projection === 'written';
  return withAtMost(paging, await store.logs.sizeThatFits(search, isWritten, LARGEST_PAGE));
}

const COMMA = Buffer.from(',');

/** Puts elements into a page without any. */
function filledPage(empty: Static<typeof SITE_LOGS.page>, elements: readonly Buffer[]): Buffer {
  const text = writePage(empty);
  // The elements are the first array of a page.
  const place = text.indexOf('[') + 1;
  const separated = elements.flatMap((each, index) => (index === 0 ? [each] : [COMMA, each]));
  return Buffer.concat([
    Buffer.from(text.slice(0, place)),
    ...separated,
    Buffer.from(text.slice(place)),
  ]);
}

/**
 * The log of a Site that was in force at an instant, or its current one.
 * @throws {ProblemError} if there is none; it says why
 */
async function logOfSite(
  store: Store,
  { id, at }: { id: string; at?: string },
  urlOf: UrlOfSite,
): Promise<SiteLogRecord> {
  const day = at === undefined ? null : instantOf('at', at).slice(0, 10);
  const { log, earliest } = ofKnownSite(
    await store.logs.findInForce(parseSiteId(id), day),
    id,
    urlOf,
    store.asOf,
  );
  if (log !== undefined) return log;
  const why =
    earliest === null
      ? 'no site log has a Date Prepared'
      : `the earliest site log was prepared on ${earliest}`;
  throw new ProblemError(
    'before-first-log',
    `${id.toUpperCase()} had no site log on ${day}: ${why}.`,
  );
}

/** A log in the form that a request asks for. */
async function logText(
  store: Store,
  base: string,
  log: SiteLogRecord,
  { form, isExact }: RequestedForm,
  published: Published,
): Promise<string> {
  if (form === null) return (await writeSome(store, base, [log], published))[0]!;
  const { sectionsOf, writePublished } = await import('../site-logs/written.js');
  const sections = await sectionsOf(store, log, published.publishContacts);
  return writePublished(sections, form, isExact);
}

/** Only the first page of all logs, of the largest size, is cached. */
function keyOfAll(query: Readonly<Record<string, unknown>>): string | null {
  const { page = 0, size = 0, ...others } = query;
  const isFirst = page === 0 && Number(size) >= MAXIMUM_PAGE_SIZE;
  return isFirst && Object.keys(others).length === 0 ? 'all' : null;
}

/** The current site logs, one page at a time. */
function addLogList(app: App, store: Store, clock: () => Date, publishContacts: boolean): void {
  const path = pathOf(SITE_LOGS);
  app.get(path, {
    schema: { querystring: ListQuery, response: { 200: SITE_LOGS.page } },
    config: {
      // With the key, too: the answer takes long to make, and to send.
      costly: true,
      cacheKey: keyOfAll,
      operationId: 'listSiteLog',
      summary: 'The current site logs of the Sites, one page at a time.',
      description:
        'Logs are filtered and sorted by their own properties and by those of their Sites. ' +
        'Pages have at most 8 MiB: page.size says how many logs. ' +
        WITHHELD,
      problems: ['not-recorded'],
      example: { query: { size: '1', projection: 'datePrepared', fourCharacterId: 'NAMA' } },
    },
    handler: async (request) => {
      const { query, baseUrl } = request;
      const published = { publishContacts, projection: query.projection ?? null };
      const asked = await storeFor(store, query, clock());
      const requested = pagingOf(request);
      const search = await siteSearchOf(
        asked,
        { filters: filtersOf(SITE_LOGS, query), sort: sortOf(query.sort), ...requested },
        query as Static<TObject<typeof siteFilters>>,
      );
      const paging = await fittingPage(asked, requested, search, published);
      const found = await asked.logs.findCurrentPage({ ...search, ...paging });
      const empty = pageBody(baseUrl, SITE_LOGS, path, query, { paging, found, elements: [] });
      const ids = found.elements;
      const logs = await writeLogs(asked, request, ids, published);
      return new Content(HAL_MEDIA_TYPE, filledPage(empty, logs));
    },
  });
}

/** A site log by its id, in any form. */
function addLogById(app: App, store: Store, publishContacts: boolean): void {
  app.get(itemPathOf(SITE_LOGS), {
    schema: { params: IdParameters, querystring: LogQuery, response: { 200: SITE_LOGS.element } },
    config: {
      operationId: 'getSiteLog',
      summary: 'A site log by its id, current or older.',
      description: `${FORMATS} ${WITHHELD}`,
      otherMediaTypes: OTHER_MEDIA_TYPES,
      problems: ['retired-site'],
      example: { parameters: { id: 1 }, query: { projection: 'datePrepared' } },
    },
    handler: async ({ params: { id }, query, headers, baseUrl }) => {
      const form = formOf(query, headers.accept);
      const log = await knownLog(store, id);
      const published = { publishContacts, projection: query.projection ?? null };
      const text = await logText(store, baseUrl, log, form, published);
      return new Content(form.mediaType, text);
    },
  });
}

/** The site log of a Site, in any form. */
function addLogOfSite(app: App, store: Store, clock: () => Date, publishContacts: boolean): void {
  const searchPath = searchPathOf(SITE_LOGS, 'findByFourCharacterId');
  app.get(searchPath, {
    schema: { querystring: SearchQuery, response: { 200: SITE_LOGS.element } },
    config: {
      operationId: 'findSiteLogByFourCharacterId',
      summary: 'The current site log of a Site, or the one that was in force at an instant.',
      description:
        'With at, this is the log with the latest Date Prepared on or before the day of the ' +
        `instant. Withdrawn logs do not count. ${FORMATS} ${WITHHELD}`,
      otherMediaTypes: OTHER_MEDIA_TYPES,
      problems: ['before-first-log', 'not-recorded'],
      example: { query: { id: 'NAMA' } },
    },
    handler: async ({ query, headers, baseUrl }) => {
      const form = formOf(query, headers.accept);
      const asked = await storeFor(store, query, clock());
      const log = await logOfSite(asked, query, (id) =>
        href(baseUrl, searchPath, { query: { ...query, id } }),
      );
      const published = { publishContacts, projection: query.projection ?? null };
      const text = await logText(asked, baseUrl, log, form, published);
      return new Content(form.mediaType, text);
    },
  });
}

/** The file of a site log. */
function addOriginal(app: App, store: Store, publishContacts: boolean): void {
  app.get(ORIGINAL_PATH, {
    schema: { params: IdParameters },
    config: {
      mediaType: FILE_MEDIA_TYPE,
      operationId: 'getOriginalSiteLog',
      summary: 'A site log as it was imported, byte for byte.',
      description: 'Only if the operator publishes contacts.',
      problems: ['retired-site', 'contacts-withheld'],
      example: { parameters: { id: 1 } },
    },
    handler: async ({ params: { id }, baseUrl }, reply) => {
      const log = await knownLog(store, id);
      checkContacts(baseUrl, log, publishContacts);
      return reply.type(FILE_MEDIA_TYPE).send(await store.logs.findContent(log.id));
    },
  });
}

/** All site logs of a Site. */
function addLogsOfSite(app: App, store: Store, clock: () => Date, publishContacts: boolean): void {
  app.get(LOGS_OF_SITE_PATH, {
    schema: { params: IdParameters, response: { 200: SiteLogList } },
    config: {
      operationId: 'listCorsSiteSiteLogs',
      summary: 'All site logs of a Site, the newest first.',
      description:
        'The current site log and the older ones, without those that the operator has withdrawn.',
      problems: ['retired-site'],
      example: { parameters: { id: 1 } },
    },
    handler: async ({ params: { id }, baseUrl }) => {
      const site = await store.sites.findById(id);
      if (site === undefined)
        throw new ProblemError('not-found', `There is no corsSite with the id ${id}.`);
      if ('kind' in site) throw siteProblem(site, `Site ${id}`, String);
      const logs = await store.logs.findKept(id);
      const ofSite = { siteId: id, nineCharacterId: site.nineCharacterId };
      const linked = linkedLogs(baseUrl, logs, ofSite, publishContacts, clock());
      return {
        _embedded: {
          siteLogs: linked.map(({ links, ...log }) => ({
            ...identityOf(log, publishContacts),
            _links: links,
          })),
        },
        _links: {
          self: { href: href(baseUrl, LOGS_OF_SITE_PATH, { id }) },
          corsSite: itemLink(baseUrl, CORS_SITES, id),
        },
      };
    },
  });
}

/**
 * Adds the site logs: the current ones, single ones in any form, the files, and the logs of a Site.
 * @param clock the current time
 */
export function addSiteLogs(
  app: App,
  store: Store,
  clock: () => Date,
  publishContacts: boolean,
): void {
  addSearchIndex(app, SITE_LOGS);
  addLogList(app, store, clock, publishContacts);
  addLogById(app, store, publishContacts);
  addLogOfSite(app, store, clock, publishContacts);
  addOriginal(app, store, publishContacts);
  addLogsOfSite(app, store, clock, publishContacts);
}
