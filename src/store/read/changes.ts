import sql, { type Sql } from 'sql-template-tag';
import type { Instant, SetupEquipmentType } from '../../../schemas/index.js';
import type { DerivedChange } from '../../derive/changes.js';
import { mergedChange, type MergedChange } from '../../derive/gaps.js';
import type { SiteId } from '../../requests/site-id.js';
import type { Database, Reads } from '../database.js';
import type { Dialect } from '../dialect.js';
import { findRows, type PageTable } from '../page.js';
import type { Found, Paging } from '../search.js';
import { type OfSites, resolveSites } from './site-ids.js';

/** Which changes, and which page of them. They are in chronological order. */
export interface ChangeSearch extends Paging {
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
}

/** A change with its Site. */
export interface SiteChange extends MergedChange {
  siteId: number;
  fourCharacterId: string;
  nineCharacterId: string | null;
}

/** A row of `change` with its Site. */
export interface ChangeRow extends Pick<SiteChange, 'siteId' | 'fourCharacterId' | 'nineCharacterId'> {
  id: number;
  /** The change as JSON. */
  document: string;
  /** The installation that ends the gap after this removal, if the two are one change; otherwise null. */
  ending: string | null;
}

/** A change. */
export const toChange = (document: string): DerivedChange => JSON.parse(document) as DerivedChange;

/** A change with its Site. */
export function toSiteChange({ document, ending, siteId, fourCharacterId, nineCharacterId }: ChangeRow): SiteChange {
  const change = toChange(document);
  const merged = ending === null ? { ...change, gap: null } : mergedChange({ removed: change, installed: toChange(ending) });
  return { ...merged, siteId, fourCharacterId, nineCharacterId };
}

const PROPERTIES = { at: 'change.at', siteId: 'change.site_id', kind: 'change.kind_position' };
const CHRONOLOGICAL = Object.keys(PROPERTIES).map((property) => ({ property, descending: false }));

/** The columns of a {@link ChangeRow}. */
export const CHANGE_COLUMNS = `change.id, change.document, ended.document AS ending, change.site_id AS "siteId",
  four_character_id AS "fourCharacterId", nine_character_id AS "nineCharacterId"`;

/** What is joined to changes: the Site, and the installation that ends the gap after a removal if the two are one change. @param mergeGaps in seconds */
export const joinedToChanges = (mergeGaps: number): string =>
  `JOIN site ON site.id = change.site_id LEFT JOIN change AS ended ON ended.id = change.counterpart_id AND ended.gap_before <= ${mergeGaps}`;

const changesWith = (mergeGaps: number): PageTable => ({
  from: 'change',
  source: `change ${joinedToChanges(mergeGaps)}`,
  columns: CHANGE_COLUMNS,
  where: 'change.superseded_at IS NULL',
  id: 'change.id',
  properties: PROPERTIES,
  known: Object.keys(PROPERTIES),
});

/** What was recorded since a time; a merged change counts if one of its two parts was. */
const recordedSince = (time: string, mergeGaps: number): Sql =>
  mergeGaps === 0
    ? sql`change.recorded_at >= ${time}`
    : sql`(change.recorded_at >= ${time} OR change.id IN (
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
  const rows = await db.all<Pick<ChangeRow, 'document'>>(
    sql`SELECT document FROM change WHERE site_id = ${site} AND superseded_at IS NULL ORDER BY at, kind_position, id`,
  );
  return rows.map(({ document }) => toChange(document));
}

async function readPage(db: Database, sites: number[] | null, search: ChangeSearch): Promise<Found<SiteChange>> {
  const { mergeGaps, page, size } = search;
  const paging = { filters: [], sort: CHRONOLOGICAL, page, size };
  const conditions = changeConditions(db.dialect, sites, search);
  const { elements, totalElements } = await findRows<ChangeRow>(db, changesWith(mergeGaps), paging, conditions);
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
