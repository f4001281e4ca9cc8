import {
  EQUIPMENT_KINDS,
  type EquipmentType,
  type InstalledEquipment,
} from '../../schemas/index.js';
import { hasRadomeLength, splitAntennaType } from '../site-log/antenna-type.js';
import { DAY } from '../requests/units-of-time.js';
import { onOneLine, sortedByText } from '../words.js';
import type { DerivedSetup } from './setups.js';
import { isOneVisit } from './visits.js';

/** The identity of a device of any kind: `content.id` of an item of equipment. */
export type Identity = InstalledEquipment['content']['id'];

/** One device of a site log. */
export interface DerivedDevice {
  /** Identifies the device: {@link identityKey} or, failing that, the key of its first item. */
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

/** What the form puts before the type of a clock that is not in the receiver. */
const EXTERNAL = /^EXTERNAL +(?=\S)/i;

/** The model of a device as the log has it; null if it is unknown. */
export const modelOf = ({ equipmentType, type }: Identity): string | null =>
  type && modelIn(equipmentType, type);

/** What tells devices of one type apart, and remarks on them: no difference of the types. */
export const OF_ONE_DEVICE: readonly string[] = ['serialNumber', 'radomeSerialNumber', 'notes'];

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
}: {
  id: Identity;
  configuration: InstalledEquipment['content']['configuration'];
}): string | null {
  if (equipmentType !== 'gnss antenna' || !('radomeType' in configuration)) return null;
  if (configuration.radomeType !== null) return configuration.radomeType;
  return type === null ? null : radomeInType(type);
}

/**
 * A type as it is compared. Case does not count, and of an antenna only the model does: its radome
 * can be put on or taken off. `EXTERNAL H-MASER` and `H-MASER` are one clock.
 */
export function comparableType(equipmentType: EquipmentType, type: string): string {
  const model = modelIn(equipmentType, type).toUpperCase();
  return equipmentType === 'clock' ? model.replace(EXTERNAL, '') : model;
}

/** Types by which logs say that there is no device, in lower case. They are published as written. */
export const NO_DEVICE_TYPES = ['no receiver', 'no antenna'];

/** Whether an item of a log says that no device is there. @param type of the item */
export const isNoDevice = (type: string | null): boolean =>
  type !== null && NO_DEVICE_TYPES.includes(type.toLowerCase());

/**
 * Values that say nothing, in the form of {@link comparableSerialNumber}: zeros and other fillers,
 * and words for "unknown".
 */
const FILLER =
  /^(0+|[X.?*_#]*|N[./]?A\.?|NONE|NIL|UNKN?|UNKN?OWN|UNKWN|NOT(KNOWN|AVAILABLE)|UNMARKED)$/;

/** A value that identifies a device; null if it is unknown or a filler. */
export const knownValue = (value: string | null): string | null =>
  value === null || FILLER.test(comparableSerialNumber(value)) ? null : value;

/** What tells devices apart: the values of an {@link Identity} that all kinds have. */
type IdentifyingValues = Pick<Identity, 'equipmentType' | 'type' | 'serialNumber'>;

/** The type and the serial number of a device as they are compared; null if unknown. */
interface ComparableValues {
  type: string | null;
  serialNumber: string | null;
}

/** Those of devices, cached because a device is compared with many. */
const COMPARABLE = new WeakMap<IdentifyingValues, ComparableValues>();

/** The type and the serial number of a device as they are compared. */
export function comparableValues(id: IdentifyingValues): ComparableValues {
  let values = COMPARABLE.get(id);
  if (values !== undefined) return values;
  const type = knownValue(id.type);
  const serialNumber = knownValue(id.serialNumber);
  values = {
    type: type && comparableType(id.equipmentType, type),
    serialNumber: serialNumber && comparableSerialNumber(serialNumber),
  };
  COMPARABLE.set(id, values);
  return values;
}

/** A text as it is compared. Case and the number of blanks do not count. */
export const comparableText = (text: string): string => onOneLine(text).toUpperCase();

/** Satellite systems, joined by `+`, as they are compared: a set, whose order means nothing. */
const comparableSystems = (systems: string): string =>
  systems.toUpperCase().split('+').sort().join('+');

/** A type as it is compared where the radome of an antenna counts, too. */
const comparableTypeWithRadome = (equipmentType: EquipmentType, type: string): string =>
  equipmentType === 'gnss antenna' ? type.toUpperCase() : comparableType(equipmentType, type);

/**
 * A value of an item as it is compared: two values are equal if they mean the same, however they
 * are spelt. Null if it is unknown.
 * @param member the name of the value in the identity or the configuration of the item
 */
export function comparableValue<Value extends string | number | null>(
  equipmentType: EquipmentType,
  member: string,
  value: Value,
): string | Value | null {
  if (typeof value !== 'string') return value;
  if (member === 'satelliteSystem') return comparableSystems(value);
  if (member !== 'type' && member !== 'serialNumber') return comparableText(value);
  if (knownValue(value) === null) return null;
  if (member === 'serialNumber') return comparableSerialNumber(value);
  return comparableTypeWithRadome(equipmentType, value);
}

/**
 * The key that identifies a device at any Site, as a JSON array: its kind, type and serial number
 * as they are compared. For a clock or an other instrument, the type is enough. Null if the
 * identity does not say which device it is: it has no serial number, or one such as 0000, or is
 * that of a clock without a type. `isSameDevice` decides about items of such devices.
 */
export function identityKey(id: IdentifyingValues): string | null {
  const compared = comparableValues(id);
  if (compared[EQUIPMENT_KINDS[id.equipmentType].identifiedBy] === null) return null;
  return JSON.stringify([id.equipmentType, compared.type, compared.serialNumber]);
}

/** The members of the identity and configuration of an item. */
export const membersOf = ({
  content: { id, configuration },
}: InstalledEquipment): Record<string, string | number | null> => ({
  ...id,
  ...configuration,
});

/** The members of items as they are compared, cached because an item is compared with many. */
const COMPARED = new WeakMap<InstalledEquipment, Record<string, string | number | null>>();

/** The members of an item as they are compared. */
export function comparableMembers(
  item: InstalledEquipment,
): Record<string, string | number | null> {
  const known = COMPARED.get(item);
  if (known !== undefined) return known;
  const { equipmentType } = item.content.id;
  const members: Record<string, string | number | null> = {};
  for (const [member, value] of Object.entries(membersOf(item)))
    members[member] = comparableValue(equipmentType, member, value);
  COMPARED.set(item, members);
  return members;
}

/**
 * The members of identity and configuration in which two items of one kind differ, other than in
 * their spelling.
 */
export function differingMembers(a: InstalledEquipment, b: InstalledEquipment): string[] {
  const before = membersOf(a);
  const after = membersOf(b);
  const compared = (member: string, value: string | number | null) =>
    comparableValue(a.content.id.equipmentType, member, value);
  return Object.keys(after).filter((member) => {
    const value = after[member]!;
    const other = before[member]!;
    return value !== other && compared(member, value) !== compared(member, other);
  });
}

/**
 * Whether a value of the configuration differs. The radome in the type of an antenna is one, a
 * remark is none.
 */
const isReconfigured = (earlier: InstalledEquipment, later: InstalledEquipment): boolean =>
  differingMembers(earlier, later).some(
    (member) => member === 'type' || (member in later.content.configuration && member !== 'notes'),
  );

/**
 * Whether two items of one Site are one device. Where an item does not say which device it is,
 * mostly for want of a serial number, a later item is the same device if it has the same kind and
 * type, begins within a day after the end of the earlier one, and has another value in its
 * configuration: logs have a new item for new firmware. A new item in which nothing differs is
 * another device.
 */
export function isSameDevice(earlier: InstalledEquipment, later: InstalledEquipment): boolean {
  const { id, period } = earlier.content;
  const next = later.content;
  if (id.equipmentType !== next.id.equipmentType) return false;
  const key = identityKey(id);
  const nextKey = identityKey(next.id);
  if (key !== null || nextKey !== null) return key === nextKey;
  const { type } = comparableValues(id);
  if (type === null || type !== comparableValues(next.id).type) return false;
  if (next.period.from === null || !isOneVisit(period.to, next.period.from)) return false;
  return isReconfigured(earlier, later);
}

/**
 * The key of a device that only one item of a log has, among the devices of its Site. Beside kind
 * and type it has the start of the item, and a number to distinguish items with the same start.
 * @param seen counts such items; pass the same map for all items of a log
 */
function keyOfItem(
  { content: { id, period } }: InstalledEquipment,
  seen: Map<string, number>,
): string {
  const shared = [id.equipmentType, comparableValues(id).type, null, period.from];
  const number = (seen.get(shared.join()) ?? 0) + 1;
  seen.set(shared.join(), number);
  return JSON.stringify([...shared, number]);
}

/** The key that identifies a device among those of all Sites. @param site the number of the Site */
export const keyAtSite = ({ key, ofSite }: DerivedDevice, site: number): string =>
  ofSite ? JSON.stringify([...(JSON.parse(key) as unknown[]), site]) : key;

/**
 * What an item says, in one spelling: its values and its period. Equal for equal items, wherever
 * they were read from.
 */
export const comparableContent = (item: InstalledEquipment): string =>
  JSON.stringify([Object.entries(comparableMembers(item)).sort(), item.content.period]);

/**
 * A text to sort items by, the same wherever an item was read from. It begins with the start, so
 * that earlier items come first.
 */
export function orderOf(item: InstalledEquipment): string {
  const { period } = item.content;
  return JSON.stringify([period.from ?? '', Object.entries(membersOf(item)).sort(), period]);
}

/** Whether two items of one device have the same period and configuration. */
const isSameUse = (
  { content: a }: InstalledEquipment,
  { content: b }: InstalledEquipment,
): boolean =>
  JSON.stringify([a.period, a.configuration]) === JSON.stringify([b.period, b.configuration]);

/** The item of the same device before an item. */
export type Predecessors = ReadonlyMap<InstalledEquipment, InstalledEquipment>;

/** The first item of the device that an item belongs to. */
function firstItemOf(item: InstalledEquipment, predecessors: Predecessors): InstalledEquipment {
  let first = item;
  let before = predecessors.get(first);
  while (before !== undefined) {
    first = before;
    before = predecessors.get(first);
  }
  return first;
}

/** Groups the items of one log by device, in the order in which the devices first appear. */
export function devicesOf(
  items: ReadonlySet<InstalledEquipment>,
  findPredecessors: () => Predecessors,
): DerivedDevice[] {
  const seen = new Map<string, number>();
  const identities = new Map([...items].map((item) => [item, identityKey(item.content.id)]));
  const keysOfItems = new Map<InstalledEquipment, string>();
  for (const [item, identity] of identities)
    if (identity === null) keysOfItems.set(item, keyOfItem(item, seen));
  const predecessors = keysOfItems.size === 0 ? new Map() : findPredecessors();
  const devices = new Map<string, DerivedDevice>();
  for (const [item, identity] of identities) {
    const { id } = item.content;
    const key = identity ?? keysOfItems.get(firstItemOf(item, predecessors))!;
    const device = devices.get(key);
    if (device === undefined)
      devices.set(key, { key, ofSite: identity === null, identity: id, inUse: [item] });
    else {
      device.identity = mergeIdentities(device.identity, id);
      if (!device.inUse.some((each) => isSameUse(each, item))) device.inUse.push(item);
    }
  }
  return [...devices.values()];
}

/**
 * Derives the devices from the Setups of one Site, in the order in which they first appear. Pure.
 * @param findPredecessors for items that do not say which device they are, as the changes between
 *   the Setups have it
 */
export const deriveDevices = (
  setups: DerivedSetup[],
  findPredecessors: () => Predecessors,
): DerivedDevice[] =>
  // deriveSetups puts the same object into every Setup that an item belongs to.
  devicesOf(new Set(setups.flatMap(({ equipmentInUse }) => equipmentInUse)), findPredecessors);

/** The day of an instant, as a number. */
const dayOf = (instant: string): number => Math.floor(Date.parse(instant) / DAY);

/**
 * The item of the same device before each item, by their periods alone, in whatever order they are.
 */
export function predecessorsAmong(items: readonly InstalledEquipment[]): Predecessors {
  const unidentified = sortedByText(
    items.filter(({ content: { id } }) => identityKey(id) === null),
    orderOf,
  );
  const ended = Map.groupBy(unidentified, ({ content: { period } }) =>
    period.to === null ? null : dayOf(period.to),
  );
  const predecessors = new Map<InstalledEquipment, InstalledEquipment>();
  for (const item of unidentified) {
    const { from } = item.content.period;
    if (from === null) continue;
    const candidates = [dayOf(from), dayOf(from) - 1].flatMap((day) => ended.get(day) ?? []);
    const before = candidates.find((each) => isSameDevice(each, item));
    if (before === undefined) continue;
    predecessors.set(item, before);
    const ofDay = ended.get(dayOf(before.content.period.to!))!;
    ofDay.splice(ofDay.indexOf(before), 1);
  }
  return predecessors;
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
