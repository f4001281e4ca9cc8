import sql, { raw } from 'sql-template-tag';
import type { InstalledEquipment, PeriodOfUse, SiteOfSetup } from '../../../../schemas/index.js';
import { conflictsOf } from '../../../derive/conflicts.js';
import type { Database } from '../../database.js';
import { type Found, partsOf } from '../../page.js';
import { type RowOf, UNKNOWN_START } from '../../schema.js';
import { SHORTEST_ID } from '../sites/ids.js';

/** How many conflicting Sites an installation names. */
const MOST_CONFLICTS = 10;

/** Where and when a device has been in use. */
export interface Installation extends Omit<SiteOfSetup, 'name'> {
  siteId: number;
  siteName: string | null;
  /** The start is unknown only of instruments. */
  period: PeriodOfUse;
  configuration: InstalledEquipment['content']['configuration'];
  /** When the current log of the Site was prepared, `YYYY-MM-DD`; null if unknown. */
  datePrepared: string | null;
  /** How many other Sites have logs that use the device at some time within the period. */
  conflicts: number;
  /** The shortest ids of the first of them, at most {@link MOST_CONFLICTS}. */
  conflictsWith: string[];
}

type InstallationRow = Pick<
  Installation,
  'siteId' | 'fourCharacterId' | 'nineCharacterId' | 'siteName' | 'datePrepared'
> &
  Pick<RowOf<'installation'>, 'period_from' | 'period_to' | 'configuration'>;

/** A device whose installations are read. */
export type DeviceOfInstallations = Pick<RowOf<'equipment'>, 'id' | 'conflicting'>;

/** An installation, for finding conflicts. */
type StayAtSite = Pick<Installation, 'siteId' | 'period'> & { shortestId: string };

const INSTALLATION_COLUMNS = raw(`installation.site_id AS "siteId",
  four_character_id AS "fourCharacterId", nine_character_id AS "nineCharacterId",
  site.name AS "siteName", period_from, period_to, configuration,
  (SELECT date_prepared FROM site_log
    WHERE site_log.site_id = installation.site_id AND site_log.superseded_at IS NULL
      AND site_log.withdrawn_at IS NULL) AS "datePrepared"`);
const CHRONOLOGICALLY = raw('period_from, period_to NULLS LAST, site_id, id');

/** The period of a row of `installation`. */
export const periodOf = ({
  period_from,
  period_to,
}: Pick<InstallationRow, 'period_from' | 'period_to'>): Installation['period'] => ({
  from: period_from === UNKNOWN_START ? null : period_from,
  to: period_to,
});

/**
 * An installation with its conflicts.
 * @param stays all installations of its device; none if it has no conflicts
 */
function toInstallation(
  { siteId, fourCharacterId, nineCharacterId, siteName, datePrepared, ...row }: InstallationRow,
  stays: readonly StayAtSite[] = [],
): Installation {
  const period = periodOf(row);
  const sites = [
    ...new Map(
      conflictsOf({ siteId, period }, stays).map((stay) => [stay.siteId, stay.shortestId]),
    ).values(),
  ];
  return {
    siteId,
    fourCharacterId,
    nineCharacterId,
    siteName,
    period,
    configuration: JSON.parse(row.configuration) as Installation['configuration'],
    datePrepared,
    conflicts: sites.length,
    conflictsWith: sites.slice(0, MOST_CONFLICTS),
  };
}

/**
 * All installations of those of some devices that have conflicts, by the id of the device, in the
 * order of the ids of the Sites.
 */
async function staysOf(
  db: Database,
  devices: DeviceOfInstallations[],
): Promise<Map<number, StayAtSite[]>> {
  const ids = devices.filter(({ conflicting }) => conflicting === 1).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const rows = await db.all<
    Omit<StayAtSite, 'period'> &
      Pick<RowOf<'installation'>, 'equipment_id' | 'period_from' | 'period_to'>
  >(sql`
    SELECT equipment_id, site_id AS "siteId", ${raw(SHORTEST_ID)} AS "shortestId",
      period_from, period_to
    FROM installation JOIN site ON site.id = site_id
    WHERE ${db.dialect.isOneOf('equipment_id', ids)} AND superseded_at IS NULL
    ORDER BY four_character_id, site_id`);
  const stays = rows.map((row) => ({ ...row, period: periodOf(row) }));
  return Map.groupBy(stays, ({ equipment_id }) => equipment_id);
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
      SELECT ${INSTALLATION_COLUMNS}, installation.equipment_id, chosen.total FROM (
        SELECT id,
          row_number() OVER (PARTITION BY equipment_id ORDER BY ${CHRONOLOGICALLY}) AS place,
          count(*) OVER (PARTITION BY equipment_id) AS total
        FROM installation WHERE ${db.dialect.isOneOf('equipment_id', ids)} AND superseded_at IS NULL
      ) AS chosen
      JOIN installation ON installation.id = chosen.id
      JOIN site ON site.id = installation.site_id
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
      return [
        id,
        {
          elements: own.map((row) => toInstallation(row, stays.get(id))),
          totalElements: own[0]?.total ?? 0,
        },
      ];
    }),
  );
}
