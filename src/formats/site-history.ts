import type { CorsSite, EquipmentInUse, Instant, Period, Setup } from '../../schemas/index.js';
import { cartesianPosition, geodeticPosition } from '../site-log/position.js';
import { decimal, field, measured, type Note } from './columns-of-text.js';

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
}

/** An antenna as formats have it. Null is unknown. */
export interface Antenna {
  /** Without the radome. */
  type: string | null;
  /** NONE only if the log says so. */
  radome: string | null;
  /** Antenna Radome Type, if it contradicts the radome in Antenna Type, which is written. */
  otherRadome: string | null;
  serialNumber: string | null;
  /** The code of the antenna reference point, from antenna.gra. */
  referencePoint: string | null;
  /** The eccentricities in metres. */
  up: number | null;
  north: number | null;
  east: number | null;
  /** Alignment from true north in degrees. */
  azimuth: number | null;
}

/** A time in which the receiver and the antenna stay the same. Null is none. */
export interface Interval extends Period {
  receiver: Receiver | null;
  antenna: Antenna | null;
  /** The kinds of which several were in use at once. */
  several: ('receivers' | 'antennas')[];
}

/** A Site with what it has had in use. */
export interface SiteHistory {
  site: CorsSite;
  /** The Sites before it in the file that have the same four characters. */
  namesakes: CorsSite[];
  /** Whether another Site of the file, before or after it, has the same four characters. */
  isShared: boolean;
  /** Its Setups, in chronological order. */
  intervals: Interval[];
  /** The organisation that maintains its site log; null if it is unknown. */
  agency: string | null;
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

/** How many columns of an antenna type are before the radome. */
const RADOME_OFFSET = 16;
/** How many columns the radome has. */
const RADOME_LENGTH = 4;

/**
 * Antenna Type; if it has no radome in columns 17 to 20, with the radome that the log gives
 * separately.
 */
export function antennaTypeOf({
  id: { type },
  configuration: { radomeType },
}: OfKind<'gnss antenna'>['content']): string | null {
  const lacksRadome =
    type !== null && type.length <= RADOME_OFFSET && radomeType?.length === RADOME_LENGTH;
  return lacksRadome ? type.padEnd(RADOME_OFFSET) + radomeType : type;
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

function toAntenna(content: OfKind<'gnss antenna'>['content']): Antenna {
  const { configuration, id } = content;
  const inType = known(id.type?.slice(RADOME_OFFSET));
  const given = known(configuration.radomeType);
  return {
    type: known(id.type?.slice(0, RADOME_OFFSET)),
    radome: inType ?? given,
    otherRadome: inType !== null && given?.toUpperCase() !== inType.toUpperCase() ? given : null,
    serialNumber: id.serialNumber,
    referencePoint: configuration.antennaReferencePoint,
    up: configuration.markerArpUpEccentricity,
    north: configuration.markerArpNorthEccentricity,
    east: configuration.markerArpEastEccentricity,
    azimuth:
      configuration.alignmentFromTrueNorth === null
        ? null
        : Number(configuration.alignmentFromTrueNorth),
  };
}

/**
 * The interval of a Setup.
 * @param hasFirmware whether firmware is written; without it, a change of firmware makes no line
 */
export function intervalOf(
  { effectivePeriod, equipmentInUse }: Pick<Setup, 'effectivePeriod' | 'equipmentInUse'>,
  hasFirmware = true,
): Interval {
  const { receiver, antenna } = lastInUse(equipmentInUse);
  return {
    ...effectivePeriod,
    receiver: receiver
      ? {
          type: receiver.id.type,
          serialNumber: receiver.id.serialNumber,
          firmware: hasFirmware ? receiver.configuration.firmwareVersion : null,
        }
      : null,
    antenna: antenna ? toAntenna(antenna) : null,
    several: [
      ...(equipmentInUse.filter(isReceiver).length > 1 ? (['receivers'] as const) : []),
      ...(equipmentInUse.filter(isAntenna).length > 1 ? (['antennas'] as const) : []),
    ],
  };
}

/** Why a format has no line for an interval. */
export interface NoLine {
  /** Null if the line is about equipment that is not in use. */
  why: string | null;
  /** Whether there is none because there is no receiver or no antenna. */
  isGap: boolean;
}

/** A time for which a format should have a line and has none. */
export interface Absence extends Period {
  why: string;
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
  notes: string[];
  /** The reasons if there is no text, in chronological order. */
  absences: Absence[];
}

/** Which lines are written. */
export interface LineOptions {
  /** Only those whose times overlap this; null for all. Equal bounds stand for that instant. */
  during: { from: Instant | null; to: Instant | null } | null;
  /**
   * The longest time without a receiver or an antenna, in seconds, over which the line before is
   * extended; 0 by default.
   */
  bridge?: number;
}

export const isDuring = ({ from, to }: Period, during: LineOptions['during']): boolean =>
  during === null ||
  ((to === null || during.from === null || to > during.from) &&
    (during.to === null || (during.from === during.to ? from <= during.to : from < during.to)));

/** Joins absences that follow each other for the same reason. */
function joinedAbsences(absences: Absence[]): Absence[] {
  const result: Absence[] = [];
  for (const absence of absences) {
    const last = result.at(-1);
    if (last?.why === absence.why && last.to === absence.from)
      result.splice(-1, 1, { ...last, to: absence.to });
    else result.push(absence);
  }
  return result;
}

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
        notes: [...new Set([...last.notes, ...line.notes])],
        absences: joinedAbsences([...last.absences, ...line.absences]),
      });
  }
  return result;
}

/** Extends lines to the next, over short times without a receiver or an antenna. */
function bridged(lines: Line[], longest: number): Line[] {
  const result: Line[] = [];
  for (const [index, line] of lines.entries()) {
    const last = result.at(-1);
    const isShort =
      line.to !== null && Date.parse(line.to) - Date.parse(line.from) <= longest * 1000;
    const next = lines[index + 1];
    const isBetweenLines =
      last !== undefined && last.text !== null && next !== undefined && next.text !== null;
    if (line.isGap && isShort && isBetweenLines) {
      result.splice(-1, 1, {
        ...last,
        to: line.to,
        notes: [...last.notes, `the gap from ${line.from} to ${line.to!} is bridged`],
      });
    } else result.push(line);
  }
  return joined(result);
}

/**
 * The lines of a Site: neighbours that a format writes alike are one line.
 * @param write the fields of a line, or why there is none
 */
export function historyLines(
  { intervals }: SiteHistory,
  write: (interval: Interval, note: Note) => string | NoLine,
  { during, bridge = 0 }: LineOptions,
): Line[] {
  const lines = intervals.map((interval): Line => {
    const { from, to } = interval;
    const notes: string[] = [];
    const written = write(interval, (note) => notes.push(note));
    if (typeof written === 'string')
      return { from, to, text: written, isGap: false, notes, absences: [] };
    const { why, isGap } = written;
    const absences = why === null ? [] : [{ from, to, why }];
    return { from, to, text: null, isGap, notes, absences };
  });
  return bridged(joined(lines), bridge).filter((line) => isDuring(line, during));
}

/** Says which kinds had several items in use. */
export function noteSeveral(
  { several, from }: Interval,
  kinds: Interval['several'],
  note: Note,
): void {
  for (const kind of kinds.filter((each) => several.includes(each)))
    note(`several ${kind} in use from ${from}: the one installed last is written`);
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
  note: Note,
): string {
  const code = radome?.toUpperCase() ?? '';
  const isCode = RADOME.test(code);
  if (radome === null) note(`radome unknown: written as ${columns.unknown}`);
  else if (!isCode)
    note(
      `radome "${radome}" is written as ${columns.unknown}: it is not a code of four letters or digits`,
    );
  else if (otherRadome !== null)
    note(
      `radome "${code}" of the antenna type is written; Antenna Radome Type is "${otherRadome}"`,
    );
  return field(isCode ? code : columns.unknown, { what: 'radome', width: columns.width }, note);
}

/** The decimals of an eccentricity in metres. */
export const ECCENTRICITY_DIGITS = 4;
/** The eccentricities of an antenna, in the order of the site log. */
export const ECCENTRICITIES = ['up', 'north', 'east'] as const;
export type Eccentricity = (typeof ECCENTRICITIES)[number];

/** Words as an enumeration: `up, north and east`. */
function enumerated(words: readonly string[]): string {
  const others = words.slice(0, -1).join(', ');
  const last = words.at(-1) ?? '';
  return others === '' ? last : `${others} and ${last}`;
}

/** Says which values are unknown: `north and east eccentricity unknown`. */
export const unknownEccentricities = (names: readonly Eccentricity[]): string =>
  `${enumerated(names)} eccentricity unknown`;

/** Why the eccentricities of an antenna cannot be written; null if they can. */
function whyNoEccentricities(antenna: Antenna, width: number): string | null {
  const reasons: string[] = [];
  const unknown = ECCENTRICITIES.filter((name) => antenna[name] === null);
  if (unknown.length > 0) reasons.push(unknownEccentricities(unknown));
  const writable: string[] = [];
  for (const name of ECCENTRICITIES) {
    const value = antenna[name];
    if (value === null) continue;
    if (decimal(value, width, ECCENTRICITY_DIGITS) === null)
      reasons.push(`${name} eccentricity ${value} does not fit its columns`);
    else writable.push(`${name} is ${value}`);
  }
  if (reasons.length === 0) return null;
  return writable.length === 0
    ? reasons.join('; ')
    : `${reasons.join('; ')} (${enumerated(writable)})`;
}

/**
 * Up, north and east in their columns, or why there are none. Readers take a blank for 0, so no
 * format can say that one of the three is unknown: the reason names it, and gives the known ones.
 */
export function eccentricities(
  antenna: Antenna,
  columns: { width: number },
  note: Note,
): Record<Eccentricity, string> | { why: string } {
  const why = whyNoEccentricities(antenna, columns.width);
  if (why !== null) return { why };
  const write = (name: Eccentricity): string => {
    const what = `${name} eccentricity`;
    return measured(antenna[name], { what, digits: ECCENTRICITY_DIGITS, ...columns }, note)!;
  };
  return { up: write('up'), north: write('north'), east: write('east') };
}

/**
 * What a line about a receiver and an antenna contains: both, and up, north and east in their
 * columns. Otherwise why there is no such line, with all values that are missing.
 * @param needsTypes whether a line needs the types of both
 */
export function bothOf(
  interval: Interval,
  columns: { width: number; needsTypes: boolean },
  note: Note,
): { receiver: Receiver; antenna: Antenna; eccentricities: Record<Eccentricity, string> } | NoLine {
  const { receiver, antenna } = interval;
  noteSeveral(interval, ['receivers', 'antennas'], note);
  if (receiver === null && antenna === null) return { why: null, isGap: true };
  if (receiver === null) return { why: 'no receiver', isGap: true };
  if (antenna === null) return { why: 'no antenna', isGap: true };
  const reasons: string[] = [];
  if (columns.needsTypes && receiver.type === null) reasons.push('receiver type unknown');
  if (columns.needsTypes && antenna.type === null) reasons.push('antenna type unknown');
  const written = eccentricities(antenna, columns, note);
  if ('why' in written) reasons.push(written.why);
  if ('why' in written || reasons.length > 0) return { why: reasons.join('; '), isGap: false };
  return { receiver, antenna, eccentricities: written };
}

/**
 * The alignment of an antenna in its columns; null, with a note, if it is unknown or does not fit.
 */
export function azimuthField(
  { azimuth }: Antenna,
  columns: { width: number; digits: number },
  note: Note,
): string | null {
  const what = 'alignment from true north';
  const written = measured(azimuth, { what, ...columns }, note);
  if (written === null)
    note(
      `${what} ${azimuth === null ? 'unknown' : `${azimuth} is left out: it does not fit its columns`}`,
    );
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
export function unknownPosition(location: CorsSite['location']): string {
  const { x, y, z, latitude, longitude, height } = location;
  const values = Object.entries({ X: x, Y: y, Z: z, latitude, longitude, height });
  const unknown = values.filter(([, value]) => value === null).map(([name]) => name);
  return unknown.length === values.length ? 'position unknown' : `${enumerated(unknown)} unknown`;
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

/** The DOMES number, if it is well formed. A note gives another one. */
export function domesOf({ domesNumber }: CorsSite, note: Note): string | null {
  if (domesNumber === null || /^\d{5}[A-Z]\d{3}$/.test(domesNumber)) return domesNumber;
  note(`DOMES number "${domesNumber}" is left out: it has another form than 12345M001`);
  return null;
}
