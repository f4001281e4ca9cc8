import type { Installation } from '../devices.js';
import { type DeviceOfInstallations, type InstallationRow, Stays, toInstallation } from '../rows/installations.js';
import type { Found } from '../search.js';
import type { Connection } from './connection.js';

const OF_DEVICE = 'FROM installation WHERE equipment_id = ? AND superseded_at IS NULL';
const ORDER = 'period_from, period_to IS NULL, period_to, site_id, installation.id';
// Cut the page before the join, so that a late page does not join all installations before it.
const PAGE = `
  SELECT site_id, four_character_id, nine_character_id, site.name AS site_name, period_from, period_to, configuration
  FROM (SELECT * ${OF_DEVICE} ORDER BY ${ORDER} LIMIT ? OFFSET ?) AS installation JOIN site ON site.id = site_id
  ORDER BY ${ORDER}`;
/** The first installations of some devices, in the order of the devices. Parameters: how many of each, the ids as JSON. */
const FIRST_OF_EACH = `
  SELECT equipment_id, site_id, four_character_id, nine_character_id, site.name AS site_name, period_from, period_to, configuration
  FROM json_each(:devices) AS device
  JOIN installation ON installation.id IN (
    SELECT id FROM installation WHERE equipment_id = device.value AND superseded_at IS NULL
    ORDER BY ${ORDER} LIMIT :most)
  JOIN site ON site.id = site_id
  ORDER BY device.key, ${ORDER}`;
const TOTAL = `SELECT count(*) AS number ${OF_DEVICE}`;
const STAYS = `
  SELECT site_id, four_character_id, period_from, period_to
  FROM installation JOIN site ON site.id = site_id WHERE equipment_id = ? AND superseded_at IS NULL`;

/** The stays of a device, if it needs them. */
const staysOf = (connection: Connection, { id, conflicting }: DeviceOfInstallations): Stays | null =>
  conflicting ? new Stays(connection.all(STAYS, id)) : null;

/** How many installations a device has. */
const totalOf = (connection: Connection, id: number): number => connection.get<{ number: number }>(TOTAL, id)!.number;

/**
 * The first installations of some devices, in chronological order, by the id of the device; several reads, within the
 * transaction of the caller. @param most how many of each device
 */
export function firstInstallationsOf(
  connection: Connection,
  devices: DeviceOfInstallations[],
  most: number,
): Map<number, Found<Installation>> {
  const rows = new Map<number, InstallationRow[]>(devices.map(({ id }) => [id, []]));
  const values = { devices: JSON.stringify([...rows.keys()]), most };
  type Row = InstallationRow & { equipment_id: number };
  for (const row of connection.partsOfPage<Row>(({ equipment_id }) => equipment_id, FIRST_OF_EACH, values))
    rows.get(row.equipment_id)!.push(row);
  return new Map(
    devices.map((device) => {
      const own = rows.get(device.id)!;
      const stays = staysOf(connection, device);
      const totalElements = own.length < most ? own.length : totalOf(connection, device.id);
      return [device.id, { elements: own.map((row) => toInstallation(row, stays)), totalElements }];
    }),
  );
}

/** A page of the installations of a device, in chronological order; several reads, within the transaction of the caller. */
export function installationsOf(
  connection: Connection,
  device: DeviceOfInstallations,
  { page, size }: { page: number; size: number },
): Found<Installation> {
  const rows = connection.page<InstallationRow>(PAGE, device.id, size, page * size);
  const stays = staysOf(connection, device);
  return { elements: rows.map((row) => toInstallation(row, stays)), totalElements: totalOf(connection, device.id) };
}
