import type { CorsSite, Instant } from '../../schemas/index.js';
import { writtenDomes } from '../formats/domes.js';
import { siteIdText } from '../requests/site-id.js';
import { DAY, HOUR } from '../requests/units-of-time.js';
import type { RecordedSite } from '../store/read/sites/sites.js';
import { finding, type RinexFinding, type Rollover } from './findings.js';
import type { NameOfFile, StatedPeriod } from './header/file-name.js';
import type { RinexHeader } from './header/header.js';
import { distanceFrom } from './position.js';

/** Decides from the name and the header of a file which Site observed it, and when. */

/** The times between which a file has observations. Equal for an instant. */
export interface Span {
  from: Instant;
  to: Instant;
}

/** What the name and the header of a file state. */
export interface FileIdentity {
  /** Null if its name is not that of an observation file. */
  name: NameOfFile | null;
  header: RinexHeader;
  /** Its last epoch; null if it is unknown, or if name or header says when the file ends. */
  lastEpoch: Instant | null;
}

/** What was stated for all files; null for nothing. */
export interface Stated {
  /** Their time, which decides against all other times. */
  at: Instant | null;
  /** Their Site, where neither name nor marker name is the id of one. */
  site: RecordedSite | null;
}

/** The Site and the period of a file, or why they are unknown. */
export type Identified =
  | {
      kind: 'identified';
      recordedSite: RecordedSite;
      span: Span;
      /** Whether only the beginning of the file is known. */
      isOpen: boolean;
      hints: RinexFinding[];
    }
  /**
   * Name, marker, position and times contradict each other, or the record. The Site is null if that
   * is unclear.
   */
  | {
      kind: 'contradicts';
      site: CorsSite | null;
      contradictions: RinexFinding[];
      hints: RinexFinding[];
    }
  /** Its Site is not on record, or nothing says which one it is. */
  | { kind: 'unknown-site'; reason: RinexFinding }
  /** It has no readable time. */
  | { kind: 'unreadable'; reason: RinexFinding };

/** After this many weeks, older receivers start to count the GPS weeks from 0 again. */
const ROLLOVER = 1024 * 7 * DAY;

const ID = /^[A-Z0-9_]{4}(?:\d\d[A-Z]{3})?$/;
const FOUR_CHARACTERS = /^[A-Z0-9_]{4}/;

/**
 * The id in a marker name: all of it, or else its first four characters. Null if these are no id.
 */
function markerId({ markerName }: RinexHeader): string | null {
  const marker = markerName?.toUpperCase() ?? '';
  if (ID.test(marker)) return marker;
  return FOUR_CHARACTERS.test(marker) ? marker.slice(0, 4) : null;
}

/** The ids of four or nine characters that a file may have: by its name, and by its marker name. */
export function idsOfFile({ name, header }: Pick<FileIdentity, 'name' | 'header'>): string[] {
  const ids = [name?.site ?? null, markerId(header)].filter((id) => id !== null);
  return [...new Set(ids)];
}

/** Whether an id names a Site. Any nine characters name one that is known by their first four. */
function isNamed(id: string, { nineCharacterId, fourCharacterId }: CorsSite): boolean {
  if (id === nineCharacterId) return true;
  const isIncomplete = id.length === 4 || nineCharacterId === null;
  return id.slice(0, 4) === fourCharacterId && isIncomplete;
}

/** The Sites that an id names: the one with these nine characters, or else all that it may mean. */
export function sitesNamed(id: string, sites: RecordedSite[]): RecordedSite[] {
  const exact = sites.filter(({ site }) => site.nineCharacterId === id);
  return exact.length > 0 ? exact : sites.filter(({ site }) => isNamed(id, site));
}

/**
 * The one of several Sites that the marker name or the marker number identifies; undefined if
 * neither does.
 */
function siteOfMarker(several: RecordedSite[], header: RinexHeader): RecordedSite | undefined {
  const marker = markerId(header);
  const number = header.markerNumber;
  const found = several.filter(
    ({ site }) =>
      (marker !== null && site.nineCharacterId === marker) ||
      (number !== null && site.domesNumber === number),
  );
  return found.length === 1 ? found[0] : undefined;
}

/** The Site of a file, what contradicts it, or why there is none. */
type FoundSite =
  | { kind: 'found'; recordedSite: RecordedSite }
  | { kind: 'contradicts'; contradiction: RinexFinding; site: CorsSite | null }
  | { kind: 'unknown'; reason: RinexFinding };

/**
 * The only Site of some, or the one that the marker identifies. @param id that names all of them
 */
function onlySite(id: string, found: RecordedSite[], header: RinexHeader): FoundSite {
  const recordedSite = found.length === 1 ? found[0] : siteOfMarker(found, header);
  if (recordedSite !== undefined) return { kind: 'found', recordedSite };
  return { kind: 'unknown', reason: finding('several-sites', { id }) };
}

/**
 * Reports that the file name identifies no Site, but the marker does.
 * @param found the Sites that the marker names
 */
function contradictionOfSite(id: string, found: RecordedSite[], markerName: string): FoundSite {
  const ids = found.map(({ site }) => siteIdText(site)).sort();
  const isSameStation = found.every(({ site }) => site.fourCharacterId === id.slice(0, 4));
  return {
    kind: 'contradicts',
    contradiction: finding('name-without-site', { id, markerName, ids, isSameStation }),
    site: found.length === 1 ? found[0]!.site : null,
  };
}

/**
 * Reports a marker name that is the id of a different Site than the file name; null if it is not.
 */
function otherSiteOfMarker(
  id: string,
  { recordedSite }: { recordedSite: RecordedSite },
  { header }: FileIdentity,
  sites: RecordedSite[],
): FoundSite | null {
  const markerName = header.markerName ?? '';
  const marker = markerName.toUpperCase();
  if (!ID.test(marker)) return null;
  const others = sitesNamed(marker, sites);
  if (others.length === 0 || others.includes(recordedSite)) return null;
  const ids = others.map(({ site }) => siteIdText(site)).sort();
  return {
    kind: 'contradicts',
    contradiction: finding('marker-of-other-site', { id, markerName, ids }),
    site: null,
  };
}

/**
 * The Site that was stated for all files, unless the name or the marker of a file is the id of
 * another Site on record.
 */
function statedSite(
  recordedSite: RecordedSite,
  { name, header }: FileIdentity,
  sites: RecordedSite[],
): FoundSite {
  const marker = header.markerName?.toUpperCase() ?? '';
  const given = [
    ['the file', name?.site ?? ''],
    ['the marker', marker],
  ] as const;
  for (const [what, id] of given) {
    const others = ID.test(id) ? sitesNamed(id, sites) : [];
    const isIt = others.some(({ site }) => site.id === recordedSite.site.id);
    if (others.length === 0 || isIt) continue;
    const site = siteIdText(recordedSite.site);
    const ids = others.map((each) => siteIdText(each.site)).sort();
    const contradiction = finding('other-site-than-stated', { what, id, ids, site });
    return { kind: 'contradicts', contradiction, site: null };
  }
  return { kind: 'found', recordedSite };
}

/** Farther than this from its Site, in metres, a file is of another station. */
const FARTHEST = 1000;

/** The marker types of RINEX 3 and 4 whose data are of a receiver that moves. */
const MOVING = new Set([
  'SPACEBORNE',
  'AIRBORNE',
  'WATER_CRAFT',
  'GROUND_CRAFT',
  'FLOATING_BUOY',
  'FLOATING_ICE',
  'GLACIER',
  'BALLISTIC',
  'ANIMAL',
  'HUMAN',
]);

/**
 * What says that a file is of another station than its Site: its position, its marker name together
 * with its marker number, or a marker that moves.
 */
function contradictionsOfPlace({ header }: FileIdentity, { site }: RecordedSite): RinexFinding[] {
  const contradictions: RinexFinding[] = [];
  const siteId = siteIdText(site);
  const { markerName, markerNumber, markerType, position } = header;
  const distance = position === null ? null : distanceFrom(position, site.location);
  if (position !== null && distance !== null && distance > FARTHEST)
    contradictions.push(finding('far-from-site', { position, markerName, distance, site: siteId }));
  if (markerType !== null && MOVING.has(markerType.toUpperCase()))
    contradictions.push(finding('moving-marker', { markerType, site: siteId }));
  const marker = markerName?.toUpperCase() ?? '';
  const isOtherId = ID.test(marker) && !isNamed(marker, site) && !site.formerIds.includes(marker);
  const domes = numberIn(markerNumber);
  const own = writtenDomes(site);
  if (isOtherId && domes !== null && own !== null && domes !== own)
    contradictions.push(
      finding('other-marker', { markerName: marker, markerNumber: domes, site: siteId, own }),
    );
  return contradictions;
}

/** The DOMES number at the beginning of a marker number; null if there is none. */
const numberIn = (markerNumber: string | null): string | null =>
  /^\d{5}[MS]\d{3}(?![A-Z0-9])/.exec(markerNumber?.toUpperCase() ?? '')?.[0] ?? null;

function findSite(file: FileIdentity, sites: RecordedSite[]): FoundSite {
  const { name, header } = file;
  const ids = idsOfFile(file);
  if (ids.length === 0) return { kind: 'unknown', reason: finding('no-id', {}) };
  const marker = markerId(header);
  const byName = name === null ? [] : sitesNamed(name.site, sites);
  if (name !== null && byName.length > 0) {
    const named = onlySite(name.site, byName, header);
    if (named.kind !== 'found') return named;
    return otherSiteOfMarker(name.site, named, file, sites) ?? named;
  }
  const byMarker = marker === null ? [] : sitesNamed(marker, sites);
  if (marker === null || byMarker.length === 0)
    return { kind: 'unknown', reason: finding('no-site', { ids }) };
  if (name !== null) return contradictionOfSite(name.site, byMarker, header.markerName!);
  return onlySite(marker, byMarker, header);
}

/**
 * Whether a wrong time is that of a GPS week rollover: 1,024 weeks later or earlier, it would be in
 * a period, give or take a day.
 */
function rolloverOf(time: Instant, from: Instant, to: Instant): Rollover {
  const isWithin = (instant: number): boolean =>
    instant >= Date.parse(from) - DAY && instant <= Date.parse(to) + DAY;
  if (isWithin(Date.parse(time) + ROLLOVER)) return 'early';
  if (isWithin(Date.parse(time) - ROLLOVER)) return 'late';
  return null;
}

/** A time in the header that is not in the period that the name states. */
function outsideOfName(label: string, time: Instant, stated: StatedPeriod): RinexFinding {
  const rollover = rolloverOf(time, stated.from, stated.from);
  return finding('time-outside-name', { label, time, stated, rollover });
}

/** The contradictions about the time of a file. */
function contradictionsOfTime({ name, header }: FileIdentity): RinexFinding[] {
  const { firstObservation: first, lastObservation: last } = header;
  const stated = name?.period ?? null;
  const contradictions: RinexFinding[] = [];
  if (first !== null && stated !== null) {
    const isEarly = Date.parse(first) < Date.parse(stated.from) - HOUR;
    // A file of unspecified length may begin at any time of its day.
    const end = stated.to === null ? Date.parse(stated.from) + DAY : Date.parse(stated.to);
    const isLate = Date.parse(first) > end + HOUR;
    if (isEarly || isLate) contradictions.push(outsideOfName('TIME OF FIRST OBS', first, stated));
  }
  if (last === null) return contradictions;
  const begin = first ?? stated?.from ?? last;
  const rollover = rolloverOf(last, begin, stated?.to ?? begin);
  if (first !== null && Date.parse(last) < Date.parse(first))
    contradictions.push(finding('last-before-first', { first, last, rollover }));
  if (stated === null) return contradictions;
  if (first === null && Date.parse(last) < Date.parse(stated.from) - HOUR)
    contradictions.push(outsideOfName('TIME OF LAST OBS', last, stated));
  if (stated.to === null) return contradictions;
  const length = Date.parse(last) - Date.parse(begin);
  const statedLength = Date.parse(stated.to) - Date.parse(stated.from);
  if (length > statedLength + DAY)
    contradictions.push(finding('longer-than-name', { first: begin, last, stated, rollover }));
  return contradictions;
}

/** What cannot be read about the time of a file. */
function unreadableTimes({ name, header }: FileIdentity): RinexFinding[] {
  const found = header.unreadable
    .filter(({ fields }) => fields.length === 0)
    .map(({ label, text }) => finding('no-such-time', { label, text }));
  if (name !== null && name.period === null)
    found.push(finding('no-such-time-in-name', { begin: name.begin }));
  return found;
}

/** Whether neither the header nor the name of a file says when it ends. */
export const lacksEnd = ({ name, header }: Pick<FileIdentity, 'name' | 'header'>): boolean =>
  header.lastObservation === null && (name?.period?.to ?? null) === null;

/**
 * When a file was observed: by its header, and by its name where the header says nothing. Null if
 * neither says when it begins.
 */
function spanOf({ name, header, lastEpoch }: FileIdentity): (Span & { isOpen: boolean }) | null {
  const stated = name?.period ?? null;
  const from = header.firstObservation ?? stated?.from ?? null;
  if (from === null) return null;
  const to = header.lastObservation ?? stated?.to ?? lastEpoch;
  // The first observation may be up to an hour behind the period of the name.
  const isBefore = to === null || Date.parse(to) < Date.parse(from);
  const isOpen = to === null || (to === lastEpoch && isBefore);
  return { from, to: isBefore ? from : to, isOpen };
}

/**
 * Decides the Site and the period of a file. If name, marker, position and times contradict each
 * other or the record, that is the result. Nothing is compared with a guess.
 * @param sites all Sites on record with the first four characters of {@link idsOfFile}
 * @param stated what was stated for all files
 */
export function identify(
  file: FileIdentity,
  sites: RecordedSite[],
  { at, site }: Stated,
): Identified {
  const found = site === null ? findSite(file, sites) : statedSite(site, file, sites);
  const ofTime = contradictionsOfTime(file);
  const unreadable = unreadableTimes(file);
  const contradictions = at === null ? [...ofTime] : [];
  if (found.kind === 'contradicts') {
    contradictions.unshift(found.contradiction);
    return { kind: 'contradicts', site: found.site, contradictions, hints: unreadable };
  }
  if (found.kind === 'unknown') {
    if (contradictions.length === 0) return { kind: 'unknown-site', reason: found.reason };
    const hints = [finding('unknown-site', { why: found.reason }), ...unreadable];
    return { kind: 'contradicts', site: null, contradictions, hints };
  }
  const { recordedSite } = found;
  contradictions.unshift(...contradictionsOfPlace(file, recordedSite));
  if (contradictions.length > 0)
    return { kind: 'contradicts', site: recordedSite.site, contradictions, hints: unreadable };
  if (at !== null) {
    const hints = [...ofTime, ...unreadable];
    return { kind: 'identified', recordedSite, span: { from: at, to: at }, isOpen: false, hints };
  }
  const period = spanOf(file);
  if (period === null) return { kind: 'unreadable', reason: finding('no-time', { unreadable }) };
  const { isOpen, ...span } = period;
  const hints = isOpen ? [...unreadable, finding('no-length', {})] : unreadable;
  return { kind: 'identified', recordedSite, span, isOpen, hints };
}
