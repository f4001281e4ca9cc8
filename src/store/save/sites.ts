import type { SiteId } from '../../requests/site-id.js';
import type { SiteIdentification } from '../../site-log/site-log.js';
import { type OfSite, renamedTo, siteAmong } from '../read/site-ids.js';
import { withChecksum } from './checksums.js';
import type { LoadedRow } from './loaded-rows.js';
import type { UnitOfWork } from './unit-of-work.js';

/** A Site on record. */
export type SiteRecord = LoadedRow<'site'>;

/** The column for each member of what a log says about its Site. */
const COLUMNS = {
  fourCharacterId: 'four_character_id',
  nineCharacterId: 'nine_character_id',
  name: 'name',
  domesNumber: 'domes_number',
  dateInstalled: 'date_installed',
  monumentDescription: 'monument_description',
  monumentFoundation: 'monument_foundation',
  monumentHeight: 'monument_height',
  markerDescription: 'marker_description',
  geologicCharacteristic: 'geologic_characteristic',
  bedrockType: 'bedrock_type',
  notes: 'notes',
  city: 'city',
  state: 'state',
  country: 'country',
  countryCode: 'country_code',
  latitude: 'latitude',
  longitude: 'longitude',
  elevation: 'elevation',
  x: 'x',
  y: 'y',
  z: 'z',
} as const satisfies Record<keyof SiteIdentification, keyof SiteRecord>;

/** The columns of a Site that its logs give. */
export const SITE_COLUMNS: readonly (keyof SiteRecord)[] = Object.values(COLUMNS);

/** What a log says about its Site. */
export type SiteColumns = Omit<SiteRecord, 'id' | 'retired_at' | 'last_event' | 'checksum'>;

/** The columns that a log gives. */
export const toColumns = (identification: SiteIdentification): SiteColumns =>
  Object.fromEntries(
    Object.entries(COLUMNS).map(([member, column]) => [column, identification[member as keyof SiteIdentification]]),
  ) as unknown as SiteColumns;

/** The id of a Site, as complete as it is known. */
export const idOf = ({ four_character_id, nine_character_id }: Pick<SiteRecord, 'four_character_id' | 'nine_character_id'>): string =>
  nine_character_id ?? four_character_id;

/** The Sites with four characters, retired ones too: first one without nine characters, then in the order of these. */
export const sitesSharing = ({ sites }: UnitOfWork, fourCharacterId: string): SiteRecord[] =>
  sites
    .filter(({ four_character_id }) => four_character_id === fourCharacterId)
    .sort((a, b) => ((a.nine_character_id ?? '') < (b.nine_character_id ?? '') ? -1 : 1));

/**
 * The Site that a log belongs to, retired or not; null if it is a new one. Nine characters identify it, and complete the
 * id of a Site that is known by four; four identify it if only one Site has them.
 * @returns several Sites if the log gives four characters that they share
 */
export function ownerOf(unit: UnitOfWork, { fourCharacterId, nineCharacterId }: SiteIdentification): SiteRecord | SiteRecord[] | null {
  const sharing = sitesSharing(unit, fourCharacterId);
  if (nineCharacterId === null && sharing.length > 1) return sharing;
  const same = sharing.find(
    (site) => [nineCharacterId, site.nine_character_id].includes(null) || site.nine_character_id === nineCharacterId,
  );
  return same ?? findRenamed(unit, nineCharacterId ?? fourCharacterId);
}

/** The Site that had an id before it was renamed. A log of nine characters may be of a Site that was known by four. */
function findRenamed({ renames, sites }: UnitOfWork, id: string): SiteRecord | null {
  const [exactly] = renames.get(id);
  if (exactly !== undefined) return sites.get(exactly.site_id);
  const [byFour] = id.length === 4 ? [] : renames.get(id.slice(0, 4));
  const site = byFour === undefined ? null : sites.get(byFour.site_id);
  return site?.nine_character_id === null ? site : null;
}

/** The ids by which {@link ownerOf} looks for a Site that was renamed. */
export const formerIdsOf = ({ fourCharacterId, nineCharacterId }: SiteId): string[] =>
  nineCharacterId === null ? [fourCharacterId] : [nineCharacterId, fourCharacterId];

/** The Site that a correction names. A retired Site can be corrected too, if no other Site has the id. */
export function siteToCorrect(unit: UnitOfWork, id: SiteId): OfSite<SiteRecord> {
  const sharing = sitesSharing(unit, id.fourCharacterId).map((site) => ({
    id: site.id,
    nine: site.nine_character_id,
    retiredAt: site.retired_at,
  }));
  const here = siteAmong(sharing, id);
  const found = here.kind === 'retired-site' ? siteAmong(sharing, id, () => true) : here;
  if (found.kind === 'found') return { kind: 'found', found: unit.sites.get(found.found) };
  if (found.kind !== 'unknown-site') return found;
  const [renamed] = unit.renames.get(id.nineCharacterId ?? id.fourCharacterId);
  return renamedTo(renamed === undefined ? undefined : idOf(unit.sites.get(renamed.site_id)));
}

/** Adds a Site. */
export const addSite = ({ sites }: UnitOfWork, identification: SiteIdentification): SiteRecord =>
  sites.add({ ...toColumns(identification), retired_at: null, last_event: 0 });

/** Completes the id of a Site that is known by four characters only, if a log gives nine. */
export function completeId({ sites }: UnitOfWork, site: SiteRecord, { fourCharacterId, nineCharacterId }: SiteIdentification): void {
  if (site.nine_character_id !== null || nineCharacterId === null || fourCharacterId !== site.four_character_id) return;
  sites.change(site, { nine_character_id: nineCharacterId });
}

/** Updates a Site from its current log. It keeps its id, which the log may give in part, or from before a renaming. */
export function updateSite({ sites }: UnitOfWork, site: SiteRecord, identification: SiteIdentification): void {
  const { four_character_id, nine_character_id } = site;
  sites.change(site, { ...toColumns(identification), four_character_id, nine_character_id });
}

/** Gives a Site another id, and remembers those that it no longer has. */
export function renameSite(unit: UnitOfWork, site: SiteRecord, { fourCharacterId: four, nineCharacterId: nine }: SiteId, at: string): void {
  const { four_character_id: oldFour, nine_character_id: oldNine } = site;
  unit.sites.change(site, { four_character_id: four, nine_character_id: nine });
  for (const each of [four, nine]) if (each !== null) unit.renames.set(each, []);
  for (const former_id of [oldFour, oldNine]) {
    if (former_id === null || former_id === four || former_id === nine) continue;
    unit.renames.set(former_id, [withChecksum('site_rename', { former_id, site_id: site.id, renamed_at: at })]);
  }
}
