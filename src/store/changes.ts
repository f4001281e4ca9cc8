import type { EquipmentType, Instant } from '../../schemas/index.js';
import type { DerivedChange } from '../derive/changes.js';
import type { SiteId } from '../requests/site-id.js';
import type { Found } from './search.js';

/** Which changes, in order of time, and which of their pages. */
export interface ChangeSearch {
  /** From this instant on, inclusive; null: no bound. */
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
  /** A page of the changes of all Sites. */
  findPage(search: ChangeSearch): Promise<Found<SiteChange>>;
  /** A page of the changes of one Site; undefined where no Site has this id. */
  findPageOfSite(site: SiteId, search: ChangeSearch): Promise<Found<SiteChange> | undefined>;
}
