import {
  EQUIPMENT_KINDS,
  type EquipmentInUse,
  type EquipmentInUseOf,
  type EquipmentType,
  hasInstallations,
  type InstalledEquipment,
  type Instant,
  type Period,
  type PeriodOfUse,
} from '../../schemas/index.js';
import { type Html, html } from './html.js';

/** Describes equipment and times in words. */

type Content = InstalledEquipment['content'];
type KeysOf<T> = T extends unknown ? Extract<keyof T, string> : never;
type Member = KeysOf<EquipmentInUse['content']['id']> | KeysOf<EquipmentInUse['content']['configuration']>;

/** The name of each member of the equipment of a Setup, as in the site log, and its unit. */
const MEMBERS: Record<Member, [label: string, unit?: string]> = {
  type: ['type'],
  equipmentType: ['kind'],
  manufacturer: ['manufacturer'],
  serialNumber: ['serial number'],
  aspiration: ['aspiration'],
  firmwareVersion: ['firmware'],
  satelliteSystem: ['satellite systems'],
  elevetionCutoffSetting: ['elevation cutoff', '°'],
  temperatureStabilization: ['temperature stabilization'],
  antennaReferencePoint: ['antenna reference point'],
  markerArpUpEccentricity: ['up eccentricity', ' m'],
  markerArpNorthEccentricity: ['north eccentricity', ' m'],
  markerArpEastEccentricity: ['east eccentricity', ' m'],
  alignmentFromTrueNorth: ['alignment from true north', '°'],
  radomeType: ['radome'],
  radomeSerialNumber: ['radome serial number'],
  antennaCableType: ['cable type'],
  antennaCableLength: ['cable length', ' m'],
  inputFrequency: ['input frequency', ' MHz'],
  heightDiffToAntenna: ['height above the antenna', ' m'],
  notes: ['notes'],
};

const BY_NAME = new Map(Object.entries(MEMBERS));

/** The name of a member of equipment. */
export const labelOf = (member: string): string => BY_NAME.get(member)?.[0] ?? member;

/** The value of a member of equipment, with its unit. */
export const valueWords = (member: string, value: unknown): string =>
  value === null ? 'unknown' : `${String(value)}${BY_NAME.get(member)?.[1] ?? ''}`;

/** The name of a kind of equipment. */
export const kindName = (equipmentType: EquipmentType): string => EQUIPMENT_KINDS[equipmentType].title;

/** Capitalizes the first letter of a text. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** "a, b and c". */
export const listed = (texts: string[]): string =>
  texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)!}`;

/** Made when first needed: it loads the data of the language, which would take 15 ms of the start. */
let numbers: Intl.NumberFormat | null = null;

/** "1,000". */
export const numberWords = (number: number): string => (numbers ??= new Intl.NumberFormat('en')).format(number);

/** "1 device", "2 devices", "1,000 devices". */
export const counted = (count: number, noun: string): string => `${numberWords(count)} ${noun}${count === 1 ? '' : 's'}`;

/** The shortest form of an instant: the date, with the time of day unless it is midnight. */
export function shortTime(instant: Instant): string {
  const time = instant.slice(11, 19).replace(/:00$/, '');
  return time === '00:00' ? instant.slice(0, 10) : `${instant.slice(0, 10)} ${time}`;
}

/** An instant in short form, with its exact form in the markup. */
export function when(instant: Instant): Html {
  const words = shortTime(instant);
  // A date is what a program reads, too.
  return words.length === 'YYYY-MM-DD'.length ? html`<time>${words}</time>` : html`<time datetime="${instant}">${words}</time>`;
}

/** "2011-07-20 to 2017-02-23", "since 2017-02-23". */
export const periodWords = ({ from, to }: Period): string =>
  to === null ? `since ${shortTime(from)}` : `${shortTime(from)} to ${shortTime(to)}`;

/** Words in which no time is broken into two lines. */
export const unbroken = (words: string): (Html | string)[] =>
  words.split(/(\d{4}-\d\d-\d\d(?: \d\d:\d\d(?::\d\d)?)?)/).map((part, index) => (index % 2 === 1 ? html`<time>${part}</time>` : part));

/** A period whose start may be unknown. */
export const useWords = ({ from, to }: PeriodOfUse): string =>
  from !== null ? periodWords({ from, to }) : to === null ? 'at an unknown time' : `until ${shortTime(to)}, start unknown`;

const DAY = 86_400_000;

/** A duration in a suitable unit. */
export function durationWords(milliseconds: number): string {
  const [count, unit] =
    milliseconds < 3_600_000
      ? [milliseconds / 60_000, 'minute']
      : milliseconds < 2 * DAY
        ? [milliseconds / 3_600_000, 'hour']
        : milliseconds < 730 * DAY
          ? [milliseconds / DAY, 'day']
          : [milliseconds / (365.25 * DAY), 'year'];
  return counted(unit === 'year' ? Math.round(count * 10) / 10 : Math.round(count), unit);
}

/** The type of a device, as given in its site log. */
export const typeWords = (type: string | null): string => type ?? 'type unknown';

/** Text that names types of equipment, which pages format differently. */
export type Words = (string | { equipmentType: EquipmentType; type: string | null })[];

export const plainWords = (words: Words): string => words.map((part) => (typeof part === 'string' ? part : typeWords(part.type))).join('');

/** The most items named in a list. */
const MOST_NAMED = 5;

/** "a, b and c", or for a long list "a, b, c, d, e and 7 more". */
export const named = (texts: string[]): string =>
  listed(texts.length > MOST_NAMED ? [...texts.slice(0, MOST_NAMED), `${numberWords(texts.length - MOST_NAMED)} more`] : texts);

/** A device by its type and serial number; a clock or other instrument by its type. */
export function deviceWords({ equipmentType, type, serialNumber }: Content['id']): string {
  if (!hasInstallations(equipmentType)) return typeWords(type);
  return `${typeWords(type)}, serial number ${serialNumber ?? 'unknown'}`;
}

/** The names of satellite systems, by their site log codes (section 3). */
const SYSTEMS: Record<string, string> = { GLO: 'GLONASS', GAL: 'Galileo', BDS: 'BeiDou', CMP: 'BeiDou', IRNSS: 'NavIC' };

/** A length in metres whose sign is expressed as a direction. */
const signed = (value: number | string, positive: string, negative: string): string =>
  `${String(value).replace(/^-/, '')} m ${Number(value) < 0 ? negative : positive}`;

/** Temperature Stabiliz. (section 3): `none`, or a tolerance in degrees Celsius in free text. */
function stabilizationWords(text: string): string {
  if (/^none$/i.test(text)) return 'Not temperature-stabilized';
  return /^\d+(\.\d+)?$/.test(text) ? `Temperature-stabilized within ${text} °C` : `Temperature stabilization: ${text}`;
}

/** What pressure sensors, temperature sensors and water vapour radiometers have in common. */
const mountedWords = (configuration: { heightDiffToAntenna: string | null; calibrationDate: string | null }): (string | null)[] => [
  configuration.heightDiffToAntenna && signed(configuration.heightDiffToAntenna, 'above the antenna', 'below the antenna'),
  configuration.calibrationDate && `Calibrated ${configuration.calibrationDate}`,
];

/** Sentences about the configuration of each kind of equipment; null for unknown values. */
const SENTENCES: { [T in EquipmentType]: (configuration: EquipmentInUseOf<T>['content']['configuration']) => (string | null)[] } = {
  'gnss receiver': ({ firmwareVersion, satelliteSystem, elevetionCutoffSetting, temperatureStabilization }) => [
    firmwareVersion && `Firmware ${firmwareVersion}`,
    satelliteSystem && `Tracks ${listed(satelliteSystem.split('+').map((code) => SYSTEMS[code] ?? code))}`,
    elevetionCutoffSetting && `Elevation cutoff ${elevetionCutoffSetting}°`,
    temperatureStabilization && stabilizationWords(temperatureStabilization),
  ],
  'gnss antenna': (configuration) => {
    const { antennaReferencePoint, radomeType, radomeSerialNumber, antennaCableType, antennaCableLength, alignmentFromTrueNorth } =
      configuration;
    const { markerArpUpEccentricity: up, markerArpNorthEccentricity: north, markerArpEastEccentricity: east } = configuration;
    const offsets = [
      up !== null && signed(up, 'above', 'below'),
      north !== null && signed(north, 'north', 'south'),
      east !== null && signed(east, 'east', 'west'),
    ].filter((each) => each !== false);
    const cable = [antennaCableType, antennaCableLength && `${antennaCableLength} m`].filter((each) => each !== null && each !== '');
    return [
      antennaReferencePoint && `Antenna reference point ${antennaReferencePoint}`,
      offsets.length === 0 ? null : `The reference point is ${listed(offsets)} of the marker`.replace(/(above|below) of/, '$1'),
      alignmentFromTrueNorth && `Aligned ${alignmentFromTrueNorth}° from true north`,
      radomeType &&
        (radomeType === 'NONE'
          ? 'No radome'
          : `Radome ${radomeType}${radomeSerialNumber === null ? '' : `, serial number ${radomeSerialNumber}`}`),
      cable.length === 0 ? null : `Cable ${cable.join(', ')}`,
    ];
  },
  'humidity sensor': ({ heightDiffToAntenna }) => [
    heightDiffToAntenna && signed(heightDiffToAntenna, 'above the antenna', 'below the antenna'),
  ],
  clock: ({ inputFrequency }) => [inputFrequency && `Input frequency ${inputFrequency} MHz`],
  'pressure sensor': ({ dataSamplingInterval, accuracy, ...mounted }) => [
    dataSamplingInterval && `Sampled every ${dataSamplingInterval} s`,
    accuracy && `Accuracy ${accuracy} hPa`,
    ...mountedWords(mounted),
  ],
  'temperature sensor': ({ dataSamplingInterval, accuracy, aspiration, ...mounted }) => [
    aspiration && `Aspiration: ${aspiration}`,
    dataSamplingInterval && `Sampled every ${dataSamplingInterval} s`,
    accuracy && `Accuracy ${accuracy} °C`,
    ...mountedWords(mounted),
  ],
  'water vapor sensor': ({ distanceToAntenna, ...mounted }) => [
    distanceToAntenna && `${distanceToAntenna} m from the antenna`,
    ...mountedWords(mounted),
  ],
  'other instrument': () => [],
};

/** Adds a full stop, unless the text already ends a sentence. */
export const sentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`);

/** The site log's remarks on an item of equipment; null if there are none. */
export const notesOf = ({ content: { configuration } }: InstalledEquipment): string | null =>
  'notes' in configuration ? configuration.notes : null;

/** The known configuration of an item of equipment, in sentences. */
export function configurationSentences({ content: { id, configuration } }: InstalledEquipment): string[] {
  const sentences = SENTENCES[id.equipmentType] as (configuration: Content['configuration']) => (string | null)[];
  const own = 'aspiration' in id && id.aspiration !== null ? [`Aspiration: ${id.aspiration}`] : [];
  return [...own, ...sentences(configuration)].flatMap((text) => (text === null || text === '' ? [] : [sentence(text)]));
}

/** The configuration value that typically changes while a device is in use, in a few characters; null if it is unknown. */
export function shortConfiguration({ content: { configuration } }: InstalledEquipment): string | null {
  if ('firmwareVersion' in configuration) return configuration.firmwareVersion;
  if ('inputFrequency' in configuration) return configuration.inputFrequency && `${configuration.inputFrequency} MHz`;
  if ('heightDiffToAntenna' in configuration) return configuration.heightDiffToAntenna && `${configuration.heightDiffToAntenna} m`;
  if (!('markerArpUpEccentricity' in configuration)) return null;
  return configuration.markerArpUpEccentricity === null ? null : `${configuration.markerArpUpEccentricity} m`;
}
