import { EQUIPMENT_KINDS, type EquipmentInUse } from '../../schemas/index.js';
import type { DerivedSetup } from './setups.js';

/** One device of a site log. */
export interface DerivedDevice {
  /** Identifies the device among all that were ever imported; see {@link deviceKeyOf}. */
  key: string;
  /** The members of its identity; where items of the log differ, the last one that knows. */
  identity: EquipmentInUse['content']['id'];
  /** The items of the log that the device is in, the very objects of the Setups; equal items once. */
  inUse: EquipmentInUse[];
}

/**
 * Identifies a device by its kind, type and serial number, or a clock by its type. An item without these is a device of
 * its own, identified by its Site, its start, and a number among the items that have those in common.
 * @param seen counts these items; one map for each log
 */
export function deviceKeyOf({ content: { id, period } }: EquipmentInUse, fourCharacterId: string, seen: Map<string, number>): string {
  const { equipmentType, type, serialNumber } = id;
  if (id[EQUIPMENT_KINDS[equipmentType].identifiedBy] !== null) return JSON.stringify([equipmentType, type, serialNumber]);
  const place = [equipmentType, type, null, fourCharacterId, period.from];
  const number = (seen.get(place.join()) ?? 0) + 1;
  seen.set(place.join(), number);
  return JSON.stringify([...place, number]);
}

/** The devices that the Setups of one Site have in use, in the order in which they first appear. Pure. */
export function deriveDevices(setups: DerivedSetup[], fourCharacterId: string): DerivedDevice[] {
  const devices = new Map<string, DerivedDevice>();
  const seen = new Map<string, number>();
  // The derivation of Setups puts the same object in every Setup that an item is in.
  for (const item of new Set(setups.flatMap(({ equipmentInUse }) => equipmentInUse))) {
    const { id } = item.content;
    const key = deviceKeyOf(item, fourCharacterId, seen);
    const device = devices.get(key);
    if (device === undefined) {
      devices.set(key, { key, identity: id, inUse: [item] });
      continue;
    }
    device.identity = mergeIdentities(device.identity, id);
    if (!device.inUse.some((each) => isSameUse(each, item))) device.inUse.push(item);
  }
  return [...devices.values()];
}

/** An identity with what a newer one says; what that leaves open stays. Both are of one kind. */
export function mergeIdentities<T extends EquipmentInUse['content']['id']>(older: T, newer: T): T {
  const said = Object.entries(newer).filter(([, value]) => value !== null);
  return { ...older, ...Object.fromEntries(said) };
}

/** Whether two items of one device have the same period and configuration. */
function isSameUse({ content: a }: EquipmentInUse, { content: b }: EquipmentInUse): boolean {
  return JSON.stringify([a.period, a.configuration]) === JSON.stringify([b.period, b.configuration]);
}
