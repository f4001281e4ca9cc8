import sql from 'sql-template-tag';
import { parseSiteId, type SiteId } from '../../requests/site-id.js';
import type { Database } from '../database.js';
import type { CurrentLog } from '../read/logs/logs.js';
import { resolveAlsoRetired } from '../read/sites/ids.js';
import type { OfSite, UnresolvedSite } from '../../derive/site-identity.js';
import { findSites, load, loadLogs, loadOriginals, sitesWithNumbers } from './load.js';
import { bestLog, currentLog, type LogRecord } from './logs.js';
import type { SiteLogImport } from './site-log-import.js';
import type { SiteRecord } from './sites.js';
import { beginUnitOfWork, recordTimeAfter, type UnitOfWork } from './unit-of-work.js';

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
 * @throws {Error} if this version cannot read it; the message says why
 */
export type ReadAgain = (log: {
  name: string;
  original: Uint8Array;
}) => Omit<SiteLogImport, 'importedAt' | 'findings'>;

/**
 * Reads a log as its import did at the time, with its findings.
 * @throws {Error} if this version cannot read it
 */
export type ImportAgain = (log: {
  name: string;
  original: Uint8Array;
  importedAt: Date;
}) => SiteLogImport;

/** A log with its number. */
export type NumberedLog = CurrentLog & { id: number };

/** What a correction changed. */
export type CorrectionOutcome =
  | {
      kind: 'corrected';
      /** The id of the Site after the correction. */
      site: string;
      /** The number of the Site. */
      siteNumber: number;
      /** If the correction brought the id: the other Sites that have the same four characters. */
      sharedWith: string[];
      /** The id of the Site before. */
      formerly: string;
      /**
       * Its nine characters, if only withdrawn logs give them and another Site has the same four.
       */
      unfoundedNine: string | null;
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

/** Which logs to withdraw or restore together. */
export interface LogsSince {
  kind: 'withdraw' | 'restore';
  /** Those that were recorded, or withdrawn, at this time or later, `YYYY-MM-DDThh:mm:ss.sssZ`. */
  since: string;
}

/** One of several corrections of logs, with what it changed. */
export interface CorrectedLog {
  correction: Correction;
  outcome: Extract<CorrectionOutcome, { kind: 'corrected' }>;
}

/** The logs to withdraw, the last one first, or to restore, the first one first. */
export const logsSince = (
  db: Database,
  { kind, since }: LogsSince,
): Promise<{ log: number; site: number }[]> =>
  db.all(
    kind === 'withdraw'
      ? sql`
        SELECT id AS log, site_id AS site FROM site_log
        WHERE withdrawn_at IS NULL AND imported_at >= ${since} ORDER BY id DESC`
      : sql`
        SELECT id AS log, site_id AS site FROM site_log WHERE withdrawn_at >= ${since} ORDER BY id`,
  );

/** A correction is not possible. The message is a sentence. The caller must roll back. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/**
 * The log that a correction reads: the one that becomes current, or the last current one if all are
 * withdrawn.
 */
function readBy(correction: Correction, logs: LogRecord[], now: Date): LogRecord | undefined {
  if (correction.kind === 'retire' || correction.kind === 'rename') return undefined;
  const named = 'log' in correction ? correction.log : null;
  const restored = logs.map((log) => (log.id === named ? { ...log, withdrawn_at: null } : log));
  const others = correction.kind === 'withdraw' ? restored.filter(({ id }) => id !== named) : [];
  return bestLog(others, now) ?? bestLog(restored, now) ?? currentLog(logs);
}

/** The content of the log that a correction reads, or why this version cannot read it. */
async function readNext(
  db: Database,
  log: LogRecord,
  readAgain: ReadAgain,
): Promise<ReturnType<ReadAgain> | Refused> {
  const [stored] = await loadOriginals(db, [log.id]);
  try {
    return readAgain(stored!);
  } catch (error) {
    return new Refused(`log ${log.id} (${log.name}) cannot be read: ${(error as Error).message}`);
  }
}

/** A correction of one Site, at one time, with everything that its rules read. */
export interface Occasion {
  unit: UnitOfWork;
  site: SiteRecord;
  /** The record time. */
  now: Date;
  /** The same as text. */
  recordedAt: string;
  /**
   * The content of the log that becomes current, or of the last current one if all are withdrawn;
   * an error if this version cannot read it; undefined if the correction reads none.
   */
  next: ReturnType<ReadAgain> | Refused | undefined;
}

/**
 * Reads what a correction may read, before the rules decide what it does.
 * @param id the id of the Site, or its number
 */
export async function loadForCorrection(
  db: Database,
  id: SiteId | number,
  correction: Correction,
  now: () => Date,
  readAgain: ReadAgain,
): Promise<OfSite<Occasion>> {
  const site =
    typeof id === 'number'
      ? ({ kind: 'found', found: id } as const)
      : await resolveAlsoRetired(db, id);
  if (site.kind !== 'found') return site;
  const own = await sitesWithNumbers(db, [site.found]);
  const logs = await loadLogs(db, [site.found]);
  // Once, because the best log depends on the time.
  const clock = now();
  const log = readBy(correction, logs, clock);
  const next = log && (await readNext(db, log, readAgain));
  const records = next === undefined || next instanceof Refused ? [] : [next];
  const renamed = correction.kind === 'rename' ? [correction.to] : [];
  // A log may belong to a Site other than the one it was saved for.
  const sites = await findSites(db, [
    ...own.map(({ four_character_id }) => parseSiteId(four_character_id)),
    ...renamed,
    ...logs.map(({ given_id }) => parseSiteId(given_id)),
  ]);
  const recorded = await load(db, sites, { records, sha256s: [] });
  const unit = beginUnitOfWork(recorded);
  const time = recordTimeAfter(recorded, clock);
  return {
    kind: 'found',
    found: {
      unit,
      site: unit.sites.get(site.found),
      now: time,
      recordedAt: time.toISOString(),
      next,
    },
  };
}
