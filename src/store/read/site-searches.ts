import type { CorsSite, InstalledEquipment, InstalledInstrument, Instant, Setup, SiteOfSetup } from '../../../schemas/index.js';
import type { DerivedChange } from '../../derive/changes.js';
import type { CurrentEquipment } from '../../derive/summary.js';
import type { Box, Point } from '../../requests/place.js';
import type { Finding } from '../../site-log/site-log.js';
import type { Found, FoundBy, PageSearch, Paging } from '../page.js';
import type { SiteFilter, TypeFilter } from './filters.js';
import type { SiteLogRecord } from './logs.js';

/** What a list of Sites can be sorted by. `known` is the share of known values in the current Setup. */
export const SITE_ORDERS = ['id', 'name', 'country', 'receiver', 'antenna', 'since', 'known'] as const;
export type SiteOrder = (typeof SITE_ORDERS)[number];

/** Which Sites, in which order, and which page of them. */
export interface SiteSearch extends Paging {
  /** Words that must all appear in the ids, names, place, DOMES number or current equipment of a Site; case and accents are ignored. */
  text: string;
  /** Finds the other Sites instead: those that have all words only together with their former equipment. */
  former?: boolean;
  /** Only Sites within this area; null for the whole Earth. */
  box: Box | null;
  /** Sites with an unknown value come last. */
  sort: { by: SiteOrder; descending: boolean };
}

/** Which Sites, by words and place too. */
export interface SitePageSearch extends PageSearch {
  /** As in {@link SiteSearch}, or in the former equipment. Without a sort order, Sites found by that come last. Left out or empty for all Sites. */
  text?: string;
  /** From its point, distances are measured. Without a sort order, Sites come in the order of their distance, those without a known position last. */
  sites: SiteFilter;
}

/** A Site that a search found. */
export interface FoundSite extends CorsSite {
  /** Present only if the search had words. */
  foundBy?: FoundBy;
  /** The distance from `near` in kilometres, null if the position is unknown; present only if a point was given. */
  distance?: number | null;
}

/** Which Sites, by the equipment that they used. */
export interface EquipmentSearch extends Paging, TypeFilter {
  /** Only antennas with one of these radomes; null for any. */
  radomeTypes: string[] | null;
  sites: SiteFilter;
  /** Only equipment in use at some time in this period; a bound may be null. Equal bounds stand for that instant. */
  overlaps: { from: Instant | null; to: Instant | null };
}

/** A Site with the equipment that a search found there, in chronological order. */
export type SiteWithEquipment = CorsSite & { installations: InstalledEquipment[] };

/** A Site as a list of Sites shows it. */
export interface SiteSummary extends SiteOfSetup, Pick<CorsSite['location'], 'city' | 'country' | 'countryCode'> {
  /** The shortest id that identifies the Site: its four characters, or nine if another Site has the same four. */
  shortestId: string;
  /** The current Setup in short; null if there is none. */
  current: CurrentEquipment | null;
}

/** A Site as a map shows it. The name and country have at most 100 characters. */
export interface SitePlace extends Pick<SiteSummary, 'shortestId' | 'name'>, Pick<CorsSite['location'], 'country' | 'countryCode'>, Point {}

/** What the list of the Sites shows, all from one state. */
export interface SiteList {
  /** A page of the Sites that the search finds. */
  found: Found<SiteSummary>;
  /** The places of all of them, on whatever page, sorted by four-character id. The total is the number of all that have a known position. */
  places: Found<SitePlace>;
  /** Those found only together with their former equipment; none without words, and none after the first page. */
  former: Found<SiteSummary>;
}

/** Everything that is currently on record about a Site. */
export interface SiteRecord {
  site: CorsSite;
  /** As in {@link SiteSummary}. */
  shortestId: string;
  /** In chronological order, without superseded ones. */
  setups: Setup[];
  /** In the order of the kinds; of a kind, in chronological order. */
  instruments: InstalledInstrument[];
  /** In chronological order. */
  changes: DerivedChange[];
  /** null if all its logs were withdrawn. */
  siteLog: SiteLogRecord | null;
  /** The findings of the import of the log. */
  findings: Omit<Finding, 'file'>[];
}

/** What people call a Site. */
export type SiteName = Pick<SiteSummary, 'shortestId' | 'name'> & Pick<CorsSite['location'], 'city' | 'state' | 'country'>;
