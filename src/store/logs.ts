import type { DerivedChange } from '../derive/changes.js';
import type { DerivedDevice } from '../derive/devices.js';
import type { DerivedSetup } from '../derive/setups.js';
import type { DerivedSummary } from '../derive/summary.js';
import type { Finding, SiteLog } from '../site-log/site-log.js';

/** The site log that the record of a Site rests on: of all that were imported, the one with the latest Date Prepared. */
export interface CurrentLog {
  name: string;
  datePrepared: string | null;
}

/** The current site log of a Site, with its text. */
export interface SiteLogRecord extends CurrentLog {
  sha256: string;
  form: string;
  importedAt: string;
  /** The file's content, unchanged. */
  original: Uint8Array;
}

/** One file, and everything that was read and derived from it: a store computes none of this. */
export interface SiteLogImport {
  /** The file's name, without its folder. */
  name: string;
  /** The file's content, unchanged. */
  original: Uint8Array;
  log: SiteLog;
  setups: DerivedSetup[];
  changes: DerivedChange[];
  devices: DerivedDevice[];
  summary: DerivedSummary;
  findings: Finding[];
  /** The time of the import. */
  importedAt: Date;
}

/** What saving a log did. */
export type SaveOutcome =
  | {
      kind: 'saved';
      /** The log that was current until now; null for a new Site. */
      replaces: CurrentLog | null;
      /** The nine-character id the Site had until now. */
      previousNineCharacterId: string | null;
      /** Numbers of Setups. */
      added: number;
      kept: number;
      invalidated: number;
    }
  /** The log is current already, and nothing in it is read differently. */
  | { kind: 'unchanged' }
  /** Another log is current: one prepared later, or one that has replaced this one before. */
  | { kind: 'older'; current: CurrentLog; seenBefore: boolean };
