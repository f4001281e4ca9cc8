import type { DerivedChange } from '../../derive/changes.js';
import type { ChangeReader, ChangeSearch, SiteChange } from '../changes.js';
import type { SiteId } from '../../requests/site-id.js';
import { placeOf } from '../page-order.js';
import { type ChangeRow, type SiteChangeRow, toChange, toSiteChange } from '../rows/changes.js';
import type { Found } from '../search.js';
import type { OfSites } from '../site-ids.js';
import type { Connection } from './connection.js';
import { firstRecordedSince } from './recorded-since.js';
import type { Condition } from './selection.js';
import { resolveSites } from './site-ids.js';

const ORDER = 'change.at, change.site_id, change.kind_position, change.id';
const REVERSED = 'change.at DESC, change.site_id DESC, change.kind_position DESC, change.id DESC';

const RECORDED_BEFORE = 'SELECT 1 FROM change INDEXED BY change_recorded WHERE superseded_at IS NULL AND recorded_at < ? LIMIT 1';

/** The removals whose installations were recorded since a time, if both are one change. */
const MERGED_SINCE = `
  SELECT counterpart_id FROM change INDEXED BY change_recorded WHERE superseded_at IS NULL AND recorded_at >= ? AND gap_before <= ?`;
/** What was recorded since a time; a merged change counts if one of its two parts was. */
const RECORDED_SINCE = `change.id IN (
  SELECT id FROM change INDEXED BY change_recorded WHERE superseded_at IS NULL AND recorded_at >= ? UNION ALL ${MERGED_SINCE})`;

/** Up to this number, the changes recorded since a time are looked up one by one; if there are more, all changes are searched. */
const FEW_RECORDED = 20_000;

/** The conditions of a search, except that on the time of recording. @param sites the numbers of the Sites; null for all */
export function changeConditions(
  sites: number[] | null,
  { from, to, equipmentType, mergeGaps }: Omit<ChangeSearch, 'page' | 'size' | 'recordedSince'>,
): Condition[] {
  return [
    // The installation of a merged change is part of its removal.
    ['(change.gap_before IS NULL OR change.gap_before > ?)', mergeGaps],
    ...(sites === null ? [] : [['change.site_id IN (SELECT value FROM json_each(?))', JSON.stringify(sites)] satisfies Condition]),
    ...(from === null ? [] : [['change.at >= ?', from] satisfies Condition]),
    ...(to === null ? [] : [['change.at < ?', to] satisfies Condition]),
    ...(equipmentType === null ? [] : [['change.equipment_type = ?', equipmentType] satisfies Condition]),
  ];
}

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

  async findPageOfSites(ids: SiteId[], search: ChangeSearch): Promise<OfSites<Found<SiteChange>>> {
    return this.connection.inOneTransaction(() => {
      const sites = resolveSites(this.connection, ids);
      return sites.kind === 'found' ? { kind: 'found', found: this.read(sites.found, search) } : sites;
    });
  }

  /** Reads a page; several reads, within the transaction of the caller. @param sites the numbers of the Sites; null for all */
  private read(sites: number[] | null, search: ChangeSearch): Found<SiteChange> {
    const { mergeGaps, page, size } = search;
    const recorded = this.recordedSince(search);
    const conditions = [...changeConditions(sites, search), ...(recorded === null ? [] : [recorded.condition])];
    const values = conditions.flatMap(([, ...bound]) => bound);
    // Without INDEXED BY, SQLite counts the changes of a kind in an index that does not have the kind.
    const ofAll = recorded?.isList === true ? 'change' : 'change INDEXED BY change_at';
    const table = sites === null ? ofAll : 'change INDEXED BY change_at_site';
    const matching = `FROM ${table} WHERE ${['superseded_at IS NULL', ...conditions.map(([sql]) => sql)].join(' AND ')}`;
    const { number } = this.connection.get<{ number: number }>(`SELECT count(*) AS number ${matching}`, ...values)!;
    const place = placeOf(number, { page, size });
    if (place === null) return { elements: [], totalElements: number };
    // Cut the page before the joins. Otherwise a late page would join every change before it with its Site.
    const ofPage = `SELECT * ${matching} ORDER BY ${place.backwards ? REVERSED : ORDER} LIMIT ? OFFSET ?`;
    const rows = this.connection.page<SiteChangeRow>(
      `SELECT change.document, ended.document AS ending, change.site_id, four_character_id, nine_character_id
       FROM (${ofPage}) AS change JOIN site ON site.id = change.site_id
       LEFT JOIN change AS ended ON ended.id = change.counterpart_id AND ended.gap_before <= ?
       ORDER BY ${ORDER}`,
      ...values,
      place.limit,
      place.offset,
      mergeGaps,
    );
    return { elements: rows.map(toSiteChange), totalElements: number };
  }

  /** The condition on the time of recording, and whether it is a list of ids; null if all were recorded since then. */
  private recordedSince({ recordedSince: time, mergeGaps }: ChangeSearch): { condition: Condition; isList: boolean } | null {
    if (time === null || this.connection.get(RECORDED_BEFORE, time) === undefined) return null;
    const firstId = firstRecordedSince(this.connection, 'change', time, FEW_RECORDED);
    if (firstId === null) return { condition: [RECORDED_SINCE, time, time, mergeGaps], isList: true };
    const earlier = `SELECT json_group_array(counterpart_id) AS ids FROM (${MERGED_SINCE} AND counterpart_id < ?)`;
    const { ids } = this.connection.get<{ ids: string }>(earlier, time, mergeGaps, firstId)!;
    const condition: Condition =
      ids === '[]' ? ['change.id >= ?', firstId] : ['(change.id >= ? OR change.id IN (SELECT value FROM json_each(?)))', firstId, ids];
    return { condition, isList: false };
  }
}
