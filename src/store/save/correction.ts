import type { SiteId } from '../../requests/site-id.js';
import type { Database } from '../database.js';
import type { OfSite } from '../read/site-ids.js';
import type { Correction, ReadKept } from './corrections.js';
import { findSites, load, loadOriginals } from './load.js';
import { bestLog, logsOf } from './logs.js';
import { type SiteRecord, siteToCorrect } from './sites.js';
import { UnitOfWork } from './unit-of-work.js';

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
