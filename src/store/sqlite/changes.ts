import type { DerivedChange } from '../../derive/changes.js';
import type { ChangeReader, ChangeSearch, SiteChange } from '../changes.js';
import type { SiteId } from '../../requests/site-id.js';
import { placeOf } from '../page-order.js';
import { type ChangeRow, type SiteChangeRow, toChange, toSiteChange } from '../rows/changes.js';
import type { Found } from '../search.js';
import type { OfSite } from '../site-ids.js';
import type { Connection, Value } from './connection.js';
import { ofSite } from './site-ids.js';

const ORDER = 'at, site_id, kind_position, change.id';
const REVERSED = 'at DESC, site_id DESC, kind_position DESC, change.id DESC';

/** The changes of a Site that are currently on record, in chronological order. */
export function changesOfSite(connection: Connection, site: number): DerivedChange[] {
  const sql = 'SELECT document FROM change WHERE site_id = ? AND superseded_at IS NULL ORDER BY at, kind_position, id';
  return connection.all<ChangeRow>(sql, site).map(toChange);
}

/** Finds changes in one SQLite file. */
export class SqliteChangeReader implements ChangeReader {
  constructor(private readonly connection: Connection) {}

  async findPage(search: ChangeSearch): Promise<Found<SiteChange>> {
    return this.connection.inOneTransaction(() => this.read(null, search));
  }

  async findPageOfSite(site: SiteId, search: ChangeSearch): Promise<OfSite<Found<SiteChange>>> {
    return this.connection.inOneTransaction(() => ofSite(this.connection, site, (number) => this.read(number, search)));
  }

  /** Reads a page with two statements, within the transaction of the caller. @param site the number of the Site; null for all Sites */
  private read(site: number | null, { from, to, equipmentType, page, size }: ChangeSearch): Found<SiteChange> {
    const bounds: [string, Value][] = [
      ['site_id = ?', site],
      ['at >= ?', from],
      ['at < ?', to],
      ['equipment_type = ?', equipmentType],
    ];
    const given = bounds.filter(([, value]) => value !== null);
    const values = given.map(([, value]) => value);
    // Without INDEXED BY, SQLite counts the changes of a kind in an index that does not have the kind.
    const table = site === null ? 'change INDEXED BY change_at' : 'change';
    const matching = `FROM ${table} WHERE ${['superseded_at IS NULL', ...given.map(([condition]) => condition)].join(' AND ')}`;
    const { number } = this.connection.get<{ number: number }>(`SELECT count(*) AS number ${matching}`, ...values)!;
    const place = placeOf(number, { page, size });
    if (place === null) return { elements: [], totalElements: number };
    // Cut the page before the join. Otherwise a late page would join every change before it with its Site.
    const ofPage = `SELECT * ${matching} ORDER BY ${place.backwards ? REVERSED : ORDER} LIMIT ? OFFSET ?`;
    const rows = this.connection.page<SiteChangeRow>(
      `SELECT document, site_id, four_character_id, nine_character_id FROM (${ofPage}) AS change JOIN site ON site.id = site_id ORDER BY ${ORDER}`,
      ...values,
      place.limit,
      place.offset,
    );
    return { elements: rows.map(toSiteChange), totalElements: number };
  }
}
