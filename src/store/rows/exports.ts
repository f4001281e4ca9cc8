import type { Identity } from '../devices.js';
import type { ExportedChange, ExportedInstallation, ExportedSetup, ExportedSite } from '../exports.js';
import { readable } from '../setups.js';
import { type SiteChangeRow, toSiteChange } from './changes.js';
import { periodOf } from './installations.js';
import { type SetupRow, toSetup } from './setups.js';

/** The columns of the Site of an exported element. */
export const EXPORTED_SITE_COLUMNS = 'four_character_id, nine_character_id, site.name AS site_name, latitude, longitude';

/** The Site of an exported element. */
export interface ExportedSiteRow {
  four_character_id: string;
  nine_character_id: string | null;
  site_name: string | null;
  latitude: number | null;
  longitude: number | null;
}

/** A Setup with its Site. */
export type ExportedSetupRow = SetupRow & ExportedSiteRow;

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

/** A change with its Site. */
export type ExportedChangeRow = SiteChangeRow & ExportedSiteRow & { id: number };

const toSite = (row: ExportedSiteRow): ExportedSite => ({
  fourCharacterId: row.four_character_id,
  nineCharacterId: row.nine_character_id,
  name: row.site_name,
  latitude: row.latitude,
  longitude: row.longitude,
});

/** A Setup to export. */
export const toExportedSetup = (row: ExportedSetupRow): ExportedSetup => ({ ...readable(toSetup(row)), site: toSite(row) });

/** An installation to export. */
export const toExportedInstallation = (row: ExportedInstallationRow): ExportedInstallation => ({
  id: row.id,
  siteId: row.site_id,
  site: toSite(row),
  device: JSON.parse(row.identity) as Identity,
  period: periodOf(row),
  configuration: JSON.parse(row.configuration) as ExportedInstallation['configuration'],
});

/** A change to export. */
export const toExportedChange = (row: ExportedChangeRow): ExportedChange => ({ ...toSiteChange(row), id: row.id, site: toSite(row) });
