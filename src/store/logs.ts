import type { DerivedRecord } from '../derive/record.js';
import type { SiteId } from '../requests/site-id.js';
import type { FindingCode } from '../site-log/finding-codes.js';
import type { Finding, FindingLevel, SiteLog } from '../site-log/site-log.js';
import type { Found } from './search.js';
import type { OfSite, UnresolvedSite } from './site-ids.js';
import type { SitePageSearch } from './sites.js';

/** The last Date Prepared that can be right, `YYYY-MM-DD`: a day from now, for other time zones. */
export const lastCredibleDay = (now: Date): string => new Date(now.getTime() + 24 * 3600 * 1000).toISOString().slice(0, 10);

/** How many contents of rejected files are remembered. */
export const MOST_REJECTED = 10_000;

/** The current site log of a Site: of all that were imported and not withdrawn, the one with the latest credible Date Prepared. */
export interface CurrentLog {
  /** The file name, without its folder. */
  name: string;
  /** `YYYY-MM-DD`; null if unknown. */
  datePrepared: string | null;
}

/** A site log that was not withdrawn, with its content and its Site. */
export interface SiteLogRecord extends CurrentLog {
  /** The number that identifies the log. */
  id: number;
  /** The number of its Site. */
  siteId: number;
  /** The ids of its Site. The log may give others: those that the Site had before. */
  fourCharacterId: string;
  nineCharacterId: string | null;
  /** Whether it is the current log of its Site. */
  current: boolean;
  /** Of the content, in hexadecimal. */
  sha256: string;
  /** The format, as in `SiteLog.form`. */
  form: string;
  /** `YYYY-MM-DDThh:mm:ss.sssZ` */
  importedAt: string;
  /** The file's content, unchanged. */
  original: Uint8Array;
}

/** What is derived from a log without regard to other logs. */
export interface DerivedWithNames extends DerivedRecord {
  log: SiteLog;
  findings: Finding[];
}

/** One file, and everything that was read and derived from it. The store computes none of this. */
export interface SiteLogImport extends DerivedRecord {
  /** The file name, without its folder. */
  name: string;
  /** The file's content, unchanged. */
  original: Uint8Array;
  log: SiteLog;
  findings: Finding[];
  /** The names of persons in its contacts; see `personsIn`. */
  persons: string[];
  /** The same, but with the names of persons whom only other logs name as contacts; null if the log contains no such names. */
  withNames: DerivedWithNames | null;
  importedAt: Date;
}

/** A site log as the list of the logs of a Site shows it. */
export interface LogEntry extends CurrentLog {
  /** The number that identifies the log. */
  id: number;
  sha256: string;
  form: string;
  importedAt: string;
  /** When the log was withdrawn; null if it was not. */
  withdrawnAt: string | null;
  current: boolean;
}

/** The number of findings of one level and code in the current logs. */
export interface FindingCount {
  level: FindingLevel;
  code: FindingCode;
  findings: number;
}

/** What was found at a Site for a day. */
export interface LogInForce {
  /** Undefined if the Site had no log yet. */
  log: SiteLogRecord | undefined;
  /** The first day on which it had one, `YYYY-MM-DD`; null if no log has a Date Prepared. */
  earliest: string | null;
}

/** Finds the logs of Sites. */
export interface LogReader {
  /** A log by its number; undefined if there is none, or if it was withdrawn. */
  findById(id: number): Promise<SiteLogRecord | (UnresolvedSite & { kind: 'retired-site' }) | undefined>;
  /**
   * The log of a Site that was in force on a day: of those not withdrawn, the one with the latest Date Prepared on or before
   * that day.
   * @param day `YYYY-MM-DD`; null for the current log
   */
  findInForce(site: SiteId, day: string | null): Promise<OfSite<LogInForce>>;
  /** The logs of the Site with a number that were not withdrawn, the newest first; empty if there is no such Site, or if it is retired. */
  findKept(site: number): Promise<LogEntry[]>;
  /** The current log of the Site with a number; undefined if there is no such Site, or if it is retired. */
  findCurrent(site: number): Promise<SiteLogRecord | undefined>;
  /** A page of current logs: their numbers. Filters and order are by properties of the logs and of their Sites. */
  findCurrentPage(search: SitePageSearch): Promise<Found<number>>;
  /** All logs of a Site, the newest first; those of a retired Site too. */
  findOfSite(site: SiteId): Promise<OfSite<LogEntry[]>>;
  /** The number of findings in the current logs, by level and code. */
  countFindings(): Promise<FindingCount[]>;
}

/** How a log came to the Site that it was saved for. */
interface SavedFor {
  /** The id of the Site, if it has another one than the log says, because it was renamed. */
  renamedTo: string | null;
  /** If the log made a new Site: the other Sites that have the same four characters. */
  sharedWith: string[];
}

/** What saving a log changed. */
export type SaveOutcome =
  | ({
      kind: 'saved';
      /** The log that was current before; null if this is a new Site or a newer reading of the same log. */
      replaces: CurrentLog | null;
      /** How many Setups are new. */
      added: number;
      /** How many Setups stayed the same. */
      kept: number;
      /** How many Setups were superseded. */
      invalidated: number;
    } & SavedFor)
  /** This log is current already, and reading it again gave the same result. */
  | { kind: 'unchanged' }
  /** Another log is current. This one is kept, but nothing else changes. If `isNew` is false, it was kept before. */
  | { kind: 'older'; because: 'date' | 'future date' | 'replaced before'; current: CurrentLog; isNew: boolean }
  /** The log was withdrawn before, or its Site was retired, at `since`. It is kept, but nothing else changes. */
  | { kind: 'withdrawn' | 'retired'; since: string; isNew: boolean }
  /** The log gives four characters, which several Sites share; these are their nine-character ids. Nothing is saved. */
  | { kind: 'ambiguous'; candidates: string[] };
