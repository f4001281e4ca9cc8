import type { KnownPersons } from '../site-log/known-persons.js';
import type { ReadAgain } from './corrections.js';
import type { SiteLogImport } from './logs.js';

/** Something that is wrong in a database. */
export interface Problem {
  /** One sentence: the table, the id, the Site, and what is wrong. */
  text: string;
  /** Whether it can be derived again from the stored logs. */
  repairable: boolean;
}

/** What a check of a database found. */
export interface Verification {
  problems: Problem[];
  /** The numbers of logs and Sites that were derived again. */
  logs: number;
  sites: number;
  /** The number of Sites that cannot be derived again, because another version read their logs, or no journal existed then. */
  carriedSites: number;
}

/**
 * Reads a log as its import did at the time, with its findings.
 * @param known persons whom other logs name as contacts
 * @throws {Error} if this version cannot read it
 */
export type ImportAgain = (log: { name: string; original: Uint8Array; importedAt: Date }, known: KnownPersons) => SiteLogImport;

/** Reads stored logs again. */
export interface Rereading {
  /** Reads a log that becomes current by a correction. */
  readAgain: ReadAgain;
  importAgain: ImportAgain;
}

/** What a rebuild did. */
export interface Rebuilding extends Verification {
  /** The file with the old content; null if nothing was wrong, and so nothing was written. */
  kept: string | null;
}

/** What a backup contains. */
export interface Backup {
  bytes: number;
  sites: number;
}

/** What was restored. */
export interface Restoring extends Backup {
  /** The file with the old content; null if there was none. */
  kept: string | null;
}

/** Reports how much is done, from 0 to 1. */
export type Progress = (share: number) => void;
