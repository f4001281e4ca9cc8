import type { Installation } from '../devices.js';
import { type DeviceOfInstallations, type InstallationRow, Stays, toInstallation } from '../rows/installations.js';
import type { Found } from '../search.js';
import type { Snapshot } from './client.js';
import { bounded, checked, findRowsIn } from './page-search.js';
import type { Table } from './selection.js';

const COLUMNS = `installation.site_id, four_character_id, nine_character_id, site.name AS site_name, period_from, period_to, configuration`;
const SIZE = 'octet_length(configuration) + coalesce(octet_length(site.name), 0)';
const PROPERTIES = {
  device: 'installation.equipment_id',
  from: 'installation.period_from',
  to: 'installation.period_to',
  site: 'installation.site_id',
};

const INSTALLATIONS: Table = {
  from: 'installation',
  source: 'installation JOIN site ON site.id = installation.site_id',
  columns: COLUMNS,
  where: 'installation.superseded_at IS NULL',
  id: 'installation.id',
  size: SIZE,
  properties: PROPERTIES,
  known: ['device', 'from', 'site'],
};
const CHRONOLOGICAL = ['from', 'to', 'site'].map((property) => ({ property, descending: false }));

/** The first installations of some devices. Binds the ids, and how many of each. */
const FIRST_OF_EACH = `
  ${bounded(
    `equipment_id, ${COLUMNS}`,
    SIZE,
    `(
      SELECT first.*, row_number() OVER (ORDER BY device.place, period_from, period_to, site_id, first.id) AS "_position"
      FROM unnest($1::bigint[]) WITH ORDINALITY AS device (id, place) CROSS JOIN LATERAL (
        SELECT * FROM installation WHERE equipment_id = device.id AND superseded_at IS NULL
        ORDER BY period_from, period_to, site_id, installation.id LIMIT $2) AS first
    ) AS installation JOIN site ON site.id = installation.site_id`,
  )} ORDER BY "_position"`;
const TOTALS = `
  SELECT equipment_id AS id, count(*) AS number FROM installation WHERE equipment_id = ANY ($1) AND superseded_at IS NULL GROUP BY equipment_id`;
const STAYS = `
  SELECT equipment_id AS device, site_id, four_character_id, period_from, period_to
  FROM installation JOIN site ON site.id = site_id WHERE equipment_id = ANY ($1) AND superseded_at IS NULL ORDER BY installation.id`;

type StayRow = ConstructorParameters<typeof Stays>[0][number] & { device: number };

/** The stays of those of some devices that need them, by the id of the device. */
async function staysOf(snapshot: Snapshot, devices: DeviceOfInstallations[]): Promise<Map<number, Stays>> {
  const ids = devices.filter(({ conflicting }) => conflicting).map(({ id }) => id);
  const rows = ids.length === 0 ? [] : await snapshot.all<StayRow>(STAYS, ids);
  return new Map([...Map.groupBy(rows, ({ device }) => device)].map(([id, ofDevice]) => [id, new Stays(ofDevice)]));
}

/** How many installations some devices have, by the id of the device. */
async function totalsOf(snapshot: Snapshot, ids: number[]): Promise<Map<number, number>> {
  const rows = await snapshot.all<{ id: number; number: number }>(TOTALS, ids);
  return new Map(rows.map(({ id, number }) => [id, number]));
}

/**
 * The first installations of some devices, in chronological order, by the id of the device.
 * @param most how many of each device
 */
export async function firstInstallationsOf(
  snapshot: Snapshot,
  devices: DeviceOfInstallations[],
  most: number,
): Promise<Map<number, Found<Installation>>> {
  const ids = devices.map(({ id }) => id);
  const [rows, stays, totals] = await Promise.all([
    snapshot.all<InstallationRow & { equipment_id: number }>(FIRST_OF_EACH, ids, most),
    staysOf(snapshot, devices),
    totalsOf(snapshot, ids),
  ]);
  const deviceOf = ({ equipment_id }: { equipment_id: number }): number => equipment_id;
  const byDevice = Map.groupBy(checked(rows, deviceOf), deviceOf);
  return new Map(
    ids.map((id) => {
      const elements = (byDevice.get(id) ?? []).map((row) => toInstallation(row, stays.get(id) ?? null));
      return [id, { elements, totalElements: totals.get(id) ?? 0 }];
    }),
  );
}

/** A page of the installations of a device, in chronological order. */
export async function installationsOf(
  snapshot: Snapshot,
  device: DeviceOfInstallations,
  paging: { page: number; size: number },
): Promise<Found<Installation>> {
  const search = { ...paging, filters: [{ property: 'device', values: [device.id] }], sort: CHRONOLOGICAL };
  const [{ elements, totalElements }, stays] = await Promise.all([
    findRowsIn<InstallationRow>(snapshot, INSTALLATIONS, search),
    staysOf(snapshot, [device]),
  ]);
  return { elements: elements.map((row) => toInstallation(row, stays.get(device.id) ?? null)), totalElements };
}
