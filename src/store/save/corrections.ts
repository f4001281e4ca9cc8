import type { SiteId } from '../../requests/site-id.js';
import type { KnownPersons } from '../../site-log/known-persons.js';
import type { Database } from '../database.js';
import type { CurrentLog } from '../read/logs.js';
import type { OfSite, UnresolvedSite } from '../read/site-ids.js';
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

/**
 * Reads a stored log again, and derives what follows from it.
 * @param known persons whom other logs name as contacts
 * @throws {Error} if this version cannot read it; the message says why
 */
export type ReadAgain = (
  log: { name: string; original: Uint8Array },
  known: KnownPersons,
) => Omit<SiteLogImport, 'importedAt' | 'findings'>;

/** The same, for the persons whom the store knows. */
export type ReadKept = (log: Parameters<ReadAgain>[0]) => ReturnType<ReadAgain>;

/** What a correction changed. */
export type CorrectionOutcome =
  | {
      kind: 'corrected';
      /** The id of the Site after the correction. */
      site: string;
      /** If the correction brought the id: the other Sites that have the same four characters. */
      sharedWith: string[];
      /** Its current log. */
      current: CurrentLog;
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
  readKept: ReadKept;
}

/** The logs that may become current by a correction: the best one, with and without the log that it names. */
function candidatesOf(unit: UnitOfWork, site: number, correction: Correction, now: Date): { id: number; name: string }[] {
  if (correction.kind === 'retire' || correction.kind === 'rename') return [];
  const logs = logsOf(unit, site);
  const named = 'log' in correction ? correction.log : null;
  const without = logs.filter(({ id }) => id !== named);
  const restored = logs.map((log) => (log.id === named ? { ...log, withdrawn_at: null } : log));
  const best = [bestLog(without, now), bestLog(restored, now)].filter((log) => log !== undefined);
  return [...new Map(best.map(({ id, name }) => [id, { id, name }])).values()];
}

/** Reads a log; returns how the result can be had again. */
function tryReading(log: { name: string; original: Uint8Array }, readAgain: ReadKept): () => ReturnType<ReadKept> {
  try {
    const read = readAgain(log);
    return () => read;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** Reads what a correction may read, before the rules decide what it does. */
export async function loadForCorrection(
  db: Database,
  id: SiteId,
  correction: Correction,
  now: Date,
  readAgain: ReadKept,
): Promise<OfSite<ToCorrect>> {
  const ids = correction.kind === 'rename' ? [id, correction.to] : [id];
  const found = await findSites(db, ids);
  const nothing = { records: [], sha256s: [], originals: [] };
  const first = new UnitOfWork(await load(db, found, nothing));
  const site = siteToCorrect(first, id);
  if (site.kind !== 'found') return site;
  const candidates = candidatesOf(first, site.found.id, correction, now);
  const originals = await loadOriginals(
    db,
    candidates.map((log) => log.id),
  );
  const nameOf = (log: number): string => candidates.find((each) => each.id === log)!.name;
  const results = new Map(originals.map((log) => [log.original, tryReading({ name: nameOf(log.id), original: log.original }, readAgain)]));
  const records = [...results.values()].flatMap((result) => {
    try {
      return [result()];
    } catch {
      return [];
    }
  });
  // A log may belong to another Site than the one it was saved for. Only then is that Site looked up.
  const sites = records.length === 0 ? found : await findSites(db, [...ids, ...records.map(({ log }) => log.identification)]);
  const unit = new UnitOfWork(await load(db, sites, { records, sha256s: [], originals }));
  const readKept: ReadKept = ({ original }) => results.get(original)!();
  return { kind: 'found', found: { owner: unit.sites.get(site.found.id), unit, readKept } };
}
