import type { SiteId } from '../../requests/site-id.js';
import type { Database } from '../database.js';
import type { CurrentLog } from '../read/logs.js';
import { resolveAlsoRetired } from '../read/site-ids.js';
import type { OfSite, UnresolvedSite } from '../../derive/site-identity.js';
import { findSites, load, loadLogs, loadOriginals } from './load.js';
import { bestLog, type LogRecord } from './logs.js';
import type { SiteLogImport } from './site-log-import.js';
import type { SiteRecord } from './sites.js';
import { beginUnitOfWork, type UnitOfWork } from './unit-of-work.js';

/** What an operator undoes or corrects. Logs are named by their number. */
export type Correction =
  /** The best of the other logs becomes current. */
  | { kind: 'withdraw'; log: number }
  | { kind: 'restore'; log: number }
  /** The Site leaves the collections and lookups of now; what was on record stays on record. */
  | { kind: 'retire' }
  | { kind: 'unretire' }
  /** The Site gets another id. Nothing else changes. */
  | { kind: 'rename'; to: SiteId };

/** Reads a stored log again, and derives what follows from it. @throws {Error} if this version cannot read it; the message says why */
export type ReadAgain = (log: { name: string; original: Uint8Array }) => Omit<SiteLogImport, 'importedAt' | 'findings'>;

/** Reads a log as its import did at the time, with its findings. @throws {Error} if this version cannot read it */
export type ImportAgain = (log: { name: string; original: Uint8Array; importedAt: Date }) => SiteLogImport;

/** A log with its number. */
export type NumberedLog = CurrentLog & { id: number };

/** What a correction changed. */
export type CorrectionOutcome =
  | {
      kind: 'corrected';
      /** The id of the Site after the correction. */
      site: string;
      /** If the correction brought the id: the other Sites that have the same four characters. */
      sharedWith: string[];
      /** The id of the Site before. */
      formerly: string;
      /** The log that was withdrawn or restored. */
      log: NumberedLog | null;
      /** Whether that log was, or is, current. */
      isCurrent: boolean;
      /** Its current log; null if all were withdrawn. */
      current: NumberedLog | null;
      /** How many Setups are new. */
      added: number;
      /** How many Setups were superseded. */
      invalidated: number;
    }
  /** Nothing was changed; `reason` is a sentence. */
  | { kind: 'refused'; reason: string }
  | UnresolvedSite;

/** The logs that may become current by a correction: the best one, with and without the log that it names. */
function candidatesOf(logs: LogRecord[], correction: Correction, now: Date): number[] {
  if (correction.kind === 'retire' || correction.kind === 'rename') return [];
  const named = 'log' in correction ? correction.log : null;
  const restored = logs.map((log) => (log.id === named ? { ...log, withdrawn_at: null } : log));
  const others = restored.filter(({ id }) => id !== named);
  return [...new Set([others, restored].flatMap((each) => bestLog(each, now)?.id ?? []))];
}

/** What a log says; nothing if this version cannot read it. */
function readIfPossible(log: Parameters<ReadAgain>[0], readAgain: ReadAgain): ReturnType<ReadAgain>[] {
  try {
    return [readAgain(log)];
  } catch {
    return [];
  }
}

/** Reads what a correction may read, before the rules decide what it does. */
export async function loadForCorrection(
  db: Database,
  id: SiteId,
  correction: Correction,
  now: Date,
  readAgain: ReadAgain,
): Promise<OfSite<{ owner: SiteRecord; unit: UnitOfWork }>> {
  const ids = correction.kind === 'rename' ? [id, correction.to] : [id];
  const site = await resolveAlsoRetired(db, id);
  if (site.kind !== 'found') return site;
  const originals = await loadOriginals(db, candidatesOf(await loadLogs(db, [site.found]), correction, now));
  const records = originals.flatMap((log) => readIfPossible(log, readAgain));
  // A log may belong to another Site than the one it was saved for.
  const sites = await findSites(db, [...ids, ...records.map(({ log }) => log.identification)]);
  const unit = beginUnitOfWork(await load(db, sites, { records, sha256s: [], originals }));
  return { kind: 'found', found: { owner: unit.sites.get(site.found), unit } };
}
