import type { EquipmentType, Instant } from '../../schemas/index.js';
import type { Window } from './exports.js';

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

/** How many ids a window has. Reading it takes a few milliseconds. */
export const WINDOW = 1000;

/**
 * Finds out about the network as a whole, in windows like those of exports: each from the newest committed state.
 * @param after the id after which the window begins; 0 for the first
 */
export interface NetworkReader {
  /** The use of some kinds of equipment, over all Sites and all time, by the installations in a window. Windows may have equal entries, except for the items. */
  readUse(equipmentTypes: EquipmentType[], after: number): Promise<Window<Use>>;
  /** The devices in use that came first to their Sites, of those in a window: the oldest first, and at the same time in the order of the ids. */
  readOldest(equipmentType: EquipmentType, most: number, after: number): Promise<Window<DeviceInUse>>;
}
