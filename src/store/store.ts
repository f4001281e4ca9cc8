import type { ChangeReader } from './changes.js';
import type { DeviceReader } from './devices.js';
import type { SaveOutcome, SiteLogImport } from './logs.js';
import type { SetupReader } from './setups.js';
import type { SiteReader } from './sites.js';

/**
 * What the service asks of a store. Asynchronous, so that an engine behind a network is one more folder.
 */

/** Reads what was imported. Each call sees one committed state, the newest. */
export interface StoreReader {
  readonly setups: SetupReader;
  readonly sites: SiteReader;
  readonly devices: DeviceReader;
  readonly changes: ChangeReader;
  /** The number of the last migration, and how many Sites there are. */
  status(): Promise<{ migration: number; sites: number }>;
  /** Changes whenever another process has committed: equal before and after a read, nothing came between. */
  version(): Promise<number>;
  close(): Promise<void>;
}

/** Saves site logs. */
export interface StoreWriter {
  /**
   * Saves one log in one transaction. The log with the later Date Prepared wins; of two of the same day, the one that is
   * new here. Setups that stay the same keep their id, the others are superseded, never deleted.
   */
  saveSiteLog(siteLog: SiteLogImport): Promise<SaveOutcome>;
  close(): Promise<void>;
}

/** The store cannot be used; the message is one line that says why and what to do. */
export class StoreUnusable extends Error {
  override readonly name = 'StoreUnusable';
}
