import type {
  CorsSite,
  ExportedChange,
  ExportedInstallation,
  ExportedPlace,
  ExportedSetup,
} from '../../../../schemas/index.js';
import type { PageSearch, PageTable } from '../../page.js';
import type { RowOf } from '../../schema.js';
import {
  type ChangeRow,
  type ChangeSearch,
  changesRead,
  joinedToChanges,
  toSiteChange,
} from '../changes.js';
import { DEVICE_PROPERTIES } from '../devices/devices.js';
import {
  ALL_SITES,
  type DeviceFilter,
  type During,
  type SiteFilter,
  type SystemFilter,
} from '../filters.js';
import { periodOf } from '../devices/installations.js';
import {
  readable,
  SETUP_COLUMNS,
  SETUP_PROPERTIES,
  type SetupRow,
  toSetup,
} from '../setups/records.js';
import { type SiteRow, SITES, toCorsSite } from '../sites/rows.js';

/** Which elements to export. */
export interface ExportSearch {
  /** As in a search of the collection. */
  filters: PageSearch['filters'];
  sites: SiteFilter;
  /** Only these devices; of Sites, only its words count. */
  devices: DeviceFilter;
  /** Only antennas with one of these radomes; null for any. */
  radomeTypes: string[] | null;
  /** Only receivers that tracked these; of Sites, those with such a receiver in the period. */
  systems: SystemFilter;
  /**
   * Only valid Setups or installations that overlap the period, or Sites that had a Setup then; a
   * bound may be null. Equal bounds stand for that instant. Null for no period, and superseded
   * Setups too.
   */
  during: During | null;
  /**
   * Only what was recorded at this time or later, `YYYY-MM-DDThh:mm:ss.sssZ`; null for no bound.
   */
  recordedSince: string | null;
}

/** Everything. */
export const EVERYTHING: ExportSearch = {
  filters: [],
  sites: ALL_SITES,
  devices: {
    text: '',
    types: null,
    equipmentTypes: null,
    serialNumbers: null,
    conflicting: null,
  },
  radomeTypes: null,
  systems: null,
  during: null,
  recordedSince: null,
};

/** Which changes to export. */
export type ChangeExport = Omit<ChangeSearch, 'latestFirst' | 'page' | 'size'>;

const PLACE_COLUMNS = `four_character_id AS "fourCharacterId",
  nine_character_id AS "nineCharacterId", site.name AS "siteName", latitude, longitude`;
/** A row with these columns. */
export type SiteOfRow = Omit<ExportedPlace, 'name'> & { siteName: string | null };

/** The Site of an element. */
export const toSite = ({
  fourCharacterId,
  nineCharacterId,
  siteName,
  latitude,
  longitude,
}: SiteOfRow): ExportedPlace => ({
  fourCharacterId,
  nineCharacterId,
  name: siteName,
  latitude,
  longitude,
});

type InstallationRow = SiteOfRow &
  Pick<RowOf<'installation'>, 'id' | 'period_from' | 'period_to' | 'configuration' | 'identity'> & {
    siteId: number;
  };

/** What is exported. The ids are those of its first table. */
export interface ExportTable<Row, T> extends Pick<PageTable, 'columns' | 'where' | 'properties'> {
  name: 'site' | 'setup' | 'installation' | 'change';
  /** What is joined to the first table. */
  joined: string;
  toElement: (row: Row) => T;
}

/** All Setups, superseded ones too. */
export const SETUPS: ExportTable<SetupRow & SiteOfRow, ExportedSetup> = {
  name: 'setup',
  joined: 'JOIN site ON site.id = setup.site_id',
  columns: `${SETUP_COLUMNS}, ${PLACE_COLUMNS}`,
  properties: SETUP_PROPERTIES,
  toElement: (row) => ({ ...readable(toSetup(row, false)), site: toSite(row) }),
};

/** The installations on record. Their devices are listed, which indexes of devices need to know. */
export const INSTALLATIONS: ExportTable<InstallationRow, ExportedInstallation> = {
  name: 'installation',
  joined: `JOIN equipment ON equipment.id = installation.equipment_id
    JOIN site ON site.id = installation.site_id`,
  columns: `installation.id, installation.site_id AS "siteId", period_from, period_to,
    configuration, installation.identity, ${PLACE_COLUMNS}`,
  where: 'installation.superseded_at IS NULL AND equipment.listed = 1',
  properties: DEVICE_PROPERTIES,
  toElement: (row) => ({
    id: row.id,
    siteId: row.siteId,
    site: toSite(row),
    device: JSON.parse(row.identity) as ExportedInstallation['device'],
    period: periodOf(row),
    configuration: JSON.parse(row.configuration) as ExportedInstallation['configuration'],
  }),
};

/**
 * The changes on record, or those since a record time.
 * @param mergeGaps how long the gap in a change may be, in seconds
 */
export const changesWith = (
  mergeGaps: number,
  recordedSince: string | null,
): ExportTable<ChangeRow & SiteOfRow, ExportedChange> => ({
  name: 'change',
  joined: joinedToChanges(mergeGaps),
  ...changesRead(recordedSince !== null),
  columns: `${changesRead(recordedSince !== null).columns},
    site.name AS "siteName", latitude, longitude`,
  properties: {},
  toElement: (row) => {
    const { id, ...change } = toSiteChange(row);
    return { ...change, id, site: toSite(row) };
  },
});

/** The Sites that are not retired. */
export const EXPORTED_SITES: ExportTable<SiteRow, CorsSite> = {
  ...SITES,
  name: 'site',
  joined: '',
  toElement: toCorsSite,
};
