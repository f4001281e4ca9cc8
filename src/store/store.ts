import type {
  CorsSite,
  EquipmentInUse,
  EquipmentType,
  Instant,
  Period,
  Projection,
  Provenance,
  Setup,
  Source,
} from '../../schemas/index.js';
import type { DerivedChange } from '../derive-changes.js';
import type { Completeness } from '../derive-completeness.js';
import type { DerivedSetup } from '../derive-setups.js';
import type { Finding, SiteIdentification, SiteLog } from '../site-log/site-log.js';

/**
 * What the service asks of a store. Asynchronous, so that an engine behind a network is one more adapter.
 */

/** A Site as a request names it. */
export interface SiteReference {
  /** Upper case. */
  fourCharacterId: string;
  /** Upper case; null where the request gives four characters only. */
  nineCharacterId: string | null;
}

/** The Site that an id names, of four or nine characters in either case. */
export const siteReference = (id: string): SiteReference => ({
  fourCharacterId: id.slice(0, 4).toUpperCase(),
  nineCharacterId: id.length === 9 ? id.toUpperCase() : null,
});

/** The value of a scalar property. */
export type Scalar = string | number | boolean;

/** Which elements of a source, in which order, and which of their pages. */
export interface Search {
  /** Each a property and the values it may have, none of them: that it is unknown; all must hold. */
  filters: { property: string; values: Scalar[] }[];
  /** The order; elements that are alike come in the order in which they were first recorded. Unknown values come last. */
  sort: { property: string; descending: boolean }[];
  page: number;
  size: number;
  projection: Projection['name'] | null;
  /** Of the Setups, those whose effective period meets this one; null: no bound. Equal bounds are an instant. */
  meets?: { from: Instant | null; to: Instant | null };
}

/** Which Setup of a Site. */
export interface SetupSearch {
  site: SiteReference;
  /** The instant at which it is in effect; null: the current one. */
  at: Instant | null;
  /** What was on record then, `YYYY-MM-DDThh:mm:ss.sssZ`; null: what is on record now. */
  asOf: string | null;
  projection: Projection['name'] | null;
}

/** The Setup that was asked for, or why there is none. */
export type SetupAnswer =
  | { kind: 'found'; setup: Elements['setup'] }
  | { kind: 'unknown-site' | 'no-current-setup' }
  /** All Setups of the Site begin later; `first` is when. */
  | { kind: 'before-first-setup'; first: Instant }
  /** The Site was not on record then; `since` is since when it is. */
  | { kind: 'not-recorded'; since: string };

/** Which changes, in order of time, and which of their pages. */
export interface ChangeSearch {
  /** Of one Site; null: of all. */
  siteId: number | null;
  /** From this instant on, itself included; null: no bound. */
  from: Instant | null;
  /** Before this instant; null: no bound. */
  to: Instant | null;
  equipmentType: string | null;
  page: number;
  size: number;
}

/** A change with its Site. */
export interface SiteChange extends DerivedChange {
  siteId: number;
  fourCharacterId: string;
}

/** Where and when a device has been in use. */
export interface Installation {
  siteId: number;
  fourCharacterId: string;
  siteName: string | null;
  period: Period;
  configuration: EquipmentInUse['content']['configuration'];
  /** The four-character ids of other Sites that have the device at some time of the period. */
  conflictsWith: string[];
}

/** A device of the catalogue: the members of its identity, and the id its URL has. */
export interface Device {
  id: number;
  identity: EquipmentInUse['content']['id'];
  /** With the projection `installations`, in order of time. */
  installations?: Installation[];
}

/** How a list of Sites can be ordered. */
export const SITE_ORDERS = ['id', 'name', 'country', 'receiver', 'antenna', 'since', 'known'] as const;
export type SiteOrder = (typeof SITE_ORDERS)[number];

/** Which Sites, in which order, and which of their pages. */
export interface SiteSearch {
  /** Sites in whose ids, names, place, DOMES number or current equipment each of the words stands; case and accents do not count. */
  text: string;
  /** Sites of which it is not known come last. */
  sort: { by: SiteOrder; descending: boolean };
  page: number;
  size: number;
}

/** Where a Site is, by its site log that holds. */
export type Place = Pick<SiteIdentification, 'nineCharacterId' | 'city' | 'state' | 'country' | 'latitude' | 'longitude' | 'elevation'>;

/** A Site as a list of Sites shows it. */
export interface SiteSummary extends Pick<Place, 'nineCharacterId' | 'city' | 'country' | 'latitude' | 'longitude'> {
  fourCharacterId: string;
  name: string | null;
  /** What is in use by the current Setup; null where there is none. */
  current: SiteEquipment | null;
}

/** The current Setup of a Site in short. */
export interface SiteEquipment extends Completeness {
  /** The types of the receivers in use, as the Setup lists them. */
  receivers: (string | null)[];
  /** The types of the antennas in use, as the Setup lists them. */
  antennas: (string | null)[];
  /** When the Setup began. */
  since: Instant;
}

/** The site log of a Site that holds, as it came. */
export interface SiteLogRecord extends HoldingLog {
  sha256: string;
  form: string;
  importedAt: string;
  original: Uint8Array;
}

/** Everything on record of a Site that holds. */
export interface SiteRecord {
  site: CorsSite;
  place: Place;
  /** In order of time. */
  setups: Setup[];
  /** In order of time. */
  changes: DerivedChange[];
  siteLog: SiteLogRecord;
  /** What the importer found wrong in the log. */
  findings: Omit<Finding, 'file'>[];
}

/** A type of a kind of equipment, and how many devices of it there are. */
export interface DeviceType {
  /** null: of the devices whose type is unknown. */
  type: string | null;
  devices: number;
  /** Devices in use at some Site by a current Setup. */
  inUse: number;
  /** Sites that have or had one. */
  sites: number;
  /** Devices that the logs of two Sites have in use at one time. */
  conflicts: number;
}

/** What a source has elements of. */
export interface Elements {
  setup: Setup & { provenance?: Provenance };
  site: CorsSite;
  equipment: Device;
}

/** One page of a search, and how many match in all. */
export interface Found<T> {
  elements: T[];
  totalElements: number;
}

/** Reads what was imported. Each call sees one committed state, and the newest. */
export interface SetupReader {
  /** The Setup of a Site that is in effect at an instant, or the current one, by what is or was on record. */
  findSetup(search: SetupSearch): Promise<SetupAnswer>;
  /** A page of changes. */
  findChanges(search: ChangeSearch): Promise<Found<SiteChange>>;
  /** The Sites at which a type of equipment was in use at an instant, by their four-character ids. */
  findSitesWithType(search: { type: string; at: Instant; page: number; size: number }): Promise<Found<CorsSite>>;
  /** A Site as a request names it; undefined where there is none. */
  findSite(site: SiteReference): Promise<CorsSite | undefined>;
  /** A page of Sites in short. */
  findSiteSummaries(search: SiteSearch): Promise<Found<SiteSummary>>;
  /** Everything on record of a Site that holds; undefined where there is no such Site. */
  findSiteRecord(site: SiteReference): Promise<SiteRecord | undefined>;
  /** The types of a kind of equipment, those of the most devices first. */
  findDeviceTypes(equipmentType: EquipmentType): Promise<DeviceType[]>;
  /** A page of the elements of a source: all Setups, invalidated ones too; all Sites; the devices in use in a valid Setup. */
  find<S extends Source>(source: S, search: Search): Promise<Found<Elements[S]>>;
  /** An element of a source by its id; undefined where there is none. */
  get<S extends Source>(source: S, id: number, projection: Projection['name'] | null): Promise<Elements[S] | undefined>;
  /** The number of the last migration, and how many Sites there are. */
  status(): Promise<{ migration: number; sites: number }>;
  /** A Site and a type of a kind of equipment to show as an example; null where there is none. */
  findExample(equipmentType: EquipmentType): Promise<{ fourCharacterId: string | null; type: string | null }>;
  /** Changes whenever another process has committed: equal before and after a read, nothing came between. */
  version(): Promise<number>;
  close(): Promise<void>;
}

/** One file and what was made of it. */
export interface SiteLogImport {
  /** The file's name, without its folder. */
  name: string;
  /** The file's content as it came. */
  original: Uint8Array;
  log: SiteLog;
  setups: DerivedSetup[];
  findings: Finding[];
  /** The time of the import. */
  importedAt: Date;
}

/** A log that holds, or held until now. */
export interface HoldingLog {
  name: string;
  datePrepared: string | null;
}

/** What saving a log came to. */
export type SaveOutcome =
  | {
      kind: 'saved';
      /** The log that held until now; null for a new Site. */
      replaces: HoldingLog | null;
      /** The nine-character id the Site had until now. */
      previousNineCharacterId: string | null;
      /** Numbers of Setups. */
      added: number;
      kept: number;
      invalidated: number;
    }
  /** The log holds already, and nothing in it is read differently. */
  | { kind: 'unchanged' }
  /** Another log holds, prepared later, or, where this one was seen before, in its place. */
  | { kind: 'older'; holding: HoldingLog; seenBefore: boolean };

/** Takes in site logs. */
export interface SetupWriter {
  /**
   * Saves one log in one transaction. The log of a Site prepared later holds; of two prepared on the same day the one
   * that is new here. Setups that stay the same keep their id, the others are invalidated, never deleted.
   */
  saveSiteLog(siteLog: SiteLogImport): Promise<SaveOutcome>;
  close(): Promise<void>;
}

/** The store cannot be used; the message is one line that says why and what to do. */
export class StoreUnusable extends Error {
  override readonly name = 'StoreUnusable';
}
