import { type Installation, MOST_CONFLICTS } from '../devices.js';
import type { Found } from '../search.js';
import type { Connection } from './connection.js';

/** A row of `installation` with its Site. */
interface InstallationRow {
  site_id: number;
  four_character_id: string;
  nine_character_id: string | null;
  site_name: string | null;
  period_from: string;
  period_to: string | null;
  configuration: string;
}

const OF_DEVICE = 'FROM installation WHERE equipment_id = ? AND superseded_at IS NULL';
// Cut the page before the join, so that a late page does not join all installations before it.
const PAGE = `
  SELECT site_id, four_character_id, nine_character_id, site.name AS site_name, period_from, period_to, configuration
  FROM (SELECT * ${OF_DEVICE} ORDER BY period_from, period_to IS NULL, period_to, site_id LIMIT ? OFFSET ?) JOIN site ON site.id = site_id
  ORDER BY period_from, period_to IS NULL, period_to, site_id`;
/** The first installations of some devices, in the order of the devices. Parameters: how many of each, the ids as JSON. */
const FIRST_OF_EACH = `
  SELECT equipment_id, site_id, four_character_id, nine_character_id, site.name AS site_name, period_from, period_to, configuration
  FROM json_each(:devices) AS device
  JOIN installation ON installation.id IN (
    SELECT id FROM installation WHERE equipment_id = device.value AND superseded_at IS NULL
    ORDER BY period_from, period_to IS NULL, period_to, site_id LIMIT :most)
  JOIN site ON site.id = site_id
  ORDER BY period_from, period_to IS NULL, period_to, site_id`;
const TOTAL = `SELECT count(*) AS number ${OF_DEVICE}`;
const STAYS = `
  SELECT site_id, four_character_id, period_from, period_to
  FROM installation JOIN site ON site.id = site_id WHERE equipment_id = ? AND superseded_at IS NULL`;

/** The other Sites that list the device within a period: how many, and the first ids in alphabetical order. */
type Conflicts = Pick<Installation, 'conflicts' | 'conflictsWith'>;
const NO_CONFLICTS: Conflicts = { conflicts: 0, conflictsWith: [] };

/** Where a device has been, for finding conflicts. All comparisons are of numbers, because there may be thousands of Sites. */
class Stays {
  private readonly ids: string[];
  private readonly site: Int32Array;
  private readonly from: Float64Array;
  private readonly to: Float64Array;
  /** Which sites the current search has found already: the number of the search, by site. */
  private readonly found: Int32Array;
  private searches = 0;

  constructor(rows: Pick<InstallationRow, 'site_id' | 'four_character_id' | 'period_from' | 'period_to'>[]) {
    const idsOfSites = new Map(rows.map((row) => [row.site_id, row.four_character_id]));
    const order = [...idsOfSites].sort(([, a], [, b]) => (a < b ? -1 : 1));
    const numbers = new Map(order.map(([site], number) => [site, number]));
    this.ids = order.map(([, id]) => id);
    this.site = Int32Array.from(rows, (row) => numbers.get(row.site_id)!);
    this.from = Float64Array.from(rows, (row) => Date.parse(row.period_from));
    this.to = Float64Array.from(rows, (row) => (row.period_to === null ? Infinity : Date.parse(row.period_to)));
    this.found = new Int32Array(this.ids.length);
  }

  /** The other Sites with an installation that overlaps one. */
  conflictsOf({ four_character_id, period_from, period_to }: InstallationRow): Conflicts {
    const { ids, site, from, to, found } = this;
    const search = ++this.searches;
    const own = ids.indexOf(four_character_id);
    const begin = Date.parse(period_from);
    const end = period_to === null ? Infinity : Date.parse(period_to);
    let conflicts = 0;
    for (let index = 0; index < site.length; index++) {
      const number = site[index]!;
      if (number === own || found[number] === search || from[index]! >= end || to[index]! <= begin) continue;
      found[number] = search;
      conflicts++;
    }
    const conflictsWith: string[] = [];
    for (let number = 0; conflictsWith.length < Math.min(conflicts, MOST_CONFLICTS); number++) {
      if (found[number] === search) conflictsWith.push(ids[number]!);
    }
    return { conflicts, conflictsWith };
  }
}

/** A device whose installations are read. */
export interface DeviceOfInstallations {
  id: number;
  /** Whether two Sites list the device for the same time. */
  conflicting: boolean;
}

function toInstallation(row: InstallationRow, stays: Stays | null): Installation {
  return {
    siteId: row.site_id,
    fourCharacterId: row.four_character_id,
    nineCharacterId: row.nine_character_id,
    siteName: row.site_name,
    period: { from: row.period_from, to: row.period_to },
    configuration: JSON.parse(row.configuration) as Installation['configuration'],
    ...(stays?.conflictsOf(row) ?? NO_CONFLICTS),
  };
}

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
  for (const row of connection.page<InstallationRow & { equipment_id: number }>(FIRST_OF_EACH, values))
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
