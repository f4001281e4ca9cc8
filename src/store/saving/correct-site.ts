import type { SiteId } from '../../requests/site-id.js';
import type { SiteIdentification } from '../../site-log/site-log.js';
import type { Correction, CorrectionOutcome, ReadKept } from '../corrections.js';
import { digestOf, withoutFindings } from './journal.js';
import { bestLog, currentLog, makeCurrent } from './logs.js';
import { completeId, idOf, ownerOf, recordTime, renameSite, updateSite } from './owner.js';
import { saveFeed, stateOf } from './save-feed.js';
import { saveRecord, supersedeRecord } from './save-record.js';
import type { SavedSetups } from './save-setups.js';
import type { RecordedLog, RecordedSite, Tables } from './tables.js';

/** A correction is not possible. The message is a sentence. The caller must roll back. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** A correction of one Site, at one time. */
interface Occasion {
  tables: Tables;
  site: RecordedSite;
  now: Date;
  recordedAt: string;
  readAgain: ReadKept;
}

type Changed = Pick<SavedSetups, 'invalidated'> & { added: unknown[] };
const NOTHING: Changed = { added: [], invalidated: 0 };

/**
 * Makes one correction, and adds it to the journal, within the transaction of the caller.
 * @param number of the Site
 * @throws {Refused} if it is not possible
 */
export function correctSite(tables: Tables, number: number, correction: Correction, now: Date, readAgain: ReadKept): CorrectionOutcome {
  const { sites, logs, journal } = tables;
  const site = sites.find(number)!;
  const recordedAt = recordTime(sites, site.id, now);
  const before = stateOf(tables, number);
  let digest: string | null = null;
  const digesting: ReadKept = (log) => {
    const read = readAgain(log);
    digest = digestOf(withoutFindings(read));
    return read;
  };
  const { added, invalidated } = make({ tables, site, now, recordedAt, readAgain: digesting }, correction);
  const { name, datePrepared } = currentLog(logs.ofSite(site.id))!;
  const corrected = sites.find(site.id)!;
  const sharedWith = ['rename', 'unretire'].includes(correction.kind) ? idsSharing(tables, corrected) : [];
  const event = { kind: correction.kind, at: now.toISOString(), site: number, log: null, detail: JSON.stringify(correction), sha256: null };
  saveFeed(tables, journal.add({ ...event, digest }), number, before);
  return { kind: 'corrected', site: idOf(corrected), sharedWith, current: { name, datePrepared }, added: added.length, invalidated };
}

/** The ids of the other Sites, except retired ones, that have the same four characters. */
const idsSharing = ({ sites }: Tables, site: RecordedSite): string[] =>
  sites
    .findSharing(site.fourCharacterId)
    .filter(({ id, retiredAt }) => id !== site.id && retiredAt === null)
    .map(idOf);

function make(occasion: Occasion, correction: Correction): Changed {
  switch (correction.kind) {
    case 'withdraw':
      return withdraw(occasion, correction.log);
    case 'restore':
      return restore(occasion, correction.log);
    case 'retire':
      return retire(occasion);
    case 'unretire':
      return unretire(occasion);
    case 'rename':
      return rename(occasion, correction.to);
  }
}

function withdraw(occasion: Occasion, number: number): Changed {
  const { tables, site, recordedAt } = occasion;
  const { logs } = tables;
  const log = logOf(occasion, number);
  if (log.withdrawnAt !== null) throw new Refused(`log ${number} of ${idOf(site)} was already withdrawn at ${log.withdrawnAt}`);
  logs.setWithdrawn(number, recordedAt);
  if (bestLog(logs.ofSite(site.id), occasion.now) === undefined) {
    throw new Refused(
      `log ${number} is the only log of ${idOf(site)} that is not withdrawn; import or restore the right one first, or retire the Site`,
    );
  }
  return followBestLog(occasion);
}

function restore(occasion: Occasion, number: number): Changed {
  const log = logOf(occasion, number);
  if (log.withdrawnAt === null) throw new Refused(`log ${number} of ${idOf(occasion.site)} has not been withdrawn`);
  occasion.tables.logs.setWithdrawn(number, null);
  return followBestLog(occasion);
}

function retire({ tables, site, recordedAt }: Occasion): Changed {
  if (site.retiredAt !== null) throw new Refused(`${idOf(site)} was already retired at ${site.retiredAt}`);
  tables.sites.setRetired(site.id, recordedAt);
  return supersedeRecord(tables, { site: site.id, recordedAt, log: currentLog(tables.logs.ofSite(site.id))!.id });
}

function unretire(occasion: Occasion): Changed {
  const { tables, site, now } = occasion;
  if (site.retiredAt === null) throw new Refused(`${idOf(site)} is not retired`);
  const changed = follow(occasion, bestLog(tables.logs.ofSite(site.id), now)!);
  tables.sites.setRetired(site.id, null);
  return changed;
}

function rename({ tables, site, recordedAt }: Occasion, to: SiteId): Changed {
  const { sites } = tables;
  const id = idOf({ ...to });
  if (id === idOf(site)) throw new Refused(`${id} is already the id of the Site`);
  if (site.nineCharacterId !== null && to.nineCharacterId === null) {
    throw new Refused(`${idOf(site)} has nine characters; give nine for the new id too`);
  }
  const others = sites.findSharing(to.fourCharacterId).filter((each) => each.id !== site.id);
  const taken = others.find((each) => [each.nineCharacterId, to.nineCharacterId].includes(null) || each.nineCharacterId === id);
  if (taken !== undefined) throw new Refused(`${id} is taken: another Site has the id ${idOf(taken)}`);
  renameSite(sites, site, to, recordedAt);
  return NOTHING;
}

function logOf({ tables, site }: Occasion, number: number): RecordedLog {
  const log = tables.logs.ofSite(site.id).find(({ id }) => id === number);
  if (log === undefined) throw new Refused(`${idOf(site)} has no log ${number}`);
  return log;
}

/** Makes the best log the current one, and the record what it says. */
function followBestLog(occasion: Occasion): Changed {
  const { tables, site, now, recordedAt } = occasion;
  const recorded = tables.logs.ofSite(site.id);
  const best = bestLog(recorded, now)!;
  if (best.id === currentLog(recorded)?.id) return NOTHING;
  if (site.retiredAt === null) return follow(occasion, best);
  makeCurrent(tables.logs, site.id, recorded, best.id, recordedAt);
  return NOTHING;
}

/** Makes a log the current one, and the record what it says. */
function follow({ tables, site, recordedAt, readAgain }: Occasion, log: { id: number; name: string }): Changed {
  const { sites, logs } = tables;
  let read;
  try {
    read = readAgain({ name: log.name, original: logs.originalOf(log.id) });
  } catch (error) {
    throw new Refused(`log ${log.id} (${log.name}) would become current, but cannot be read: ${(error as Error).message}`);
  }
  checkOwner(tables, site, log, read.log.identification);
  makeCurrent(logs, site.id, logs.ofSite(site.id), log.id, recordedAt);
  completeId(sites, site, read.log.identification);
  updateSite(sites, site.id, read.log.identification);
  return saveRecord(tables, { site: site.id, recordedAt, log: log.id }, read, true);
}

/** Earlier versions saved the logs of two Sites with the same four characters for one. @throws {Refused} if the log is of another Site */
function checkOwner({ sites }: Tables, site: RecordedSite, log: { id: number; name: string }, identification: SiteIdentification): void {
  const owner = ownerOf(sites, identification);
  if (identification.nineCharacterId === null || (owner !== null && 'id' in owner && owner.id === site.id)) return;
  throw new Refused(
    `log ${log.id} (${log.name}) would become current, but is of ${identification.nineCharacterId}, not of ${idOf(site)}; withdraw it first`,
  );
}
