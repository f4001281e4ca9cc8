import { EQUIPMENT_KINDS, type EquipmentInUse } from '../../schemas/index.js';
import type { DerivedSetup } from './setups.js';

/** One device of a site log. */
export interface DerivedDevice {
  /** Identifies the device among all that were ever imported; see {@link deviceKeyOf}. */
  key: string;
  /** Its identity. Where items of the log differ in a member, the last known value wins. */
  identity: EquipmentInUse['content']['id'];
  /** The items of the log that describe the device: the same objects as in the Setups, equal ones only once. */
  inUse: EquipmentInUse[];
}

/** Serial numbers that say nothing: zeros and other fillers, and words for "unknown". */
const NO_SERIAL_NUMBER = /^(0+|[-x.?*_#]+|n[./]?a\.?|none|nil|unkn?|unkn?own|unkwn|not (known|available)|unmarked)$/i;

/** Whether a value identifies a device. */
const isKnown = (value: string | null): value is string => value !== null && !NO_SERIAL_NUMBER.test(value);

/**
 * The key that identifies a device, as a JSON array: its kind, type and serial number. The type of a clock suffices. An
 * item without a serial number, or with one such as 0000, or a clock without a type, counts as a device of its own: its key also has the Site, the
 * start of the period, and a number that tells apart items which have all of these in common.
 * @param seen counts such items; pass the same map for all items of a log, and an empty one for each log
 */
export function deviceKeyOf({ content: { id, period } }: EquipmentInUse, fourCharacterId: string, seen: Map<string, number>): string {
  const { equipmentType, type, serialNumber } = id;
  if (isKnown(id[EQUIPMENT_KINDS[equipmentType].identifiedBy])) return JSON.stringify([equipmentType, type, serialNumber]);
  const shared = [equipmentType, type, null, fourCharacterId, period.from];
  const number = (seen.get(shared.join()) ?? 0) + 1;
  seen.set(shared.join(), number);
  return JSON.stringify([...shared, number]);
}

/** Derives the devices from the Setups of one Site, in the order in which they first appear. Pure. */
export function deriveDevices(setups: DerivedSetup[], fourCharacterId: string): DerivedDevice[] {
  const devices = new Map<string, DerivedDevice>();
  const seen = new Map<string, number>();
  // deriveSetups puts the same object into every Setup that an item belongs to.
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

/** Updates an identity with the known values of a newer one of the same kind. Values that the newer one leaves blank stay. */
export function mergeIdentities<T extends EquipmentInUse['content']['id']>(older: T, newer: T): T {
  const stated = Object.entries(newer).filter(([, value]) => value !== null);
  return { ...older, ...Object.fromEntries(stated) };
}

/** Whether two items of one device have the same period and configuration. */
function isSameUse({ content: a }: EquipmentInUse, { content: b }: EquipmentInUse): boolean {
  return JSON.stringify([a.period, a.configuration]) === JSON.stringify([b.period, b.configuration]);
}
