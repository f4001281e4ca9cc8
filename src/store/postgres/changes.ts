import type { DerivedChange } from '../../derive/changes.js';
import type { SiteId } from '../../requests/site-id.js';
import type { ChangeReader, ChangeSearch, SiteChange } from '../changes.js';
import { type ChangeRow, type SiteChangeRow, toChange, toSiteChange } from '../rows/changes.js';
import type { Found, PageSearch } from '../search.js';
import type { OfSite } from '../site-ids.js';
import type { Reads, Snapshot } from './client.js';
import { findRows, findRowsIn } from './page-search.js';
import type { Condition, Table } from './selection.js';
import { ofSite } from './site-ids.js';

const PROPERTIES = { at: 'change.at', siteId: 'change.site_id', kind: 'change.kind_position' };

const CHANGES: Table = {
  from: 'change',
  source: 'change JOIN site ON site.id = change.site_id',
  columns: 'document, site_id, four_character_id, nine_character_id',
  where: 'change.superseded_at IS NULL',
  id: 'change.id',
  size: 'octet_length(document)',
  properties: PROPERTIES,
  known: Object.keys(PROPERTIES),
};

/** A page of changes as rows of a table. @param site the number of the Site; null for all Sites */
function pageOf(site: number | null, { from, to, equipmentType, page, size }: ChangeSearch): [PageSearch, Condition[]] {
  const bounds: [string, string | number | null][] = [
    ['change.site_id =', site],
    ['change.at >=', from],
    ['change.at <', to],
    ['change.equipment_type =', equipmentType],
  ];
  const conditions = bounds.flatMap(([condition, value]): Condition[] =>
    value === null ? [] : [(bindings) => `${condition} ${bindings.add(value)}`],
  );
  const sort = Object.keys(PROPERTIES).map((property) => ({ property, descending: false }));
  return [{ filters: [], sort, page, size }, conditions];
}

const toPage = ({ elements, totalElements }: Found<SiteChangeRow>): Found<SiteChange> => ({
  elements: elements.map(toSiteChange),
  totalElements,
});

/** The changes of a Site that are currently on record, in chronological order. */
export async function changesOfSite(snapshot: Snapshot, site: number): Promise<DerivedChange[]> {
  const sql = 'SELECT document FROM change WHERE site_id = $1 AND superseded_at IS NULL ORDER BY at, kind_position, id';
  return (await snapshot.all<ChangeRow>(sql, site)).map(toChange);
}

/** Finds changes in a PostgreSQL database. */
export class PostgresChangeReader implements ChangeReader {
  constructor(private readonly reads: Reads) {}

  async findPage(search: ChangeSearch): Promise<Found<SiteChange>> {
    return toPage(await findRows<SiteChangeRow>(this.reads, CHANGES, ...pageOf(null, search)));
  }

  findPageOfSite(site: SiteId, search: ChangeSearch): Promise<OfSite<Found<SiteChange>>> {
    return this.reads.inOneState((snapshot) =>
      ofSite(snapshot, site, async (number) => toPage(await findRowsIn<SiteChangeRow>(snapshot, CHANGES, ...pageOf(number, search)))),
    );
  }
}
