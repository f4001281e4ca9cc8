import type { EquipmentType, Instant } from '../../schemas/index.js';

/** How many items of equipment were in use over the same years. Only receivers have firmware. */
export interface Use {
  equipmentType: EquipmentType;
  /** null if the type is unknown. */
  type: string | null;
  firmwareVersion: string | null;
  /** The first year at whose beginning they were in use; it may be later than the last one, if they never were. */
  first: number;
  /** The last year at whose beginning they were in use; null if they still are. */
  last: number | null;
  /** How many items. */
  items: number;
}

/** A device that is in use. */
export interface DeviceInUse {
  type: string | null;
  serialNumber: string | null;
  fourCharacterId: string;
  nineCharacterId: string | null;
  siteName: string | null;
  /** When the Site first had it in use. */
  since: Instant;
}

/** Finds out about the network as a whole. */
export interface NetworkReader {
  /** The use of some kinds of equipment, over all Sites and all time. */
  findUse(equipmentTypes: EquipmentType[]): Promise<Use[]>;
  /** The devices in use that came first to their Sites, the oldest first. */
  findOldest(equipmentType: EquipmentType, most: number): Promise<DeviceInUse[]>;
}
