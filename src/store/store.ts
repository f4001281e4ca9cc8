import type { EquipmentType, GnssReceiver, Setup } from '../../schemas/index.js';
import type { DerivedSetup } from '../derive-setups.js';
import type { Finding, SiteLog } from '../site-log/site-log.js';

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

/** Which receivers, and which of their pages. */
export interface ReceiverSearch {
  /** Any of these types; null for all. */
  types: string[] | null;
  page: number;
  size: number;
}

/** A device of the catalogue: the contract's own members, and the id its URL has. */
export type StoredReceiver = Omit<GnssReceiver, '_links'> & { id: number };

/** One page of a search, and how many match in all. */
export interface Found<T> {
  elements: T[];
  totalElements: number;
}

/** Reads what was imported. Each call sees one committed state, and the newest. */
export interface SetupReader {
  /** The current Setup of a Site: null where the Site has none, undefined where there is no such Site. */
  findCurrentSetup(site: SiteReference): Promise<Setup | null | undefined>;
  /** A Setup by its id, valid or invalidated; undefined where there is none. */
  findSetup(id: number): Promise<Setup | undefined>;
  /** The receivers in use in a valid Setup, in the order in which they were first recorded. */
  findReceivers(search: ReceiverSearch): Promise<Found<StoredReceiver>>;
  /** A receiver by its id; undefined where there is none in the catalogue. */
  findReceiver(id: number): Promise<StoredReceiver | undefined>;
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
