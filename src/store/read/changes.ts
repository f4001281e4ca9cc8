import sql, { raw, type Sql } from 'sql-template-tag';
import type { Change, Instant, SetupEquipmentType, SiteOfSetup } from '../../../schemas/index.js';
import type { DerivedChange } from '../../derive/changes.js';
import { mergedChange, type MergedChange } from '../../derive/gaps.js';
import { LONGEST_GAP } from '../../derive/visits.js';
import type { Database, Reads } from '../database.js';
import { allOf, type Dialect } from '../dialect.js';
import { findCounted, type Found, ONLY_ONE, type PageTable, type Paging } from '../page.js';
import { atSites, type SiteFilter } from './filters.js';
import { withGaps } from './gaps.js';

/** Selects changes by equipment, kind and period. Null means any. */
export interface ChangeFilter {
  /** The start of the period, inclusive. */
  from: Instant | null;
  /** The end of the period, exclusive. */
  to: Instant | null;
  equipmentTypes: SetupEquipmentType[] | null;
  kinds: Change['kind'][] | null;
}

/** Changes of any equipment and kind, at any time. */
export const ANY_CHANGE: ChangeFilter = { from: null, to: null, equipmentTypes: null, kinds: null };

/** Which changes, and which page of them. */
export interface ChangeSearch extends Paging, ChangeFilter {
  sites: SiteFilter;
  /** Whether the latest change is first; otherwise, the earliest is. */
  latestFirst: boolean;
  /**
   * A removal and an installation with a gap of at most as many seconds are one change, at the time
   * of the removal; 0 merges none.
   */
  mergeGaps: number;
  /**
   * Only changes that differ from what was on record before this time, `YYYY-MM-DDThh:mm:ss.sssZ`,
   * withdrawn ones too; null for those on record.
   */
  recordedSince: string | null;
  /** Only the changes of a group, by its key; null or left out for all. */
  group?: string | null;
}

/** How many changes of a kind there are. */
interface KindCount {
  kind: Change['kind'];
  changes: number;
}

/** A change with its Site. */
export type SiteChange = MergedChange &
  Omit<SiteOfSetup, 'name'> & {
    id: number;
    siteId: number;
    /**
     * Of changes since a record time: when it was withdrawn, `YYYY-MM-DDThh:mm:ss.sssZ`; null if it
     * is on record.
     */
    withdrawn?: string | null;
  };

/** A row of `change` with its Site. */
export interface ChangeRow extends Omit<SiteOfSetup, 'name'> {
  id: number;
  siteId: number;
  /** The change as JSON. */
  document: string;
  /**
   * The installation that ends the gap after this removal, if the two are one change; otherwise
   * null.
   */
  ending: string | null;
  /** Only of changes since a record time. */
  withdrawn?: string | null;
}

/** A change. */
export const toChange = (document: string): DerivedChange => JSON.parse(document) as DerivedChange;

/** A change with its Site. */
export function toSiteChange({
  id,
  document,
  ending,
  siteId,
  fourCharacterId,
  nineCharacterId,
  withdrawn,
}: ChangeRow): SiteChange {
  const change = toChange(document);
  const merged =
    ending === null
      ? { ...change, gap: null }
      : mergedChange({ removed: change, installed: toChange(ending) });
  const site = { id, siteId, fourCharacterId, nineCharacterId };
  return withdrawn === undefined ? { ...merged, ...site } : { ...merged, ...site, withdrawn };
}

const PROPERTIES = {
  at: 'change.at',
  siteId: 'change.site_id',
  kind: 'change.kind_position',
  id: 'change.id',
};

/**
 * What tells groups of changes apart: the day, the kind, and what is in use after it. A merged
 * change has the kind of the two parts together, and ends with the second. Joined, they are the
 * key.
 */
export const GROUP_PARTS = [
  'substr(change.at, 1, 10)',
  'CASE WHEN ended.id IS NULL THEN change.kind ELSE change.merged_kind END',
  `coalesce(CASE WHEN ended.id IS NULL THEN change.group_key ELSE ended.group_key END,
    CAST(change.id AS TEXT))`,
  "CASE WHEN change.superseded_at IS NULL THEN '' ELSE '.withdrawn' END",
] as const;
const [DAY, KIND, OUTCOME, WITHDRAWN] = GROUP_PARTS;
export const GROUP = `${DAY} || '.' || ${KIND} || '.' || ${OUTCOME} || ${WITHDRAWN}`;

/** The columns of a {@link ChangeRow}. */
const CHANGE_COLUMNS = `change.id, change.document, ended.document AS ending,
  change.site_id AS "siteId",
  four_character_id AS "fourCharacterId", nine_character_id AS "nineCharacterId"`;

/** The installations that end the gaps after removals, as `ended`. @param mergeGaps in seconds */
export const joinedToRemovals = (mergeGaps: number): string =>
  `LEFT JOIN change AS ended
    ON ended.id = change.counterpart_id AND ended.gap_before <= ${mergeGaps}`;

/**
 * What is joined to changes: the Site, and the installation that ends the gap after a removal if
 * the two are one change.
 * @param mergeGaps in seconds
 */
export const joinedToChanges = (mergeGaps: number): string =>
  `JOIN site ON site.id = change.site_id ${joinedToRemovals(mergeGaps)}`;

/** The condition that a change is on record. */
const ON_RECORD = 'change.superseded_at IS NULL';

/** What is read of changes: of those on record, or also of withdrawn ones. */
export const changesRead = (withWithdrawn: boolean): { columns: string; where?: string } =>
  withWithdrawn
    ? { columns: `${CHANGE_COLUMNS}, change.superseded_at AS withdrawn` }
    : { columns: CHANGE_COLUMNS, where: ON_RECORD };

/** The table of changes. @param mergeGaps the longest gap that is no change, in seconds */
export const changesWith = (mergeGaps: number, withWithdrawn: boolean): PageTable => ({
  from: 'change',
  source: `change ${joinedToChanges(mergeGaps)}`,
  ...changesRead(withWithdrawn),
  id: 'change.id',
  properties: PROPERTIES,
  known: Object.keys(PROPERTIES),
});

/**
 * The condition that a change of the same Site said the same.
 * @param when it did, of a row `same`
 */
const saidTheSame = (when: Sql): Sql => sql`EXISTS (
  SELECT 1 FROM change AS same
  WHERE same.site_id = change.site_id AND same.at = change.at
    AND same.comparison_key = change.comparison_key AND ${when})`;

/**
 * Selects the ids of the changes that differ from what was on record before a time: those that have
 * been recorded since, and those that have been withdrawn. A merged change counts if one of its two
 * parts does.
 * @param time `YYYY-MM-DDThh:mm:ss.sssZ`
 * @param mergeGaps in seconds
 */
export function changedSince(time: string, mergeGaps: number): Sql {
  const before = (row: string): Sql =>
    sql`${raw(row)}.recorded_at < ${time} AND ${raw(row)}.superseded_at >= ${time}`;
  const isNew = sql`change.superseded_at IS NULL AND change.changed_at >= ${time}
    AND NOT ${saidTheSame(before('same'))}`;
  return sql`
    SELECT change.id FROM change WHERE ${isNew}
    UNION ALL
    SELECT change.counterpart_id AS id FROM change
    WHERE ${isNew} AND change.gap_before <= ${mergeGaps}
    UNION ALL
    SELECT change.id FROM change
    WHERE ${before('change')} AND NOT ${saidTheSame(sql`same.superseded_at IS NULL`)}`;
}

/** The kind of a change: of a merged one, that of the two parts together. */
const kindWith = (mergeGaps: number): string => `CASE WHEN change.merged_kind IS NOT NULL
  AND (
    SELECT installed.gap_before FROM change AS installed
    WHERE installed.id = change.counterpart_id) <= ${mergeGaps}
  THEN change.merged_kind ELSE change.kind END`;

/** The conditions on what changed and when. @param columns the expressions of these */
export const changeMatches = (
  dialect: Dialect,
  columns: Record<'at' | 'equipmentType' | 'kind', string>,
  { from, to, equipmentTypes, kinds }: ChangeFilter,
): Sql[] => [
  ...(from === null ? [] : [sql`${raw(columns.at)} >= ${from}`]),
  ...(to === null ? [] : [sql`${raw(columns.at)} < ${to}`]),
  ...(equipmentTypes === null ? [] : [dialect.isOneOf(columns.equipmentType, equipmentTypes)]),
  ...(kinds === null ? [] : [dialect.isOneOf(columns.kind, kinds)]),
];

/**
 * The conditions on a row of `change`. The installation of a merged change is part of its removal.
 */
export const changeConditions = (
  dialect: Dialect,
  search: ChangeFilter & Pick<ChangeSearch, 'mergeGaps'>,
): Sql[] => [
  sql`(change.gap_before IS NULL OR change.gap_before > ${search.mergeGaps})`,
  ...changeMatches(
    dialect,
    { at: 'change.at', equipmentType: 'change.equipment_type', kind: kindWith(search.mergeGaps) },
    search,
  ),
];

/** The condition that a change is in a group. */
const inGroup = (group: string, mergeGaps: number): Sql => {
  const day = group.slice(0, 10);
  // The bounds are those of an index.
  return sql`change.at >= ${day} AND change.at < ${`${day}~`} AND change.id IN (
    SELECT change.id FROM change ${raw(joinedToChanges(mergeGaps))}
    WHERE change.at >= ${day} AND change.at < ${`${day}~`} AND ${raw(GROUP)} = ${group})`;
};

/** The conditions of a search. */
export const searchConditions = (dialect: Dialect, search: ChangeSearch): Sql[] => {
  const { group = null, mergeGaps, recordedSince, sites } = search;
  return [
    ...changeConditions(dialect, search),
    ...atSites(dialect, 'change.site_id', sites),
    ...(recordedSince === null
      ? []
      : [sql`change.id IN (${changedSince(recordedSince, mergeGaps)})`]),
    ...(group === null ? [] : [inGroup(group, mergeGaps)]),
  ];
};

/** The changes of a Site that are currently on record, in chronological order. */
export async function changesOfSite(db: Database, site: number): Promise<DerivedChange[]> {
  const rows = await db.all<Pick<ChangeRow, 'document'>>(
    sql`SELECT document FROM change
      WHERE site_id = ${site} AND superseded_at IS NULL ORDER BY at, kind_position, id`,
  );
  return rows.map(({ document }) => toChange(document));
}

/** Finds changes. */
export class Changes {
  constructor(private readonly reads: Reads) {}

  /** A page of changes. */
  async findPage(search: ChangeSearch): Promise<Found<SiteChange>> {
    const { mergeGaps, recordedSince: time, sites, latestFirst, page, size } = search;
    const conditions = searchConditions(this.reads.dialect, search);
    const reads = await withGaps(this.reads, sites);
    return reads.inOneState(async (db) => {
      const sort = Object.keys(PROPERTIES).map((property) => ({
        property,
        descending: latestFirst,
      }));
      const paging = { sort, page, size };
      const { elements, totalElements } = await findCounted<ChangeRow>(
        db,
        changesWith(mergeGaps, time !== null),
        paging,
        conditions,
      );
      return { elements: elements.map(toSiteChange), totalElements };
    });
  }

  /** How many changes of each kind there were in a period, with gaps merged as by default. */
  countByKind(from: Instant, to: Instant): Promise<KindCount[]> {
    const search = { ...ANY_CHANGE, from, to, mergeGaps: LONGEST_GAP };
    const conditions = [raw(ON_RECORD), ...changeConditions(this.reads.dialect, search)];
    return this.reads.all<KindCount>(sql`
      SELECT ${raw(kindWith(LONGEST_GAP))} AS kind, count(*) AS changes FROM change
      WHERE ${allOf(conditions)} GROUP BY 1`);
  }

  /** Any change on record; undefined if there is none. */
  findAny(): Promise<SiteChange | undefined> {
    return this.findFirst(changesWith(LONGEST_GAP, false), LONGEST_GAP, []);
  }

  /**
   * A change by its id, also if it was withdrawn; undefined if there is none, or if it is a part of
   * another with these gaps.
   */
  async findById(id: number, mergeGaps: number): Promise<SiteChange | undefined> {
    if (!Number.isSafeInteger(id)) return undefined;
    const isIt = sql`change.id = ${id}`;
    const found = await this.findFirst(changesWith(mergeGaps, true), mergeGaps, [isIt]);
    if (found === undefined) return undefined;
    const { withdrawn, ...change } = found;
    return withdrawn === null ? change : found;
  }

  private findFirst(
    table: PageTable,
    mergeGaps: number,
    more: Sql[],
  ): Promise<SiteChange | undefined> {
    const conditions = changeConditions(this.reads.dialect, { ...ANY_CHANGE, mergeGaps });
    return this.reads.inOneState(async (db) => {
      const all = [...more, ...conditions];
      const { elements } = await findCounted<ChangeRow>(db, table, ONLY_ONE, all);
      return elements.map(toSiteChange)[0];
    });
  }
}
