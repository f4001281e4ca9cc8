import type {
  Link,
  Plain,
  PublishedIdentification,
  PublishedLocation,
  SiteLogLinks,
  SiteLogResource,
  SiteLogSections,
  Written,
} from '../../schemas/index.js';
import { CORS_SITES, SITE_LOGS } from '../../schemas/index.js';
import { href, itemPathOf, originalPathOf, siteLogsPathOf } from '../links.js';
import type { KnownPersons } from '../site-log/known-persons.js';
import { isWithheld } from '../site-log/withhold.js';
import { onOneLine } from '../site-log/write/loss.js';
import type { LogEntry, SiteLogRecord } from '../store/read/logs.js';
import { itemLink } from './hal.js';
import { FORMS } from './site-log-forms.js';
import { readPublished } from './site-log-sections.js';

/** Which parts of a log are published. */
export interface Published {
  /** The persons known from all logs; null publishes contacts. */
  withheld: KnownPersons | null;
  /** `written` adds each value as written. */
  projection: 'written' | null;
}

/** The values of a part of a log, without the text that they were read from. */
function plain<T>(part: T): Plain<T>;
function plain(part: unknown): unknown {
  if (Array.isArray(part)) return part.map((each) => plain(each));
  if (typeof part !== 'object' || part === null) return part;
  if ('written' in part) return (part as unknown as { value: unknown }).value;
  return Object.fromEntries(Object.entries(part).map(([name, each]) => [name, plain(each)]));
}

/** The links of a log. */
export function siteLogLinks(base: string, { id, siteId }: Pick<SiteLogRecord, 'id' | 'siteId'>): SiteLogLinks {
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
    original: { href: href(base, originalPathOf(SITE_LOGS), { id }) },
    text1: inForm('text1'),
    text2: inForm('text2'),
    geodesyml04: inForm('geodesyml04'),
    geodesyml05: inForm('geodesyml05'),
  };
}

/** What identifies a log, wherever it is shown. */
export function identityOf({ id, name, form, datePrepared, importedAt, sha256, current }: Omit<LogEntry, 'withdrawnAt'>) {
  return { id, name, form, datePrepared, importedAt, sha256, current };
}

function identificationOf(
  section: Plain<SiteLogSections['siteIdentification']>,
  { fourCharacterId, nineCharacterId }: SiteLogRecord,
): PublishedIdentification {
  return { ...section, fourCharacterId, nineCharacterId };
}

/** A value as written, on one line. */
const writtenOf = (value: Written | null): string | null => (value === null ? null : onOneLine(value.written));

function locationOf(section: SiteLogSections['siteLocation'], { nineCharacterId }: SiteLogRecord): PublishedLocation {
  const { country: countryCode, x, y, z, latitude, longitude, elevation, ...rest } = plain(section);
  return {
    ...rest,
    country: writtenOf(section.country),
    countryName: writtenOf(section.countryName),
    countryCode: countryCode ?? nineCharacterId?.slice(6) ?? null,
    approximatePosition: { cartesianPosition: { x, y, z }, geodeticPosition: { latitude, longitude, elevation } },
  };
}

/** A log with its links. Reading it takes milliseconds: between two logs, let other requests run. */
export function siteLogResource(base: string, log: SiteLogRecord, { withheld, projection }: Published): SiteLogResource {
  const sections = readPublished(log, withheld);
  const { siteIdentification, moreInformation, form: _form, ...others } = plain(sections);
  return {
    ...identityOf(log),
    contactsWithheld: isWithheld(sections),
    ...others,
    siteIdentification: identificationOf(siteIdentification, log),
    siteLocation: locationOf(sections.siteLocation, log),
    moreInformation: Object.values(moreInformation).some((value) => value !== null) ? [moreInformation] : [],
    ...(projection === 'written' && { written: sections }),
    _links: siteLogLinks(base, log),
  };
}
