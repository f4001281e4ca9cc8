import type { EquipmentType } from '../../schemas/index.js';
import { PATHS } from '../links.js';

/** The kinds of equipment that have pages, by navigation section. */
export const DEVICE_SECTIONS = {
  receivers: { equipmentType: 'gnss receiver', path: PATHS.receivers },
  antennas: { equipmentType: 'gnss antenna', path: PATHS.antennas },
} as const satisfies Record<string, { equipmentType: EquipmentType; path: string }>;
export type DeviceSection = keyof typeof DEVICE_SECTIONS;

/** The path of the page of a kind of equipment; undefined if it has none. */
export const devicesPathOf = (equipmentType: EquipmentType): string | undefined =>
  Object.values(DEVICE_SECTIONS).find((section) => section.equipmentType === equipmentType)?.path;
