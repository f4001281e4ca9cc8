import {
  EQUIPMENT_KINDS,
  type EquipmentType,
  hasInstallations,
  type InstalledEquipment,
  type Instant,
  type Period,
  type PeriodOfUse,
} from '../../../schemas/index.js';
import { type EquipmentMember, equipmentValueName } from '../../derive/value-names.js';
import { enumerated } from '../../words.js';
import { DAY, HOUR, MINUTE } from '../../requests/units-of-time.js';
import { type Html, html } from './html.js';
import { type Span } from './time-scale.js';

/** Describes equipment and times in words. */

type Content = InstalledEquipment['content'];
type KeysOf<T> = T extends unknown ? Extract<keyof T, string> : never;

/** The units of the values of equipment. */
const VALUE_UNITS: ReadonlyMap<string, string> = new Map<EquipmentMember, string>([
  ['elevetionCutoffSetting', '°'],
  ['markerArpUpEccentricity', ' m'],
  ['markerArpNorthEccentricity', ' m'],
  ['markerArpEastEccentricity', ' m'],
  ['alignmentFromTrueNorth', '°'],
  ['antennaCableLength', ' m'],
  ['inputFrequency', ' MHz'],
  ['heightDiffToAntenna', ' m'],
]);

/** The name of a member of equipment. */
export const labelOf = (member: string): string => equipmentValueName(member) ?? member;

/** The value of a member of equipment, with its unit. */
export const valueWords = (member: string, value: unknown): string =>
  value === null ? 'unknown' : `${String(value)}${VALUE_UNITS.get(member) ?? ''}`;

/** The name of a kind of equipment. */
export const kindName = (equipmentType: EquipmentType): string =>
  EQUIPMENT_KINDS[equipmentType].title;

/** Capitalizes the first letter of a text, and GNSS. */
export const capitalized = (text: string): string =>
  text.startsWith('gnss ') ? `GNSS ${text.slice(5)}` : text.charAt(0).toUpperCase() + text.slice(1);

/**
 * Made when first needed: it loads the data of the language, which would take 15 ms of the start.
 */
let numbers: Intl.NumberFormat | null = null;

/** "1,000". */
export const numberWords = (number: number): string =>
  (numbers ??= new Intl.NumberFormat('en')).format(number);

/** "1 device", "2 devices", "1,000 devices". */
export const counted = (count: number, noun: string): string =>
  `${numberWords(count)} ${several(count, noun)}`;

/** A noun as it stands behind a number. */
export const several = (count: number, noun: string): string => (count === 1 ? noun : `${noun}s`);

/** The shortest form of an instant: the date, with the time of day unless it is midnight. */
export function shortTime(instant: Instant): string {
  const time = instant.slice(11, 19).replace(/:00$/, '');
  return time === '00:00' ? instant.slice(0, 10) : `${instant.slice(0, 10)} ${time}`;
}

/** An instant in short form, with its exact form in the markup. */
export function when(instant: Instant): Html {
  const words = shortTime(instant);
  // A date is what a program reads, too.
  return words.length === 'YYYY-MM-DD'.length
    ? html`<time>${words}</time>`
    : html`<time datetime="${instant}">${words}</time>`;
}

/** "2011-07-20 to 2017-02-23", "since 2017-02-23". */
export const periodWords = ({ from, to }: Period): string =>
  to === null ? `since ${shortTime(from)}` : `${shortTime(from)} to ${shortTime(to)}`;

/** Words in which no time is broken into two lines. */
export const unbroken = (words: string): (Html | string)[] =>
  words
    .split(/(\d{4}-\d\d-\d\d(?: \d\d:\d\d(?::\d\d)?)?)/)
    .map((part, index) => (index % 2 === 1 ? html`<time>${part}</time>` : part));

/** A period whose start may be unknown. */
export function useWords({ from, to }: PeriodOfUse): string {
  if (from !== null) return periodWords({ from, to });
  return to === null ? 'at an unknown time' : `until ${shortTime(to)}, start unknown`;
}

/** A unit of time for people. */
interface UnitOfTime {
  name: string;
  /** In milliseconds. */
  length: number;
  /**
   * Shorter spans are given in this unit, unless there is a smaller unit for them. In milliseconds.
   */
  limit: number;
}

/** The units below a year, from the smallest. */
const UNITS: UnitOfTime[] = [
  { name: 'minute', length: MINUTE, limit: HOUR },
  { name: 'hour', length: HOUR, limit: 2 * DAY },
  { name: 'day', length: DAY, limit: 730 * DAY },
];

/** The length of a span in a suitable unit, such as "7 minutes". */
export function lengthWords({ from, to }: Span): string {
  const milliseconds = Date.parse(to) - Date.parse(from);
  const unit = UNITS.find(({ limit }) => milliseconds < limit);
  if (unit !== undefined) return counted(Math.round(milliseconds / unit.length), unit.name);
  const years = milliseconds / (365.25 * DAY);
  return counted(Math.round(years * 10) / 10, 'year');
}

/** The type of a device, as given in its site log. */
export const typeWords = (type: string | null): string => type ?? 'type unknown';

/** The most items named in a list. */
const MOST_NAMED = 5;

/** "a, b and c", or for a long list "a, b, c, d, e and 7 more". */
export const named = (texts: string[]): string =>
  enumerated(
    texts.length > MOST_NAMED
      ? [...texts.slice(0, MOST_NAMED), `${numberWords(texts.length - MOST_NAMED)} more`]
      : texts,
  );

/**
 * What follows the type of a device: its serial number; nothing for a clock or other instrument.
 */
export const serialWords = ({ equipmentType, serialNumber }: Content['id']): string =>
  hasInstallations(equipmentType) ? `, serial number ${serialNumber ?? 'unknown'}` : '';

/** A device by its type and serial number. */
export const deviceWords = (id: Content['id']): string => typeWords(id.type) + serialWords(id);

/** The names of satellite systems, by their site log codes (section 3). */
const SYSTEMS: Record<string, string> = {
  GLO: 'GLONASS',
  GAL: 'Galileo',
  BDS: 'BeiDou',
  CMP: 'BeiDou',
  IRNSS: 'NavIC',
};

/** The name of a satellite system. @param code in a site log, or another text */
export const systemName = (code: string): string => SYSTEMS[code.toUpperCase()] ?? code;

/** The values of any kind of equipment; what a kind does not have is missing. */
type Values = {
  [M in KeysOf<Content['id']> | KeysOf<Content['configuration']>]?:
    string | number | null | undefined;
};
/**
 * What a sentence is made from: a member, which is called by its name, or a function that words
 * some values; nothing if unknown.
 */
type Sentence = EquipmentMember | ((values: Values) => string | number | false | null | undefined);

/** A length in metres whose sign is expressed as a direction; null if it is unknown. */
const signed = (
  value: string | number | null | undefined,
  positive: string,
  negative: string,
): string | null =>
  value == null
    ? null
    : `${String(value).replace(/^-/, '')} m ${Number(value) < 0 ? negative : positive}`;

/** Temperature Stabiliz. (section 3): `none`, or a tolerance in degrees Celsius in free text. */
function stabilizationWords(text: string): string {
  if (/^none$/i.test(text)) return 'Not temperature-stabilized';
  return /^\d+(\.\d+)?$/.test(text)
    ? `Temperature-stabilized within ${text} °C`
    : `Temperature stabilization: ${text}`;
}

function eccentricityWords(values: Values): string | null {
  const offsets = [
    signed(values.markerArpUpEccentricity, 'above', 'below'),
    signed(values.markerArpNorthEccentricity, 'north', 'south'),
    signed(values.markerArpEastEccentricity, 'east', 'west'),
  ].filter((each) => each !== null);
  return offsets.length === 0
    ? null
    : `The reference point is ${enumerated(offsets)} of the marker`.replace(
        /(above|below) of/,
        '$1',
      );
}

function radomeWords({ radomeType, radomeSerialNumber: serial }: Values): string | false {
  if (radomeType === 'NONE') return 'No radome';
  if (!radomeType) return serial != null && `Radome serial number ${serial}`;
  return serial == null ? `Radome ${radomeType}` : `Radome ${radomeType}, serial number ${serial}`;
}

function cableWords({
  antennaCableType: type,
  antennaCableLength: length,
}: Values): string | false {
  const cable = [type, length && `${length} m`].filter(Boolean);
  return cable.length > 0 && `Cable ${cable.join(', ')}`;
}

/** The sentences about the configuration of an item of equipment. */
const CONFIGURATION: Sentence[] = [
  ({ aspiration }) => aspiration && `Aspiration: ${aspiration}`,
  'firmwareVersion',
  ({ satelliteSystem: codes }) =>
    codes && `Tracks ${enumerated(String(codes).split('+').map(systemName))}`,
  'elevetionCutoffSetting',
  ({ temperatureStabilization: text }) => text && stabilizationWords(String(text)),
  'antennaReferencePoint',
  eccentricityWords,
  ({ alignmentFromTrueNorth: degrees }) => degrees && `Aligned ${degrees}° from true north`,
  radomeWords,
  cableWords,
  ({ dataSamplingInterval: seconds }) => seconds && `Sampled every ${seconds} s`,
  ({ accuracy, equipmentType }) =>
    accuracy && `Accuracy ${accuracy} ${equipmentType === 'temperature sensor' ? '°C' : 'hPa'}`,
  ({ distanceToAntenna: metres }) => metres && `${metres} m from the antenna`,
  ({ heightDiffToAntenna: height }) => signed(height, 'above the antenna', 'below the antenna'),
  ({ calibrationDate: date }) => date && `Calibrated ${date}`,
  'inputFrequency',
];

/** Adds a full stop, unless the text already ends a sentence. */
export const sentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`);

/** The site log's remarks on an item of equipment; null if there are none. */
export const notesOf = ({ content: { configuration } }: InstalledEquipment): string | null =>
  'notes' in configuration ? configuration.notes : null;

function sentencesOf(
  sentences: Sentence[],
  { content: { id, configuration } }: InstalledEquipment,
  shown: readonly string[] = [],
): string[] {
  const all = Object.entries({ ...id, ...configuration });
  const values: Values = Object.fromEntries(all.filter(([member]) => !shown.includes(member)));
  return sentences.flatMap((each) => {
    const words =
      typeof each === 'function'
        ? each(values)
        : values[each] && `${capitalized(labelOf(each))} ${valueWords(each, values[each])}`;
    return words ? [sentence(String(words))] : [];
  });
}

/**
 * What is known about an item of equipment apart from its type, in sentences.
 * @param shown the members that a table shows
 */
export const furtherSentences = (
  equipment: InstalledEquipment,
  shown: readonly string[],
): string[] =>
  sentencesOf(
    [({ manufacturer }) => manufacturer && `Made by ${manufacturer}`, ...CONFIGURATION],
    equipment,
    shown,
  );

/** The known configuration of an item of equipment, in sentences. */
export const configurationSentences = (equipment: InstalledEquipment): string[] =>
  sentencesOf(CONFIGURATION, equipment);

/** The members that typically change while a device is in use. */
const CHANGING = [
  'firmwareVersion',
  'inputFrequency',
  'heightDiffToAntenna',
  'markerArpUpEccentricity',
] as const;

/**
 * The configuration value that typically changes while a device is in use, in a few characters;
 * null if it is unknown.
 */
export function shortConfiguration({
  configuration,
}: Pick<Content, 'configuration'>): string | null {
  const values: Values = configuration;
  const member = CHANGING.find((each) => each in values);
  return member === undefined || values[member] == null ? null : valueWords(member, values[member]);
}

/** Why a database has no Sites to show. @param retired how many are on record, but retired */
export function whyNoSites(retired: number): string {
  if (retired === 0)
    return 'No site log has been imported yet. Import some with: gnss-site-setups import PATH';
  if (retired === 1) return 'The only Site on record was retired.';
  return `All ${retired} Sites on record were retired.`;
}

/** A Site by its id, and its name if it is known. */
export const siteInWords = (id: string, name: string | null): string =>
  name === null ? id : `${id} · ${name}`;
