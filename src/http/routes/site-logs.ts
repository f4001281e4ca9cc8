import { type Static, type TObject, Type } from '@sinclair/typebox';
import type { FastifyReply } from 'fastify';
import {
  asOfFilter,
  collectionQuery,
  CORS_SITES,
  type Instant,
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
  originalPathOf,
  pathOf,
  searchPathOf,
  siteLogsPathOf,
} from '../../links.js';
import { parseSiteId } from '../../requests/site-id.js';
import { serializerOf } from '../../serializers/serializers.js';
import type { SiteLogRecord } from '../../store/read/logs/logs.js';
import { LARGEST_PAGE, PageTooLarge } from '../../store/page.js';
import type { Store } from '../../store/store.js';
import { addSearchIndex } from '../contract/collection-routes.js';
import { itemLink, pageBody } from '../contract/hal.js';
import { ofKnownSite } from '../contract/known-site.js';
import { type App, isWantedBy, type Sent, sendText } from '../contract/operations.js';
import { pagingOf } from '../contract/paging.js';
import {
  formOf,
  formParameters,
  OTHER_MEDIA_TYPES,
  type RequestedForm,
  writePublished,
} from '../site-logs/forms.js';
import {
  checkContacts,
  identityOf,
  type Published,
  linkedLogs,
  siteLogResource,
} from '../site-logs/resource.js';
import { knownLog } from '../site-logs/known-log.js';
import { HAL_MEDIA_TYPE } from '../wire/header-fields.js';
import { ProblemError, siteProblem, type UrlOfSite } from '../wire/problems.js';
import { type IsWanted, ownTurn } from '../../turns.js';

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
const writeElement = serializerOf(SITE_LOGS.element);

/** A log as it is sent. */
type SentLog = Static<typeof SITE_LOGS.element>;

/**
 * Writes the logs with some ids, as long as the client waits for them. Other requests run in
 * between. One that was withdrawn meanwhile is skipped.
 * @throws {PageTooLarge} if together they are too large to be sent at once; a single one never is
 */
async function writeLogs(
  store: Store,
  ids: number[],
  write: (log: SiteLogRecord) => string,
  isWanted: IsWanted,
): Promise<string[]> {
  const written: string[] = [];
  let bytes = 0;
  for (const id of ids) {
    if (!(await ownTurn(isWanted))) break;
    const log = await store.logs.findById(id);
    if (log === undefined || 'kind' in log) continue;
    const text = write(log);
    bytes += Buffer.byteLength(text);
    if (bytes > LARGEST_PAGE && written.length > 0) throw new PageTooLarge(written.length);
    written.push(text);
  }
  return written;
}

/** Puts elements into a page without any. */
function filledPage(empty: Static<typeof SITE_LOGS.page>, elements: string[]): string {
  const text = writePage(empty);
  // The elements are the first array of a page.
  const place = text.indexOf('[') + 1;
  return text.slice(0, place) + elements.join(',') + text.slice(place);
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

/** Sends a log in the form that a request asks for. */
function sendLog(
  reply: FastifyReply,
  log: SiteLogRecord,
  requested: RequestedForm,
  published: Published,
): Sent {
  const text =
    requested.form === null
      ? writeElement(siteLogResource(reply.request.baseUrl, log, published))
      : writePublished(log, requested.form, requested.isExact, published.publishContacts);
  return sendText(reply, requested.mediaType, text);
}

/**
 * Adds the site logs: the current ones, single ones in any form, the files, and the logs of a Site.
 */
export function addSiteLogs(
  app: App,
  store: Store,
  now: () => Instant,
  publishContacts: boolean,
): void {
  addSearchIndex(app, SITE_LOGS);

  const path = pathOf(SITE_LOGS);
  app.get(path, {
    schema: { querystring: ListQuery, response: { 200: SITE_LOGS.page } },
    config: {
      operationId: 'listSiteLog',
      summary: 'The current site logs of the Sites, one page at a time.',
      description:
        'Logs are filtered and sorted by their own properties and by those of their Sites. ' +
        WITHHELD,
      problems: ['not-recorded'],
      example: { query: { size: '1', projection: 'datePrepared', fourCharacterId: 'NAMA' } },
    },
    handler: async (request, reply) => {
      const { query, baseUrl } = request;
      const paging = pagingOf(request);
      const asked = await storeFor(store, query, new Date(now()));
      const search = await siteSearchOf(
        asked,
        { filters: filtersOf(SITE_LOGS, query), sort: sortOf(query.sort), ...paging },
        query as Static<TObject<typeof siteFilters>>,
      );
      const found = await asked.logs.findCurrentPage(search);
      const elements: SentLog[] = [];
      const empty = pageBody(baseUrl, SITE_LOGS, path, query, { paging, found, elements });
      const published = { publishContacts, projection: query.projection ?? null };
      const write = (log: SiteLogRecord): string =>
        writeElement(siteLogResource(baseUrl, log, published));
      const logs = await writeLogs(asked, found.elements, write, isWantedBy(request));
      return sendText(reply, HAL_MEDIA_TYPE, filledPage(empty, logs));
    },
  });

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
    handler: async ({ params: { id }, query, headers }, reply) => {
      const form = formOf(query, headers.accept);
      const log = await knownLog(store, id);
      return sendLog(reply, log, form, { publishContacts, projection: query.projection ?? null });
    },
  });

  const searchPath = searchPathOf(SITE_LOGS, 'findByFourCharacterId');
  app.get(searchPath, {
    schema: { querystring: SearchQuery, response: { 200: SITE_LOGS.element } },
    config: {
      operationId: 'findSiteLogByFourCharacterId',
      summary: 'The current site log of a Site, or the one that was in force at an instant.',
      description:
        'With at, this is the log with the latest Date Prepared on or before the day of the instant. ' +
        `Withdrawn logs do not count. ${FORMATS} ${WITHHELD}`,
      otherMediaTypes: OTHER_MEDIA_TYPES,
      problems: ['before-first-log', 'not-recorded'],
      example: { query: { id: 'NAMA' } },
    },
    handler: async ({ query, headers, baseUrl }, reply) => {
      const form = formOf(query, headers.accept);
      const urlOf = (id: string): string => href(baseUrl, searchPath, { query: { ...query, id } });
      const asked = await storeFor(store, query, new Date(now()));
      const log = await logOfSite(asked, query, urlOf);
      return sendLog(reply, log, form, { publishContacts, projection: query.projection ?? null });
    },
  });

  app.get(originalPathOf(SITE_LOGS), {
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
      return reply.type(FILE_MEDIA_TYPE).send(log.original);
    },
  });

  app.get(siteLogsPathOf(CORS_SITES), {
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
      const linked = linkedLogs(baseUrl, logs, ofSite, publishContacts, new Date(now()));
      return {
        _embedded: {
          siteLogs: linked.map(({ links, ...log }) => ({
            ...identityOf(log, publishContacts),
            _links: links,
          })),
        },
        _links: {
          self: { href: href(baseUrl, siteLogsPathOf(CORS_SITES), { id }) },
          corsSite: itemLink(baseUrl, CORS_SITES, id),
        },
      };
    },
  });
}
