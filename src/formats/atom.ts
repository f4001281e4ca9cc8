import type { FeedChange, FeedEntry } from '../../schemas/index.js';
import type { FeedContent } from '../derive/feed.js';
import { siteIdText } from '../requests/site-id.js';

/** What XML 1.0 does not allow, even as a character reference. */
const FORBIDDEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};

/**
 * Escapes text for the content or a quoted attribute of an XML element. Characters that XML does
 * not allow become U+FFFD.
 */
const escapeXml = (text: string): string =>
  text.replace(FORBIDDEN, '\ufffd').replace(/[&<>"\r]/g, (each) => ENTITIES[each]!);

/** An XML element. @param content escaped text, or elements; undefined for an empty element */
function element(name: string, attributes: Record<string, string>, content?: string): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  const start = `<${name}${written.join('')}`;
  return content === undefined ? `${start}/>` : `${start}>${content}</${name}>`;
}

/** An entry of the feed, with URLs of its Site. */
interface AtomEntry
  extends
    FeedContent,
    Pick<FeedEntry, 'kind' | 'recordedAt' | 'effectiveFrom' | 'site' | 'siteLog'> {
  /** The cursor of the entry, which identifies it. */
  cursor: string;
  /** The URL of the page of the Site. */
  page: string;
  /** The URL of the Site as JSON. */
  resource: string;
}

/** What an Atom document contains. */
interface AtomFeed {
  /** Of this document. */
  self: string;
  /** The URL with what comes after these entries; null for none. */
  next: string | null;
  /** The same feed as JSON. */
  alternate: string;
  entries: AtomEntry[];
}

const KINDS: Record<FeedEntry['kind'], string> = {
  import: 'site log imported',
  withdraw: 'site log withdrawn',
  restore: 'site log restored',
  retire: 'Site retired',
  unretire: 'Site on record again',
  rename: 'Site renamed',
  baseline: 'on record before there was a feed',
};

const deviceText = (device: FeedChange['before']): string =>
  [device?.type ?? 'unknown type', device?.serialNumber].filter(Boolean).join(' ');

/** The most characters of a value in a text. Remarks can be longer. */
const LONGEST_VALUE = 60;

function valueText(value: FeedChange['differences'][number]['before']): string {
  const text = value === null ? 'unknown' : String(value).replace(/\s+/g, ' ');
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}

/**
 * A change in words. The text of a replacement already has the type and serial number of both
 * devices.
 */
function changeText(
  { at, equipmentType, kind, before, after, gap, differences }: FeedChange,
  isCorrected = false,
): string {
  const devices =
    kind === 'replaced'
      ? `${deviceText(before)} by ${deviceText(after)}`
      : deviceText(after ?? before);
  const until = gap === null ? '' : `, after a gap until ${gap.to}`;
  const named = kind === 'replaced' && !isCorrected ? ['type', 'serialNumber'] : [];
  const values = differences
    .filter(({ member }) => !named.includes(member))
    .map((each) => `${each.member} ${valueText(each.before)} → ${valueText(each.after)}`);
  const changed = values.length === 0 ? '' : ` (${values.join(', ')})`;
  return `${at}: ${equipmentType} ${kind}: ${devices}${until}${changed}.`;
}

/** An entry in words, one fact a line. */
function summaryOf({
  kind,
  isNew,
  siteChanged,
  setups,
  changes,
  effectiveFrom,
  recordedAt,
  siteLog,
}: AtomEntry): string {
  // A Site that is retired, or on record again, has the same description.
  const isDescribed = siteChanged && kind !== 'retire' && kind !== 'unretire';
  const aboutSite: string[] = [];
  if (isNew) aboutSite.push('The Site was not on record before.');
  else if (isDescribed) aboutSite.push('The description of the Site changed.');
  return [
    `Recorded ${recordedAt} from ${siteLog.name}.`,
    ...(effectiveFrom === null ? [] : [`In effect from ${effectiveFrom}.`]),
    ...aboutSite,
    `Setups: ${setups.added.length} added, ${setups.superseded.length} superseded.`,
    ...changes.added.map((change) => `Added: ${changeText(change)}`),
    ...changes.corrected.map((change) => `Corrected: ${changeText(change, true)}`),
    ...changes.superseded.map((change) => `Superseded: ${changeText(change)}`),
  ].join('\n');
}

function entryElement(entry: AtomEntry): string {
  const { cursor, kind, recordedAt, site, page, resource } = entry;
  const name = site.name === null ? '' : ` (${site.name})`;
  return element(
    'entry',
    {},
    [
      element('id', {}, escapeXml(`urn:gnss-site-setups:feed:${cursor}`)),
      element('title', {}, escapeXml(`${siteIdText(site)}${name}: ${KINDS[kind]}`)),
      element('updated', {}, escapeXml(recordedAt)),
      element('link', { rel: 'alternate', type: 'text/html', href: page }),
      element('link', { rel: 'related', type: 'application/hal+json', href: resource }),
      element('category', { term: kind }),
      element('summary', {}, escapeXml(summaryOf(entry))),
    ].join(''),
  );
}

/** Renders the feed as an Atom document (RFC 4287). Pure. */
export function renderAtom({ self, next, alternate, entries }: AtomFeed): string {
  const updated =
    entries
      .map(({ recordedAt }) => recordedAt)
      .sort()
      .at(-1) ?? '1970-01-01T00:00:00Z';
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(
    'feed',
    { xmlns: 'http://www.w3.org/2005/Atom' },
    [
      element('id', {}, 'urn:gnss-site-setups:feed'),
      element('title', {}, 'Changes on record at GNSS stations'),
      element('updated', {}, escapeXml(updated)),
      element('author', {}, element('name', {}, 'gnss-site-setups')),
      element('link', { rel: 'self', type: 'application/atom+xml', href: self }),
      element('link', { rel: 'alternate', type: 'application/hal+json', href: alternate }),
      ...(next === null
        ? []
        : [element('link', { rel: 'next', type: 'application/atom+xml', href: next })]),
      ...entries.map(entryElement),
    ].join(''),
  )}\n`;
}
