import { isDeepStrictEqual } from 'node:util';
import sql from 'sql-template-tag';
import { type Database, StoreUnusable } from '../database.js';
import { refreshDevices } from '../save/devices.js';
import { identitiesOf, load, loadLogs, sitesWithNumbers } from '../save/load.js';
import { type LoadedRow, validRows } from '../save/loaded-rows.js';
import { currentLog, findingRows, logsOf } from '../save/logs.js';
import type { ImportAgain } from '../save/corrections.js';
import { type ReadLogs, readLogs } from '../save/read-again.js';
import {
  isSwap,
  NO_GAP,
  saveGaps,
  saveRecord,
  supersedeRecord,
  withoutEquipment,
} from '../save/record.js';
import type { SiteLogImport } from '../save/site-log-import.js';
import { hasIdsOnRecord, idOf, updateSite } from '../save/sites.js';
import { beginUnitOfWork, type Recorded, type UnitOfWork } from '../save/unit-of-work.js';
import type { Problem } from '../results.js';
import type { RowOf } from '../schema.js';
import { siteIdText } from '../../requests/site-id.js';
import { type PublishedLog, publishedVersion, sectionsIn } from '../../site-log/published-log.js';

/**
 * Derives Sites again from their logs, with the code of the import, and compares that with what is
 * on record.
 */
export async function deriveAgain(
  db: Database,
  numbers: readonly number[],
  importAgain: ImportAgain,
): Promise<{ problems: Problem[]; logs: number }> {
  const sites = await sitesWithNumbers(db, numbers);
  const identities = await identitiesOf(db, numbers);
  const logs = await loadLogs(db, numbers);
  const { read, problems } = await readLogs(db, logs, importAgain);
  const current = logs.filter(({ superseded_at }) => superseded_at === null);
  const records = current.flatMap(({ id }) => read.get(id) ?? []);
  const recorded = await load(db, { sites, identities }, { records, sha256s: null });
  problems.push(...leaveOutStrays(recorded));
  const renamed = await renamedAmong(db, numbers);
  for (const site of sites) {
    const about = `Site ${idOf(site)}`;
    const compare = (): Problem[] => compareSite(recorded, site, read, renamed.has(site.id));
    problems.push(...reportingErrors(about, compare));
  }
  problems.push(...reportingErrors('equipment', () => compareDevices(recorded)));
  problems.push(...(await comparePublished(db, read)));
  return { problems, logs: logs.length };
}

/** The Sites that an operator has renamed. */
async function renamedAmong(db: Database, numbers: readonly number[]): Promise<Set<number>> {
  const ofSites = db.dialect.isOneOf('site_id', numbers);
  const rows = await db.all<{ site: number }>(
    sql`SELECT DISTINCT site_id AS site FROM event WHERE kind = 'rename' AND ${ofSites}`,
  );
  return new Set(rows.map(({ site }) => site));
}

/** A damaged text makes the rules of the import fail. @param about what is compared */
function reportingErrors(about: string, compare: () => Problem[]): Problem[] {
  try {
    return compare();
  } catch (error) {
    if (error instanceof StoreUnusable) throw error;
    const text = `${about} cannot be compared with its logs: ${(error as Error).message}`;
    return [{ text, remedy: 'import' }];
  }
}

/** Leaves out installations of devices that are not on record, and reports them. */
function leaveOutStrays(recorded: Recorded): Problem[] {
  const known = new Set(recorded.devices.map(({ id }) => id));
  const problems: Problem[] = [];
  recorded.installations = recorded.installations.filter(({ id, equipment_id }) => {
    const isFound = known.has(equipment_id);
    if (!isFound) {
      const text = `installation ${id} refers to equipment ${equipment_id}, which does not exist`;
      problems.push({ text, remedy: 'restore' });
    }
    return isFound;
  });
  return problems;
}

/**
 * Compares what is on record about a Site with what its logs give.
 * @param isRenamed whether an operator gave it its ids
 */
function compareSite(
  all: Recorded,
  site: LoadedRow<'site'>,
  read: ReadLogs,
  isRenamed: boolean,
): Problem[] {
  const unit = beginUnitOfWork(onlyOf(all, site));
  const logs = logsOf(unit, site.id);
  // That the others must be read again is one problem for all of them.
  const complete = logs.filter(({ agencies }) => agencies !== null);
  const name = idOf(site);
  const current = currentLog(logs);
  if (current === undefined)
    return [{ text: `Site ${name} has no current log`, remedy: 'restore' }];
  const derived = read.get(current.id);
  // Why it could not be read has been reported.
  if (derived !== undefined) deriveRows(unit, site, current, derived);
  for (const { id } of complete) deriveFindings(unit, id, read.get(id));
  deriveGaps(unit, site);
  const wrong = [...wrongParts(unit), ...wrongLogs(complete, read)];
  if (!isRenamed && hasWrongIds(site, logs)) wrong.unshift('its ids');
  if (!hasIdsOnRecord(unit, unit.sites.get(site.id))) wrong.push('the record of its ids');
  if (wrong.length === 0) return [];
  const text = `Site ${name}: its logs give other values than those on record: ${wrong.join(', ')}`;
  return [{ text, remedy: 'import' }];
}

/** What is on record about one Site, in copies, because rules change rows. */
function onlyOf(all: Recorded, site: LoadedRow<'site'>): Recorded {
  const copiesOf = <Row extends { site_id: number }>(rows: Row[]): Row[] =>
    rows.filter(({ site_id }) => site_id === site.id).map((row) => ({ ...row }));
  return {
    ...all,
    sites: [{ ...site }],
    identities: copiesOf(all.identities),
    logs: copiesOf(all.logs),
    setups: copiesOf(all.setups),
    installations: copiesOf(all.installations),
    changes: copiesOf(all.changes),
    devices: all.devices.map((row) => ({ ...row })),
  };
}

/** What importing the current log again would change about its Site. */
function deriveRows(
  unit: UnitOfWork,
  { id: site, retired_at }: LoadedRow<'site'>,
  { id: log, imported_at, withdrawn_at }: LoadedRow<'site_log'>,
  derived: SiteLogImport,
): void {
  const saving = { site, log, recordedAt: imported_at };
  // The summary of a retired Site stays as it was.
  if (retired_at !== null) supersedeRecord(unit, saving);
  else saveRecord(unit, saving, withdrawn_at === null ? derived : withoutEquipment(derived), false);
  updateSite(unit, unit.sites.get(site), derived.log);
}

/**
 * Whether a Site that was never renamed has other ids than its logs give it. All its logs give the
 * same four characters, and all logs in force with nine give the same nine.
 */
function hasWrongIds(
  { four_character_id, nine_character_id }: LoadedRow<'site'>,
  logs: readonly LoadedRow<'site_log'>[],
): boolean {
  if (logs.some(({ given_id }) => given_id.slice(0, 4) !== four_character_id)) return true;
  const givingNine = logs.filter(({ given_id }) => given_id.length === 9);
  if (nine_character_id === null)
    return givingNine.some(({ withdrawn_at }) => withdrawn_at === null);
  // A withdrawn log may have given them, if another Site has the same four.
  return !givingNine.some(({ given_id }) => given_id === nine_character_id);
}

/**
 * The findings that an import of a log would give.
 * @param derived undefined if the log could not be read
 */
function deriveFindings(unit: UnitOfWork, log: number, derived: SiteLogImport | undefined): void {
  if (derived === undefined) return;
  // This one depends on other Sites at the time.
  const kept = unit.findings.get(log).filter(({ code }) => code === 'same-station');
  unit.findings.set(log, [...findingRows(log, derived.findings), ...kept]);
}

/** The gaps between the changes on record. */
function deriveGaps(unit: UnitOfWork, { id }: LoadedRow<'site'>): void {
  saveGaps(unit, id, new Map());
  for (const row of validRows(unit.changes, id)) if (!isSwap(row)) unit.changes.change(row, NO_GAP);
}

/** The parts of a Site that would change, in the words of an operator. */
function wrongParts(unit: UnitOfWork): string[] {
  const { sites, setups, installations, changes, summaries, findings } = unit;
  const parts: [name: string, wrong: number][] = [
    ['the Site', sites.changed.size],
    ['Setups', setups.added.length + setups.changed.size],
    ['installations', installations.added.length + installations.changed.size],
    ['changes', changes.added.length + changes.changed.size],
    ['its summary', summaries.replaced.size],
    ['findings', findings.replaced.size],
  ];
  return parts.filter(([, wrong]) => wrong > 0).map(([name]) => name);
}

/** The logs whose content disagrees with what is on record about them. */
const wrongLogs = (logs: readonly LoadedRow<'site_log'>[], read: ReadLogs): string[] =>
  logs
    .filter(({ id, form, agency, agencies, date_prepared, given_id }) => {
      const log = read.get(id)?.log;
      if (log === undefined) return false;
      const isSame =
        log.form === form &&
        log.agency === agency &&
        JSON.stringify(log.agencies) === agencies &&
        log.datePrepared === date_prepared &&
        siteIdText(log.identification) === given_id;
      return !isSame;
    })
    .map(({ id }) => `site_log ${id}`);

/** The logs of which something else is published than they say. */
async function comparePublished(db: Database, read: ReadLogs): Promise<Problem[]> {
  const rows = await db.all<RowOf<'published_log'>>(sql`
    SELECT site_log_id, version, bytes, content, sections FROM published_log
    WHERE ${db.dialect.isOneOf('site_log_id', [...read.keys()])}
      AND version = ${publishedVersion()} ORDER BY site_log_id`);
  const textsOf = (log: PublishedLog): object => [log.bytes, log.content, sectionsIn(log)];
  return rows
    .filter(
      (row) => !isDeepStrictEqual(textsOf(row), textsOf(read.get(row.site_log_id)!.published)),
    )
    .map(({ site_log_id: id }) => ({
      text: `what is published of site_log ${id} does not follow from it`,
      remedy: 'restore',
    }));
}

/** The devices whose state or document does not follow from the installations on record. */
function compareDevices(recorded: Recorded): Problem[] {
  const unit = beginUnitOfWork(recorded);
  for (const { id } of recorded.devices) unit.staleDevices.add(id);
  refreshDevices(unit);
  return [...unit.devices.changed].map(({ id }) => ({
    text: `equipment ${id} does not follow from its installations`,
    remedy: 'import',
  }));
}
