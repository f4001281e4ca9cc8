import { UNKNOWN_START } from '../columns.js';
import { type Installation, MOST_CONFLICTS } from '../devices.js';

/** The period of a row of `installation`. */
export const periodOf = ({ period_from, period_to }: Pick<InstallationRow, 'period_from' | 'period_to'>): Installation['period'] => ({
  from: period_from === UNKNOWN_START ? null : period_from,
  to: period_to,
});

/** A row of `installation` with its Site. */
export interface InstallationRow {
  site_id: number;
  four_character_id: string;
  nine_character_id: string | null;
  site_name: string | null;
  period_from: string;
  period_to: string | null;
  configuration: string;
}

/** The other Sites that list the device within a period: how many, and the first ids in alphabetical order. */
type Conflicts = Pick<Installation, 'conflicts' | 'conflictsWith'>;
const NO_CONFLICTS: Conflicts = { conflicts: 0, conflictsWith: [] };

/** The beginning of a stay. One with an unknown start overlaps nothing: where the device was before is unknown. */
const beginOf = ({ period_from }: Pick<InstallationRow, 'period_from'>): number =>
  period_from === UNKNOWN_START ? Infinity : Date.parse(period_from);

/** Where a device has been, for finding conflicts. All comparisons are of numbers, because there may be thousands of Sites. */
export class Stays {
  private readonly ids: string[];
  /** By the id of the Site: its place in the order of `ids`. */
  private readonly numbers: Map<number, number>;
  private readonly site: Int32Array;
  private readonly from: Float64Array;
  private readonly to: Float64Array;
  /** Which sites the current search has found already: the number of the search, by site. */
  private readonly found: Int32Array;
  private searches = 0;

  constructor(rows: Pick<InstallationRow, 'site_id' | 'four_character_id' | 'period_from' | 'period_to'>[]) {
    const idsOfSites = new Map(rows.map((row) => [row.site_id, row.four_character_id]));
    const order = [...idsOfSites].sort(([site, a], [other, b]) => (a === b ? site - other : a < b ? -1 : 1));
    this.numbers = new Map(order.map(([site], number) => [site, number]));
    this.ids = order.map(([, id]) => id);
    this.site = Int32Array.from(rows, (row) => this.numbers.get(row.site_id)!);
    this.from = Float64Array.from(rows, (row) => beginOf(row));
    this.to = Float64Array.from(rows, (row) => (row.period_to === null ? Infinity : Date.parse(row.period_to)));
    this.found = new Int32Array(this.ids.length);
  }

  /** The other Sites with an installation that overlaps one. */
  conflictsOf({ site_id, period_from, period_to }: InstallationRow): Conflicts {
    const { ids, numbers, site, from, to, found } = this;
    const search = ++this.searches;
    const own = numbers.get(site_id);
    const begin = beginOf({ period_from });
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

/** An installation with its conflicts. @param stays where its device has been; null if it has no conflicts */
export function toInstallation(row: InstallationRow, stays: Stays | null): Installation {
  return {
    siteId: row.site_id,
    fourCharacterId: row.four_character_id,
    nineCharacterId: row.nine_character_id,
    siteName: row.site_name,
    period: periodOf(row),
    configuration: JSON.parse(row.configuration) as Installation['configuration'],
    ...(stays?.conflictsOf(row) ?? NO_CONFLICTS),
  };
}
