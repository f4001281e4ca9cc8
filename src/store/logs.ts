import type { DerivedChange } from '../derive/changes.js';
import type { DerivedDevice } from '../derive/devices.js';
import type { DerivedSetup } from '../derive/setups.js';
import type { DerivedSummary } from '../derive/summary.js';
import type { Finding, SiteLog } from '../site-log/site-log.js';

/** The current site log of a Site: of all that were imported, the one with the latest Date Prepared. */
export interface CurrentLog {
  /** The file name, without its folder. */
  name: string;
  /** `YYYY-MM-DD`; null if unknown. */
  datePrepared: string | null;
}

/** The current site log of a Site, with its content. */
export interface SiteLogRecord extends CurrentLog {
  /** Of the content, in hexadecimal. */
  sha256: string;
  /** The format, as in `SiteLog.form`. */
  form: string;
  /** `YYYY-MM-DDThh:mm:ss.sssZ` */
  importedAt: string;
  /** The file's content, unchanged. */
  original: Uint8Array;
}

/** One file, and everything that was read and derived from it. The store computes none of this. */
export interface SiteLogImport {
  /** The file name, without its folder. */
  name: string;
  /** The file's content, unchanged. */
  original: Uint8Array;
  log: SiteLog;
  setups: DerivedSetup[];
  changes: DerivedChange[];
  devices: DerivedDevice[];
  summary: DerivedSummary;
  findings: Finding[];
  importedAt: Date;
}

/** What saving a log changed. */
export type SaveOutcome =
  | {
      kind: 'saved';
      /** The log that was current before; null if this is a new Site or a newer reading of the same log. */
      replaces: CurrentLog | null;
      /** The nine-character id of the Site before; null if it was unknown or this is a new Site. */
      previousNineCharacterId: string | null;
      /** How many Setups are new. */
      added: number;
      /** How many Setups stayed the same. */
      kept: number;
      /** How many Setups were superseded. */
      invalidated: number;
    }
  /** This log is current already, and reading it again gave the same result. */
  | { kind: 'unchanged' }
  /** Another log is current: one with a later Date Prepared, or one that replaced this one before. Nothing is saved. */
  | { kind: 'older'; current: CurrentLog; seenBefore: boolean };
