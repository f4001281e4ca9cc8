import { type Installation, MOST_CONFLICTS } from '../devices.js';
import type { Found } from '../search.js';
import type { Connection } from './connection.js';

/** A row of `installation` with its Site. */
interface InstallationRow {
  site_id: number;
  four_character_id: string;
  site_name: string | null;
  period_from: string;
  period_to: string | null;
  configuration: string;
}

const OF_DEVICE = 'FROM installation WHERE equipment_id = ? AND superseded_at IS NULL';
// Cut the page before the join, so that a late page does not join all installations before it.
const PAGE = `
  SELECT site_id, four_character_id, site.name AS site_name, period_from, period_to, configuration
  FROM (SELECT * ${OF_DEVICE} ORDER BY period_from, period_to IS NULL, period_to, site_id LIMIT ? OFFSET ?) JOIN site ON site.id = site_id
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

/** A page of the installations of a device, in chronological order; several reads, within the transaction of the caller. */
export function installationsOf(
  connection: Connection,
  device: { id: number; conflicting: boolean },
  { page, size }: { page: number; size: number },
): Found<Installation> {
  const rows = connection.page<InstallationRow>(PAGE, device.id, size, page * size);
  const stays = device.conflicting ? new Stays(connection.all(STAYS, device.id)) : null;
  const elements = rows.map((row) => ({
    siteId: row.site_id,
    fourCharacterId: row.four_character_id,
    siteName: row.site_name,
    period: { from: row.period_from, to: row.period_to },
    configuration: JSON.parse(row.configuration) as Installation['configuration'],
    ...(stays?.conflictsOf(row) ?? NO_CONFLICTS),
  }));
  const isAll = page === 0 && rows.length < size;
  return { elements, totalElements: isAll ? rows.length : connection.get<{ number: number }>(TOTAL, device.id)!.number };
}
