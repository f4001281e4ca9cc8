import type { Instant } from '../../schemas/index.js';
import { type AddNote, type Note, sentenceOf } from '../findings/notes.js';
import { siteIdText } from '../requests/site-id.js';
import { type Agencies, writtenAgency } from './agency.js';
import {
  ascii,
  commentLines,
  decimal,
  field,
  firmwareField,
  measured,
  name,
} from './columns-of-text.js';
import { DomesNumbers } from './domes.js';
import { eccentricities } from './eccentricities.js';
import { azimuthField, radomeField } from './antenna-fields.js';
import { BOTH, severalInUse, zerosWritten } from './history-lines.js';
import type { Interval, SiteHistory } from './site-history.js';
import { cartesianOf, hasCartesian, unknownPosition } from './written-position.js';
import { sourceLines } from './site-format.js';
import { UnplacedValues } from './unplaced.js';
import type { RinexVersion } from './versions.js';

/**
 * Writes the station records of a RINEX observation header: 60 columns of content, and the label.
 */

/** How a header is written. */
interface HeaderOptions {
  version: RinexVersion;
  /** When the header is written. */
  now: Instant;
  /** Who writes it; null if unknown. */
  organisation: string | null;
  /**
   * The id in MARKER NAME. By default, RINEX 2 has the four characters, and later versions all
   * nine.
   */
  markerName: 'four' | 'nine' | null;
  /** The URL that gives the same header again, for a comment; null for none. */
  source: string | null;
}

/** The columns of the content of a record. The label follows. */
const CONTENT_WIDTH = 60;

/** A record: its content and its label, without blanks at the end. */
export const record = (content: string, label: string): string =>
  `${content.padEnd(CONTENT_WIDTH)}${label}\n`;

const padded = (content: string, label: string): string =>
  `${content.padEnd(CONTENT_WIDTH)}${label.padEnd(20)}\n`;

/** X, Y and Z as 3F14.4; null, with a note, if one is unknown or does not fit. */
function positionOf({ location }: SiteHistory['site'], note: AddNote): string | null {
  const columns = { width: 14, digits: 4 };
  const isComputed = !hasCartesian(location);
  const values = cartesianOf(location);
  if (values.includes(null)) {
    note(unknownPosition(location));
    return null;
  }
  // What is computed is always rounded.
  const write = (value: number | null, index: number): string | null =>
    isComputed && value !== null
      ? decimal(value, columns.width, columns.digits)
      : measured(value, { what: 'XYZ'[index]!, ...columns }, note);
  const written = values.map(write);
  if (!written.includes(null)) return written.join('');
  note({ code: 'wide-position', position: values });
  return null;
}

const columns = (what: string, width = 20) => ({ what, width });

/** An agency, with a note if it is not written as in the log. */
function agencyField(agencies: Agencies, note: AddNote): string {
  const { agency } = agencies;
  if (agency === null) return '';
  const written = writtenAgency(agencies);
  if (written === null) note({ code: 'agency-left-out', agency });
  else if (written !== ascii(agency).trim()) note({ code: 'agency-abbreviated', agency, written });
  else if (written !== agency) note({ code: 'spelling', what: 'agency', value: agency, written });
  return written ?? '';
}

function equipmentRecords({ receiver, antenna }: Interval, note: AddNote): string[] {
  const records: string[] = [];
  if (receiver === null) note({ code: 'not-in-use', device: 'receiver' });
  else {
    const serialNumber = field(receiver.serialNumber, columns('receiver serial number'), note);
    const type = name(receiver.type, columns('receiver type'), note);
    records.push(
      padded(
        serialNumber + type + firmwareField(receiver.firmware, columns('firmware'), note),
        'REC # / TYPE / VERS',
      ),
    );
  }
  if (antenna === null) note({ code: 'not-in-use', device: 'antenna' });
  else {
    const serialNumber = field(antenna.serialNumber, columns('antenna serial number'), note);
    const type = name(antenna.type, columns('antenna type', 15), note);
    records.push(
      padded(
        `${serialNumber}${type} ${radomeField(antenna, { width: 4, unknown: 'UNKN' }, note)}`,
        'ANT # / TYPE',
      ),
    );
  }
  return records;
}

/** Up, east and north; null, with a note, if one is unknown or does not fit. */
function eccentricitiesOf(interval: Interval, note: AddNote): string | null {
  const { antenna, from, to } = interval;
  if (antenna === null) return null;
  const written = eccentricities(antenna, { width: 14 }, note);
  if ('reasons' in written) {
    const record = 'ANTENNA: DELTA H/E/N';
    note({ code: 'no-record', record, reasons: written.reasons, period: { from, to } });
    return null;
  }
  for (const each of zerosWritten(interval)) note(each);
  return written.up + written.east + written.north;
}

/** The alignment from true north; null if it is unknown, 0, or does not fit. */
function alignmentOf({ antenna }: Interval, note: AddNote): string | null {
  if (antenna === null || antenna.azimuth === null || antenna.azimuth === 0) return null;
  return azimuthField(antenna, { width: 14, digits: 4 }, note);
}

/** The header of a Site. @param interval what is in use */
export function renderRinexHeader(
  history: Pick<SiteHistory, 'site'> & Agencies,
  interval: Interval,
  { version, now, organisation, markerName, source }: HeaderOptions,
): { text: string; notes: Note[] } {
  const notes: Note[] = [];
  const note: AddNote = (each) => notes.push(each);
  const { site } = history;
  const isOld = version.startsWith('2');
  const hasNine = (markerName ?? (isOld ? 'four' : 'nine')) === 'nine';
  if (hasNine && site.nineCharacterId === null) note({ code: 'unknown-nine-characters' });
  const domesNumbers = new DomesNumbers();
  const domes = domesNumbers.write(site, note);
  for (const each of domesNumbers.summary()) note(each.note);
  const written = now.replace(/[-:Z]/g, '').replace('T', ' ');
  const observer = `${' '.repeat(20)}${agencyField(history, note)}`;
  for (const each of severalInUse(interval, BOTH.kinds)) note(each);
  const equipment = equipmentRecords(interval, note);
  const position = positionOf(site, note);
  const runBy = field(organisation, columns('organisation'), note);
  const program = `${'gnss-site-setups'.padEnd(20)}${runBy}${written} UTC`;
  const eccentricity = eccentricitiesOf(interval, note);
  const alignment = isOld ? null : alignmentOf(interval, note);
  const records = [
    padded(
      version.padStart(9).padEnd(20) +
        'OBSERVATION DATA'.padEnd(20) +
        (isOld ? 'M (MIXED)' : 'M: MIXED'),
      'RINEX VERSION / TYPE',
    ),
    padded(program, 'PGM / RUN BY / DATE'),
    padded((hasNine ? site.nineCharacterId : null) ?? site.fourCharacterId, 'MARKER NAME'),
    ...(domes === null ? [] : [padded(domes, 'MARKER NUMBER')]),
    ...(isOld ? [] : [padded('GEODETIC', 'MARKER TYPE')]),
    padded(observer, 'OBSERVER / AGENCY'),
    ...equipment,
    ...(position === null ? [] : [padded(position, 'APPROX POSITION XYZ')]),
    ...(eccentricity === null ? [] : [padded(eccentricity, 'ANTENNA: DELTA H/E/N')]),
    ...(alignment === null ? [] : [padded(alignment, 'ANTENNA: ZERODIR AZI')]),
  ];
  const unplaced = new UnplacedValues([
    ...(isOld ? (['alignment'] as const) : []),
    'cutoff',
    'referencePoint',
  ]);
  unplaced.add({ intervals: [interval] }, null);
  for (const each of unplaced.summary()) note(each.note);
  const lines = notes.flatMap((each) =>
    commentLines(`${siteIdText(history.site)}: ${sentenceOf(each)}`, CONTENT_WIDTH),
  );
  const comments = [...sourceLines(source, CONTENT_WIDTH), ...lines].map((line) =>
    padded(line, 'COMMENT'),
  );
  return { text: [...records, ...comments, padded('', 'END OF HEADER')].join(''), notes };
}
