import type { CorsSite, Instant, Setup } from '../../../schemas/index.js';
import type { Identity } from '../../derive/devices.js';
import type { Box } from '../../requests/place.js';
import type { PageTable } from '../page.js';
import type { PageSearch } from '../search.js';
import { type ChangeSearch, type SiteChange, type SiteChangeRow, toSiteChange } from './changes.js';
import { DEVICE_PROPERTIES } from './devices.js';
import { type Installation, periodOf } from './installations.js';
import { readable, SETUP_COLUMNS, SETUP_PROPERTIES, type SetupRow, toSetup } from './setup-records.js';
import { type SiteRow, SITES } from './site-rows.js';

/** Which elements to export. */
export interface ExportSearch {
  /** Words that must occur in Sites or devices, as in a search for them. */
  text?: string;
  /** As in a search of the collection. */
  filters: PageSearch['filters'];
  /** The numbers of the Sites; null for all. */
  sites: number[] | null;
  /** Only what is at Sites within it; null for no bound. */
  box: Box | null;
  /** Only what is at Sites in these countries (ISO 3166 alpha-3, upper case); null for all. */
  countryCodes: string[] | null;
  /**
   * Only valid Setups or installations that overlap the period, or Sites that had a Setup then; a bound may be null. Equal
   * bounds stand for that instant. Null for no period, and superseded Setups too.
   */
  during: { from: Instant | null; to: Instant | null } | null;
  /** Only what was recorded at this time or later, `YYYY-MM-DDThh:mm:ss.sssZ`; null for no bound. */
  recordedSince: string | null;
}

/** Which Sites or installations to find, when not all are exported. */
export type ItemSearch = Pick<ExportSearch, 'box' | 'during'>;

/** Which changes to export. */
export type ChangeExport = Omit<ChangeSearch, 'page' | 'size'> & Pick<ExportSearch, 'sites' | 'box' | 'countryCodes'>;

/** The Site of an exported element. */
export interface ExportedSite extends Pick<CorsSite, 'fourCharacterId' | 'nineCharacterId' | 'name'> {
  latitude: number | null;
  longitude: number | null;
}

/** A Setup with its Site. */
export interface ExportedSetup extends Setup {
  site: ExportedSite;
}

/** A device in use at a Site in one configuration. */
export interface ExportedInstallation {
  /** Identifies the installation. */
  id: number;
  siteId: number;
  site: ExportedSite;
  /** The identity of the device. */
  device: Identity;
  period: Installation['period'];
  configuration: Installation['configuration'];
}

/** A change with its Site. */
export interface ExportedChange extends SiteChange {
  /** Identifies the change. */
  id: number;
  site: ExportedSite;
}

/** The columns of the Site of an exported element. */
const SITE_COLUMNS = 'four_character_id, nine_character_id, site.name AS site_name, latitude, longitude';
type ExportedSiteRow = Pick<SiteRow, 'four_character_id' | 'nine_character_id' | 'latitude' | 'longitude'> & { site_name: string | null };

const toSite = (row: ExportedSiteRow): ExportedSite => ({
  fourCharacterId: row.four_character_id,
  nineCharacterId: row.nine_character_id,
  name: row.site_name,
  latitude: row.latitude,
  longitude: row.longitude,
});

/** A Setup with its Site. */
export type ExportedSetupRow = SetupRow & ExportedSiteRow;

/** A Setup to export. */
export const toExportedSetup = (row: ExportedSetupRow): ExportedSetup => ({ ...readable(toSetup(row, false)), site: toSite(row) });

/** An installation with its Site and device. */
export interface ExportedInstallationRow extends ExportedSiteRow {
  id: number;
  site_id: number;
  period_from: string;
  period_to: string | null;
  configuration: string;
  /** The identity of the device, as JSON. */
  identity: string;
}

/** An installation to export. */
export const toExportedInstallation = (row: ExportedInstallationRow): ExportedInstallation => ({
  id: row.id,
  siteId: row.site_id,
  site: toSite(row),
  device: JSON.parse(row.identity) as Identity,
  period: periodOf(row),
  configuration: JSON.parse(row.configuration) as ExportedInstallation['configuration'],
});

/** A change with its Site. `ending` is an installation that ends the gap after it, `ending_gap` the length of that gap in seconds. */
export type ExportedChangeRow = SiteChangeRow & ExportedSiteRow & { ending_gap: number | null };

/** A change to export. @param mergeGaps how long the gap in a change may be, in seconds */
export const toExportedChange = ({ ending, ending_gap, ...row }: ExportedChangeRow, mergeGaps: number): ExportedChange => ({
  ...toSiteChange({ ...row, ending: ending_gap !== null && ending_gap <= mergeGaps ? ending : null }),
  id: row.id,
  site: toSite(row),
});

/** What is exported. The ids are those of its first table. */
export interface ExportTable extends Pick<PageTable, 'columns' | 'where' | 'properties'> {
  name: 'site' | 'setup' | 'installation' | 'change';
  /** What is joined to the first table. */
  joined: string;
}

/** All Setups, superseded ones too. */
export const SETUPS: ExportTable = {
  name: 'setup',
  joined: 'JOIN site ON site.id = setup.site_id',
  columns: `${SETUP_COLUMNS}, ${SITE_COLUMNS}`,
  properties: SETUP_PROPERTIES,
};
/** The installations on record. Their devices are listed, which indexes of devices need to know. */
export const INSTALLATIONS: ExportTable = {
  name: 'installation',
  joined: 'JOIN equipment ON equipment.id = installation.equipment_id JOIN site ON site.id = installation.site_id',
  columns: `installation.id, installation.site_id, period_from, period_to, configuration, equipment.document AS identity, ${SITE_COLUMNS}`,
  where: 'installation.superseded_at IS NULL AND equipment.listed = 1',
  properties: DEVICE_PROPERTIES,
};
/** The changes on record. */
export const CHANGES: ExportTable = {
  name: 'change',
  joined: 'JOIN site ON site.id = change.site_id LEFT JOIN change AS ended ON ended.id = change.counterpart_id',
  columns: `change.id, change.site_id, change.document, ended.document AS ending, ended.gap_before AS ending_gap, ${SITE_COLUMNS}`,
  where: 'change.superseded_at IS NULL',
  properties: {},
};
/** The Sites that are not retired. */
export const ALL_SITES: ExportTable = { ...SITES, name: 'site', joined: '' };
