import { parseSiteId, type SiteId, siteIdText } from '../../requests/site-id.js';
import {
  type Correction,
  type CorrectionOutcome,
  type NumberedLog,
  type Occasion,
  Refused,
} from './corrections.js';
import { bestLog, currentLog, type LogRecord, logsOf, makeCurrent } from './logs.js';
import { type SavedSetups, saveRecord, supersedeRecord, withoutEquipment } from './record.js';
import { addEvent, siteState } from './events.js';
import {
  followLogs,
  idAfterRename,
  idOf,
  idsSharing,
  ownersOf,
  recordSite,
  renameSite,
  retireSite,
  type SiteRecord,
  sitesSharing,
  unfoundedNine,
  updateSite,
} from './sites.js';
import type { UnitOfWork } from './unit-of-work.js';

const NOTHING: SavedSetups = { added: 0, invalidated: 0 };

const numbered = (log: LogRecord | undefined): NumberedLog | null =>
  log === undefined ? null : { id: log.id, name: log.name, datePrepared: log.date_prepared };

/** Makes one correction. @throws {Refused} if it is not possible */
export function correctSite(
  occasion: Occasion,
  correction: Correction,
): Extract<CorrectionOutcome, { kind: 'corrected' }> {
  const { unit, site, now } = occasion;
  const before = siteState(unit, site);
  const from = siteIdOf(site);
  const formerly = idOf(site);
  const currentBefore = currentLog(logsOf(unit, site.id))?.id;
  const { added, invalidated } = make(occasion, correction);
  const logs = logsOf(unit, site.id);
  const current = bestLog(logs, now) === undefined ? undefined : currentLog(logs);
  const log = 'log' in correction ? logs.find(({ id }) => id === correction.log) : undefined;
  const isCurrent =
    log !== undefined && log.id === (correction.kind === 'withdraw' ? currentBefore : current?.id);
  const sharedWith = ['rename', 'unretire'].includes(correction.kind) ? idsSharing(unit, site) : [];
  addEvent(
    unit,
    site,
    now,
    correction.kind === 'rename' ? { ...correction, from, to: siteIdOf(site) } : correction,
    before,
  );
  return {
    kind: 'corrected',
    site: idOf(site),
    siteNumber: site.id,
    formerly,
    unfoundedNine: unfoundedNine(unit, site, logs),
    sharedWith,
    added,
    invalidated,
    log: numbered(log),
    isCurrent,
    current: numbered(current),
  };
}

const siteIdOf = ({ four_character_id, nine_character_id }: SiteRecord): SiteId => ({
  fourCharacterId: four_character_id,
  nineCharacterId: nine_character_id,
});

function make(occasion: Occasion, correction: Correction): SavedSetups {
  if (correction.kind === 'withdraw') return withdraw(occasion, correction.log);
  if (correction.kind === 'restore') return restore(occasion, correction.log);
  if (correction.kind === 'rename') return rename(occasion, correction.to);
  return correction.kind === 'retire' ? retire(occasion) : unretire(occasion);
}

function withdraw(occasion: Occasion, number: number): SavedSetups {
  const { unit, site, recordedAt } = occasion;
  const log = logOf(occasion, number);
  if (log.withdrawn_at !== null)
    throw new Refused(
      `log ${number} of ${idOf(site)} was already withdrawn at ${log.withdrawn_at}`,
    );
  unit.logs.change(log, { withdrawn_at: recordedAt });
  const saved = followBestLog(occasion);
  followLogs(unit, site, logsOf(unit, site.id), recordedAt);
  return saved;
}

function restore(occasion: Occasion, number: number): SavedSetups {
  const log = logOf(occasion, number);
  if (log.withdrawn_at === null)
    throw new Refused(`log ${number} of ${idOf(occasion.site)} has not been withdrawn`);
  checkOwner(occasion.unit, occasion.site, log);
  const { unit, site, recordedAt } = occasion;
  unit.logs.change(log, { withdrawn_at: null });
  followLogs(unit, site, logsOf(unit, site.id), recordedAt);
  // It can have been the only log.
  return followBestLog(occasion, log.superseded_at === null);
}

function retire({ unit, site, recordedAt }: Occasion): SavedSetups {
  if (site.retired_at !== null)
    throw new Refused(`${idOf(site)} was already retired at ${site.retired_at}`);
  retireSite(unit, site, recordedAt, recordedAt);
  return supersedeRecord(unit, {
    site: site.id,
    recordedAt,
    log: currentLog(logsOf(unit, site.id))!.id,
  });
}

function unretire(occasion: Occasion): SavedSetups {
  const { unit, site, now, recordedAt } = occasion;
  if (site.retired_at === null) throw new Refused(`${idOf(site)} is not retired`);
  const logs = logsOf(unit, site.id);
  const best = bestLog(logs, now);
  const changed =
    best === undefined ? dropEquipment(occasion, currentLog(logs)!) : follow(occasion, best);
  retireSite(unit, site, null, recordedAt);
  return changed;
}

/** Renames a Site. An id that would not distinguish it from another Site is refused. */
function rename({ unit, site, recordedAt }: Occasion, given: SiteId): SavedSetups {
  const to = idAfterRename(unit, site, given);
  const id = siteIdText(to);
  if (id === idOf(site)) throw new Refused(`${id} is already the id of the Site`);
  if (site.nine_character_id !== null && given.nineCharacterId === null) {
    throw new Refused(`${idOf(site)} has nine characters; give nine for the new id too`);
  }
  const [taken] = sitesWithSameId(unit, to).filter((each) => each.id !== site.id);
  if (taken !== undefined)
    throw new Refused(
      `${id} is taken: another Site has or had this id: ${idOf(taken)}; ` +
        `if both are one station, run site retire ${idOf(site)}`,
    );
  renameSite(unit, site, given, recordedAt);
  return NOTHING;
}

/**
 * The Sites that an id would not distinguish from a Site with this id. Nine characters distinguish
 * it from a Site that had other nine before, but four do not.
 */
const sitesWithSameId = (unit: UnitOfWork, id: SiteId): SiteRecord[] =>
  id.nineCharacterId === null
    ? ownersOf(unit, id)
    : sitesSharing(unit, id.fourCharacterId).filter((site) =>
        [null, id.nineCharacterId].includes(site.nine_character_id),
      );

function logOf({ unit, site }: Occasion, number: number): LogRecord {
  const log = logsOf(unit, site.id).find(({ id }) => id === number);
  if (log === undefined) throw new Refused(`${idOf(site)} has no log ${number}`);
  return log;
}

/** Makes the best log the current one, and the record what it says. */
function followBestLog(occasion: Occasion, wasWithdrawn = false): SavedSetups {
  const { unit, site, now, recordedAt, next } = occasion;
  const recorded = logsOf(unit, site.id);
  const best = bestLog(recorded, now);
  if (best === undefined)
    return site.retired_at === null ? dropEquipment(occasion, currentLog(recorded)!) : NOTHING;
  if (best.id === currentLog(recorded)?.id && !wasWithdrawn) return NOTHING;
  if (site.retired_at === null) return follow(occasion, best);
  makeCurrent(unit, best, recorded, recordedAt);
  updateSite(unit, site, contentOf(next).log);
  recordSite(unit, site, recordedAt);
  return NOTHING;
}

/**
 * Supersedes what the last log of a Site says. The Site keeps what it says about the place, until
 * another log is imported.
 */
function dropEquipment({ unit, site, recordedAt, next }: Occasion, log: LogRecord): SavedSetups {
  return saveRecord(
    unit,
    { site: site.id, recordedAt, log: log.id },
    withoutEquipment(contentOf(next)),
    true,
  );
}

/** The content of the log that is read next. @throws {Refused} if this version cannot read it */
function contentOf(next: Occasion['next']): Exclude<Occasion['next'], Refused | undefined> {
  if (next instanceof Refused) throw next;
  return next!;
}

/** Makes a log the current one, and the record what it says. */
function follow({ unit, site, recordedAt, next }: Occasion, log: LogRecord): SavedSetups {
  const derived = contentOf(next);
  checkOwner(unit, site, log);
  makeCurrent(unit, log, logsOf(unit, site.id), recordedAt);
  updateSite(unit, site, derived.log);
  recordSite(unit, site, recordedAt);
  return saveRecord(unit, { site: site.id, recordedAt, log: log.id }, derived, true);
}

/**
 * A rename, or a withdrawal that removed the nine characters of the Site, may have made another
 * Site the owner of a log.
 * @throws {Refused} if the log is of another Site
 */
function checkOwner(unit: UnitOfWork, site: SiteRecord, log: LogRecord): void {
  // Four characters may mean every Site that has or had them.
  if (log.given_id.length === 4) return;
  const owners = ownersOf(unit, parseSiteId(log.given_id));
  if (owners.length === 1 && owners[0]!.id === site.id) return;
  throw new Refused(
    `log ${log.id} (${log.name}) would become current, but is of ${log.given_id}, ` +
      `not of ${idOf(site)}; withdraw it, or leave it withdrawn`,
  );
}
