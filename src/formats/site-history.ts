import type { CorsSite, EquipmentInUse, Instant, Period, Setup } from '../../schemas/index.js';
import type { Devices } from '../findings/notes.js';
import {
  endsBeforeRadome,
  hasRadomeLength,
  joinAntennaType,
  splitAntennaType,
} from '../site-log/antenna-type.js';
import type { Agencies } from './agency.js';
import {
  type BlankOptions,
  decideBlanks,
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
