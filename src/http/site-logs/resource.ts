import type { Static } from '@sinclair/typebox';
import type {
  Instant,
  Link,
  Plain,
  ProjectionOf,
  PublishedIdentification,
  PublishedLocation,
  PublishedTie,
  SiteLogLinks,
  SiteLogSections,
  WithEffectiveDates,
  Written,
} from '../../../schemas/index.js';
import { CORS_SITES, SITE_LOGS } from '../../../schemas/index.js';
import { isBetterLog } from '../../derive/log-order.js';
import { comparisonPathOf, href, itemPathOf, originalPathOf, siteLogsPathOf } from '../../links.js';
import { readPublished } from '../../site-log/read-published.js';
import { isWithheld } from '../../site-log/contacts/withhold.js';
import { onOneLine } from '../../words.js';
import type { LogEntry, SiteLogRecord } from '../../store/read/logs/logs.js';
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

/** The values of a part of a log, without the text that they were read from. */
function plain<T>(part: T): Plain<T>;
function plain(part: unknown): unknown {
  if (Array.isArray(part)) return part.map((each) => plain(each));
  if (typeof part !== 'object' || part === null) return part;
  if ('written' in part) return (part as unknown as { value: unknown }).value;
  return Object.fromEntries(Object.entries(part).map(([name, each]) => [name, plain(each)]));
}

/** The links of a log. @param log with the nine-character id of its Site */
export function siteLogLinks(
  base: string,
  { id, siteId, nineCharacterId }: Pick<SiteLogRecord, 'id' | 'siteId' | 'nineCharacterId'>,
  publishContacts: boolean,
): SiteLogLinks {
  const self = itemLink(base, SITE_LOGS, id);
  const inForm = (form: keyof typeof FORMS): Link => {
    const { format, version } = FORMS[form];
    return { href: href(base, itemPathOf(SITE_LOGS), { id, query: { format, version } }) };
  };
  return {
    self,
    siteLog: self,
    corsSite: itemLink(base, CORS_SITES, siteId),
    siteLogs: { href: href(base, siteLogsPathOf(CORS_SITES), { id: siteId }) },
    ...(publishContacts && { original: { href: href(base, originalPathOf(SITE_LOGS), { id }) } }),
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
    const comparison = { href: href(base, comparisonPathOf(SITE_LOGS), { id: log.id }) };
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

function identificationOf(
  section: Plain<SiteLogSections['siteIdentification']>,
  { fourCharacterId, nineCharacterId }: SiteLogRecord,
): PublishedIdentification {
  return { ...section, fourCharacterId, nineCharacterId };
}

/** A value as written, on one line. */
const writtenOf = (value: Written | null): string | null =>
  value === null ? null : onOneLine(value.written);

function locationOf(
  section: SiteLogSections['siteLocation'],
  { nineCharacterId }: SiteLogRecord,
): PublishedLocation {
  const {
    country: countryCode,
    referenceFrame,
    x,
    y,
    z,
    latitude,
    longitude,
    elevation,
    ...rest
  } = plain(section);
  return {
    ...rest,
    country: writtenOf(section.country),
    countryName: writtenOf(section.countryName),
    countryCode: countryCode ?? nineCharacterId?.slice(6) ?? null,
    approximatePosition: {
      referenceFrame,
      cartesianPosition: { x, y, z },
      geodeticPosition: { latitude, longitude, elevation },
    },
  };
}

/** A receiver or antenna, with its period of use. */
const withEffectiveDates = <
  T extends { dateInstalled: Instant | null; dateRemoved: Instant | null },
>(
  block: T,
): WithEffectiveDates<T> => ({
  ...block,
  effectiveDates: { from: block.dateInstalled, to: block.dateRemoved },
});

const tieOf = ({
  dx,
  dy,
  dz,
  ...block
}: Plain<SiteLogSections>['surveyedLocalTies'][number]): PublishedTie => ({
  ...block,
  differentialFromMarker: { dx, dy, dz },
});

/**
 * A log with its links. Reading it takes milliseconds: between two logs, let other requests run.
 */
export function siteLogResource(
  base: string,
  log: SiteLogRecord,
  { publishContacts, projection }: Published,
): Static<typeof SITE_LOGS.element> {
  const _links = siteLogLinks(base, log, publishContacts);
  if (projection === 'datePrepared') {
    const { fourCharacterId, datePrepared, importedAt } = log;
    return { fourCharacterId, datePrepared, lastModifiedDate: importedAt, _links };
  }
  const sections = readPublished(log, publishContacts);
  const { siteIdentification, moreInformation, form: _form, ...others } = plain(sections);
  return {
    ...identityOf(log, publishContacts),
    contactsWithheld: isWithheld(sections),
    ...others,
    siteIdentification: identificationOf(siteIdentification, log),
    siteLocation: locationOf(sections.siteLocation, log),
    gnssReceivers: others.gnssReceivers.map(withEffectiveDates),
    gnssAntennas: others.gnssAntennas.map(withEffectiveDates),
    surveyedLocalTies: others.surveyedLocalTies.map(tieOf),
    moreInformation: Object.values(moreInformation).some((value) => value !== null)
      ? [moreInformation]
      : [],
    ...(projection === 'written' && { written: sections }),
    _links,
  };
}
