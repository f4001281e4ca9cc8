import type { EquipmentType, Instant } from '../../schemas/index.js';
import type { DerivedChange } from '../derive/changes.js';
import type { Found } from './search.js';

/** Which changes, in order of time, and which of their pages. */
export interface ChangeSearch {
  /** Of one Site; null: of all. */
  siteId: number | null;
  /** From this instant on, itself included; null: no bound. */
  from: Instant | null;
  /** Before this instant; null: no bound. */
  to: Instant | null;
  equipmentType: EquipmentType | null;
  page: number;
  size: number;
}

/** A change with its Site. */
export interface SiteChange extends DerivedChange {
  siteId: number;
  fourCharacterId: string;
}

/** Finds changes. */
export interface ChangeReader {
  /** A page of changes. */
  findPage(search: ChangeSearch): Promise<Found<SiteChange>>;
}
