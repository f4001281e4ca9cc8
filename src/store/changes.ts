import type { EquipmentType, Instant } from '../../schemas/index.js';
import type { DerivedChange } from '../derive/changes.js';
import type { SiteId } from '../requests/site-id.js';
import type { Found } from './search.js';
import type { OfSite } from './site-ids.js';

/** Which changes, and which page of them. They are in chronological order. */
export interface ChangeSearch {
  /** The start of the period, inclusive; null for no bound. */
  from: Instant | null;
  /** The end of the period, exclusive; null for no bound. */
  to: Instant | null;
  /** Only changes of this kind of equipment; null for all kinds. */
  equipmentType: EquipmentType | null;
  /** The number of the page, from 0. */
  page: number;
  /** Elements per page. */
  size: number;
}

/** A change with its Site. */
export interface SiteChange extends DerivedChange {
  siteId: number;
  fourCharacterId: string;
  nineCharacterId: string | null;
}

/** Finds changes. */
export interface ChangeReader {
  /** A page of the changes of all Sites. */
  findPage(search: ChangeSearch): Promise<Found<SiteChange>>;
  /** A page of the changes of one Site. */
  findPageOfSite(site: SiteId, search: ChangeSearch): Promise<OfSite<Found<SiteChange>>>;
}
