import type { CorsSite, Instant, Setup } from '../../schemas/index.js';
import type { DerivedChange } from '../derive/changes.js';
import type { CurrentEquipment } from '../derive/summary.js';
import type { SiteId } from '../requests/site-id.js';
import type { Finding, SiteIdentification } from '../site-log/site-log.js';
import type { SiteLogRecord } from './logs.js';
import type { Found, PageSearch } from './search.js';

/** How a list of Sites can be ordered. */
export const SITE_ORDERS = ['id', 'name', 'country', 'receiver', 'antenna', 'since', 'known'] as const;
export type SiteOrder = (typeof SITE_ORDERS)[number];

/** Which Sites, in which order, and which of their pages. */
export interface SiteSearch {
  /** Words that must all appear in the ids, names, place, DOMES number or current equipment of a Site; case and accents are ignored. */
  text: string;
  /** Sites whose value is unknown come last. */
  sort: { by: SiteOrder; descending: boolean };
  page: number;
  size: number;
}

/** Where a Site is, by its current site log. */
export type Place = Pick<SiteIdentification, 'nineCharacterId' | 'city' | 'state' | 'country' | 'latitude' | 'longitude' | 'elevation'>;

/** A Site as a list of Sites shows it. */
export interface SiteSummary extends Pick<Place, 'nineCharacterId' | 'city' | 'country' | 'latitude' | 'longitude'> {
  fourCharacterId: string;
  name: string | null;
  /** The current Setup in short; null where there is none. */
  current: CurrentEquipment | null;
}

/** Everything that is on record of a Site now. */
export interface SiteRecord {
  site: CorsSite;
  place: Place;
  /** In order of time, without superseded ones. */
  setups: Setup[];
  /** In order of time. */
  changes: DerivedChange[];
  siteLog: SiteLogRecord;
  /** What the importer found wrong in the log. */
  findings: Omit<Finding, 'file'>[];
}

/** Finds Sites. */
export interface SiteReader {
  /** The Site that an id names; undefined where there is none. */
  findByReference(site: SiteId): Promise<CorsSite | undefined>;
  /** A page of all Sites. */
  findPage(search: PageSearch): Promise<Found<CorsSite>>;
  /** A Site by the number of its URL; undefined where there is none. */
  findById(id: number): Promise<CorsSite | undefined>;
  /** The Sites at which a type of equipment was in use at an instant, by their four-character ids. */
  findByEquipmentType(search: { type: string; at: Instant; page: number; size: number }): Promise<Found<CorsSite>>;
  /** A page of Sites in short. */
  findSummaries(search: SiteSearch): Promise<Found<SiteSummary>>;
  /** Everything that is on record of a Site now; undefined where there is no such Site. */
  findRecord(site: SiteId): Promise<SiteRecord | undefined>;
  /** The four-character id of a Site that has a current Setup, to show as an example; null where there is none. */
  findExample(): Promise<string | null>;
}
