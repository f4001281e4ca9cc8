import {
  EQUIPMENT_KINDS,
  type EquipmentInUse,
  type EquipmentType,
  type InstalledEquipment,
  type InstalledInstrument,
} from '../../schemas/index.js';
import { hasRadomeLength, splitAntennaType } from '../site-log/antenna-type.js';
import type { Findings, LogInstrument, LogItem } from '../site-log/site-log.js';
import type { DerivedSetup } from './setups.js';

/** The identity of a device of any kind: `content.id` of an item of equipment. */
export type Identity = InstalledEquipment['content']['id'];

/** One device of a site log. */
export interface DerivedDevice {
  /** Identifies the device; see {@link deviceKeyOf}. */
  key: string;
  /** Whether the key identifies the device only among those of its Site. */
  ofSite: boolean;
  /** Its identity. Where items of the log differ in a member, the last known value wins. */
  identity: Identity;
  /**
   * The items of the log that describe the device, equal ones only once. Items of Setups are the
   * same objects as in the Setups.
   */
  inUse: InstalledEquipment[];
}

/** A serial number as it is compared. Case, blanks and hyphens do not count; leading zeros do. */
export const comparableSerialNumber = (serialNumber: string): string =>
  serialNumber.replace(/[\s\p{Pd}]/gu, '').toUpperCase();

/** The model in a type: of an antenna, what comes before the radome. */
const modelIn = (equipmentType: EquipmentType, type: string): string =>
  equipmentType === 'gnss antenna' ? splitAntennaType(type).model : type;

/** The model of a device as the log has it; null if it is unknown. */
export const modelOf = ({ equipmentType, type }: Identity): string | null =>
  type && modelIn(equipmentType, type);

/** The radome in an antenna type; null if there is none of the right length. */
export function radomeInType(type: string): string | null {
  const { radome } = splitAntennaType(type);
  return hasRadomeLength(radome) ? radome : null;
}

/**
 * The radome of an antenna: as the log gives it separately, else in columns 17 to 20 of its type;
 * null if unknown, and of other kinds.
 */
export function radomeOf({
  id: { equipmentType, type },
  configuration,
}: EquipmentInUse['content']): string | null {
  if (equipmentType !== 'gnss antenna' || !('radomeType' in configuration)) return null;
  if (configuration.radomeType !== null) return configuration.radomeType;
  return type === null ? null : radomeInType(type);
}

/**
 * A type as it is compared. Case does not count, and of an antenna only the model does: its radome
 * can be put on or taken off.
 */
export const comparableType = (equipmentType: EquipmentType, type: string): string =>
  modelIn(equipmentType, type).toUpperCase();

/**
 * Values that say nothing, in the form of {@link comparableSerialNumber}: zeros and other fillers,
 * and words for "unknown".
 */
const FILLER =
  /^(0+|[X.?*_#]*|N[./]?A\.?|NONE|NIL|UNKN?|UNKN?OWN|UNKWN|NOT(KNOWN|AVAILABLE)|UNMARKED)$/;

/** A value that identifies a device; null if it is unknown or a filler. */
export const knownValue = (value: string | null): string | null =>
  value === null || FILLER.test(comparableSerialNumber(value)) ? null : value;

/** The type and the serial number of a device as they are compared. */
export function comparableValues({ equipmentType, ...id }: Identity): {
  type: string | null;
  serialNumber: string | null;
} {
  const type = knownValue(id.type);
  const serialNumber = knownValue(id.serialNumber);
  return {
    type: type && comparableType(equipmentType, type),
    serialNumber: serialNumber && comparableSerialNumber(serialNumber),
  };
}

/** Firmware as it is compared: with single blanks. */
export const comparableFirmware = (firmware: string | null): string | null =>
  firmware && firmware.replace(/ +/g, ' ');

/**
 * The key that identifies a device, as a JSON array: its kind, type and serial number as they are
 * compared. For a clock or an other instrument, the type is enough. An item without a serial
 * number, or with one such as 0000, or a clock without a type, counts as a device of its own at its
 * Site: its key also has the start of the period, and a number to distinguish items that have all
 * of these in common.
 * @param seen counts such items; pass the same map for all items of a log, and an empty one for
 *   each log
 */
export function deviceKeyOf(
  { content: { id, period } }: InstalledEquipment,
  seen: Map<string, number>,
): string {
  const { type, serialNumber } = comparableValues(id);
  if (isIdentified(id)) return JSON.stringify([id.equipmentType, type, serialNumber]);
  const shared = [id.equipmentType, type, null, period.from];
  const number = (seen.get(shared.join()) ?? 0) + 1;
  seen.set(shared.join(), number);
  return JSON.stringify([...shared, number]);
}

/** Whether an identity is enough to recognize the device at another Site. */
const isIdentified = (id: Identity): boolean =>
  knownValue(id[EQUIPMENT_KINDS[id.equipmentType].identifiedBy]) !== null;

/** The key that identifies a device among those of all Sites. @param site the number of the Site */
export const keyAtSite = ({ key, ofSite }: DerivedDevice, site: number): string =>
  ofSite ? JSON.stringify([...(JSON.parse(key) as unknown[]), site]) : key;

/** Whether two items of one device have the same period and configuration. */
const isSameUse = (
  { content: a }: InstalledEquipment,
  { content: b }: InstalledEquipment,
): boolean =>
  JSON.stringify([a.period, a.configuration]) === JSON.stringify([b.period, b.configuration]);

/** Groups the items of one log by device, in the order in which the devices first appear. */
function devicesOf(items: Iterable<InstalledEquipment>): DerivedDevice[] {
  const devices = new Map<string, DerivedDevice>();
  const seen = new Map<string, number>();
  for (const item of items) {
    const { id } = item.content;
    const key = deviceKeyOf(item, seen);
    const device = devices.get(key);
    if (device === undefined)
      devices.set(key, { key, ofSite: !isIdentified(id), identity: id, inUse: [item] });
    else {
      device.identity = mergeIdentities(device.identity, id);
      if (!device.inUse.some((each) => isSameUse(each, item))) device.inUse.push(item);
    }
  }
  return [...devices.values()];
}

/**
 * Derives the devices from the Setups of one Site, in the order in which they first appear. Pure.
 */
export const deriveDevices = (setups: DerivedSetup[]): DerivedDevice[] =>
  // deriveSetups puts the same object into every Setup that an item belongs to.
  devicesOf(new Set(setups.flatMap(({ equipmentInUse }) => equipmentInUse)));

/**
 * Derives the instruments of one Site. One that does not end after its start was not in use, as in
 * Setups. Only its own block says when an instrument was in use, so an unknown start stays unknown.
 * Pure.
 * @param findings receives a warning for each instrument that ends before it starts
 */
export function deriveInstruments(
  instruments: LogInstrument[],
  findings: Findings,
): DerivedDevice[] {
  const items: InstalledInstrument[] = [];
  for (const { id, configuration, from, to, line } of instruments) {
    // The compiler cannot know that `id` and `configuration` of one item belong to the same
    // variant.
    if (from === null || to === null || from < to)
      items.push({ content: { id, configuration, period: { from, to } } } as InstalledInstrument);
    else if (to < from)
      findings.add(
        line,
        'warning',
        `${id.equipmentType} removed before it was installed; ignored`,
        `${from}/${to}`,
      );
  }
  return devicesOf(items);
}

/**
 * Reports serial numbers of one type that differ only in leading zeros: they are two devices, and
 * probably a slip in the log.
 */
export function reportLeadingZeros(items: (LogItem | LogInstrument)[], findings: Findings): void {
  const lines = new Map<string, { line: number; serialNumber: string }>();
  for (const { id, line } of items) {
    const { type, serialNumber } = comparableValues(id);
    if (type === null || serialNumber === null) continue;
    const key = JSON.stringify([id.equipmentType, type, serialNumber.replace(/^0+/, '')]);
    const first = lines.get(key);
    if (first === undefined) lines.set(key, { line, serialNumber });
    else if (first.serialNumber !== serialNumber) {
      const message = `serial number differs from that in line ${first.line} only in leading zeros; treated as another device`;
      findings.add(line, 'warning', message, id.serialNumber ?? '');
    }
  }
}

/**
 * Updates an identity with the known values of a newer one of the same kind. Values that the newer
 * one leaves blank stay.
 */
export function mergeIdentities<T extends Identity>(older: T, newer: T): T {
  return {
    ...older,
    ...Object.fromEntries(Object.entries(newer).filter(([, value]) => value !== null)),
  };
}
