import { GNSS_EQUIPMENT_TYPES, isGnssEquipment } from '../../schemas/index.js';
import { type Point, pointOf } from '../requests/place.js';
import { siteIdText } from '../requests/site-id.js';
import type { SiteLog } from '../site-log/site-log.js';
import { isIn } from '../site-log/values/country.js';
import { canBeSame } from '../site-log/text/title-id.js';
import { identityKey } from './devices.js';
import { isBetterLog } from './log-order.js';
import { kilometresBetween } from './places.js';

/**
 * Whose log it is. Four characters are a name, not a proof: two networks may use the same ones.
 * What logs say about their stations tells these apart.
 */

/** Where a station is, as far as a log or the record says it. */
interface StationPlace {
  country: string | null;
  /** The approximate position in degrees; null if unknown. */
  place: Point | null;
}

/** What tells stations apart. */
export interface Station extends StationPlace {
  /** Of ISO 3166, three letters; null if unknown. */
  countryCode: string | null;
  domesNumber: string | null;
  /** The keys of its receivers and antennas that have a known serial number. */
  devices: ReadonlySet<string>;
}

/** A station, and the file name of the log that describes it. */
export interface DescribedStation {
  name: string;
  station: Station;
}

/** The place of a station. */
export const placeIn = ({ country, place }: Station): StationPlace => ({ country, place });

/** Logs that are farther apart, in kilometres, are of two stations, unless something proves one. */
const FARTHEST = 100;
/** Sites that are closer, in kilometres, can be one station. */
const SAME_PLACE = 0.1;

/** The form of the DOMES numbers that the IERS assigns. */
export const IERS_FORM = /^\d{5}[MS]\d{3}$/;

/** Whether a key of `identityKey` is that of a receiver or an antenna. */
export const isStationDevice = (key: string): boolean =>
  GNSS_EQUIPMENT_TYPES.some((kind) => key.startsWith(`["${kind}"`));

/** What a log says about its station. */
export function stationOf({ identification, items }: SiteLog): Station {
  const { country, countryCode, domesNumber } = identification;
  const keys = items.filter(({ id }) => isGnssEquipment(id.equipmentType));
  return {
    country,
    countryCode,
    place: pointOf(identification),
    domesNumber,
    devices: new Set(keys.flatMap(({ id }) => identityKey(id) ?? [])),
  };
}

/** What two stations have in common that belongs to one alone: a DOMES number, a device. */
type CommonProof = 'DOMES number' | 'receiver or antenna';

/** That two stations are too far apart to be one. */
interface Contradiction {
  kilometres: number;
  /** What proves that they are one nevertheless; null if nothing does. */
  proof: CommonProof | null;
}

/** Whether two stations are in two countries. One that is a part of the other is the same. */
const areInTwoCountries = (one: Station, other: Station): boolean =>
  one.countryCode !== null &&
  other.countryCode !== null &&
  !isIn(one.countryCode, other.countryCode) &&
  !isIn(other.countryCode, one.countryCode);

const commonDevices = (one: Station, other: Station): number =>
  [...one.devices].filter((key) => other.devices.has(key)).length;

function proofOf(one: Station, other: Station): CommonProof | null {
  const { domesNumber } = one;
  const isDomes = domesNumber !== null && IERS_FORM.test(domesNumber);
  if (isDomes && domesNumber === other.domesNumber) return 'DOMES number';
  // A slip in a position does not change the country as well.
  if (areInTwoCountries(one, other)) return null;
  return commonDevices(one, other) === 0 ? null : 'receiver or antenna';
}

/** Whether two stations are too far apart; null if they are not, or a position is unknown. */
export function contradictionOf(one: Station, other: Station): Contradiction | null {
  if (one.place === null || other.place === null) return null;
  const kilometres = kilometresBetween(one.place, other.place);
  return kilometres <= FARTHEST ? null : { kilometres, proof: proofOf(one, other) };
}

/** That the place in a log is too far from that in another log of its Site. */
export interface FarLog extends Contradiction {
  /** The file name of the other one. */
  other: string;
  /** The place in the log. */
  here: StationPlace;
  /** The place in the other one. */
  there: StationPlace;
}

/** How far a log is from the station that another one describes; null if it is near enough. */
export function farFrom(log: SiteLog, { name, station }: DescribedStation): FarLog | null {
  const own = stationOf(log);
  const contradiction = contradictionOf(own, station);
  return (
    contradiction && { ...contradiction, other: name, here: placeIn(own), there: placeIn(station) }
  );
}

/** Whether two stations are not one: too far apart, and nothing proves the contrary. */
const areTwoStations = (one: Station, other: Station): boolean =>
  contradictionOf(one, other)?.proof === null;

/**
 * Whether two Sites are probably one station: the same DOMES number, one place, and most of the
 * devices of the one with fewer in common.
 */
export function areOneStation(one: Station, other: Station): boolean {
  if (one.domesNumber === null || one.domesNumber !== other.domesNumber) return false;
  if (one.place === null || other.place === null) return false;
  if (kilometresBetween(one.place, other.place) > SAME_PLACE) return false;
  return commonDevices(one, other) * 2 > Math.min(one.devices.size, other.devices.size);
}

/** What the blank form has in place of an id: `ssss_ccyymmdd.log`. */
const BLANK_ID = /^(?:x{4}|s{4})/i;

/** The id that a file name begins with by convention; null if there is none. */
export function idInFileName(name: string): string | null {
  const found = /(?:^|[/\\])([a-z0-9_]{4}(?:\d\d[a-z]{3})?)_\d{8}(?!\d)[^/\\]*$/i.exec(name);
  const id = found?.[1] ?? null;
  return id === null || BLANK_ID.test(id) ? null : id;
}

/** A log with its file, as far as the rules about files need them. */
interface NamedLog {
  /** The file name. */
  name: string;
  /** In hexadecimal. */
  sha256: string;
  log: SiteLog;
}

const isNamedAfterSite = ({ name, log }: NamedLog): boolean => {
  const named = idInFileName(name);
  return named !== null && canBeSame(named, siteIdText(log.identification));
};

const compareTexts = (a: string, b: string): number => Number(a > b) - Number(a < b);

/**
 * The order in which logs of one import are saved, whatever the order of their files: those with
 * nine characters first, for these say who the Site is; then by Date Prepared, so that the last one
 * wins.
 */
export function compareNamedLogs(a: NamedLog, b: NamedLog): number {
  const isFour = ({ log }: NamedLog): number => Number(log.identification.nineCharacterId === null);
  return (
    isFour(a) - isFour(b) ||
    compareTexts(a.log.datePrepared ?? '', b.log.datePrepared ?? '') ||
    compareTexts(a.name, b.name) ||
    compareTexts(a.sha256, b.sha256)
  );
}

/** A log with what it says about its station. */
interface Witness<Log extends NamedLog> extends DescribedStation {
  named: Log;
}

/**
 * Which of some logs counts as the first of a Site: one whose file name has its id, rather than one
 * of another name; else the one that wins.
 * @param witnesses in the order of {@link compareNamedLogs}
 */
function firstAmong<Log extends NamedLog>(
  witnesses: Witness<Log>[],
  now: Date,
): Witness<Log> | undefined {
  const placed = witnesses.filter(({ station }) => station.place !== null);
  const named = placed.filter((each) => isNamedAfterSite(each.named));
  const candidates = named.length > 0 ? named : placed;
  const dated = candidates.map((each, id) => ({
    each,
    id,
    datePrepared: each.named.log.datePrepared,
  }));
  return dated.sort((a, b) => (isBetterLog(a, b, now) ? -1 : 1))[0]?.each;
}

/** The logs with one four-character id, sorted by the station that they describe. */
interface ToldApart<Log extends NamedLog> {
  /** Those of the station of the Site. */
  own: Log[];
  /** Those of other stations, with how far they are from this one. */
  others: { log: Log; far: FarLog }[];
}

/**
 * Tells logs that give the same four characters apart. Logs of one station need not all prove that:
 * a log belongs to it if it belongs together with another one that does. The result does not depend
 * on the order of the logs.
 * @param logs in the order of {@link compareNamedLogs}, which the results keep
 * @param recorded the station of the Site; null if no log of it is in force. Without a position of
 *   it, one of the logs counts as the first of the Site
 */
export function tellApart<Log extends NamedLog>(
  logs: readonly Log[],
  recorded: DescribedStation | null,
  now: Date,
): ToldApart<Log> {
  const witnesses = logs.map((named) => ({
    named,
    name: named.name,
    station: stationOf(named.log),
  }));
  const isPlaced = recorded !== null && recorded.station.place !== null;
  const known = isPlaced ? recorded : firstAmong(witnesses, now);
  if (known === undefined) return { own: [...logs], others: [] };
  const rest = new Set(witnesses.filter(({ station }) => station.place !== null));
  const joined = [known.station];
  // It grows while it is read.
  for (const station of joined) {
    for (const each of rest) {
      if (areTwoStations(station, each.station)) continue;
      rest.delete(each);
      joined.push(each.station);
    }
  }
  const others = new Set([...rest].map(({ named }) => named));
  return {
    own: logs.filter((log) => !others.has(log)),
    // Each of them contradicts all that have joined, the known one first.
    others: [...rest].map(({ named }) => ({ log: named, far: farFrom(named.log, known)! })),
  };
}
