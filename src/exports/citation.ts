import { type Citation, type Instant, isSiteId } from '../../schemas/index.js';
import { CITATION, href, PATHS, type QueryValues } from '../links.js';
import { parseSiteId, siteIdText } from '../requests/site-id.js';
import type { Store } from '../store/store.js';
import { timeShown } from './as-of.js';
import { instantOf } from './parameters.js';

/** What to state about an answer, so that others can have it again. */

/** A request whose answer is cited. */
export interface CitedRequest {
  /** The URL at which clients reach the service; no trailing slash. */
  base: string;
  /** The route pattern of its path. */
  path: string;
  /** What fills in the pattern. */
  parameters: object;
  /** Validated by its schema. */
  query: QueryValues;
}

/** What a citation says about the service; null if unknown. */
export interface ServiceNames {
  version: string | null;
  network: string | null;
}

/** What the service is called. */
const SERVICE = 'GNSS site setups';

/**
 * The URL that answers a request from what was on record at a time. That time comes last, whether
 * the request has one or not, so that both have the same URL.
 */
function urlThen(
  { base, path, parameters, query: { asOf: _, ...query } }: CitedRequest,
  asOf: string,
): string {
  return href(base, path, { ...parameters, query: { ...query, asOf } });
}

/** The next time of record: `recordedSince` includes its bound. */
const timeAfter = (asOf: string): string => new Date(Date.parse(asOf) + 1).toISOString();

/** The ids of the Sites that a request names, as it names them. */
async function idsIn(
  store: Store,
  { parameters, query }: Pick<CitedRequest, 'parameters' | 'query'>,
): Promise<string[]> {
  const { site, file } = parameters as { site?: string; file?: string };
  const named = [site, file?.split('.')[0], query.id, query.site].flat();
  const ids = named.filter((each) => typeof each === 'string');
  if (query.siteId === undefined) return ids;
  const found = await store.sites.findById(Number(query.siteId));
  if (found === undefined || 'kind' in found) return ids;
  const numbered = { ...found, siteId: found.id };
  return [(await store.sites.linkedIds([numbered]))(numbered)];
}

/** The day of which a request wants the log that was in force; null for the current log. */
const dayOfLog = ({ path, query }: CitedRequest): string | null =>
  path.startsWith('/siteLogs/') && query.at !== undefined
    ? instantOf('at', String(query.at)).slice(0, 10)
    : null;

/** A Site, and the log that an answer about it is from. */
async function siteAndLog(
  store: Store,
  id: string,
  cited: CitedRequest,
): Promise<Pick<Citation, 'site' | 'siteLog'>> {
  const asked = isSiteId(id) ? parseSiteId(id) : null;
  const site = asked && (await store.sites.findOne(asked, null));
  const inForce = asked && (await store.logs.findInForce(asked, dayOfLog(cited)));
  if (site?.kind !== 'found' || inForce?.kind !== 'found') return { site: null, siteLog: null };
  const { fourCharacterId, nineCharacterId, name } = site.found;
  const { log } = inForce.found;
  return {
    site: { fourCharacterId, nineCharacterId, name },
    siteLog:
      log === undefined ? null : { id: log.id, name: log.name, datePrepared: log.datePrepared },
  };
}

/**
 * The citation of an answer.
 * @param store as it was at `asOf`
 * @param asOf the record time of its newest event
 * @throws {RequestRefused} if `at` is not an instant
 */
export async function citationOf(
  store: Store,
  asOf: string,
  cited: CitedRequest,
  names: ServiceNames,
): Promise<Citation> {
  const ids = await idsIn(store, cited);
  const about =
    ids.length === 1 ? await siteAndLog(store, ids[0]!, cited) : { site: null, siteLog: null };
  const { at } = cited.query;
  const site = ids.length === 0 ? undefined : ids;
  return {
    service: SERVICE,
    ...names,
    site: about.site,
    at: at === undefined ? null : instantOf('at', String(at)),
    asOf,
    siteLog: about.siteLog,
    url: urlThen(cited, asOf),
    _links: {
      self: { href: urlThen({ ...cited, path: cited.path + CITATION }, asOf) },
      changes: {
        href: href(cited.base, PATHS.changes, { query: { site, recordedSince: timeAfter(asOf) } }),
      },
    },
  };
}

/** How to get an answer again, and what has changed since: URLs or commands. */
interface Ways {
  again: string[];
  changes: string[];
}

/** A citation as text. @param ways by default its URLs */
export function citationText(
  citation: Citation,
  ways: Ways = { again: [citation.url], changes: [citation._links.changes.href] },
): string {
  const { service, version, network, site, at, asOf, siteLog } = citation;
  const siteName = site && [siteIdText(site), site.name];
  const rows: [string, string | null | undefined][] = [
    ['Service', [service, version].filter(Boolean).join(' ')],
    ['Network', network],
    ['Site', siteName?.filter(Boolean).join(', ')],
    ['At', at],
    ['On record at', asOf],
    ['Site log', siteLog?.name],
    ['Date Prepared', siteLog?.datePrepared],
    ...ways.again.map((way): [string, string] => ['Same answer', way]),
    ...ways.changes.map((way): [string, string] => ['What has changed since', way]),
  ];
  return rows
    .filter(([, value]) => (value ?? '') !== '')
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
}

/** How a file is dated, and the URL in it that gives the same file again. */
export interface Dated {
  /** When it is written: now, or the time of the newest event on record at `asOf`. */
  now: Instant;
  /** Null without `asOf`, or if the file has no URL. */
  source: string | null;
}

/**
 * How the file that a query asks for is dated.
 * @param store as it was at `asOf`
 * @param cited the request for it; null if it has no URL
 */
export async function datedAsAsked(
  store: Store,
  query: { asOf?: string },
  cited: CitedRequest | null,
  now: Instant,
): Promise<Dated> {
  const asOf = query.asOf === undefined ? null : await store.recordTime();
  if (asOf === null) return { now: timeShown(store, now), source: null };
  return { now: timeShown({ asOf }, now), source: cited && urlThen(cited, asOf) };
}
