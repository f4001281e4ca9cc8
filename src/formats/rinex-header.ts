import type { Instant } from '../../schemas/index.js';
import { decimal, field, type Note } from './columns-of-text.js';
import { nameOf } from './site-format.js';
import { cartesianOf, domesOf, type Interval, noteSeveral, type SiteHistory } from './site-history.js';

/** Writes the station records of a RINEX observation header: 60 columns of content, and the label. */

export const RINEX_VERSIONS = ['2.11', '3.05', '4.01'] as const;
export type RinexVersion = (typeof RINEX_VERSIONS)[number];

/** How a header is written. */
export interface HeaderOptions {
  version: RinexVersion;
  /** When the header is written. */
  now: Instant;
  /** Who writes it; null if unknown. */
  organisation: string | null;
  /** The id in MARKER NAME. By default, RINEX 2 has the four characters, and later versions all nine. */
  markerName: 'four' | 'nine' | null;
}

/** The columns of the content of a record. The label follows. */
const CONTENT_WIDTH = 60;
/** The longest agency; a longer one is cut and ends with dots. */
const LONGEST_AGENCY = 40;

/** A record: its content and its label, without blanks at the end. */
export const record = (content: string, label: string): string => `${content.padEnd(CONTENT_WIDTH)}${label}\n`;

/** A long agency is cut and ends with dots. */
export const shortAgency = (agency: string): string =>
  agency.length > LONGEST_AGENCY ? `${agency.slice(0, LONGEST_AGENCY - 4)}...` : agency;

const padded = (content: string, label: string): string => `${content.padEnd(CONTENT_WIDTH)}${label.padEnd(20)}\n`;

/** Three numbers as 3F14.4; null if one is unknown or does not fit. */
function numbers(values: readonly (number | null | undefined)[]): string | null {
  const written = values.map((value) => (value === null || value === undefined ? null : decimal(value, 14, 4)));
  return written.includes(null) ? null : written.join('');
}

/** The records of the receiver and the antenna. */
function equipmentRecords(interval: Interval, note: Note): string[] {
  const { receiver, antenna } = interval;
  noteSeveral(interval, ['receivers', 'antennas'], note);
  const text = (value: string | null | undefined, what: string, width = 20): string => field(value, { what, width }, note);
  const records: string[] = [];
  if (receiver === null) note('no receiver in use');
  else {
    const [serialNumber, type] = [text(receiver.serialNumber, 'receiver serial number'), text(receiver.type, 'receiver type')];
    records.push(padded(`${serialNumber}${type}${text(receiver.firmware, 'firmware')}`, 'REC # / TYPE / VERS'));
  }
  if (antenna === null) note('no antenna in use');
  else {
    if (antenna.radome === null) note('radome unknown: written as UNKN');
    const serialNumber = text(antenna.serialNumber, 'antenna serial number');
    const type = `${text(antenna.type, 'antenna type', 15)} ${text(antenna.radome ?? 'UNKN', 'radome', 4)}`;
    records.push(padded(serialNumber + type, 'ANT # / TYPE'));
  }
  return records;
}

/** The header of a Site. @param interval what is in use @param agency of its log; null if unknown */
export function renderRinexHeader(
  history: SiteHistory,
  interval: Interval,
  agency: string | null,
  { version, now, organisation, markerName }: HeaderOptions,
): { text: string; notes: string[] } {
  const notes: string[] = [];
  const note: Note = (each) => notes.push(each);
  const { site } = history;
  const isOld = version.startsWith('2');
  const hasNine = (markerName ?? (isOld ? 'four' : 'nine')) === 'nine';
  if (markerName === 'nine' && site.nineCharacterId === null) note('nine-character id unknown: the marker name has four characters');
  const domes = domesOf(site, note);
  const written = now.replace(/[-:Z]/g, '').replace('T', ' ');
  const observer = `${' '.repeat(20)}${shortAgency(field(agency, { what: 'agency', width: 200 }, note).trimEnd())}`;
  const equipment = equipmentRecords(interval, note);
  const position = numbers(cartesianOf(site.location));
  const { antenna } = interval;
  // The order is height, east, north.
  const eccentricity = antenna && numbers([antenna.up, antenna.east, antenna.north]);
  if (position === null) note('position unknown');
  if (antenna !== null && eccentricity === null) note('an eccentricity is unknown or too large');
  const records = [
    padded(
      `${version.padStart(9)}${' '.repeat(11)}${'OBSERVATION DATA'.padEnd(20)}${isOld ? 'M (MIXED)' : 'M: MIXED'}`,
      'RINEX VERSION / TYPE',
    ),
    padded(
      `${'gnss-site-setups'.padEnd(20)}${field(organisation, { what: 'organisation', width: 20 }, note)}${written} UTC`,
      'PGM / RUN BY / DATE',
    ),
    padded((hasNine ? site.nineCharacterId : null) ?? site.fourCharacterId, 'MARKER NAME'),
    ...(domes === null ? [] : [padded(domes, 'MARKER NUMBER')]),
    ...(isOld ? [] : [padded('GEODETIC', 'MARKER TYPE')]),
    padded(observer, 'OBSERVER / AGENCY'),
    ...equipment,
    ...(position === null ? [] : [padded(position, 'APPROX POSITION XYZ')]),
    ...(eccentricity === null ? [] : [padded(eccentricity, 'ANTENNA: DELTA H/E/N')]),
  ];
  const comments = notes.flatMap((each) =>
    (`${nameOf(history)}: ${each}`.replace(/[^\x20-\x7e]/gu, '?').match(/.{1,60}/gu) ?? []).map((line) => padded(line, 'COMMENT')),
  );
  return { text: [...records, ...comments, padded('', 'END OF HEADER')].join(''), notes };
}
