import { hash } from 'node:crypto';
import { NOTHING } from '../feed.js';
import { lastCredibleDay, type SaveOutcome, type SiteLogImport } from '../logs.js';
import { digestOf } from './journal.js';
import { addLog, bestLog, currentLog, makeCurrent, saveFindings } from './logs.js';
import { completeId, idOf, ownerOf, recordTime, updateSite } from './owner.js';
import { saveFeed, stateOf } from './save-feed.js';
import { saveRecord } from './save-record.js';
import type { SavedSetups } from './save-setups.js';
import type { RecordedSite, Tables } from './tables.js';

/** What saving a log changed, and the numbers of the Site and the log. */
interface Saved {
  outcome: SaveOutcome;
  site: number;
  log: number;
}

/** Saves a log, within the transaction of the caller. */
export function saveSiteLog(tables: Tables, siteLog: SiteLogImport): SaveOutcome {
  const site = ownerOf(tables.sites, siteLog.log.identification);
  return Array.isArray(site) ? { kind: 'ambiguous', candidates: site.map(idOf) } : saveFor(tables, site, siteLog);
}

/** Saves a log for a Site, within the transaction of the caller. @param known null for a new Site, which gets the next number */
export function saveFor(tables: Tables, known: RecordedSite | null, siteLog: SiteLogImport): SaveOutcome {
  const before = known === null ? NOTHING : stateOf(tables, known.id);
  const changesBefore = tables.changed();
  const sha256 = hash('sha256', siteLog.original);
  const { outcome, site, log } = known === null ? saveNewSite(tables, siteLog, sha256) : saveKnownSite(tables, known, siteLog, sha256);
  if (tables.changed() === changesBefore) return nothingNew(outcome);
  const event = { kind: 'import', at: siteLog.importedAt.toISOString(), site, log, detail: siteLog.name, sha256 };
  saveFeed(tables, tables.journal.add({ ...event, digest: digestOf(siteLog) }), site, before);
  return outcome;
}

function saveKnownSite(tables: Tables, site: RecordedSite, siteLog: SiteLogImport, sha256: string): Saved {
  const { sites, logs } = tables;
  const { importedAt } = siteLog;
  const { identification, datePrepared } = siteLog.log;
  const recorded = logs.ofSite(site.id);
  const stored = recorded.find((each) => each.sha256 === sha256);
  if (stored !== undefined && stored.withdrawnAt !== null) {
    return { outcome: { kind: 'withdrawn', since: stored.withdrawnAt, isNew: false }, site: site.id, log: stored.id };
  }
  completeId(sites, site, identification);
  const before = currentLog(recorded);
  const recordedAt = recordTime(sites, site.id, importedAt);
  if (stored === undefined) tables.persons.add(siteLog.persons);
  const entry = stored ?? addLog(logs, site.id, sha256, recordedAt, siteLog, false);
  const log = entry.id;
  const saved = (outcome: SaveOutcome): Saved => ({ outcome, site: site.id, log });
  saveFindings(logs, log, siteLog.findings);
  const best = bestLog(stored === undefined ? [...recorded, entry] : recorded, importedAt)!;
  if (best.id !== log) {
    const current = before ?? best;
    const isFuture = (datePrepared ?? '') > lastCredibleDay(importedAt);
    const isOlder = (datePrepared ?? '') < (current.datePrepared ?? '');
    return saved({ kind: 'older', because: isFuture ? 'future date' : isOlder ? 'date' : 'replaced before', current, isNew: true });
  }
  makeCurrent(logs, site.id, recorded, log, recordedAt);
  updateSite(sites, site.id, identification);
  if (site.retiredAt !== null) return saved({ kind: 'retired', since: site.retiredAt, isNew: true });
  const setups = saveRecord(tables, { site: site.id, recordedAt, log }, siteLog, before?.id !== log);
  return saved({
    kind: 'saved',
    replaces: before === undefined || before.id === log ? null : before,
    renamedTo: site.fourCharacterId === identification.fourCharacterId && isSame(site, identification) ? null : idOf(site),
    sharedWith: [],
    ...countsOf(setups),
  });
}

/** Saves the first log of a Site. Nothing is on record that it could be compared with. */
function saveNewSite(tables: Tables, siteLog: SiteLogImport, sha256: string): Saved {
  const { sites, logs } = tables;
  const { identification } = siteLog.log;
  const sharedWith = sites.findSharing(identification.fourCharacterId).map(idOf);
  const site = sites.add(identification);
  const recordedAt = siteLog.importedAt.toISOString();
  tables.persons.add(siteLog.persons);
  const { id: log } = addLog(logs, site, sha256, recordedAt, siteLog, true);
  saveFindings(logs, log, siteLog.findings);
  const setups = saveRecord(tables, { site, recordedAt, log }, siteLog, true);
  return { outcome: { kind: 'saved', replaces: null, renamedTo: null, sharedWith, ...countsOf(setups) }, site, log };
}

/** The outcome of saving a log if nothing changed. */
const nothingNew = (outcome: SaveOutcome): SaveOutcome =>
  outcome.kind === 'saved' ? { kind: 'unchanged' } : 'isNew' in outcome ? { ...outcome, isNew: false } : outcome;

/** How many Setups are new, stayed the same, and were superseded. */
const countsOf = ({ added, kept, invalidated }: SavedSetups) => ({ added: added.length, kept, invalidated });

/** Whether two nine-character ids are the same, as far as both are known. */
const isSame = (a: { nineCharacterId: string | null }, b: { nineCharacterId: string | null }): boolean =>
  a.nineCharacterId === null || b.nineCharacterId === null || a.nineCharacterId === b.nineCharacterId;
