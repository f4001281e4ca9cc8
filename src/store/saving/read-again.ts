import type { KnownPersons } from '../../site-log/known-persons.js';
import type { SiteLogImport } from '../logs.js';
import type { ImportAgain } from '../upkeep.js';
import { updateSite } from './owner.js';
import { toSummaryRow } from './save-record.js';
import { saveFor } from './save-site-log.js';
import type { Tables } from './tables.js';

/** A Site whose current log an earlier version read, with that log. */
export interface SiteToRead {
  site: number;
  name: string;
  original: Uint8Array;
}

/** Reads the log of a Site again; undefined if this version cannot. Then the record stays as it is, and `verify` reports a damaged log. */
export function readOrPass(
  { name, original }: SiteToRead,
  importAgain: ImportAgain,
  now: Date,
  known: KnownPersons,
): SiteLogImport | undefined {
  try {
    return importAgain({ name, original, importedAt: now }, known);
  } catch {
    return undefined;
  }
}

/**
 * Brings a Site that an earlier version saved up to date, as if its log were imported again. The journal has no event for
 * columns of the Site and its summary that earlier versions did not have: a replay fills them in with the first import.
 */
export function readSiteAgain(tables: Tables, number: number, read: SiteLogImport): void {
  const site = tables.sites.find(number)!;
  updateSite(tables.sites, number, read.log.identification);
  // A retired Site has the summary of the time when it was retired.
  if (site.retiredAt === null) tables.sites.saveSummary(toSummaryRow(number, read.summary));
  saveFor(tables, site, read);
}
