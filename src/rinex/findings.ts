import type { Instant, Period } from '../../schemas/index.js';
import type { Device, Field } from './fields.js';
import type { StatedPeriod } from './header/file-name.js';

/** What can be found about a RINEX file, as data: a code with its values. */

/** What can be found. */
export type RinexCode = keyof typeof MESSAGES;

/** The values of a code. */
type ValuesOf<Code extends RinexCode> = (typeof MESSAGES)[Code] extends (
  values: infer V extends object,
) => string
  ? V
  : Record<never, never>;

/** A code with its values. */
export interface RinexFinding {
  code: RinexCode;
  values: object;
}

/** Whether a time would be in its period if weeks were counted from another beginning. */
export type Rollover = 'early' | 'late' | null;

/** What a record of a header may be left for. */
interface Left {
  label: string;
  why: RinexFinding;
}

/** The marker name, and the ids of the Sites on record that it means. */
interface MarkerName {
  markerName: string;
  ids: string[];
}

/** A file name that identifies no Site, though the marker name does. */
interface NameWithoutSite extends MarkerName {
  /** The id in the name. */
  id: string;
  /** Whether the Sites have the four characters of the id. */
  isSameStation: boolean;
}

/** A name that belongs to another Site than the one that was stated. */
interface OtherThanStated {
  what: 'the file' | 'the marker';
  id: string;
  /** The ids of the Sites that it means. */
  ids: string[];
  /** The one that was stated. */
  site: string;
}

/** A position that is too far from the Site. */
interface FarFromSite {
  position: string;
  markerName: string | null;
  /** In metres. */
  distance: number;
  site: string;
}

/** A marker that belongs to another station than the Site. */
interface OtherMarker {
  markerName: string;
  markerNumber: string;
  site: string;
  /** The DOMES number of the Site. */
  own: string;
}

/** The period that the name of a file states. */
interface Stated {
  stated: StatedPeriod;
}

interface TimeOutsideName extends Stated {
  label: string;
  time: Instant;
  rollover: Rollover;
}

interface FirstAndLast {
  first: Instant;
  last: Instant;
  rollover: Rollover;
}

/** A log prepared before the file, and the devices that differ from its last Setup. */
interface OlderRecord {
  datePrepared: string;
  devices: Device[];
}

/** The number and the period of a Setup. */
interface NumberedPeriod extends Period {
  id: number;
}

/** Another Setup of the Site that the receiver or the antenna in the header fits. */
export interface OtherSetup extends NumberedPeriod {
  device: Device;
  which: 'previous' | 'next' | 'earlier' | 'later';
}

/** A device on record before or after a time without one. */
export interface Neighbour extends Period {
  type: string | null;
  serialNumber: string | null;
}

/** A device of which none is on record during a file, and those before and after it. */
export interface NoEquipment {
  device: Device;
  before: Neighbour | null;
  after: Neighbour | null;
}

/** A Setup during a file. */
interface SetupDuring extends NumberedPeriod {
  /** The devices that it lacks, and that others have. */
  without: Device[];
}

/** Where the device with a serial number is on record. */
interface DeviceElsewhere extends Period {
  device: Device;
  serialNumber: string;
  site: string;
}

/** Makes a finding. */
export const finding = <Code extends RinexCode>(
  code: Code,
  values: ValuesOf<Code>,
): RinexFinding => ({ code, values });

/** The message of a finding. */
export function messageOf({ code, values }: RinexFinding): string {
  const message = MESSAGES[code];
  if (typeof message === 'string') return message;
  // The compiler cannot know that the values are those of the code.
  return (message as (values: object) => string)(values);
}

/** A file that cannot be read; the message follows the name of the file. */
export class RinexUnreadable extends Error {
  override readonly name = 'RinexUnreadable';

  constructor(readonly finding: RinexFinding) {
    super(messageOf(finding));
  }
}

const periodInWords = ({ from, to }: Period): string => `${from} to ${to ?? 'now'}`;

const neighbourInWords = ({ type, serialNumber, ...period }: Neighbour): string =>
  `${[type ?? 'one of unknown type', serialNumber].filter((each) => each !== null).join(' ')} ` +
  `(${periodInWords(period)})`;

const statedInWords = ({ from, to }: StatedPeriod): string =>
  to === null ? `from ${from}, without an end` : `${from} to ${to}`;

/** A distance of more than a kilometre. @param distance in metres */
const distanceInWords = (distance: number): string => {
  const kilometres = distance / 1000;
  return `${kilometres.toFixed(kilometres < 100 ? 1 : 0)} km`;
};

/** How much of a text is quoted, in characters. */
const LONGEST_QUOTE = 40;
const quoted = (text: string): string => `"${text.slice(0, LONGEST_QUOTE)}"`;

/** How many labels are named. */
const MOST_NAMED = 3;
/** The first labels of a list, and how many more there are. */
function firstOf(labels: readonly string[]): string {
  const more = labels.length - MOST_NAMED;
  return labels.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

const endOfSentence = (rollover: Rollover): string =>
  rollover === null ? '.' : `: 1,024 weeks ${rollover}, a GPS week rollover.`;

const isOrAre = (fields: readonly Field[]): string =>
  `${fields.join(', ')} ${fields.length === 1 ? 'is' : 'are'}`;

/** The messages, by code; of a finding with values, a function of these. */
const MESSAGES = {
  // Why a file cannot be read; these follow its name.
  'unreadable-file': ({ reason }: { reason: string }) => `cannot be read: ${reason}`,
  'empty-file': 'is empty',
  'utf-16': 'is text in UTF-16; expected ASCII',
  'carriage-returns': 'has lines that end with CR alone; expected LF, or CR and LF',
  'not-rinex': ({ begin }: { begin: string }) =>
    `is not a RINEX file: it begins with ${quoted(begin)}`,
  'label-elsewhere': ({ label, column }: { label: string; column: number }) =>
    `has ${label} in column ${column}; expected column 61`,
  'no-version': 'has no RINEX VERSION / TYPE',
  'other-type': ({ type }: { type: string }) =>
    `has RINEX type "${type}"; expected observation data`,
  'header-cut-off': 'ends before END OF HEADER',
  'header-too-long': 'has no END OF HEADER in its first 256 KiB',
  'damaged-gzip': ({ why }: { why: string }) => `is a damaged gzip file: ${why}`,
  'other-lzw': 'is not a file of Unix compress with codes of 9 to 16 bits',
  'damaged-lzw': 'is damaged: it has a code that is not in its table',
  'compressed-otherwise': ({ compression }: { compression: string }) =>
    `is compressed with ${compression}; expected a plain file, gzip or Unix compress`,

  // What is odd about a file that can be read.
  'bytes-after-gzip': ({ bytes }: { bytes: number }) =>
    `${bytes === 1 ? 'the byte' : `the ${bytes} bytes`} after its gzip data ` +
    `${bytes === 1 ? 'was' : 'were'} ignored`,
  'byte-order-mark': 'The file begins with a byte order mark, which RINEX does not allow.',
  'misspelt-labels': ({ labels }: { labels: { written: string; label: string }[] }) => {
    const what =
      labels.length === 1
        ? 'A label is not one of RINEX; it is'
        : 'Labels are not those of RINEX; they are';
    const read = labels.map(({ written, label }) => `${quoted(written)} as ${label}`);
    return `${what} read: ${firstOf(read)}.`;
  },
  'displaced-labels': ({ labels }: { labels: string[] }) =>
    `${labels.join(', ')} ${labels.length === 1 ? 'does' : 'do'} not begin in column 61; what ` +
    'stands before was read.',
  'not-ascii': ({ labels }: { labels: string[] }) =>
    'The header has bytes that are not ASCII, which can shift its columns: ' +
    `${firstOf(labels)}.`,
  'later-version': ({ version }: { version: string }) =>
    `RINEX ${version} is later than the versions that are known, up to 4; its header is read as ` +
    'one of version 4.',
  'repeated-label': (values: { label: string; times: number; isContradicted: boolean }) => {
    const { label, times, isContradicted } = values;
    const counts = isContradicted ? 'they differ, so that none counts' : 'the first one counts';
    return `The header has ${label} ${times} times; ${counts}.`;
  },
  'unknown-labels': ({ labels }: { labels: string[] }) =>
    `RINEX has no label${labels.length === 1 ? '' : 's'} ` +
    `${firstOf(labels.map(quoted))}; not read.`,
  'other-axes':
    'The header has ANTENNA: DELTA X/Y/Z instead of ANTENNA: DELTA H/E/N; it is not compared.',

  // Which Site a file is of, and when it was observed.
  'no-id': 'neither its name nor its marker name has the id of a Site',
  'no-site': ({ ids }: { ids: string[] }) => `no Site has the id ${ids.join(' or ')}`,
  'several-sites': ({ id }: { id: string }) =>
    `several Sites have the id ${id}; neither marker name nor marker number says which`,
  'unknown-site': ({ why }: { why: RinexFinding }) => `Its Site is unknown: ${messageOf(why)}.`,
  'name-without-site': ({ id, markerName, ids, isSameStation }: NameWithoutSite) => {
    const onRecord = `on record ${ids.length === 1 ? 'is' : 'are'} ${ids.join(' and ')}`;
    const why = isSameStation ? onRecord : 'no Site on record';
    return `The name of the file says ${id}, ${why}; the marker name is "${markerName}".`;
  },
  'marker-of-other-site': ({ id, markerName, ids }: { id: string } & MarkerName) =>
    `The name of the file says ${id}, and the marker name is "${markerName}": ` +
    `${ids.join(' and ')} is another Site on record.`,
  'other-site-than-stated': ({ what, id, ids, site }: OtherThanStated) =>
    `The name of ${what} says ${id}, which is ${ids.join(' and ')} on record, not ${site}.`,
  'far-from-site': ({ position, markerName, distance, site }: FarFromSite) => {
    const marker = markerName === null ? 'no marker name' : `marker name ${quoted(markerName)}`;
    const far = distanceInWords(distance);
    return `The position in the header, ${position} (${marker}), is ${far} from ${site}.`;
  },
  'moving-marker': ({ markerType, site }: { markerType: string; site: string }) =>
    `MARKER TYPE ${markerType} is that of a moving marker; ${site} is fixed.`,
  'other-marker': ({ markerName, markerNumber, site, own }: OtherMarker) =>
    `The header is about ${markerName} with the marker number ${markerNumber}, the record about ` +
    `${site} with ${own}.`,
  'time-outside-name': ({ label, time, stated, rollover }: TimeOutsideName) => {
    const isAfterBegin = Date.parse(time) > Date.parse(stated.from);
    const says =
      stated.to === null && isAfterBegin
        ? `is more than a day after the beginning that the name of the file states, ${stated.from}`
        : `is outside the period that the name of the file states, ${statedInWords(stated)}`;
    return `${label} ${time} ${says}${endOfSentence(rollover)}`;
  },
  'last-before-first': ({ first, last, rollover }: FirstAndLast) =>
    `TIME OF LAST OBS ${last} is before TIME OF FIRST OBS ${first}${endOfSentence(rollover)}`,
  'longer-than-name': ({ first, last, stated, rollover }: FirstAndLast & Stated) =>
    `The period of the header, ${first} to ${last}, is more than a day longer than that of the ` +
    `name, ${statedInWords(stated)}${endOfSentence(rollover)}`,
  'no-such-time': ({ label, text }: { label: string; text: string }) =>
    `${label} "${text}" is not a time that exists; it is not used.`,
  'no-such-time-in-name': ({ begin }: { begin: string }) =>
    `The time in the name of the file, "${begin}", does not exist; it is not used.`,
  'no-length':
    'Neither its name nor TIME OF LAST OBS nor its epochs say how long the file lasts: only its ' +
    'beginning is compared.',
  'no-time': ({ unreadable }: { unreadable: RinexFinding[] }) => {
    const why = unreadable.length === 0 ? '' : ` (${unreadable.map(messageOf).join(' ')})`;
    return `neither its header nor its name says when it begins${why}`;
  },

  // What explains the differences from the record.
  'unclear-device': ({ device }: { device: Device }) =>
    `Several ${device}s are in use, and neither serial number nor type in the header says ` +
    'which: compared with the one that matches best.',
  'outdated-record': ({ site, devices, datePrepared }: { site: string } & OlderRecord) => {
    const verb = devices.length === 1 ? 'differs' : 'differ';
    const differ = `the ${devices.join(' and the ')} ${verb} from its last Setup`;
    const prepared = `The log of ${site} was prepared ${datePrepared}, before this file`;
    return `${prepared}, and ${differ}: the file is probably right, and the record outdated.`;
  },
  'no-equipment': ({ device, before, after }: NoEquipment) => {
    const neighbours = [
      ...(before === null ? [] : [`before it, ${neighbourInWords(before)}`]),
      ...(after === null ? [] : [`after it, ${neighbourInWords(after)}`]),
    ];
    const others = neighbours.length === 0 ? ['nor at any other time'] : neighbours;
    return `No ${device} is on record during this file; ${others.join('; ')}.`;
  },
  'begins-during-file': ({ from }: { from: Instant }) =>
    `The record of equipment begins ${from}, during this file.`,
  'changed-during-file': ({ setups, best }: { setups: SetupDuring[]; best: number }) => {
    const all = setups.map(({ id, without, ...period }) => {
      const lacking = without.length === 0 ? '' : `, without ${without.join(' and ')}`;
      return `Setup ${id} (${periodInWords(period)}${lacking})`;
    });
    return `The equipment changed during this file: ${all.join(', ')}; Setup ${best} matches best.`;
  },
  'fits-other-setup': ({ device, which, id, ...period }: OtherSetup) =>
    `The ${device} fits the ${which} Setup, ${id} (${periodInWords(period)}).`,
  'device-elsewhere': ({ device, serialNumber, site, ...period }: DeviceElsewhere) =>
    `The ${device} ${serialNumber} is on record at ${site}, ${periodInWords(period)}.`,
  'position-off': ({ distance }: { distance: number }) =>
    `The position in the header is ${distance.toFixed(2)} m from that in the log; the IGS asks ` +
    'for at most 1 m.',
  'no-antenna-type': 'The header has no antenna type: no calibration can be found for it.',
  'not-calibrated': ({ antenna }: { antenna: string }) =>
    `The ANTEX file has no calibration of ${antenna}.`,
  'calibrated-without-radome': ({ antenna }: { antenna: string }) =>
    `The ANTEX file has no calibration of ${antenna}: the one with NONE is used instead.`,
  'counted-as-zero': ({ fields }: { fields: readonly Field[] }) =>
    `${isOrAre(fields)} blank in the log, and counted as 0.`,

  // What was not corrected, and why.
  'left-out-mark': 'the byte order mark at its beginning was left out',
  left: ({ label, why }: Left) => `${label} was left as it is: ${messageOf(why)}`,
  'left-agency': ({ label }: { label: string }) => `${label} differs`,
  'left-equipment': ({ label }: { label: string }) => `${label} differs`,
  'only-spelling': ({ label, why }: Left) =>
    `${label}: only its spelling was corrected; the rest was left as it is: ${messageOf(why)}`,
  'only-spelling-of-equipment': ({ label }: { label: string }) =>
    `${label}: only its spelling was corrected; other values differ`,
  'blank-as-zero': ({ label, fields }: { label: string; fields: readonly Field[] }) =>
    `${label}: blank in the log, written as 0: ${fields.join(', ')}`,
  'older-record': ({ devices, datePrepared }: OlderRecord) =>
    `the log was prepared ${datePrepared}, before this file, and has another ` +
    `${devices.join(' and another ')}`,
  'repeated-records': ({ labels }: { labels: string[] }) =>
    `the header has ${labels.join(' and ')} more than once`,
  'delta-xyz': 'the header has ANTENNA: DELTA X/Y/Z instead',
  'eccentricity-stays': ({ why }: { why: RinexFinding }) =>
    `its eccentricity cannot be written: ${messageOf(why)}`,
  'azimuth-stays': 'its azimuth cannot be written: the alignment is unknown in the log',
  'unknown-in-log': ({ fields }: { fields: readonly Field[] }) =>
    `${isOrAre(fields)} unknown in the log`,
  'empty-antenna-type': 'antennaType is empty in the header',
  'other-antenna': ({ fields }: { fields: readonly Field[] }) => {
    const verb = fields.length === 1 ? 'differs' : 'differ';
    return `the one on record belongs to another antenna: ${fields.join(', ')} ${verb}`;
  },
  'blank-in-log': ({ field, header }: { field: Field; header: string }) =>
    `${field} is blank in the log, and ${header} in the header`,
  'unknown-length': 'how long the file lasts is unknown',
  'not-covered': 'the record does not cover the whole file',
  'changed-field': ({ field }: { field: Field }) => `${field} changed during the file`,
  'several-in-use': ({ field }: { field: Field }) =>
    `several are in use, the header does not say which, and ${field} is not the same for all of ` +
    'them',
  'too-long': ({ field, value, width }: { field: Field; value: string; width: number }) =>
    `${field} "${value}" has more than ${width} characters`,
  'too-wide': ({ field, value }: { field: Field; value: string }) =>
    `${field} "${value}" does not fit its columns`,
};
