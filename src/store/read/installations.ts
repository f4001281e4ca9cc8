import sql, { raw } from 'sql-template-tag';
import type { InstalledEquipment, PeriodOfUse } from '../../../schemas/index.js';
import type { Database } from '../database.js';
import { findIds, partsOf, rowsOf } from '../page.js';
import { type RowOf, UNKNOWN_START } from '../schema.js';
import type { Found, Paging } from '../search.js';

/** How many conflicting Sites an installation names. */
const MOST_CONFLICTS = 10;

/** Where and when a device has been in use. */
export interface Installation {
  siteId: number;
  fourCharacterId: string;
  nineCharacterId: string | null;
  siteName: string | null;
  /** The start is unknown only of instruments. */
  period: PeriodOfUse;
  configuration: InstalledEquipment['content']['configuration'];
  /** How many other Sites have logs that use the device at some time within the period. */
  conflicts: number;
  /** The four-character ids of the first of them, at most {@link MOST_CONFLICTS}. */
  conflictsWith: string[];
}

type InstallationRow = Pick<Installation, 'siteId' | 'fourCharacterId' | 'nineCharacterId' | 'siteName'> &
  Pick<RowOf<'installation'>, 'id' | 'period_from' | 'period_to' | 'configuration'>;

/** A device whose installations are read. */
export type DeviceOfInstallations = Pick<RowOf<'equipment'>, 'id' | 'conflicting'>;

/** An installation, for finding conflicts. */
type Stay = Pick<InstallationRow, 'siteId' | 'fourCharacterId' | 'period_from' | 'period_to'>;

const INSTALLATIONS = {
  from: 'installation',
  source: 'installation JOIN site ON site.id = installation.site_id',
  columns: `installation.id, installation.site_id AS "siteId", four_character_id AS "fourCharacterId",
    nine_character_id AS "nineCharacterId", site.name AS "siteName", period_from, period_to, configuration`,
  where: 'installation.superseded_at IS NULL',
  id: 'installation.id',
};
const CHRONOLOGICALLY = raw('period_from, period_to NULLS LAST, site_id, id');

/** The period of a row of `installation`. */
export const periodOf = ({ period_from, period_to }: Pick<InstallationRow, 'period_from' | 'period_to'>): Installation['period'] => ({
  from: period_from === UNKNOWN_START ? null : period_from,
  to: period_to,
});

const isBefore = (end: string | null, start: string): boolean => end !== null && end <= start;

/** The other Sites with an installation that overlaps one. One with an unknown start overlaps nothing: where the device was before is unknown. */
function conflictsOf({ siteId, period_from, period_to }: Stay, stays: readonly Stay[]): Pick<Installation, 'conflicts' | 'conflictsWith'> {
  const sites = new Map<number, string>();
  if (period_from !== UNKNOWN_START) {
    for (const stay of stays) {
      if (stay.siteId !== siteId && !isBefore(stay.period_to, period_from) && !isBefore(period_to, stay.period_from))
        sites.set(stay.siteId, stay.fourCharacterId);
    }
  }
  return { conflicts: sites.size, conflictsWith: [...sites.values()].slice(0, MOST_CONFLICTS) };
}

/** An installation with its conflicts. @param stays all installations of its device; none if it has no conflicts */
const toInstallation = (row: InstallationRow, stays: readonly Stay[] = []): Installation => ({
  siteId: row.siteId,
  fourCharacterId: row.fourCharacterId,
  nineCharacterId: row.nineCharacterId,
  siteName: row.siteName,
  period: periodOf(row),
  configuration: JSON.parse(row.configuration) as Installation['configuration'],
  ...conflictsOf(row, stays),
});

/** All installations with a known start of those of some devices that have conflicts, by the id of the device, in the order of the ids of the Sites. */
async function staysOf(db: Database, devices: DeviceOfInstallations[]): Promise<Map<number, Stay[]>> {
  const ids = devices.filter(({ conflicting }) => conflicting === 1).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const rows = await db.all<Stay & { equipment_id: number }>(sql`
    SELECT equipment_id, site_id AS "siteId", four_character_id AS "fourCharacterId", period_from, period_to FROM installation JOIN site ON site.id = site_id
    WHERE ${db.dialect.isOneOf('equipment_id', ids)} AND superseded_at IS NULL AND period_from <> ${UNKNOWN_START}
    ORDER BY four_character_id, site_id`);
  return Map.groupBy(rows, ({ equipment_id }) => equipment_id);
}

/**
 * The first installations of some devices, in chronological order, by the id of the device.
 * @param most how many of each device
 */
export async function firstInstallationsOf(
  db: Database,
  devices: DeviceOfInstallations[],
  most: number,
): Promise<Map<number, Found<Installation>>> {
  type Row = InstallationRow & { equipment_id: number; total: number };
  const read = (ids: number[]): Promise<Row[]> =>
    db.all<Row>(sql`
      SELECT ${raw(INSTALLATIONS.columns)}, installation.equipment_id, chosen.total FROM (
        SELECT id, row_number() OVER (PARTITION BY equipment_id ORDER BY ${CHRONOLOGICALLY}) AS place,
          count(*) OVER (PARTITION BY equipment_id) AS total
        FROM installation WHERE ${db.dialect.isOneOf('equipment_id', ids)} AND superseded_at IS NULL
      ) AS chosen JOIN installation ON installation.id = chosen.id JOIN site ON site.id = installation.site_id
      WHERE chosen.place <= ${most} ORDER BY chosen.place`);
  const [rows, stays] = await Promise.all([
    partsOf(
      devices.map(({ id }) => id),
      read,
      (row) => row.equipment_id,
    ),
    staysOf(db, devices),
  ]);
  return new Map(
    devices.map(({ id }) => {
      const own = rows.get(id)!;
      return [id, { elements: own.map((row) => toInstallation(row, stays.get(id))), totalElements: own[0]?.total ?? 0 }];
    }),
  );
}

/** A page of the installations of a device, in chronological order. */
export async function installationsOf(db: Database, device: DeviceOfInstallations, paging: Paging): Promise<Found<Installation>> {
  const [{ ids, totalElements }, stays] = await Promise.all([
    findIds(db, INSTALLATIONS, [db.dialect.isOneOf('equipment_id', [device.id])], CHRONOLOGICALLY, paging),
    staysOf(db, [device]),
  ]);
  const rows = await rowsOf<InstallationRow>(db, INSTALLATIONS, ids);
  return { elements: rows.map((row) => toInstallation(row, stays.get(device.id))), totalElements };
}
