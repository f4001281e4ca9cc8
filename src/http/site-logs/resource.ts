import type { Instant, Link, ProjectionOf, SiteLogLinks } from '../../../schemas/index.js';
import { CORS_SITES, SITE_LOGS, SiteLogDates, SiteLogSummary } from '../../../schemas/index.js';
import { isBetterLog } from '../../derive/log-order.js';
import {
  COMPARISON_PATH,
  href,
  itemHref,
  ORIGINAL_PATH,
  pairsOf,
  LOGS_OF_SITE_PATH,
} from '../../links.js';
import { serializerOf } from '../../serializers/serializers.js';
import { contentOfSite } from '../../site-log/content-of-site.js';
import type { LogEntry, SiteLogRecord } from '../../store/read/logs/logs.js';
import type { LogText } from '../../store/read/logs/stored-texts.js';
import type { Store } from '../../store/store.js';
import type { LinkedLog } from '../../web/log-page.js';
import { itemLink, publishedHash } from '../contract/hal.js';
import { FORMS } from './forms.js';
import { ProblemError } from '../wire/problems.js';

/** Which parts of a log are published. */
export interface Published {
  publishContacts: boolean;
  /** `written` adds each value as written; `datePrepared` leaves out the content. */
  projection: ProjectionOf<typeof SITE_LOGS> | null;
}

/** The parameters that ask for a form: pages have many links with them. */
const FORM_PAIRS = Object.fromEntries(
  Object.entries(FORMS).map(([form, { format, version }]) => [form, pairsOf({ format, version })]),
) as Record<keyof typeof FORMS, string>;

/** The links of a log. @param log with the nine-character id of its Site */
export function siteLogLinks(
  base: string,
  { id, siteId, nineCharacterId }: Pick<SiteLogRecord, 'id' | 'siteId' | 'nineCharacterId'>,
  publishContacts: boolean,
): SiteLogLinks {
  const self = itemLink(base, SITE_LOGS, id);
  const inForm = (form: keyof typeof FORMS): Link => ({
    href: itemHref(base, SITE_LOGS, id, FORM_PAIRS[form]),
  });
  return {
    self,
    siteLog: self,
    corsSite: itemLink(base, CORS_SITES, siteId),
    siteLogs: { href: href(base, LOGS_OF_SITE_PATH, { id: siteId }) },
    ...(publishContacts && { original: { href: href(base, ORIGINAL_PATH, { id }) } }),
    text1: inForm('text1'),
    // A Site whose log has nine characters is known by them.
    ...(nineCharacterId !== null && { text2: inForm('text2') }),
    geodesyml04: inForm('geodesyml04'),
    geodesyml05: inForm('geodesyml05'),
    geodesyml06: inForm('geodesyml06'),
  };
}

/** The Site of a log, as its links need it. */
type LinkedSite = Pick<SiteLogRecord, 'siteId' | 'nineCharacterId'>;

/**
 * The logs of a Site with their links. Each but the first links to what changed since the one
 * before.
 * @param logs those that were not withdrawn
 * @param now the current time, which says which log is before another
 */
export function linkedLogs(
  base: string,
  logs: LogEntry[],
  site: LinkedSite,
  publishContacts: boolean,
  now: Date,
): LinkedLog[] {
  const [first] = logs.toSorted((a, b) => (isBetterLog(a, b, now) ? 1 : -1));
  return logs.map((log) => {
    const links = siteLogLinks(base, { ...site, id: log.id }, publishContacts);
    const comparison = { href: href(base, COMPARISON_PATH, { id: log.id }) };
    return { ...log, links: log === first ? links : { ...links, comparison } };
  });
}

/**
 * The same for a page about one Site; none if its current log was withdrawn.
 * @param siteLog the current log
 */
export async function logsOfSite(
  store: Store,
  base: string,
  siteLog: SiteLogRecord | null,
  publishContacts: boolean,
  now: Instant,
): Promise<LinkedLog[]> {
  if (siteLog === null) return [];
  const kept = await store.logs.findKept(siteLog.siteId);
  return linkedLogs(base, kept, siteLog, publishContacts, new Date(now));
}

/**
 * @throws {ProblemError} if the file of a log is not published, because it has contacts; it leads
 *   to the other forms
 */
export function checkContacts(base: string, log: SiteLogRecord, publishContacts: boolean): void {
  if (publishContacts) return;
  const { siteLog, text1, text2, ...forms } = siteLogLinks(base, log, false);
  const { geodesyml04, geodesyml05, geodesyml06 } = forms;
  const detail =
    'The file as it was imported is not published, because it has contacts. ' +
    'The links lead to the same log without them.';
  throw new ProblemError('contacts-withheld', detail, {
    links: {
      siteLog,
      text1,
      ...(text2 !== undefined && { text2 }),
      geodesyml04,
      geodesyml05,
      geodesyml06,
    },
  });
}

/** What identifies a log, wherever it is shown. */
export function identityOf(log: Omit<LogEntry, 'withdrawnAt'>, publishContacts: boolean) {
  const { id, name, form, datePrepared, importedAt, current } = log;
  return {
    id,
    name,
    form,
    datePrepared,
    importedAt,
    sha256: publishedHash(log.sha256, publishContacts),
    current,
  };
}

const writeSummary = serializerOf(SiteLogSummary);
const writeDates = serializerOf(SiteLogDates);
// A quotation mark inside a JSON text has a backslash before it, so this is a member.
const LINKS = ',"_links":';

/** When a log was prepared and imported, as JSON. */
export function datesText(base: string, log: SiteLogRecord, publishContacts: boolean): string {
  const { fourCharacterId, datePrepared, importedAt } = log;
  const _links = siteLogLinks(base, log, publishContacts);
  return writeDates({ fourCharacterId, datePrepared, lastModifiedDate: importedAt, _links });
}

/** A log with its links, as JSON. @param text what is stored of it */
export function siteLogText(
  base: string,
  log: SiteLogRecord,
  { content, written }: LogText,
  publishContacts: boolean,
): string {
  const _links = siteLogLinks(base, log, publishContacts);
  const summary = writeSummary({ ...identityOf(log, publishContacts), _links });
  const links = summary.indexOf(LINKS);
  const ofSite = contentOfSite(content, log);
  const asWritten = written === null ? '' : `,"written":${written}`;
  return `${summary.slice(0, links)},${ofSite}${asWritten}${summary.slice(links)}`;
}
