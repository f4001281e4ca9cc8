import type { CorsSite, EquipmentInUse, Instant, Period, Setup } from '../../schemas/index.js';
import {
  type AddNote,
  type Devices,
  isAboutUnknown,
  type Note,
  type Reason,
  saysTheSame,
  sentenceOf,
  type TimedNote,
} from '../findings/notes.js';
import {
  endsBeforeRadome,
  hasRadomeLength,
  joinAntennaType,
  splitAntennaType,
} from '../site-log/antenna-type.js';
import { cartesianPosition, geodeticPosition } from '../site-log/values/position.js';
import type { Agencies } from './agency.js';
import { field, measured } from './columns-of-text.js';
import {
  type BlankOptions,
  decideBlanks,
  eccentricities,
  type Eccentricities,
  type Eccentricity,
} from './eccentricities.js';

/**
 * What the formats of geodetic software are written from: one receiver and one antenna at a time.
 */

type OfKind<Kind> = Extract<EquipmentInUse, { content: { id: { equipmentType: Kind } } }>;
const isReceiver = (item: EquipmentInUse): item is OfKind<'gnss receiver'> =>
  item.content.id.equipmentType === 'gnss receiver';
const isAntenna = (item: EquipmentInUse): item is OfKind<'gnss antenna'> =>
  item.content.id.equipmentType === 'gnss antenna';

/** A receiver as formats have it. Null is unknown. */
export interface Receiver {
  type: string | null;
  serialNumber: string | null;
  firmware: string | null;
  /** Elevation cut-off in degrees, as the log has it. */
  cutoff: string | null;
  /** When it was installed. */
  installed: Instant;
}

/** An antenna as formats have it. Null is unknown. */
export interface Antenna extends Eccentricities {
  /** Without the radome. */
  type: string | null;
  /** NONE only if the log says so. */
  radome: string | null;
  /** Antenna Radome Type, if it contradicts the radome in Antenna Type, which is written. */
  otherRadome: string | null;
  serialNumber: string | null;
  /** The code of the antenna reference point, from antenna.gra. */
  referencePoint: string | null;
  /** The eccentricities that the log leaves blank, and that are taken as 0. */
  zeros: Eccentricity[];
  /** Alignment from true north in degrees. */
  azimuth: number | null;
  /** When it was installed. */
  installed: Instant;
}

/** A time in which the receiver and the antenna stay the same. Null is none. */
export interface Interval extends Period {
  receiver: Receiver | null;
  antenna: Antenna | null;
  /** The kinds of which several were in use at once. */
  several: Devices[];
}

/** What files for software say about a Site. */
export type WrittenSite = Pick<
  CorsSite,
  'id' | 'fourCharacterId' | 'nineCharacterId' | 'name' | 'domesNumber' | 'location'
>;

/** A Site with what it has had in use. */
export interface SiteHistory extends Agencies {
  site: WrittenSite;
  /** The Sites before it in the file that have the same four characters. */
  namesakes: WrittenSite[];
  /**
   * The Sites with the same four characters whose site logs have a later Date Prepared, and so the
   * name in a file where only one Site can have it.
   */
  newer: WrittenSite[];
  /** Whether another Site of the file, before or after it, has the same four characters. */
  isShared: boolean;
  /** Its Setups, in chronological order. */
  intervals: Interval[];
}

/**
 * The equipment of a kind that was installed last; of several that were installed at once, the last
 * in the log.
 */
function lastInstalled<T extends EquipmentInUse>(inUse: T[]): T['content'] | undefined {
  return inUse
    .map(({ content }): T['content'] => content)
    .reduce<T['content'] | undefined>(
      (last, each) => (last !== undefined && last.period.from > each.period.from ? last : each),
      undefined,
    );
}

/**
 * Antenna Type; if it has no radome in columns 17 to 20, with the radome that the log gives
 * separately.
 */
export function antennaTypeOf({
  id: { type },
  configuration: { radomeType },
}: OfKind<'gnss antenna'>['content']): string | null {
  if (type === null || radomeType === null) return type;
  const lacksRadome = endsBeforeRadome(type) && hasRadomeLength(radomeType);
  return lacksRadome ? joinAntennaType(type, radomeType) : type;
}

/** The receiver and the antenna that were installed last. @param equipment in use at one instant */
export const lastInUse = (equipment: EquipmentInUse[]) => ({
  receiver: lastInstalled(equipment.filter(isReceiver)),
  antenna: lastInstalled(equipment.filter(isAntenna)),
});

/** A text without blanks around it; null if nothing is left. */
function known(text: string | null | undefined): string | null {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
}

function toAntenna(
  { configuration, id, period }: OfKind<'gnss antenna'>['content'],
  blanks: BlankOptions,
): Antenna {
  const given: Eccentricities = {
    up: configuration.markerArpUpEccentricity,
    north: configuration.markerArpNorthEccentricity,
    east: configuration.markerArpEastEccentricity,
  };
  const type = splitAntennaType(id.type ?? '');
  const inType = known(type.radome);
  const separate = known(configuration.radomeType);
  const isContradicted = inType !== null && separate?.toUpperCase() !== inType.toUpperCase();
  return {
    ...decideBlanks(given, blanks),
    type: known(type.model),
    radome: inType ?? separate,
    otherRadome: isContradicted ? separate : null,
    serialNumber: id.serialNumber,
    referencePoint: configuration.antennaReferencePoint,
    azimuth:
      configuration.alignmentFromTrueNorth === null
        ? null
        : Number(configuration.alignmentFromTrueNorth),
    installed: period.from,
  };
}

/** How a Setup is written. */
export interface WritingOptions extends BlankOptions {
  /**
   * Whether firmware is written; without it, a change of firmware makes no line. Default: true.
   */
  hasFirmware?: boolean;
}

const toReceiver = (
  { id, configuration, period }: OfKind<'gnss receiver'>['content'],
  hasFirmware: boolean,
): Receiver => ({
  type: id.type,
  serialNumber: id.serialNumber,
  firmware: hasFirmware ? configuration.firmwareVersion : null,
  cutoff: configuration.elevetionCutoffSetting,
  installed: period.from,
});

/** The interval of a Setup. */
export function intervalOf(
  { effectivePeriod, equipmentInUse }: Pick<Setup, 'effectivePeriod' | 'equipmentInUse'>,
  { hasFirmware = true, ...blanks }: WritingOptions,
): Interval {
  const { receiver, antenna } = lastInUse(equipmentInUse);
  return {
    ...effectivePeriod,
    receiver: receiver ? toReceiver(receiver, hasFirmware) : null,
    antenna: antenna ? toAntenna(antenna, blanks) : null,
    several: [
      ...(equipmentInUse.filter(isReceiver).length > 1 ? (['receivers'] as const) : []),
      ...(equipmentInUse.filter(isAntenna).length > 1 ? (['antennas'] as const) : []),
    ],
  };
}

/** Why a format has no line for an interval. */
export interface NoLine {
  /** None if the line is about equipment that is not in use. */
  reasons: Reason[];
}

/** A line of a format. */
export interface Line extends Period {
  /**
   * Its fields, apart from the Site and the times; null if the format has no line for this time.
   */
  text: string | null;
  /** Whether it has no text because there is no receiver or no antenna. */
  isGap: boolean;
  /** What could not be written as it is. */
  notes: Note[];
  /** The same, about times: the reasons if there is no text, in chronological order. */
  times: TimedNote[];
}

/** The time that a file is about. */
export interface TimeOptions {
  /** Only those whose times overlap this; null for all. Equal bounds stand for that instant. */
  during: { from: Instant | null; to: Instant | null } | null;
}

/** Which lines are written. */
interface LineOptions extends TimeOptions {
  /**
   * The longest time without a receiver or an antenna, in milliseconds, over which the line before
   * is extended; 0 by default.
   */
  bridge?: number;
  /** The block in which the lines are, for notes; left out if there is only one. */
  block?: string;
  /** The kinds of equipment of which lines have the item that was installed last. */
  kinds: Interval['several'];
  /** Whether lines have the eccentricities. */
  hasEccentricity: boolean;
}

export const isDuring = ({ from, to }: Period, during: TimeOptions['during']): boolean =>
  during === null ||
  ((to === null || during.from === null || to > during.from) &&
    (during.to === null || (during.from === during.to ? from <= during.to : from < during.to)));

/**
 * Joins notes about times that follow each other and say the same.
 * @param gaps times that may lie between them, in chronological order
 */
export function joinedTimes(
  times: readonly TimedNote[],
  gaps: readonly Period[] = [],
): TimedNote[] {
  const result: TimedNote[] = [];
  for (const time of times) {
    const last = result.findLastIndex((each) => saysTheSame(each, time));
    const before = result[last];
    if (before !== undefined && endOfGaps(gaps, before.period.to) === time.period.from)
      result[last] = { ...before, period: { from: before.period.from, to: time.period.to } };
    else result.push(time);
  }
  return result;
}

/** When gaps end that begin at an instant, one after the other; the same instant if none does. */
function endOfGaps(gaps: readonly Period[], from: Instant | null): Instant | null {
  let end = from;
  for (const gap of gaps) if (gap.from === end) end = gap.to;
  return end;
}

/** The distinct notes. */
const distinct = (notes: readonly Note[]): Note[] => [
  ...new Map(notes.map((note) => [sentenceOf(note), note])).values(),
];

/** Joins neighbours whose texts are equal. */
function joined(lines: Line[]): Line[] {
  const result: Line[] = [];
  for (const line of lines) {
    const last = result.at(-1);
    if (last?.text !== line.text || last.isGap !== line.isGap || last.to !== line.from)
      result.push(line);
    else
      result.splice(-1, 1, {
        ...last,
        to: line.to,
        notes: distinct([...last.notes, ...line.notes]),
        times: joinedTimes([...last.times, ...line.times]),
      });
  }
  return result;
}

/** Extends lines to the next, over short times without a receiver or an antenna. */
function bridged(lines: Line[], longest: number): Line[] {
  const result: Line[] = [];
  for (const [index, line] of lines.entries()) {
    const last = result.at(-1);
    const isShort = line.to !== null && Date.parse(line.to) - Date.parse(line.from) <= longest;
    const next = lines[index + 1];
    const isBetweenLines =
      last !== undefined && last.text !== null && next !== undefined && next.text !== null;
    if (line.isGap && isShort && isBetweenLines) {
      // The values before the gap also apply during it, so the previous line is extended.
      const times = last.times.map((time) =>
        time.period.to === line.from
          ? { ...time, period: { from: time.period.from, to: line.to } }
          : time,
      );
      const bridge: Note = { code: 'gap-bridged', from: line.from, to: line.to! };
      const notes = [...last.notes, bridge];
      result.splice(-1, 1, { ...last, to: line.to, notes, times });
    } else result.push(line);
  }
  return joined(result);
}

/** The times in which several items of some kinds were in use. */
export const severalInUse = (
  { several, from, to }: Interval,
  kinds: Interval['several'],
): TimedNote[] =>
  kinds
    .filter((kind) => several.includes(kind))
    .map((devices) => ({ code: 'several-in-use', devices, period: { from, to } }));

/** Says of a time which eccentricities are blank in the log, and taken as 0. */
export function zerosWritten({ antenna, from, to }: Interval): TimedNote[] {
  const names = antenna?.zeros ?? [];
  if (names.length === 0) return [];
  return [{ code: 'zero-written', names, others: 0, period: { from, to } }];
}

/** Whether there is no line because no receiver or no antenna is in use. */
const isGap = ({ reasons }: NoLine): boolean => reasons.every(({ code }) => code === 'no-device');

/**
 * The lines of a Site: neighbours that a format writes alike are one line.
 * @param write the fields of a line, or why there is none
 */
export function historyLines(
  { intervals }: SiteHistory,
  write: (interval: Interval, note: AddNote) => string | NoLine,
  { during, bridge = 0, block, kinds, hasEccentricity }: LineOptions,
): Line[] {
  const lines = intervals.map((interval): Line => {
    const { from, to } = interval;
    const period = { from, to };
    const notes: Note[] = [];
    const times: TimedNote[] = [];
    const written = write(interval, (note) => {
      if (isAboutUnknown(note)) times.push({ ...note, period });
      else notes.push(note);
    });
    if (typeof written === 'string') {
      times.push(...severalInUse(interval, kinds));
      if (hasEccentricity) times.push(...zerosWritten(interval));
      return { from, to, text: written, isGap: false, notes, times };
    }
    const { reasons } = written;
    if (reasons.length > 0) times.push({ code: 'no-line', block: block ?? null, reasons, period });
    return { from, to, text: null, isGap: isGap(written), notes, times };
  });
  return bridged(joined(lines), bridge)
    .filter((line) => isDuring(line, during))
    .map((line) => ({
      ...line,
      times: line.times.filter(({ period }) => isDuring(period, during)),
    }));
}

/** A radome has four letters or digits. */
const RADOME = /^[A-Z0-9]{4}$/;

/**
 * A radome in its columns. A note says if it is unknown, is not a code, or contradicts the antenna
 * type.
 * @param unknown stands for an unknown one
 */
export function radomeField(
  { radome, otherRadome }: Antenna,
  columns: { width: number; unknown: string },
  note: AddNote,
): string {
  const code = radome?.toUpperCase() ?? '';
  const isCode = RADOME.test(code);
  if (radome === null) note({ code: 'unknown-radome', written: columns.unknown });
  else if (!isCode) note({ code: 'radome-no-code', radome, written: columns.unknown });
  else if (otherRadome !== null)
    note({ code: 'radome-contradiction', written: code, other: otherRadome });
  return field(isCode ? code : columns.unknown, { what: 'radome', width: columns.width }, note);
}

/** What lines about a receiver and an antenna have. */
export const BOTH = {
  kinds: ['receivers', 'antennas'],
  hasEccentricity: true,
} satisfies Partial<LineOptions>;

/**
 * What a line about a receiver and an antenna contains: both, and up, north and east in their
 * columns. Otherwise why there is no such line, with all values that are missing.
 * @param needsTypes whether a line needs the types of both
 */
export function bothOf(
  interval: Interval,
  columns: { width: number; needsTypes: boolean },
  note: AddNote,
): { receiver: Receiver; antenna: Antenna; eccentricities: Record<Eccentricity, string> } | NoLine {
  const { receiver, antenna } = interval;
  if (receiver === null && antenna === null) return { reasons: [] };
  if (receiver === null) return { reasons: [{ code: 'no-device', device: 'receiver' }] };
  if (antenna === null) return { reasons: [{ code: 'no-device', device: 'antenna' }] };
  const reasons: Reason[] = [];
  if (columns.needsTypes && receiver.type === null)
    reasons.push({ code: 'unknown-type', device: 'receiver' });
  if (columns.needsTypes && antenna.type === null)
    reasons.push({ code: 'unknown-type', device: 'antenna' });
  const written = eccentricities(antenna, columns, note);
  if ('reasons' in written) return { reasons: [...reasons, ...written.reasons] };
  if (reasons.length > 0) return { reasons };
  return { receiver, antenna, eccentricities: written };
}

/**
 * The alignment of an antenna in its columns; null, with a note, if it is unknown or does not fit.
 */
export function azimuthField(
  { azimuth }: Antenna,
  columns: { width: number; digits: number },
  note: AddNote,
): string | null {
  const what = 'alignment from true north';
  const written = measured(azimuth, { what, ...columns }, note);
  if (azimuth === null) note({ code: 'unknown', what });
  else if (written === null) note({ code: 'wide-azimuth', azimuth });
  return written;
}

/** Whether the log gives X, Y and Z. If one is unknown, the other two say nothing alone. */
export const hasCartesian = ({ x, y, z }: CorsSite['location']): boolean =>
  x !== null && y !== null && z !== null;

/** X, Y and Z; if one is unknown, all are computed from latitude, longitude and height. */
export function cartesianOf(location: CorsSite['location']): (number | null)[] {
  const { x, y, z, latitude, longitude, height } = location;
  if (hasCartesian(location) || latitude === null || longitude === null || height === null)
    return [x, y, z];
  return cartesianPosition({ latitude, longitude, elevation: height });
}

/** Which values are unknown of a position that can be written in neither form. */
export function unknownPosition(
  location: CorsSite['location'],
): Extract<Reason, { code: 'unknown-position' }> {
  const { x, y, z, latitude, longitude, height } = location;
  const values = Object.entries({ X: x, Y: y, Z: z, latitude, longitude, height });
  const unknown = values.filter(([, value]) => value === null).map(([name]) => name);
  return { code: 'unknown-position', unknown };
}

/**
 * Latitude, longitude and height; if one is unknown, all are computed from X, Y and Z. Null if
 * these are unknown too.
 */
export function geodeticOf({ x, y, z, latitude, longitude, height }: CorsSite['location']) {
  if (latitude !== null && longitude !== null && height !== null)
    return { latitude, longitude, height };
  const computed = x === null || y === null || z === null ? null : geodeticPosition(x, y, z);
  return (
    computed && {
      latitude: computed.latitude,
      longitude: computed.longitude,
      height: computed.elevation,
    }
  );
}
