import type { GnssEquipmentType, Instant } from '../../../schemas/index.js';
import { info, nameOfKind, warning } from '../finding.js';
import { enumerated } from '../../words.js';
import { type Reason, sentenceAboutReasons } from '../notes.js';
import { sinceFirstDate } from './values.js';

/** What checks find about equipment: values, periods, names and calibrations. */

/** A value of an item of equipment that readers need. */
export type NeededValue =
  | 'type'
  | 'serialNumber'
  | 'dateInstalled'
  | 'effectiveDates'
  | 'satelliteSystem'
  | 'firmwareVersion'
  | 'elevationCutoffSetting'
  | 'markerArpUpEcc'
  | 'markerArpNorthEcc'
  | 'markerArpEastEcc'
  | 'antennaRadomeType'
  | 'antennaReferencePoint'
  | 'alignmentFromTrueNorth';

/** Values that are often 0, in words. */
const OFTEN_ZERO: Readonly<Partial<Record<NeededValue, string>>> = {
  markerArpUpEcc: 'the eccentricities',
  markerArpNorthEcc: 'the eccentricities',
  markerArpEastEcc: 'the eccentricities',
  elevationCutoffSetting: 'the elevation cutoff',
  alignmentFromTrueNorth: 'the alignment',
};

/** Values that nobody should invent, in words. */
const OFTEN_UNKNOWN: Readonly<Partial<Record<NeededValue, string>>> = {
  type: 'the type',
  serialNumber: 'the serial number',
  satelliteSystem: 'the satellite systems',
  firmwareVersion: 'the firmware version',
  antennaReferencePoint: 'the antenna reference point',
};

/** The words of those of the values that a table has, as an enumeration; empty if it has none. */
function namesOf(
  members: readonly NeededValue[],
  words: Readonly<Partial<Record<NeededValue, string>>>,
): string {
  return enumerated([...new Set(members.flatMap((member) => words[member] ?? []))]);
}

/**
 * What to write for values that are missing.
 * @param blank those for which nothing is written
 * @param isEssential whether software needs them; it does not need a radome that the type has
 */
function adviceOnMissing(
  members: readonly NeededValue[],
  blank: readonly NeededValue[],
  isEssential: boolean,
): string {
  const sentences: string[] = [];
  const filled = members.filter((member) => !blank.includes(member));
  const unknown = namesOf(filled, OFTEN_UNKNOWN);
  const zero = namesOf(members, OFTEN_ZERO);
  if (unknown !== '') sentences.push(`Write ${unknown}, or leave the line blank if unknown.`);
  const unwritten = blank.filter((member) => member in OFTEN_UNKNOWN);
  const isOne = unwritten.length === 1 && unwritten[0] !== 'satelliteSystem';
  if (unwritten.length > 0) {
    const names = namesOf(unwritten, OFTEN_UNKNOWN);
    sentences.push(`Write ${names}, if ${isOne ? 'it is' : 'they are'} known.`);
  }
  if (zero !== '') sentences.push(`Write ${zero}, even if 0.`);
  if (members.includes('antennaRadomeType'))
    sentences.push(
      isEssential
        ? 'Write the radome, or NONE if there is none.'
        : 'Write the radome as in columns 17 to 20 of the type.',
    );
  if (members.includes('dateInstalled')) sentences.push('Write the date of installation.');
  if (members.includes('effectiveDates')) sentences.push('Write the effective dates.');
  return sentences.join(' ');
}

/** The names of kinds of equipment, joined by a word. */
const namesOfKinds = (kinds: readonly GnssEquipmentType[], between: string): string =>
  kinds.map(nameOfKind).join(between);

/** A direction in which an antenna is off its marker. */
export type Axis = 'Up' | 'North' | 'East';

/** Why a serial number is odd. */
export type OddSerialNumber = 'quotation marks' | 'prefix' | 'between equal' | 'of receiver';

const ODD_SERIAL_NUMBERS: Readonly<Record<OddSerialNumber, { advice: string; message: string }>> = {
  'quotation marks': {
    advice: 'Write the serial number without quotation marks.',
    message: 'the serial number is in quotation marks',
  },
  prefix: {
    advice: 'Write the serial number alone: SINEX has room for its first five characters.',
    message: 'the serial number begins with words such as S/N',
  },
  'between equal': {
    advice: 'Correct the serial number, if it is that of the items before and after.',
    message: 'the serial number is almost that of the items before and after',
  },
  'of receiver': {
    advice: 'Write the serial number of the antenna.',
    message: 'the antenna has the serial number of a receiver of the log',
  },
};

/** What the list of equipment names says about the type of a receiver or an antenna. */
type UnknownType = {
  kind: GnssEquipmentType;
  /** A name of the list that it may be meant for. */
  meant: string | null;
  /** When the list was made, if the device is newer: `YYYY-MM-DD`. */
  listDate: string | null;
};

const ageOfList = (listDate: string | null): string =>
  listDate === null ? '' : `; the list is dated ${listDate}`;

export const EQUIPMENT = {
  'missing-value': warning<{
    kind: GnssEquipmentType | 'clock' | 'humidity sensor';
    members: readonly NeededValue[];
    /** Those that are blank, and not a filler such as N/A; earlier versions did not record it. */
    blank?: readonly NeededValue[];
    /** Whether software needs them. */
    isEssential: boolean;
    /** The first date of the log, if the start is missing; earlier versions did not record it. */
    first?: Instant;
  }>(
    'Value missing',
    'A value that software or people need is blank.',
    ({ members, blank = [], isEssential }) => adviceOnMissing(members, blank, isEssential),
    ({ kind, members, isEssential, first }) => {
      const hasPeriod = members.includes('effectiveDates');
      if (hasPeriod || members.includes('dateInstalled')) {
        const since =
          first === undefined
            ? 'its period follows from other dates of the log'
            : sinceFirstDate(first);
        const label = hasPeriod ? 'Effective Dates' : 'Date Installed';
        return `${nameOfKind(kind)}: ${label} unknown; ${since}`;
      }
      return isEssential
        ? `${nameOfKind(kind)}: values that software needs are unknown`
        : `${nameOfKind(kind)}: useful values are unknown`;
    },
  ),
  'blank-eccentricity': info(
    'North or east blank',
    'North or east eccentricity is blank. The form asks for them only if they are not 0.',
    'Write 0, so that nobody has to know the rule.',
    'north or east eccentricity is blank, which means 0 in this form',
  ),
  'eccentricity-scale': info<{ axes: readonly Axis[] }>(
    'Metres or millimetres',
    'Eccentricities are those of the antenna before or after, times about 1,000.',
    'Write metres.',
    ({ axes }) =>
      `${enumerated(axes)}: about 1,000 times that of the antenna before or after; probably in ` +
      'millimetres',
  ),
  'odd-serial-number': info<{ why: OddSerialNumber }>(
    'Serial number odd',
    'A serial number has what does not belong to it, or looks like a slip of another one.',
    ({ why }) => ODD_SERIAL_NUMBERS[why].advice,
    ({ why }) => ODD_SERIAL_NUMBERS[why].message,
  ),
  'unknown-satellite-system': warning<{
    quoted: readonly [written: string];
    meant: string | null;
  }>(
    'Satellite system unknown',
    'A satellite system is none of GPS, GLO, GAL, BDS, QZSS, IRNSS and SBAS, so that searches ' +
      'miss it.',
    'Write the codes of the form, joined by +, such as GPS+GLO+GAL.',
    ({ quoted: [written], meant }) =>
      `"${written}" is not a satellite system of the ` +
      `form${meant === null ? '' : `; perhaps ${meant}`}`,
  ),
  'other-reference-point': warning<{ expected: string }>(
    'Reference point differs',
    'The antenna reference point is not that of the antenna in antenna.gra.',
    'Write the code that antenna.gra has for the antenna, and check the heights.',
    ({ expected }) => `the reference point of this antenna is ${expected} in antenna.gra`,
  ),
  'copied-equipment': warning<{ site: string; count: number }>(
    'Equipment of another Site',
    'All devices of the log are also in the log of one other Site: the log may be a copy.',
    'Correct the id, or the sections that were copied from the other log.',
    ({ site, count }) => `all ${count} devices with serial numbers are also on record at ${site}`,
  ),
  'missing-equipment': warning<{ kind: GnssEquipmentType }>(
    'Equipment missing',
    'The log has no receiver or no antenna.',
    ({ kind }) => `Add the ${nameOfKind(kind)}, even if it was removed.`,
    ({ kind }) => `the log has no ${nameOfKind(kind)}`,
  ),
  'unknown-reference-point': warning(
    'Reference point unknown',
    'The antenna reference point is not a code of antenna.gra: it is unclear what heights refer ' +
      'to.',
    'Write the code that antenna.gra has for the antenna.',
    'the antenna reference point is not a code of antenna.gra, such as BPA or BCR',
  ),
  'no-dates': warning(
    'No dates',
    'No equipment has a date, so that nothing is known to have been in use.',
    'Add the dates of installation.',
    'no equipment has a date; the site gets no Setup',
  ),
  'removed-before-installed': warning<{ kind: string; isInSetups: boolean }>(
    'Removed before installed',
    'The date of removal is before that of installation, so the device is not used.',
    'Correct one of the two dates.',
    ({ kind, isInSetups }) =>
      `${nameOfKind(kind)} removed before it was installed; ` +
      `${isInSetups ? 'in no Setup' : 'ignored'}`,
  ),
  'in-use-for-no-time': info<{ kind: string }>(
    'In use for no time',
    'The date of removal is that of installation, as in an item that corrects another.',
    'Nothing, if the item only corrects another; otherwise, correct one of the two dates.',
    ({ kind }) => `${nameOfKind(kind)} in use for no time; in no Setup`,
  ),
  'removal-assumed': warning<{ kind: string; until: string }>(
    'Removal assumed',
    'The date of removal cannot be read, and the log has a later item of the kind, so the device ' +
      'counts as in use until that was installed.',
    'Write the date of removal as CCYY-MM-DDThh:mmZ.',
    ({ kind, until }, { label }) =>
      `${label}: not a date that can be read; ${nameOfKind(kind)} in use until ${until}, when ` +
      'the next one was installed',
  ),
  'leading-zeros': warning<{ otherLine: number }>(
    'Leading zeros differ',
    'Serial numbers differ only in leading zeros, so they count as two devices.',
    'Write the serial number the same way everywhere, as it is on the device.',
    ({ otherLine }) =>
      `serial number differs from that in line ${otherLine} only in leading zeros; treated as ` +
      'another device',
  ),
  overlap: warning<{ kinds: readonly GnssEquipmentType[] }>(
    'Periods overlap',
    'Two devices were in use at once, where there can be only one.',
    'Correct the removal date of the first or the installation date of the second.',
    ({ kinds }) => `${namesOfKinds(kinds, ' and ')} came before the one before was removed`,
  ),
  'open-before-later': warning<{ kind: GnssEquipmentType }>(
    'Date of removal missing',
    'A device has no date of removal, although a later one replaced it.',
    'Add the date of removal.',
    ({ kind }) => `${nameOfKind(kind)} has no removal date, but a later one came and was removed`,
  ),
  'several-in-use': warning<{ kind: GnssEquipmentType; count: number }>(
    'Several in use',
    'Several devices are in use at once, where there can be only one.',
    'Add the dates of removal of those that are no longer there.',
    ({ kind, count }) => `${count} ${nameOfKind(kind)}s are in use at once`,
  ),
  'history-gap': info<{ kinds: readonly GnssEquipmentType[] }>(
    'Gap in the history',
    'Between a removal and the next installation, no device was in use.',
    'Correct the dates, if there was no gap.',
    ({ kinds }) => `no ${namesOfKinds(kinds, ' and no ')} was in use for more than a day`,
  ),
  'site-date': warning<{
    kinds: readonly GnssEquipmentType[];
    /** For each of the kinds, as written in the message; once if they are equal. */
    days: readonly string[];
    isBefore: boolean;
    /** Whether the date of the site is after Date Prepared; earlier versions did not record it. */
    isSiteAfterPrepared?: boolean;
  }>(
    'Site and equipment differ in date',
    'Equipment came before the site was installed, or long after.',
    ({ isBefore, isSiteAfterPrepared = false }) => {
      if (isSiteAfterPrepared) return 'Correct the date of installation of the site.';
      const advice = 'Correct the date of installation of the site or of the item';
      return isBefore ? `${advice}.` : `${advice}; if equipment came before it, add it.`;
    },
    ({ kinds, days, isBefore, isSiteAfterPrepared = false }) => {
      const apart = `${days.join(' and ')} days ${isBefore ? 'before' : 'after'} the site`;
      const culprit = isSiteAfterPrepared ? ', which is dated after Date Prepared' : '';
      return `the first ${namesOfKinds(kinds, ' and ')} came ${apart}${culprit}`;
    },
  ),
  'equal-neighbours': info<{ kind: GnssEquipmentType }>(
    'Equal neighbours',
    'Two items that follow each other say the same.',
    'Join the two items, or write what changed.',
    ({ kind }) => `${nameOfKind(kind)} is the same as the one that it follows`,
  ),
  'type-changed': info<
    /** The place is another Site, with the period of use there; null if it is in the same log. */
    { site: null } | { site: string; from: Instant | null; to: Instant | null }
  >(
    'Type changed',
    "The same serial number appears with another type, in this log or another site's.",
    'Correct the type or the serial number: a device keeps both.',
    (values) =>
      values.site === null
        ? 'the type differs from that of the item before, but the serial number is the same'
        : `the serial number is that of another type at ${values.site} (${periodWords(values)})`,
  ),
  'serial-elsewhere': warning<{
    kind: string;
    site: string;
    from: Instant | null;
    to: Instant | null;
  }>(
    'Device also elsewhere',
    'The log of another site has the same device in use at the same time.',
    'This is normal if it was moved and the other log does not say so yet; ' +
      'otherwise, correct the serial number or a date, here or there.',
    ({ kind, site, ...period }) =>
      `${nameOfKind(kind)} is on record at ${site} (${periodWords(period)}) at the same time`,
  ),
  'malformed-type': warning<{ kind: GnssEquipmentType; isNone?: boolean }>(
    'Type malformed',
    'A type does not have the form of rcvr_ant.tab, such as a radome in columns 17 to 20.',
    ({ isNone }) =>
      isNone === true
        ? 'Remove the item: the log lists only devices.'
        : 'Write the type as in rcvr_ant.tab.',
    ({ kind }) =>
      kind === 'gnss receiver'
        ? 'the receiver type is not at most 20 capital letters, digits, blanks and - _ +'
        : 'the antenna type is not at most 15 capital letters, digits and / - _ . +',
  ),
  'radome-contradiction': warning<{ quoted: readonly [inType: string] }>(
    'Radomes differ',
    'The type and Antenna Radome Type name different radomes; the calibration depends on it.',
    'Write the same radome in columns 17 to 20 of the type and in Antenna Radome Type.',
    ({ quoted: [inType] }) =>
      `columns 17 to 20 of the antenna type are ${inType}, but the radome type is another`,
  ),
  'radome-missing': warning<{ isGiven?: boolean }>(
    'Radome missing',
    'The type of the antenna has no radome; the calibration depends on it.',
    ({ isGiven }) =>
      isGiven === true
        ? 'Write the radome in columns 17 to 20 of the type, as in Antenna Radome Type.'
        : 'Write the radome, or NONE, in columns 17 to 20 of the type and in Antenna Radome Type.',
    'the antenna type has no radome in columns 17 to 20',
  ),
  'unknown-type': warning<UnknownType>(
    'Type unknown',
    'A type is not in rcvr_ant.tab, so that software does not know it.',
    'Write the type as in rcvr_ant.tab.',
    ({ kind, meant, listDate }) => {
      const suggestion = meant === null ? '' : `; perhaps ${meant}`;
      return (
        `the ${nameOfKind(kind)} type is not in the list of equipment ` +
        `names${suggestion}${ageOfList(listDate)}`
      );
    },
  ),
  'deprecated-type': info<{ kind: GnssEquipmentType; newer: readonly string[] }>(
    'Type deprecated',
    'A type has another name in rcvr_ant.tab now.',
    'Write the present name.',
    ({ kind, newer }) =>
      `the ${nameOfKind(kind)} type is no longer valid; now ${newer.join(' or ')}`,
  ),
  'unknown-radome': warning<{ listDate: string | null }>(
    'Radome unknown',
    'A radome is not in rcvr_ant.tab, so that software does not know it.',
    'Write the radome as in rcvr_ant.tab, or NONE.',
    ({ listDate }) => `the radome is not in the list of equipment names${ageOfList(listDate)}`,
  ),
  'no-calibration': warning(
    'Not calibrated',
    'The ANTEX file has no calibration of the antenna.',
    'Correct the type, or use another ANTEX file.',
    'the ANTEX file has no calibration of this antenna',
  ),
  'calibration-without-radome': info(
    'Calibrated without radome',
    'The ANTEX file has a calibration of the antenna only without its radome.',
    'Nothing: software falls back to the calibration without radome.',
    'the ANTEX file has a calibration only without the radome',
  ),
  'individual-calibration': info(
    'Individual calibration',
    'The ANTEX file has a calibration of this very antenna.',
    'Nothing: use the calibration of this antenna.',
    'the ANTEX file has a calibration of this individual antenna',
  ),
  'no-export-line': warning<{
    /** The files that have no line, in words: `SINEX and STA`. */
    files: string;
    /** Null for all times. */
    period: { from: Instant; to: Instant | null } | null;
    /** What is missing. */
    reasons: readonly Reason[];
  }>(
    'No line in files for software',
    'Files for geodetic software leave out a period, because a value that they need is missing.',
    'Write the value that is missing, or correct the dates.',
    ({ files, period, reasons }) => {
      const when = period === null ? '' : ` from ${period.from} to ${period.to ?? 'now'}`;
      return `no line in ${files}${when}: ${sentenceAboutReasons(reasons)}`;
    },
  ),
} as const;

/** A period of use in words. */
function periodWords({ from, to }: { from: Instant | null; to: Instant | null }): string {
  return `${from ?? 'unknown'} to ${to ?? 'now'}`;
}
