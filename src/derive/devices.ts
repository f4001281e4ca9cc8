import { EQUIPMENT_KINDS, type EquipmentInUse } from '../../schemas/index.js';
import type { DerivedSetup } from './setups.js';

/** One device of a site log. */
export interface DerivedDevice {
  /** Identifies the device; see {@link deviceKeyOf}. */
  key: string;
  /** Whether the key identifies the device only among those of its Site. */
  ofSite: boolean;
  /** Its identity. Where items of the log differ in a member, the last known value wins. */
  identity: EquipmentInUse['content']['id'];
  /** The items of the log that describe the device: the same objects as in the Setups, equal ones only once. */
  inUse: EquipmentInUse[];
}

/** Serial numbers that say nothing: zeros and other fillers, and words for "unknown". */
const NO_SERIAL_NUMBER = /^(0+|[-x.?*_#]+|n[./]?a\.?|none|nil|unkn?|unkn?own|unkwn|not (known|available)|unmarked)$/i;

/** Whether a value identifies a device. */
const isKnown = (value: string | null): boolean => value !== null && !NO_SERIAL_NUMBER.test(value);

/**
 * The key that identifies a device, as a JSON array: its kind, type and serial number. The type of a clock suffices. An
 * item without a serial number, or with one such as 0000, or a clock without a type, counts as a device of its own at its Site: its key also has the
 * start of the period, and a number that tells apart items which have all of these in common.
 * @param seen counts such items; pass the same map for all items of a log, and an empty one for each log
 */
export function deviceKeyOf({ content: { id, period } }: EquipmentInUse, seen: Map<string, number>): string {
  const { equipmentType, type, serialNumber } = id;
  if (isIdentified(id)) return JSON.stringify([equipmentType, type, serialNumber]);
  const shared = [equipmentType, type, null, period.from];
  const number = (seen.get(shared.join()) ?? 0) + 1;
  seen.set(shared.join(), number);
  return JSON.stringify([...shared, number]);
}

/** Whether an identity is enough to recognize the device at another Site. */
const isIdentified = (id: EquipmentInUse['content']['id']): boolean => isKnown(id[EQUIPMENT_KINDS[id.equipmentType].identifiedBy]);

/** The key that identifies a device among those of all Sites. @param site the number of the Site */
export const keyAtSite = ({ key, ofSite }: DerivedDevice, site: number): string =>
  ofSite ? JSON.stringify([...(JSON.parse(key) as unknown[]), site]) : key;

/** Derives the devices from the Setups of one Site, in the order in which they first appear. Pure. */
export function deriveDevices(setups: DerivedSetup[]): DerivedDevice[] {
  const devices = new Map<string, DerivedDevice>();
  const seen = new Map<string, number>();
  // deriveSetups puts the same object into every Setup that an item belongs to.
  for (const item of new Set(setups.flatMap(({ equipmentInUse }) => equipmentInUse))) {
    const { id } = item.content;
    const key = deviceKeyOf(item, seen);
    const device = devices.get(key);
    if (device === undefined) {
      devices.set(key, { key, ofSite: !isIdentified(id), identity: id, inUse: [item] });
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
