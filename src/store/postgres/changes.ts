import type { DerivedChange } from '../../derive/changes.js';
import type { SiteId } from '../../requests/site-id.js';
import type { ChangeReader, ChangeSearch, SiteChange } from '../changes.js';
import { type ChangeRow, type SiteChangeRow, toChange, toSiteChange } from '../rows/changes.js';
import type { Found, PageSearch } from '../search.js';
import type { OfSites } from '../site-ids.js';
import type { Reads, Snapshot } from './client.js';
import { findRows, findRowsIn } from './page-search.js';
import type { Condition, Table } from './selection.js';
import { resolveSites } from './site-ids.js';

const PROPERTIES = { at: 'change.at', siteId: 'change.site_id', kind: 'change.kind_position' };

/** The changes, with the installation that ends the gap after each removal if the two are one change. @param mergeGaps in seconds */
const changesWith = (mergeGaps: number): Table => ({
  from: 'change',
  source: `change JOIN site ON site.id = change.site_id
    LEFT JOIN change AS ended ON ended.id = change.counterpart_id AND ended.gap_before <= ${Math.trunc(mergeGaps)}`,
  columns: 'change.document, ended.document AS ending, change.site_id, four_character_id, nine_character_id',
  where: 'change.superseded_at IS NULL',
  id: 'change.id',
  size: 'octet_length(concat(change.document, ended.document))',
  properties: PROPERTIES,
  known: Object.keys(PROPERTIES),
});

/** What was recorded since a time; a merged change counts if one of its two parts was. */
const recordedSince =
  (since: string, mergeGaps: number): Condition =>
  (bindings) => {
    const time = bindings.add(since);
    const merged = `
      SELECT part.counterpart_id FROM change AS part
      WHERE part.superseded_at IS NULL AND part.recorded_at >= ${time} AND part.gap_before <= ${bindings.add(mergeGaps)}`;
    // As an array, it is computed once, and if it is short, an index can find its ids.
    return `(change.recorded_at >= ${time} OR change.id = ANY (ARRAY (${merged})))`;
  };

/** The conditions of a search. @param sites the numbers of the Sites; null for all Sites */
export function changeConditions(sites: number[] | null, search: Omit<ChangeSearch, 'page' | 'size'>): Condition[] {
  const { from, to, equipmentType, mergeGaps } = search;
  const bounds: [string, string | null][] = [
    ['change.at >=', from],
    ['change.at <', to],
    ['change.equipment_type =', equipmentType],
  ];
  const conditions = bounds.flatMap(([condition, value]): Condition[] =>
    value === null ? [] : [(bindings) => `${condition} ${bindings.add(value)}`],
  );
  // The installation of a merged change is part of its removal.
  conditions.push((bindings) => `(change.gap_before IS NULL OR change.gap_before > ${bindings.add(mergeGaps)})`);
  if (sites !== null) conditions.push((bindings) => `change.site_id = ANY (${bindings.add(sites)})`);
  if (search.recordedSince !== null) conditions.push(recordedSince(search.recordedSince, mergeGaps));
  return conditions;
}

/** A page of changes as rows of a table. @param sites the numbers of the Sites; null for all Sites */
function pageOf(sites: number[] | null, search: ChangeSearch): [Table, PageSearch, Condition[]] {
  const { mergeGaps, page, size } = search;
  const sort = Object.keys(PROPERTIES).map((property) => ({ property, descending: false }));
  return [changesWith(mergeGaps), { filters: [], sort, page, size }, changeConditions(sites, search)];
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
    return toPage(await findRows<SiteChangeRow>(this.reads, ...pageOf(null, search)));
  }

  findPageOfSites(ids: SiteId[], search: ChangeSearch): Promise<OfSites<Found<SiteChange>>> {
    return this.reads.inOneState(async (snapshot) => {
      const sites = await resolveSites(snapshot, ids);
      if (sites.kind !== 'found') return sites;
      return { kind: 'found', found: toPage(await findRowsIn<SiteChangeRow>(snapshot, ...pageOf(sites.found, search))) };
    });
  }
}
