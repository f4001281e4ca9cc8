import type { SiteId } from '../../requests/site-id.js';
import type { SiteLog } from '../../site-log/site-log.js';
import {
  formerIdsAfter,
  type HeldId,
  idByLogs,
  isKnownAs,
  type KnownSite,
  ownersAmong,
  type RecordedId,
  textOf,
  toKnownSites,
} from '../../derive/site-identity.js';
import { compareRows } from '../../derive/comparison.js';
import { columnsOf } from '../schema.js';
import { compareTexts } from '../../words.js';
import type { LoadedRow } from './loaded-rows.js';
import type { UnitOfWork } from './unit-of-work.js';

/** A Site on record. */
export type SiteRecord = LoadedRow<'site'>;

type IdentityRow = LoadedRow<'site_identity'>;
type RecordedRow = Omit<IdentityRow, 'id' | 'recorded_at' | 'superseded_at'>;

/** The columns of a Site that do not come from a log. */
const OWN: readonly string[] = ['id', 'retired_at', 'former_ids', 'last_event'];

/** The columns of a Site that its logs give. */
const SITE_COLUMNS = columnsOf('site').filter(
  (column) => !OWN.includes(column),
) as (keyof SiteColumns)[];

/**
 * The member of what a log says about its Site that a column has: `domesNumber` for `domes_number`.
 */
const memberOf = (column: string): string =>
  column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The parts of a log that are about its Site. */
type AboutSite = Pick<SiteLog, 'identification' | 'agency'>;

/** What a log says about its Site. */
type SiteColumns = Omit<SiteRecord, 'id' | 'retired_at' | 'former_ids' | 'last_event'>;

/** The columns that a log gives. */
function toColumns({ identification, agency }: AboutSite): SiteColumns {
  const about: Record<string, unknown> = { ...identification, agency };
  return Object.fromEntries(
    SITE_COLUMNS.map((column) => [column, about[memberOf(column)]]),
  ) as unknown as SiteColumns;
}

/** The id of a Site, as complete as it is known. */
export const idOf = ({
  four_character_id,
  nine_character_id,
}: Pick<SiteRecord, 'four_character_id' | 'nine_character_id'>): string =>
  nine_character_id ?? four_character_id;

/**
 * The Sites with four characters, retired ones too: first one without nine characters, then in the
 * order of these.
 */
export const sitesSharing = ({ sites }: UnitOfWork, fourCharacterId: string): SiteRecord[] =>
  sites
    .filter(({ four_character_id }) => four_character_id === fourCharacterId)
    .sort((a, b) => compareTexts(a.nine_character_id ?? '', b.nine_character_id ?? ''));

/** The ids on record that have not been superseded, of some Sites. */
const idRows = ({ identities }: UnitOfWork, site: number): IdentityRow[] =>
  identities.filter(({ site_id, superseded_at }) => site_id === site && superseded_at === null);

/** A row of `site_identity` as the rules read it. */
const toRecordedId = (row: RecordedRow): RecordedId => ({
  site: row.site_id,
  role: row.role as RecordedId['role'],
  four: row.four_character_id,
  nine: row.nine_character_id,
  nineGivenBy: row.nine_given_by as RecordedId['nineGivenBy'],
  retiredAt: row.retired_at,
});

/** All Sites that are loaded, with the ids that they have and had. */
const knownSites = ({ identities }: UnitOfWork): KnownSite[] =>
  toKnownSites(identities.filter(({ superseded_at }) => superseded_at === null).map(toRecordedId));

/** The ids that a Site has and had. */
export const knownSite = (unit: UnitOfWork, site: SiteRecord): KnownSite =>
  toKnownSites(idRows(unit, site.id).map(toRecordedId))[0]!;

/** The ids of the Sites that have or had four characters. */
export const idsKnownAs = (unit: UnitOfWork, fourCharacterId: string): string[] =>
  knownSites(unit)
    .filter((site) => isKnownAs(site, fourCharacterId))
    .map(({ present }) => textOf(present));

/** The ids of the other Sites, except retired ones, that have or had the four characters of one. */
export const idsSharing = (unit: UnitOfWork, site: SiteRecord): string[] =>
  knownSites(unit)
    .filter(({ id, retiredAt }) => id !== site.id && retiredAt === null)
    .filter((other) => isKnownAs(other, site.four_character_id))
    .map(({ present }) => textOf(present))
    .sort();

/** The Sites that an id can mean, retired or not. */
export const ownersOf = (unit: UnitOfWork, id: SiteId): SiteRecord[] =>
  ownersAmong(knownSites(unit), id).map((owner) => unit.sites.get(owner.id));

/**
 * The columns of a Site that `site_identity` repeats as JSON: all that are published but its ids.
 */
const CONTENT_COLUMNS = [...SITE_COLUMNS, 'former_ids' as const].filter(
  (column) => column !== 'four_character_id' && column !== 'nine_character_id',
);

/** The published columns of a Site, besides its ids, as JSON. */
const contentOf = (site: SiteRecord): string =>
  JSON.stringify(Object.fromEntries(CONTENT_COLUMNS.map((column) => [column, site[column]])));

/** Adds a Site. */
export function addSite(unit: UnitOfWork, log: AboutSite, recordedAt: string): SiteRecord {
  const columns = toColumns(log);
  const site = unit.sites.add({ ...columns, retired_at: null, former_ids: '[]', last_event: 0 });
  const { fourCharacterId: four, nineCharacterId: nine } = log.identification;
  const present: HeldId = { four, nine, nineGivenBy: nine === null ? null : 'log' };
  saveIds(unit, site, { present, former: [] }, recordedAt);
  return site;
}

/**
 * Saves the present and former ids of a Site, whether it is retired, and its published columns.
 * Unchanged rows stay.
 */
function saveIds(
  unit: UnitOfWork,
  site: SiteRecord,
  { present, former }: Pick<KnownSite, 'present' | 'former'>,
  recordedAt: string,
): void {
  unit.sites.change(site, {
    four_character_id: present.four,
    nine_character_id: present.nine,
    former_ids: JSON.stringify(former.map(textOf).sort()),
  });
  const rowOf = (role: RecordedId['role'], { four, nine, nineGivenBy }: HeldId): RecordedRow => ({
    site_id: site.id,
    role,
    four_character_id: four,
    nine_character_id: nine,
    nine_given_by: nineGivenBy,
    retired_at: role === 'present' ? site.retired_at : null,
    content: role === 'present' ? contentOf(site) : null,
  });
  const derived = [rowOf('present', present), ...former.map((id) => rowOf('former', id))];
  const keyOf = (row: RecordedRow): string => JSON.stringify([toRecordedId(row), row.content]);
  const { added, superseded } = compareRows(idRows(unit, site.id), derived, keyOf, keyOf);
  for (const row of superseded) unit.identities.change(row, { superseded_at: recordedAt });
  for (const row of added)
    unit.identities.add({ ...row, recorded_at: recordedAt, superseded_at: null });
}

/** Whether the ids and the content of a Site equal those on record. */
export function hasIdsOnRecord(unit: UnitOfWork, site: SiteRecord): boolean {
  const rows = idRows(unit, site.id);
  const [known] = toKnownSites(rows.map(toRecordedId));
  if (known === undefined) return false;
  const { present, former, retiredAt } = known;
  const content = rows.find(({ role }) => role === 'present')?.content;
  return (
    present.four === site.four_character_id &&
    present.nine === site.nine_character_id &&
    retiredAt === site.retired_at &&
    content === contentOf(site) &&
    JSON.stringify(former.map(textOf).sort()) === site.former_ids
  );
}

/** Renames a Site. */
export function renameSite(
  unit: UnitOfWork,
  site: SiteRecord,
  { fourCharacterId: four, nineCharacterId }: SiteId,
  recordedAt: string,
): void {
  const { present: from, former } = knownSite(unit, site);
  // The nine that a log gave for these four stay known, so that no log with others is saved for the
  // Site.
  const known = former.find((id) => id.four === four && id.nine !== null);
  const to =
    nineCharacterId === null && known !== undefined
      ? known
      : idByOperator({ fourCharacterId: four, nineCharacterId });
  saveIds(unit, site, { present: to, former: formerIdsAfter(former, from, to) }, recordedAt);
}

/** An id as an operator gives it. */
const idByOperator = ({ fourCharacterId: four, nineCharacterId: nine }: SiteId): HeldId => ({
  four,
  nine,
  nineGivenBy: nine === null ? null : 'operator',
});

/** The id that a Site would get if an operator renamed it. */
export function idAfterRename(unit: UnitOfWork, site: SiteRecord, to: SiteId): SiteId {
  const known = knownSite(unit, site).former.find(
    (id) => id.four === to.fourCharacterId && id.nine !== null,
  );
  return { ...to, nineCharacterId: to.nineCharacterId ?? known?.nine ?? null };
}

/** Saves that a Site is retired, or no longer retired. */
export function retireSite(
  unit: UnitOfWork,
  site: SiteRecord,
  retiredAt: string | null,
  recordedAt: string,
): void {
  unit.sites.change(site, { retired_at: retiredAt });
  recordSite(unit, site, recordedAt);
}

/**
 * Completes the ids of a Site with those in its logs, except withdrawn ones, and removes nine
 * characters that none of these gives any more. Its present nine characters stay if another Site
 * has or had the first four: without them, the Site would have no unique id.
 */
export function followLogs(
  unit: UnitOfWork,
  site: SiteRecord,
  logs: readonly LoadedRow<'site_log'>[],
  recordedAt: string,
): void {
  const { present, former } = knownSite(unit, site);
  const given = logs.filter((log) => log.withdrawn_at === null).map((log) => log.given_id);
  const followed = idByLogs(present, given);
  const isNeeded = followed.nine === null && idsKnownAs(unit, present.four).length > 1;
  const ids = {
    present: isNeeded ? present : followed,
    former: former.map((id) => idByLogs(id, given)),
  };
  saveIds(unit, site, ids, recordedAt);
}

/** The nine characters of a Site if only withdrawn logs give them; null otherwise. */
export function unfoundedNine(
  unit: UnitOfWork,
  site: SiteRecord,
  logs: readonly LoadedRow<'site_log'>[],
): string | null {
  const { nine, nineGivenBy } = knownSite(unit, site).present;
  const isGiven = logs.some((log) => log.withdrawn_at === null && log.given_id === nine);
  return nineGivenBy === 'log' && !isGiven ? nine : null;
}

/**
 * Updates a Site from its current log. It keeps its id, which the log may give in part, or from
 * before a renaming.
 */
export function updateSite({ sites }: UnitOfWork, site: SiteRecord, log: AboutSite): void {
  const { four_character_id, nine_character_id } = site;
  sites.change(site, { ...toColumns(log), four_character_id, nine_character_id });
}

/** Saves the published columns of a Site after {@link updateSite}. */
export const recordSite = (unit: UnitOfWork, site: SiteRecord, recordedAt: string): void =>
  saveIds(unit, site, knownSite(unit, site), recordedAt);
