import type { SiteId } from '../../requests/site-id.js';
import type { Database } from '../database.js';
import type { CurrentLog } from '../read/logs.js';
import type { OfSite, UnresolvedSite } from '../../derive/site-identity.js';
import { findSites, load, loadOriginals } from './load.js';
import { bestLog, logsOf } from './logs.js';
import type { SiteLogImport } from './site-log-import.js';
import { type SiteRecord, siteToCorrect } from './sites.js';
import { UnitOfWork } from './unit-of-work.js';

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

/** What a correction works on. */
interface ToCorrect {
  owner: SiteRecord;
  unit: UnitOfWork;
  /** Returns or throws what reading each log that may become current did. */
  readKept: ReadAgain;
}

/** The logs that may become current by a correction: the best one, with and without the log that it names. */
function candidatesOf(unit: UnitOfWork, site: number, correction: Correction, now: Date): number[] {
  if (correction.kind === 'retire' || correction.kind === 'rename') return [];
  const logs = logsOf(unit, site);
  const named = 'log' in correction ? correction.log : null;
  const restored = logs.map((log) => (log.id === named ? { ...log, withdrawn_at: null } : log));
  const best = [
    bestLog(
      restored.filter(({ id }) => id !== named),
      now,
    ),
    bestLog(restored, now),
  ];
  return [...new Set(best.flatMap((log) => log?.id ?? []))];
}

/** What reading a log gave, or the error. */
type Result = { read: ReturnType<ReadAgain> } | { error: unknown };

function tryReading(log: Parameters<ReadAgain>[0], readAgain: ReadAgain): Result {
  try {
    return { read: readAgain(log) };
  } catch (error) {
    return { error };
  }
}

/** Reads what a correction may read, before the rules decide what it does. */
export async function loadForCorrection(
  db: Database,
  id: SiteId,
  correction: Correction,
  now: Date,
  readAgain: ReadAgain,
): Promise<OfSite<ToCorrect>> {
  const ids = correction.kind === 'rename' ? [id, correction.to] : [id];
  const found = await findSites(db, ids);
  const first = new UnitOfWork(await load(db, found, { records: [], sha256s: [], originals: [] }));
  const site = siteToCorrect(first, id);
  if (site.kind !== 'found') return site;
  const originals = await loadOriginals(db, candidatesOf(first, site.found.id, correction, now));
  const results = new Map(originals.map((log) => [log.original, tryReading(log, readAgain)]));
  const records = [...results.values()].flatMap((result) => ('read' in result ? [result.read] : []));
  // A log may belong to another Site than the one it was saved for. Only then is that Site looked up.
  const sites = records.length === 0 ? found : await findSites(db, [...ids, ...records.map(({ log }) => log.identification)]);
  const unit = new UnitOfWork(await load(db, sites, { records, sha256s: [], originals }));
  const readKept: ReadAgain = ({ original }) => {
    const result = results.get(original)!;
    if ('error' in result) throw result.error;
    return result.read;
  };
  return { kind: 'found', found: { owner: unit.sites.get(site.found.id), unit, readKept } };
}
