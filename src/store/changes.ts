import type { Instant, SetupEquipmentType } from '../../schemas/index.js';
import type { MergedChange } from '../derive/gaps.js';
import type { SiteId } from '../requests/site-id.js';
import type { Found } from './search.js';
import type { OfSites } from './site-ids.js';

/** Which changes, and which page of them. They are in chronological order. */
export interface ChangeSearch {
  /** The start of the period, inclusive; null for no bound. */
  from: Instant | null;
  /** The end of the period, exclusive; null for no bound. */
  to: Instant | null;
  /** Only changes of this kind of equipment; null for all kinds. */
  equipmentType: SetupEquipmentType | null;
  /** A removal and an installation with a gap of at most as many seconds are one change, at the time of the removal; 0 merges none. */
  mergeGaps: number;
  /** Only changes that this service recorded at this time or later, `YYYY-MM-DDThh:mm:ss.sssZ`; null for no bound. */
  recordedSince: string | null;
  /** The number of the page, from 0. */
  page: number;
  /** Elements per page. */
  size: number;
}

/** A change with its Site. */
export interface SiteChange extends MergedChange {
  siteId: number;
  fourCharacterId: string;
  nineCharacterId: string | null;
}

/** Finds changes. */
export interface ChangeReader {
  /** A page of the changes of all Sites. */
  findPage(search: ChangeSearch): Promise<Found<SiteChange>>;
  /** A page of the changes of some Sites. */
  findPageOfSites(sites: SiteId[], search: ChangeSearch): Promise<OfSites<Found<SiteChange>>>;
}
