import sql, { type Sql } from 'sql-template-tag';
import type { Instant, SetupEquipmentType } from '../../../schemas/index.js';
import type { DerivedChange } from '../../derive/changes.js';
import { mergedChange, type MergedChange } from '../../derive/gaps.js';
import type { SiteId } from '../../requests/site-id.js';
import type { Database, Reads } from '../database.js';
import type { Dialect } from '../dialect.js';
import { findRows, type PageTable } from '../page.js';
import type { Found } from '../search.js';
import { type OfSites, resolveSites } from './site-ids.js';

/** Which changes, and which page of them. They are in chronological order. */
export interface ChangeSearch {
  /** The start of the period, inclusive; null for no bound. */
  from: Instant | null;
  /** The end of the period, exclusive; null for no bound. */
  to: Instant | null;
  /** Only changes of this kind of equipment; null for all kinds. */
  equipmentType: SetupEquipmentType | null;
  /** A removal and an installation with a gap of at most as many seconds are one change, at the time of the removal; 0 merges none. */
  mergeGaps: number;
  /** Only changes that this service recorded at this time or later, `YYYY-MM-DDThh:mm:ss.sssZ`; null for no bound. */
  recordedSince: string | null;
  /** The number of the page, from 0. */
  page: number;
  /** Elements per page. */
  size: number;
}

/** A change with its Site. */
export interface SiteChange extends MergedChange {
  siteId: number;
  fourCharacterId: string;
  nineCharacterId: string | null;
}

/** A row of `change`: the change as JSON. The other columns repeat what searches need. */
export interface ChangeRow {
  document: string;
}

/** A row of `change` with its Site. */
export interface SiteChangeRow extends ChangeRow {
  id: number;
  /** The installation that ends the gap after this removal, if the two are one change; otherwise null. */
  ending: string | null;
  site_id: number;
  four_character_id: string;
  nine_character_id: string | null;
}

/** A change. */
export const toChange = ({ document }: ChangeRow): DerivedChange => JSON.parse(document) as DerivedChange;

function toMergedChange({ document, ending }: Pick<SiteChangeRow, 'document' | 'ending'>): MergedChange {
  const change = toChange({ document });
  return ending === null ? { ...change, gap: null } : mergedChange({ removed: change, installed: toChange({ document: ending }) });
}

/** A change with its Site. */
export const toSiteChange = (row: SiteChangeRow): SiteChange => ({
  ...toMergedChange(row),
  siteId: row.site_id,
  fourCharacterId: row.four_character_id,
  nineCharacterId: row.nine_character_id,
});

const PROPERTIES = { at: 'change.at', siteId: 'change.site_id', kind: 'change.kind_position' };
const CHRONOLOGICAL = Object.keys(PROPERTIES).map((property) => ({ property, descending: false }));

/** The changes, with the installation that ends the gap after each removal if the two are one change. @param mergeGaps in seconds */
const changesWith = (mergeGaps: number): PageTable => ({
  from: 'change',
  source: `change JOIN site ON site.id = change.site_id
    LEFT JOIN change AS ended ON ended.id = change.counterpart_id AND ended.gap_before <= ${mergeGaps}`,
  columns: 'change.id, change.document, ended.document AS ending, change.site_id, four_character_id, nine_character_id',
  where: 'change.superseded_at IS NULL',
  id: 'change.id',
  properties: PROPERTIES,
  known: Object.keys(PROPERTIES),
});

/** What was recorded since a time; a merged change counts if one of its two parts was. */
const recordedSince = (time: string, mergeGaps: number): Sql =>
  sql`(change.recorded_at >= ${time} OR change.id IN (
    SELECT part.counterpart_id FROM change AS part
    WHERE part.superseded_at IS NULL AND part.recorded_at >= ${time} AND part.gap_before <= ${mergeGaps}))`;

/** The conditions of a search. @param sites the numbers of the Sites; null for all Sites */
export const changeConditions = (
  dialect: Dialect,
  sites: number[] | null,
  { from, to, equipmentType, mergeGaps, recordedSince: time }: Omit<ChangeSearch, 'page' | 'size'>,
): Sql[] => [
  // The installation of a merged change is part of its removal.
  sql`(change.gap_before IS NULL OR change.gap_before > ${mergeGaps})`,
  ...(sites === null ? [] : [dialect.isOneOf('change.site_id', sites)]),
  ...(from === null ? [] : [sql`change.at >= ${from}`]),
  ...(to === null ? [] : [sql`change.at < ${to}`]),
  ...(equipmentType === null ? [] : [sql`change.equipment_type = ${equipmentType}`]),
  ...(time === null ? [] : [recordedSince(time, mergeGaps)]),
];

/** The changes of a Site that are currently on record, in chronological order. */
export async function changesOfSite(db: Database, site: number): Promise<DerivedChange[]> {
  const rows = await db.all<ChangeRow>(
    sql`SELECT document FROM change WHERE site_id = ${site} AND superseded_at IS NULL ORDER BY at, kind_position, id`,
  );
  return rows.map(toChange);
}

/** Reads a page. @param sites the numbers of the Sites; null for all Sites */
async function readPage(db: Database, sites: number[] | null, search: ChangeSearch): Promise<Found<SiteChange>> {
  const { mergeGaps, page, size } = search;
  const paging = { filters: [], sort: CHRONOLOGICAL, page, size };
  const conditions = changeConditions(db.dialect, sites, search);
  const { elements, totalElements } = await findRows<SiteChangeRow>(db, changesWith(mergeGaps), paging, conditions);
  return { elements: elements.map(toSiteChange), totalElements };
}

/** Finds changes. */
export class Changes {
  constructor(private readonly reads: Reads) {}

  /** A page of the changes of all Sites. */
  findPage(search: ChangeSearch): Promise<Found<SiteChange>> {
    return this.reads.inOneState((db) => readPage(db, null, search));
  }

  /** A page of the changes of some Sites. */
  findPageOfSites(sites: SiteId[], search: ChangeSearch): Promise<OfSites<Found<SiteChange>>> {
    return this.reads.inOneState(async (db) => {
      const resolved = await resolveSites(db, sites);
      return resolved.kind === 'found' ? { kind: 'found', found: await readPage(db, resolved.found, search) } : resolved;
    });
  }
}
