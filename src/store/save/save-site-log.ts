import { NOTHING_ON_RECORD } from '../../derive/feed.js';
import { lastCredibleDay } from '../../derive/log-order.js';
import { addLog, bestLog, currentLog, findingRows, logsOf, makeCurrent } from './logs.js';
import { Findings } from '../../findings/findings.js';
import { saveRecord } from './record.js';
import { sameStationBefore } from './recorded-stations.js';
import type { SaveOutcome, SiteLogImport } from './site-log-import.js';
import { addEvent, siteState } from './events.js';
import {
  addSite,
  followLogs,
  idOf,
  idsKnownAs,
  recordSite,
  type SiteRecord,
  updateSite,
} from './sites.js';
import type { UnitOfWork } from './unit-of-work.js';

/** Saves a log for a Site that is on record. */
export function saveForSite(
  unit: UnitOfWork,
  site: SiteRecord,
  siteLog: SiteLogImport,
): SaveOutcome {
  const before = siteState(unit, site);
  const changedBefore = unit.changed;
  const outcome = saveKnownSite(unit, site, siteLog);
  if (unit.changed === changedBefore) return nothingNew(outcome);
  addEvent(unit, site, siteLog.importedAt, 'import', before);
  return outcome;
}

function saveKnownSite(unit: UnitOfWork, site: SiteRecord, siteLog: SiteLogImport): SaveOutcome {
  const { importedAt, sha256 } = siteLog;
  const { identification, datePrepared } = siteLog.log;
  const recorded = logsOf(unit, site.id);
  const stored = recorded.find((each) => each.sha256 === sha256);
  if (stored !== undefined && stored.withdrawn_at !== null)
    return { kind: 'withdrawn', since: stored.withdrawn_at, isNew: false };
  const before = currentLog(recorded);
  // If all logs were withdrawn, none is replaced.
  const replaced =
    before?.withdrawn_at === null
      ? { id: before.id, name: before.name, datePrepared: before.date_prepared }
      : undefined;
  const recordedAt = importedAt.toISOString();
  const log = stored ?? addLog(unit, site.id, recordedAt, siteLog, false);
  const all = logsOf(unit, site.id);
  followLogs(unit, site, all, recordedAt);
  const best = bestLog(all, importedAt)!;
  const sameStation =
    best.id === log.id && site.retired_at === null ? sameStationOf(unit, site, siteLog) : null;
  setFindings(unit, log.id, siteLog, sameStation);
  if (best.id !== log.id) {
    const current = replaced ?? { name: best.name, datePrepared: best.date_prepared };
    return {
      kind: 'older',
      because: whyOlder(datePrepared, current.datePrepared, importedAt),
      current,
      isNew: true,
    };
  }
  makeCurrent(unit, log, all, recordedAt);
  const isSame = isSameSite(site, identification);
  updateSite(unit, site, siteLog.log);
  recordSite(unit, site, recordedAt);
  if (site.retired_at !== null) return { kind: 'retired', since: site.retired_at, isNew: true };
  const setups = saveRecord(
    unit,
    { site: site.id, recordedAt, log: log.id },
    siteLog,
    replaced?.id !== log.id,
  );
  return {
    kind: 'saved',
    replaces: replaced === undefined || replaced.id === log.id ? null : replaced,
    renamedTo: isSame ? null : idOf(site),
    sharedWith: [],
    sameStation: sameStation && { id: idOf(sameStation), number: sameStation.id },
    ...setups,
  };
}

/** Why a log does not become current. @param current the Date Prepared of the current log */
function whyOlder(
  datePrepared: string | null,
  current: string | null,
  importedAt: Date,
): Extract<SaveOutcome, { kind: 'older' }>['because'] {
  // A log without a date is older than every other.
  const date = datePrepared ?? '';
  if (date > lastCredibleDay(importedAt)) return 'future date';
  if (date < (current ?? '')) return 'date';
  return 'replaced before';
}

/** Saves the first log of a Site. Nothing is on record that it could be compared with. */
export function saveNewSite(unit: UnitOfWork, siteLog: SiteLogImport): SaveOutcome {
  const { identification } = siteLog.log;
  const sharedWith = idsKnownAs(unit, identification.fourCharacterId);
  const recordedAt = siteLog.importedAt.toISOString();
  const site = addSite(unit, siteLog.log, recordedAt);
  const { id: log } = addLog(unit, site.id, recordedAt, siteLog, true);
  const sameStation = sameStationOf(unit, site, siteLog);
  setFindings(unit, log, siteLog, sameStation);
  const setups = saveRecord(unit, { site: site.id, recordedAt, log }, siteLog, true);
  addEvent(unit, site, siteLog.importedAt, 'import', NOTHING_ON_RECORD);
  return {
    kind: 'saved',
    replaces: null,
    renamedTo: null,
    // One station with two ids shares its four characters for that reason.
    sharedWith: sharedWith.filter((id) => sameStation === null || id !== idOf(sameStation)),
    sameStation: sameStation && { id: idOf(sameStation), number: sameStation.id },
    ...setups,
  };
}

/** The Site on record before another one that is probably the station of this one's log. */
const sameStationOf = (
  unit: UnitOfWork,
  site: SiteRecord,
  { log }: SiteLogImport,
): SiteRecord | null => sameStationBefore(unit, log, site.id) ?? null;

/** Records the findings of a log, with the one that another Site is its station. */
function setFindings(
  unit: UnitOfWork,
  log: number,
  { name, findings }: SiteLogImport,
  sameStation: SiteRecord | null,
): void {
  if (sameStation === null) {
    unit.findings.set(log, findingRows(log, findings));
    return;
  }
  const all = new Findings(name, findings);
  all.add('same-station', { line: 1 }, { site: idOf(sameStation), siteId: sameStation.id });
  unit.findings.set(log, findingRows(log, all.list));
}

/** The outcome of saving a log if nothing changed. */
function nothingNew(outcome: SaveOutcome): SaveOutcome {
  if (outcome.kind === 'saved') return { kind: 'unchanged' };
  if ('isNew' in outcome) return { ...outcome, isNew: false };
  return outcome;
}

/** Whether a log gives the ids of a Site, as far as both are known. */
const isSameSite = (
  { four_character_id, nine_character_id }: SiteRecord,
  { fourCharacterId, nineCharacterId }: SiteLogImport['log']['identification'],
): boolean =>
  four_character_id === fourCharacterId &&
  (nine_character_id === null || nineCharacterId === null || nine_character_id === nineCharacterId);
