import type { ReadAgain } from './corrections.js';
import type { SiteLogImport } from './logs.js';

/** Something that is wrong in a database. */
export interface Problem {
  /** One sentence: the table, the id, the Site, and what is wrong. */
  text: string;
  /** Whether it can be derived anew from the stored logs. */
  repairable: boolean;
}

/** What a check of a database found. */
export interface Verification {
  problems: Problem[];
  /** How many logs and Sites were derived anew. */
  logs: number;
  sites: number;
  /** How many Sites cannot be derived anew, because their logs were read by another version, or before there was a journal. */
  carriedSites: number;
}

/** Reads stored logs again. */
export interface Rereading {
  /** Reads a log that becomes current by a correction. */
  readAgain: ReadAgain;
  /** Reads a log as the import at a time did, with its findings. */
  importAgain: (log: { name: string; original: Uint8Array; importedAt: Date }) => SiteLogImport;
}
