import type { SiteId } from '../../../requests/site-id.js';
import type { Correction, ReadKept } from '../../corrections.js';
import { bestLog } from '../../saving/logs.js';
import { siteToCorrect } from '../../saving/owner.js';
import type { OfSite } from '../../site-ids.js';
import type { Transaction } from '../client.js';
import { loadLogs, loadOriginals, loadRecord, loadSites } from './load.js';
import { LoadedLogs } from './loaded-logs.js';
import { LoadedSites } from './loaded-sites.js';
import { LoadedTables } from './loaded-tables.js';

/** What a correction works on. */
interface ToCorrect {
  /** The number of the Site. */
  number: number;
  tables: LoadedTables;
  /** Returns or throws what reading each log that may become current did. */
  readKept: ReadKept;
}

/** The logs that may become current by a correction: the best one, with and without the log that it names. */
async function loadCandidates(transaction: Transaction, site: number, correction: Correction, now: Date) {
  if (correction.kind === 'retire' || correction.kind === 'rename') return [];
  const named = 'log' in correction ? correction.log : null;
  const rows = await loadLogs(transaction, [site]);
  const logs = new LoadedLogs({ logs: rows, findings: [], originals: [] }, 0, { changes: 0 }, () => undefined).ofSite(site);
  const best = [
    bestLog(
      logs.filter(({ id }) => id !== named),
      now,
    ),
    bestLog(
      logs.map((log) => (log.id === named ? { ...log, withdrawnAt: null } : log)),
      now,
    ),
  ];
  const originals = await loadOriginals(transaction, [...new Set(best.flatMap((log) => (log === undefined ? [] : [log.id])))]);
  return originals.map(({ id, original }) => ({ id, original, name: logs.find((log) => log.id === id)!.name }));
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
  transaction: Transaction,
  id: SiteId,
  correction: Correction,
  now: Date,
  readAgain: ReadKept,
): Promise<OfSite<ToCorrect>> {
  const ids = correction.kind === 'rename' ? [id, correction.to] : [id];
  const first = await loadSites(transaction, ids);
  const site = siteToCorrect(new LoadedSites({ ...first, summaries: [], lastRecorded: [] }, 0, { changes: 0 }), id);
  if (site.kind !== 'found') return site;
  const candidates = await loadCandidates(transaction, site.found, correction, now);
  const results = new Map(candidates.map((log) => [log.original, tryReading(log, readAgain)]));
  const records = [...results.values()].flatMap((result) => {
    try {
      return [result()];
    } catch {
      return [];
    }
  });
  // A log may belong to another Site than the one it was saved for. Only then is that Site looked up.
  const sites = records.length === 0 ? first : await loadSites(transaction, [...ids, ...records.map(({ log }) => log.identification)]);
  const recorded = await loadRecord(transaction, sites, { records, sha256s: [], originals: candidates });
  const readKept: ReadKept = ({ original }) => results.get(original)!();
  return { kind: 'found', found: { number: site.found, tables: new LoadedTables(recorded), readKept } };
}
