import type { SiteId } from '../../requests/site-id.js';
import type { SiteIdentification } from '../../site-log/site-log.js';
import { type FormerIdChange, formerIdsAfter, ownersAmong } from '../../derive/site-identity.js';
import { columnsOf } from '../schema.js';
import type { LoadedRow } from './loaded-rows.js';
import type { UnitOfWork } from './unit-of-work.js';

/** A Site on record. */
export type SiteRecord = LoadedRow<'site'>;

type FormerIdRow = LoadedRow<'site_rename'>;

/** The columns of a Site that no log gives. */
const OWN: readonly string[] = ['id', 'retired_at', 'last_event'];

/** The columns of a Site that its logs give. */
const SITE_COLUMNS = columnsOf('site').filter(
  (column) => !OWN.includes(column),
) as (keyof SiteColumns)[];

/**
 * The member of what a log says about its Site that a column has: `domesNumber` for `domes_number`.
 */
const memberOf = (column: string): string =>
  column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** What a log says about its Site. */
export type SiteColumns = Omit<SiteRecord, 'id' | 'retired_at' | 'last_event'>;

/** The columns that a log gives. */
export const toColumns = (identification: SiteIdentification): SiteColumns =>
  Object.fromEntries(
    SITE_COLUMNS.map((column) => [
      column,
      identification[memberOf(column) as keyof SiteIdentification],
    ]),
  ) as unknown as SiteColumns;

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
    .sort((a, b) => ((a.nine_character_id ?? '') < (b.nine_character_id ?? '') ? -1 : 1));

/** The ids that a Site had before it was renamed. */
export const formerIdsOf = ({ renames }: UnitOfWork, site: SiteRecord): string[] =>
  renames.get(site.id).map(({ former_id }) => former_id);

/** The Sites with four characters, and those that had them before they were renamed. */
export const sitesKnownAs = (unit: UnitOfWork, fourCharacterId: string): SiteRecord[] =>
  unit.sites.filter((site) =>
    [site.four_character_id, ...formerIdsOf(unit, site)].some((id) =>
      id.startsWith(fourCharacterId),
    ),
  );

/**
 * The Site that a log belongs to, retired or not; null if it is a new one.
 * @returns several Sites if any of them can be meant
 */
export function ownerOf(unit: UnitOfWork, id: SiteId): SiteRecord | SiteRecord[] | null {
  const sharing = sitesKnownAs(unit, id.fourCharacterId).map((site) => ({
    ...{ site, four: site.four_character_id, nine: site.nine_character_id },
    former: formerIdsOf(unit, site),
  }));
  const owners = ownersAmong(sharing, id).map(({ site }) => site);
  return owners.length > 1 ? owners : (owners[0] ?? null);
}

/** Adds a Site. */
export const addSite = ({ sites }: UnitOfWork, identification: SiteIdentification): SiteRecord =>
  sites.add({ ...toColumns(identification), retired_at: null, last_event: 0 });

/** Completes the id of a Site that is known by four characters only, if a log gives nine. */
export function completeId(
  { sites }: UnitOfWork,
  site: SiteRecord,
  { fourCharacterId, nineCharacterId }: SiteIdentification,
): void {
  if (
    site.nine_character_id !== null ||
    nineCharacterId === null ||
    fourCharacterId !== site.four_character_id
  )
    return;
  sites.change(site, { nine_character_id: nineCharacterId });
}

/**
 * Updates a Site from its current log. It keeps its id, which the log may give in part, or from
 * before a renaming.
 */
export function updateSite(
  { sites }: UnitOfWork,
  site: SiteRecord,
  identification: SiteIdentification,
): void {
  const { four_character_id, nine_character_id } = site;
  sites.change(site, { ...toColumns(identification), four_character_id, nine_character_id });
}

/** The former ids of a Site after a change. @param rows those before @param at when it changes */
export const formerIdRows = (
  rows: FormerIdRow[],
  change: FormerIdChange,
  site_id: number,
  renamed_at: string,
): FormerIdRow[] =>
  formerIdsAfter(
    rows.map((row) => row.former_id),
    change,
  ).map(
    (former_id) =>
      rows.find((row) => row.former_id === former_id) ?? {
        former_id,
        four_character_id: former_id.slice(0, 4),
        site_id,
        renamed_at,
      },
  );

/** Changes the former ids of a Site. */
export const changeFormerIds = (
  { renames }: UnitOfWork,
  { id }: SiteRecord,
  change: FormerIdChange,
  at: string,
): void => renames.set(id, formerIdRows(renames.get(id), change, id, at));
