import type { DerivedRecord } from '../../derive/record.js';
import type { FarLog } from '../../derive/stations.js';
import type { Finding } from '../../findings/findings.js';
import type { PublishedLog } from '../../site-log/published-log.js';
import type { SiteLog } from '../../site-log/site-log.js';
import type { CurrentLog } from '../read/logs/logs.js';

/** How many rejected files are on record. */
export const MOST_REJECTED = 10_000;

/** One file, and everything that was read and derived from it. The store computes none of this. */
export interface SiteLogImport extends DerivedRecord {
  /** The file name, without its folder. */
  name: string;
  /** The file's content, unchanged. */
  original: Uint8Array;
  /** The SHA-256 of the content, in hexadecimal. */
  sha256: string;
  log: SiteLog;
  /** What is published of it. */
  published: PublishedLog;
  findings: Finding[];
  /** The record time. */
  importedAt: Date;
}

/** The same before it has a record time, which some findings depend on. */
export type UndatedLog = Omit<SiteLogImport, 'importedAt' | 'findings'>;

/** That a log is too far from the record of a Site. */
export interface FarFromSite extends FarLog {
  /** The id of the Site. */
  site: string;
}

/** What saving a log changed. */
export type SaveOutcome = OutcomeOfSaving & {
  /** If only a proof makes the log one of its Site: how far it is from the log before. */
  far?: FarFromSite;
};

type OutcomeOfSaving =
  | {
      kind: 'saved';
      /**
       * The log that was current before; null if this is a new Site or a newer reading of the same
       * log.
       */
      replaces: CurrentLog | null;
      /** How many Setups are new. */
      added: number;
      /** How many Setups were superseded. */
      invalidated: number;
      /** The id of the Site, if a rename made it differ from the one in the log. */
      renamedTo: string | null;
      /** If the log made a new Site: the other Sites that have or had the same four characters. */
      sharedWith: string[];
      /** Another Site that is probably the same station; null if there is none. */
      sameStation: { id: string; number: number } | null;
    }
  /** This log is current already, and reading it again gave the same result. */
  | { kind: 'unchanged' }
  /**
   * Another log is current. This one is kept, but nothing else changes. If `isNew` is false, it was
   * kept before.
   */
  | {
      kind: 'older';
      because: 'date' | 'future date' | 'replaced before';
      current: CurrentLog;
      isNew: boolean;
    }
  /**
   * The log was withdrawn before, or its Site was retired, at `since`. It is kept, but nothing else
   * changes.
   */
  | { kind: 'withdrawn' | 'retired'; since: string; isNew: boolean }
  /**
   * The log gives an id that several Sites have or had; these are their present ids. Nothing is
   * saved.
   */
  | { kind: 'ambiguous'; candidates: string[] }
  /** The log is of another station than the Site with its four characters. Nothing is saved. */
  | { kind: 'another-station'; far: FarFromSite };
