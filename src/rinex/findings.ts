import type { Instant, Period } from '../../schemas/index.js';
import type { Device, Field } from './fields.js';
import type { StatedPeriod } from './header/file-name.js';

/** What can be found about a RINEX file, as data: a code with its values. */

/** What can be found. */
export type RinexCode = keyof Values;

/** A code with its values. */
export type RinexFinding = { [Code in RinexCode]: FindingOf<Code> }[RinexCode];

interface FindingOf<Code extends RinexCode> {
  code: Code;
  values: Values[Code];
}

/** The values of each code. */
interface Values {
  // Why a file cannot be read; these follow its name.
  'unreadable-file': { reason: string };
  'empty-file': None;
  'utf-16': None;
  'carriage-returns': None;
  'not-rinex': { begin: string };
  'label-elsewhere': { label: string; column: number };
  'no-version': None;
  'other-type': { type: string };
  'header-cut-off': None;
  'header-too-long': None;
  'damaged-gzip': { why: string };
  'other-lzw': None;
  'damaged-lzw': None;
  'compressed-otherwise': { compression: string };

  // What is odd about a file that can be read.
  'bytes-after-gzip': { bytes: number };
  'byte-order-mark': None;
  'misspelt-label': { written: string; label: string };
  'repeated-label': { label: string; times: number };
  'unknown-labels': { labels: string[] };
  'other-axes': None;

  // Which Site a file is of, and when it was observed.
  'no-id': None;
  'no-site': { ids: string[] };
  'several-sites': { id: string };
  'unknown-site': { why: RinexFinding };
  'name-without-site': NameWithoutSite;
  'marker-of-other-site': { id: string } & MarkerName;
  'time-outside-name': TimeOutsideName;
  'last-before-first': FirstAndLast;
  'longer-than-name': FirstAndLast & Stated;
  'no-such-time': { label: string; text: string };
  'no-such-time-in-name': { begin: string };
  'no-length': None;
  'no-time': { unreadable: RinexFinding[] };

  // What explains the differences from the record.
  'unclear-device': { device: Device };
  'outdated-record': { site: string } & OlderRecord;
  'no-setups': None;
  'before-first-setup': { from: Instant };
  'no-setup-then': None;
  'changed-during-file': { setups: NumberedPeriod[]; best: number };
  'fits-other-setup': OtherSetup;
  'device-elsewhere': DeviceElsewhere;
  'no-antenna-type': None;
  'not-calibrated': { antenna: string };
  'calibrated-without-radome': { antenna: string };

  // What was not corrected, and why.
  'left-out-mark': None;
  left: Left;
  'left-equipment': { label: string };
  'only-spelling': Left;
  'only-spelling-of-equipment': { label: string };
  'blank-as-zero': { label: string; fields: Field[] };
  'older-record': OlderRecord;
  'repeated-records': { labels: string[] };
  'delta-xyz': None;
  'eccentricity-stays': { why: RinexFinding };
  'unknown-in-log': { fields: Field[] };
  'empty-antenna-type': None;
  'other-antenna': { fields: Field[] };
  'blank-in-log': { field: Field; header: string };
  'not-covered': None;
  'changed-field': { field: Field };
  'several-in-use': { field: Field };
  'too-long': { field: Field; value: string; width: number };
  'too-wide': { field: Field; value: string };
}

/** No values. */
type None = Record<string, never>;

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

/** Where the device with a serial number is on record. */
interface DeviceElsewhere extends Period {
  device: Device;
  serialNumber: string;
  site: string;
}

/** Makes a finding. */
export const finding = <Code extends RinexCode>(code: Code, values: Values[Code]): RinexFinding =>
  ({ code, values }) as RinexFinding;

/** The message of a finding. */
export function messageOf({ code, values }: RinexFinding): string {
  // The compiler cannot know that the values are those of the code.
  const message = MESSAGES[code] as (values: unknown) => string;
  return message(values);
}

/** A file that cannot be read; the message follows the name of the file. */
export class RinexUnreadable extends Error {
  override readonly name = 'RinexUnreadable';

  constructor(readonly finding: RinexFinding) {
    super(messageOf(finding));
  }
}

const periodInWords = ({ from, to }: Period): string => `${from} to ${to ?? 'now'}`;

const statedInWords = ({ from, to }: StatedPeriod): string =>
  to === null ? `from ${from}, without an end` : `${from} to ${to}`;

/** How much of a text is quoted, in characters. */
const LONGEST_QUOTE = 40;
const quoted = (text: string): string => `"${text.slice(0, LONGEST_QUOTE)}"`;

/** How many unknown labels are named. */
const MOST_NAMED = 3;

const endOfSentence = (rollover: Rollover): string =>
  rollover === null ? '.' : `: 1,024 weeks ${rollover}, a GPS week rollover.`;

const isOrAre = (fields: readonly Field[]): string =>
  `${fields.join(', ')} ${fields.length === 1 ? 'is' : 'are'}`;

/** The messages, by code. */
const MESSAGES: { [Code in RinexCode]: (values: Values[Code]) => string } = {
  // Why a file cannot be read; these follow its name.
  'unreadable-file': ({ reason }) => `cannot be read: ${reason}`,
  'empty-file': () => 'is empty',
  'utf-16': () => 'is text in UTF-16; expected ASCII',
  'carriage-returns': () => 'has lines that end with CR alone; expected LF, or CR and LF',
  'not-rinex': ({ begin }) => `is not a RINEX file: it begins with ${quoted(begin)}`,
  'label-elsewhere': ({ label, column }) => `has ${label} in column ${column}; expected column 61`,
  'no-version': () => 'has no RINEX VERSION / TYPE',
  'other-type': ({ type }) => `has RINEX type "${type}"; expected observation data`,
  'header-cut-off': () => 'ends before END OF HEADER',
  'header-too-long': () => 'has no END OF HEADER in its first 256 KiB',
  'damaged-gzip': ({ why }) => `is a damaged gzip file: ${why}`,
  'other-lzw': () => 'is not a file of Unix compress with codes of 9 to 16 bits',
  'damaged-lzw': () => 'is damaged: it has a code that is not in its table',
  'compressed-otherwise': ({ compression }) =>
    `is compressed with ${compression}; expected a plain file, gzip or Unix compress`,

  // What is odd about a file that can be read.
  'bytes-after-gzip': ({ bytes }) => `the ${bytes} bytes after its gzip data were ignored`,
  'byte-order-mark': () => 'The file begins with a byte order mark, which RINEX does not allow.',
  'misspelt-label': ({ written, label }) =>
    `The label ${quoted(written)} is not one of RINEX; it is read as ${label}.`,
  'repeated-label': ({ label, times }) =>
    `The header has ${label} ${times} times; the first one counts.`,
  'unknown-labels': ({ labels }) => {
    const named = labels.slice(0, MOST_NAMED).map(quoted);
    const more = labels.length > MOST_NAMED ? ` and ${labels.length - MOST_NAMED} more` : '';
    const noun = labels.length === 1 ? 'label' : 'labels';
    return `RINEX has no ${noun} ${named.join(', ')}${more}; not read.`;
  },
  'other-axes': () =>
    'The header has ANTENNA: DELTA X/Y/Z instead of ANTENNA: DELTA H/E/N; it is not compared.',

  // Which Site a file is of, and when it was observed.
  'no-id': () => 'neither its name nor its marker name has the id of a Site',
  'no-site': ({ ids }) => `no Site has the id ${ids.join(' or ')}`,
  'several-sites': ({ id }) =>
    `several Sites have the id ${id}; neither marker name nor marker number says which`,
  'unknown-site': ({ why }) => `Its Site is unknown: ${messageOf(why)}.`,
  'name-without-site': ({ id, markerName, ids, isSameStation }) => {
    const onRecord = `on record ${ids.length === 1 ? 'is' : 'are'} ${ids.join(' and ')}`;
    const why = isSameStation ? onRecord : 'no Site on record';
    return `The name of the file says ${id}, ${why}; the marker name is "${markerName}".`;
  },
  'marker-of-other-site': ({ id, markerName, ids }) =>
    `The name of the file says ${id}, and the marker name is "${markerName}": ${ids.join(' and ')} is another Site on record.`,
  'time-outside-name': ({ label, time, stated, rollover }) => {
    const isAfterBegin = Date.parse(time) > Date.parse(stated.from);
    const says =
      stated.to === null && isAfterBegin
        ? `is more than a day after the beginning that the name of the file states, ${stated.from}`
        : `is outside the period that the name of the file states, ${statedInWords(stated)}`;
    return `${label} ${time} ${says}${endOfSentence(rollover)}`;
  },
  'last-before-first': ({ first, last, rollover }) =>
    `TIME OF LAST OBS ${last} is before TIME OF FIRST OBS ${first}${endOfSentence(rollover)}`,
  'longer-than-name': ({ first, last, stated, rollover }) =>
    `The period of the header, ${first} to ${last}, is more than a day longer than that of the name, ${statedInWords(stated)}${endOfSentence(rollover)}`,
  'no-such-time': ({ label, text }) =>
    `${label} "${text}" is not a time that exists; it is not used.`,
  'no-such-time-in-name': ({ begin }) =>
    `The time in the name of the file, "${begin}", does not exist; it is not used.`,
  'no-length': () =>
    'The name of the file gives no length, and its header no TIME OF LAST OBS: only its beginning is compared.',
  'no-time': ({ unreadable }) => {
    const why = unreadable.length === 0 ? '' : ` (${unreadable.map(messageOf).join(' ')})`;
    return `neither its header nor its name says when it begins${why}`;
  },

  // What explains the differences from the record.
  'unclear-device': ({ device }) =>
    `Several ${device}s are in use, and neither serial number nor type in the header says which: compared with the one that matches best.`,
  'outdated-record': ({ site, devices, datePrepared }) => {
    const verb = devices.length === 1 ? 'differs' : 'differ';
    const differ = `the ${devices.join(' and the ')} ${verb} from its last Setup`;
    const prepared = `The log of ${site} was prepared ${datePrepared}, before this file`;
    return `${prepared}, and ${differ}: the file is probably right, and the record outdated.`;
  },
  'no-setups': () => 'The Site has no Setup.',
  'before-first-setup': ({ from }) => `The first Setup begins ${from}, after this file.`,
  'no-setup-then': () => 'No Setup is in effect during this file.',
  'changed-during-file': ({ setups, best }) => {
    const all = setups.map(({ id, ...period }) => `Setup ${id} (${periodInWords(period)})`);
    return `The equipment changed during this file: ${all.join(', ')}; Setup ${best} matches best.`;
  },
  'fits-other-setup': ({ device, which, id, ...period }) =>
    `The ${device} fits the ${which} Setup, ${id} (${periodInWords(period)}).`,
  'device-elsewhere': ({ device, serialNumber, site, ...period }) =>
    `The ${device} ${serialNumber} is on record at ${site}, ${periodInWords(period)}.`,
  'no-antenna-type': () => 'The header has no antenna type: no calibration can be found for it.',
  'not-calibrated': ({ antenna }) => `The ANTEX file has no calibration of ${antenna}.`,
  'calibrated-without-radome': ({ antenna }) =>
    `The ANTEX file has no calibration of ${antenna}: the one with NONE is used instead.`,

  // What was not corrected, and why.
  'left-out-mark': () => 'the byte order mark at its beginning was left out',
  left: ({ label, why }) => `${label} was left as it is: ${messageOf(why)}`,
  'left-equipment': ({ label }) => `${label} differs`,
  'only-spelling': ({ label, why }) =>
    `${label}: only its spelling was corrected; the rest was left as it is: ${messageOf(why)}`,
  'only-spelling-of-equipment': ({ label }) =>
    `${label}: only its spelling was corrected; other values differ`,
  'blank-as-zero': ({ label, fields }) =>
    `${label}: blank in the log, written as 0: ${fields.join(', ')}`,
  'older-record': ({ devices, datePrepared }) =>
    `the log was prepared ${datePrepared}, before this file, and has another ${devices.join(' and another ')}`,
  'repeated-records': ({ labels }) => `the header has ${labels.join(' and ')} more than once`,
  'delta-xyz': () => 'the header has ANTENNA: DELTA X/Y/Z instead',
  'eccentricity-stays': ({ why }) => `its eccentricity cannot be written: ${messageOf(why)}`,
  'unknown-in-log': ({ fields }) => `${isOrAre(fields)} unknown in the log`,
  'empty-antenna-type': () => 'antennaType is empty in the header',
  'other-antenna': ({ fields }) => {
    const verb = fields.length === 1 ? 'differs' : 'differ';
    return `the one on record belongs to another antenna: ${fields.join(', ')} ${verb}`;
  },
  'blank-in-log': ({ field, header }) =>
    `${field} is blank in the log, and ${header} in the header`,
  'not-covered': () => 'the record does not cover the whole file',
  'changed-field': ({ field }) => `${field} changed during the file`,
  'several-in-use': ({ field }) =>
    `several are in use, the header does not say which, and ${field} is not the same for all of them`,
  'too-long': ({ field, value, width }) => `${field} "${value}" has more than ${width} characters`,
  'too-wide': ({ field, value }) => `${field} "${value}" does not fit its columns`,
};
