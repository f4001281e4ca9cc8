import { compareNamedLogs, farFrom, tellApart } from '../../derive/stations.js';
import { recordedStation } from './recorded-stations.js';
import { idOf, knownSite, ownersOf, type SiteRecord } from './sites.js';
import { logsOf } from './logs.js';
import { saveForSite, saveNewSite } from './save-site-log.js';
import type { FarFromSite, SaveOutcome, SiteLogImport } from './site-log-import.js';
import type { UnitOfWork } from './unit-of-work.js';

/**
 * Whose logs they are. Logs that give the same four characters are decided about together, so that
 * the order of their files changes nothing.
 */

/** Saves logs, and returns what became of each, in the given order. */
export function saveLogs(unit: UnitOfWork, siteLogs: readonly SiteLogImport[]): SaveOutcome[] {
  const outcomes = new Map<SiteLogImport, SaveOutcome>();
  const groups = Map.groupBy(siteLogs, ({ log }) => log.identification.fourCharacterId);
  for (const group of groups.values()) {
    const inOrder = group.toSorted(compareNamedLogs);
    const fours = inOrder.filter(({ log }) => log.identification.nineCharacterId === null);
    for (const each of inOrder.slice(0, inOrder.length - fours.length))
      outcomes.set(each, saveWithNine(unit, each));
    if (fours.length > 0) saveWithFour(unit, fours, outcomes);
  }
  return siteLogs.map((each) => outcomes.get(each)!);
}

/** Whether a log is on record for a Site already. */
const isOnRecord = (unit: UnitOfWork, site: SiteRecord, { sha256 }: SiteLogImport): boolean =>
  logsOf(unit, site.id).some((each) => each.sha256 === sha256);

/** How far a log is from the current log of a Site; null if not too far, or on record already. */
function farFromSite(
  unit: UnitOfWork,
  site: SiteRecord,
  siteLog: SiteLogImport,
): FarFromSite | null {
  const recorded = recordedStation(unit, site);
  if (recorded === null || isOnRecord(unit, site, siteLog)) return null;
  const far = farFrom(siteLog.log, recorded);
  return far && { ...far, site: idOf(site) };
}

/** Saves a log of a Site; says so if only a proof makes it one of this Site. */
function saveOwn(unit: UnitOfWork, site: SiteRecord, siteLog: SiteLogImport): SaveOutcome {
  const far = farFromSite(unit, site, siteLog);
  const outcome = saveForSite(unit, site, siteLog);
  return far === null ? outcome : { ...outcome, far };
}

/**
 * Saves a log that gives nine characters. They say who the Site is, so a log of another station
 * does not complete the four characters of a Site: it is of a new one.
 */
function saveWithNine(unit: UnitOfWork, siteLog: SiteLogImport): SaveOutcome {
  const { identification } = siteLog.log;
  const owners = ownersOf(unit, identification);
  if (owners.length > 1) return { kind: 'ambiguous', candidates: owners.map(idOf).sort() };
  const [site] = owners;
  if (site === undefined) return saveNewSite(unit, siteLog);
  const { present, former } = knownSite(unit, site);
  const isItsId = [present, ...former].some(({ nine }) => nine === identification.nineCharacterId);
  if (!isItsId && farFromSite(unit, site, siteLog)?.proof === null)
    return saveNewSite(unit, siteLog);
  return saveOwn(unit, site, siteLog);
}

/** Whether an operator gave a Site another id than four characters that its logs give. */
function isNamedByOperator(unit: UnitOfWork, site: SiteRecord, four: string): boolean {
  const { present } = knownSite(unit, site);
  return present.four !== four || present.nineGivenBy === 'operator';
}

/**
 * Saves logs that give the same four characters.
 * @param siteLogs in the order of `compareNamedLogs`
 * @param outcomes gets what became of each
 */
function saveWithFour(
  unit: UnitOfWork,
  siteLogs: readonly SiteLogImport[],
  outcomes: Map<SiteLogImport, SaveOutcome>,
): void {
  const {
    log: { identification },
    importedAt,
  } = siteLogs[0]!;
  const four = identification.fourCharacterId;
  const owners = ownersOf(unit, identification);
  if (owners.length > 1) {
    for (const each of siteLogs) outcomes.set(each, saveAmongSeveral(unit, owners, each));
    return;
  }
  const [site] = owners;
  const known = siteLogs.filter((each) => site !== undefined && isOnRecord(unit, site, each));
  const isNew = (each: SiteLogImport): boolean => !known.includes(each);
  const recorded = site === undefined ? null : recordedStation(unit, site);
  const { own, others } = tellApart(siteLogs.filter(isNew), recorded, importedAt);
  const saved = siteLogs.filter((each) => !isNew(each) || own.includes(each));
  const owner = saveFor(unit, site, saved, outcomes);
  if (others.length === 0) return;
  // An operator who gave the Site another id left the four characters to another station.
  const isLeft = site !== undefined && isNamedByOperator(unit, site, four);
  const next = isLeft
    ? tellApart(
        others.map(({ log }) => log),
        null,
        importedAt,
      )
    : { own: [], others };
  const nextOwner = saveFor(unit, undefined, next.own, outcomes);
  const named = idOf((nextOwner ?? owner)!);
  for (const { log, far } of next.others)
    outcomes.set(log, { kind: 'another-station', far: { ...far, site: named } });
}

/** Saves logs of one Site, which the first of them creates if there is none. Returns the Site. */
function saveFor(
  unit: UnitOfWork,
  site: SiteRecord | undefined,
  siteLogs: readonly SiteLogImport[],
  outcomes: Map<SiteLogImport, SaveOutcome>,
): SiteRecord | undefined {
  let owner = site;
  for (const each of siteLogs) {
    outcomes.set(each, owner === undefined ? saveNewSite(unit, each) : saveOwn(unit, owner, each));
    owner ??= unit.sites.added.at(-1);
  }
  return owner;
}

/**
 * Saves a log with four characters that several Sites have or had, if it is on record for one of
 * them; otherwise nobody knows whose it is.
 */
function saveAmongSeveral(
  unit: UnitOfWork,
  owners: readonly SiteRecord[],
  siteLog: SiteLogImport,
): SaveOutcome {
  const [own, ...others] = owners.filter((site) => isOnRecord(unit, site, siteLog));
  if (own !== undefined && others.length === 0) return saveForSite(unit, own, siteLog);
  return { kind: 'ambiguous', candidates: owners.map(idOf).sort() };
}
