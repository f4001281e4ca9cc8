import type { CorsSite } from '../../schemas/index.js';
import { comparableSerialNumber, knownValue } from '../derive/devices.js';
import { ascii, fittingFirmware } from '../formats/columns-of-text.js';
import { writtenDomes } from '../formats/domes.js';
import type { Interval } from '../formats/site-history.js';
import { cartesianOf } from '../formats/written-position.js';
import { agencyReasons } from './agencies.js';
import type { Field } from './fields.js';
import type { RinexHeader } from './header/header.js';

/** Compares the fields of a header with the record of a Site. */

/** How a field compares. */
export const STATUSES = [
  'equal',
  'equal after normalisation',
  'differs',
  'cannot be read',
  'empty in header',
  'unknown in log',
] as const;
export type Status = (typeof STATUSES)[number];

/** What makes two spellings of a value equal. */
type Normalisation =
  | 'ASCII'
  | 'cut to 20 characters'
  | 'cut to 36 characters'
  | 'case, blanks and hyphens'
  | 'without NP or Nav'
  | 'points'
  | 'four characters'
  | 'radome in other columns'
  | 'parts of an agency'
  | 'initials';

/** A field of a header, compared. */
export interface Comparison {
  field: Field;
  status: Status;
  /** As written in the header; null if empty. */
  header: string | null;
  /** As the log has it; null if unknown. */
  record: string | null;
  /** What made them equal, in order; none if nothing had to. */
  normalisation: Normalisation[];
  /** In metres, or for an azimuth in degrees; null for texts. */
  tolerance: number | null;
}

/** Whether a field is equal, as it is or after normalisation. */
export const isEqual = ({ status }: Pick<Comparison, 'status'>): boolean =>
  status === 'equal' || status === 'equal after normalisation';

/** How far eccentricities and positions may be apart, in metres, and azimuths, in degrees. */
const ECCENTRICITY_TOLERANCE = 0.001;
const POSITION_TOLERANCE = 10;
const AZIMUTH_TOLERANCE = 1;
/** Differences of decimal fractions are this exact. */
export const ROUNDING = 1e-9;

type Step = [name: Normalisation, normalise: (text: string) => string];

const cutTo = (width: 20 | 36): Step => [
  `cut to ${width} characters`,
  (text) => text.slice(0, width).trim(),
];
const ASCII: Step = ['ASCII', ascii];
const SPELLING: Step = ['case, blanks and hyphens', comparableSerialNumber];
/** Where the radome is, if it is in other columns. */
const ELSEWHERE = 'radome in other columns' satisfies Normalisation;
/** `NP 4.20 / SP 3.0` begins with the version of the navigation processor. */
const PREFIX: Step = ['without NP or Nav', (text) => /^(?:NP|NAV) *(\S+)/i.exec(text)?.[1] ?? text];
/** 5.50 is 5.5.0. */
const POINTS: Step = [
  'points',
  (text) => {
    const [first, ...others] = text.split('.');
    return [first, others.join('')].join('.');
  },
];

const TEXT = [ASCII, cutTo(20), SPELLING];
const FIRMWARE = [ASCII, cutTo(20), PREFIX, SPELLING, POINTS];
/** A long agency is cut in several ways after these columns. */
const AGENCY = [ASCII, cutTo(36), SPELLING];

/** The steps that make two texts equal; null if none do. */
function stepsBetween(one: string, other: string, steps: Step[]): Normalisation[] | null {
  let a = one;
  let b = other;
  const used: Normalisation[] = [];
  for (const [name, normalise] of steps) {
    if (a === b) break;
    const nextA = normalise(a);
    const nextB = normalise(b);
    if (nextA !== a || nextB !== b) used.push(name);
    a = nextA;
    b = nextB;
  }
  return a === b ? used : null;
}

/**
 * A text; null if it is blank or means unknown. For a radome, NONE is a value, and UNKN means
 * unknown.
 */
function known(field: Field, text: string | null): string | null {
  if (field !== 'radomeType') return knownValue(text);
  return text === 'UNKN' ? null : text;
}

/** How a text compares. @param records the texts that are right; the first is shown */
function compareText(
  field: Field,
  header: string | null,
  records: (string | null)[],
  steps = TEXT,
): Comparison {
  const accepted = records.filter((each) => known(field, each) !== null) as string[];
  const equal: Comparison = {
    field,
    status: 'equal',
    header,
    record: accepted[0] ?? null,
    normalisation: [],
    tolerance: null,
  };
  if (known(field, header) === null)
    return accepted.length === 0 ? equal : { ...equal, status: 'empty in header' };
  if (accepted.length === 0) return { ...equal, status: 'unknown in log' };
  const ways = accepted
    .map((each) => stepsBetween(header!, each, steps))
    .filter((each) => each !== null);
  const [fewest] = ways.sort((a, b) => a.length - b.length);
  if (fewest === undefined) return { ...equal, status: 'differs' };
  return fewest.length === 0
    ? equal
    : { ...equal, status: 'equal after normalisation', normalisation: fewest };
}

/** The distance of two points. @param header its numbers, separated by blanks */
const distanceOf = (header: string, record: (number | null | undefined)[]): number =>
  Math.hypot(...header.split(' ').map((each, index) => Number(each) - record[index]!));

/** The angle between two directions, in degrees. */
function angleBetween(header: string, [record]: (number | null | undefined)[]): number {
  const turn = Math.abs(Number(header) - record!) % 360;
  return Math.min(turn, 360 - turn);
}

/** Compares numbers by their distance. */
function compareNumbers(
  field: 'up' | 'east' | 'north' | 'azimuth' | 'position',
  { [field]: header }: RinexHeader,
  record: (number | null | undefined)[],
  tolerance: number,
  distanceBetween = distanceOf,
): Comparison {
  const isKnown = record.every((each) => each !== null && each !== undefined);
  const equal: Comparison = {
    field,
    status: 'equal',
    header,
    record: isKnown ? record.join(' ') : null,
    normalisation: [],
    tolerance,
  };
  if (header === null) return isKnown ? { ...equal, status: 'empty in header' } : equal;
  if (!isKnown) return { ...equal, status: 'unknown in log' };
  const distance = distanceBetween(header, record);
  return distance <= tolerance + ROUNDING ? equal : { ...equal, status: 'differs' };
}

/**
 * The azimuth, if the header has it, or should have it because the log has an alignment other than
 * 0, and the version has such a record.
 */
function compareAzimuth(header: RinexHeader, { antenna }: Interval): Comparison[] {
  const azimuth = antenna?.azimuth ?? null;
  const hasRecord =
    header.azimuth !== null || header.unreadable.some(({ fields }) => fields.includes('azimuth'));
  const isExpected = azimuth !== null && azimuth !== 0 && !header.version.startsWith('2');
  if (!hasRecord && !isExpected) return [];
  return [compareNumbers('azimuth', header, [azimuth], AZIMUTH_TOLERANCE, angleBetween)];
}

/** Nine characters that are an id. */
const NINE_CHARACTER_ID = /^[A-Z0-9_]{4}\d\d[A-Z]{3}$/i;

/** The marker name: the id with four or with nine characters. */
function compareMarker(
  header: string | null,
  { fourCharacterId, nineCharacterId }: CorsSite,
): Comparison {
  const isMeant = (id: string | null): boolean =>
    id !== null && comparableSerialNumber(id) === comparableSerialNumber(header ?? '');
  const ids = [nineCharacterId, fourCharacterId].toSorted(
    (a, b) => Number(isMeant(b)) - Number(isMeant(a)),
  );
  const compared = compareText('markerName', header, ids);
  // If the log has four characters only, they are compared.
  const isLonger =
    nineCharacterId === null &&
    header !== null &&
    NINE_CHARACTER_ID.test(header) &&
    compared.status === 'differs';
  if (!isLonger || compareText('markerName', header.slice(0, 4), ids).status === 'differs')
    return compared;
  return { ...compared, status: 'equal after normalisation', normalisation: ['four characters'] };
}

/** The agency: one of the log, or several, each by its name, its abbreviation or its initials. */
function compareAgency(header: string | null, agencies: string[]): Comparison {
  const compared = compareText('agency', header, agencies, AGENCY);
  if (header === null || compared.status !== 'differs') return compared;
  const normalisation = agencyReasons(header, agencies);
  if (normalisation === null) return compared;
  return { ...compared, status: 'equal after normalisation', normalisation };
}

/** The fields that other software looks up as they are spelt, with the columns that they have. */
const LOOKED_UP: Partial<Record<Field, number>> = {
  markerName: 60,
  markerNumber: 20,
  receiverType: 20,
  antennaType: 15,
  radomeType: 4,
};

/**
 * Whether a field is equal, but spelt otherwise or in other columns than other software expects,
 * and can be written as the record spells it.
 */
export function isSpeltOtherwise({ field, status, normalisation, record }: Comparison): boolean {
  const width = LOOKED_UP[field];
  const isKnown = record !== null && width !== undefined;
  if (status !== 'equal after normalisation' || !isKnown) return false;
  const isMended = normalisation.includes(SPELLING[0]) || normalisation.includes(ELSEWHERE);
  return isMended && ascii(record).length <= width;
}

/** The type of the antenna and the radome behind it, in any columns; null if there is no radome. */
export function splitAntenna({ antenna }: RinexHeader): { type: string; radome: string } | null {
  const [, type, radome] = /^(\S.*\S|\S) +(\S{4})$/.exec(antenna ?? '') ?? [];
  return type === undefined || radome === undefined ? null : { type, radome };
}

/** The type of the antenna and its radome. Many headers have the radome in other columns. */
function compareAntenna(header: RinexHeader, { antenna }: Interval): Comparison[] {
  const compare = (type: string | null, radome: string | null): Comparison[] => [
    compareText('antennaType', type, [antenna?.type ?? null]),
    compareText('radomeType', radome, [antenna?.radome ?? null]),
  ];
  const { antennaType, radomeType } = header;
  const asWritten = compare(antennaType, radomeType);
  const split = splitAntenna(header);
  if (asWritten.every(isEqual) || split === null || split.radome === radomeType) return asWritten;
  const elsewhere = compare(split.type, split.radome);
  if (!isEqual(elsewhere[0]!)) return asWritten;
  return elsewhere.map((each) => ({
    ...each,
    status: isEqual(each) ? 'equal after normalisation' : each.status,
    normalisation: [ELSEWHERE, ...each.normalisation],
  }));
}

/** Firmware as in the log, and as in a header without room for all its blanks. */
function firmwareTexts(receiver: Interval['receiver']): (string | null)[] {
  const firmware = receiver?.firmware ?? null;
  return [firmware, firmware && fittingFirmware(firmware, 20)];
}

/** A field as it compares; `cannot be read` if the header has only what cannot. */
function readable(compared: Comparison, { unreadable }: RinexHeader): Comparison {
  const text = unreadable.find(({ fields }) => fields.includes(compared.field))?.text;
  if (text === undefined) return compared;
  return { ...compared, status: 'cannot be read', header: text, normalisation: [] };
}

/**
 * Compares all fields of a header.
 * @param agencies names and abbreviations of the Site's agencies
 * @param interval the equipment in use
 */
export function compareHeader(
  header: RinexHeader,
  site: CorsSite,
  agencies: string[],
  interval: Interval,
): Comparison[] {
  const { receiver, antenna } = interval;
  const compared = [
    compareMarker(header.markerName, site),
    compareText('markerNumber', header.markerNumber, [writtenDomes(site)]),
    compareText('receiverSerialNumber', header.receiverSerialNumber, [
      receiver?.serialNumber ?? null,
    ]),
    compareText('receiverType', header.receiverType, [receiver?.type ?? null]),
    compareText('firmwareVersion', header.firmwareVersion, firmwareTexts(receiver), FIRMWARE),
    compareText('antennaSerialNumber', header.antennaSerialNumber, [antenna?.serialNumber ?? null]),
    ...compareAntenna(header, interval),
    compareNumbers('up', header, [antenna?.up], ECCENTRICITY_TOLERANCE),
    compareNumbers('east', header, [antenna?.east], ECCENTRICITY_TOLERANCE),
    compareNumbers('north', header, [antenna?.north], ECCENTRICITY_TOLERANCE),
    ...compareAzimuth(header, interval),
    compareNumbers('position', header, cartesianOf(site.location), POSITION_TOLERANCE),
    compareAgency(header.agency, agencies),
  ];
  return compared.map((each) => readable(each, header));
}
