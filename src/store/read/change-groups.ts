import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Instant } from '../../../schemas/index.js';
import { LONGEST_GAP } from '../../derive/visits.js';
import { ownTurn } from '../../turns.js';
import { ReadsThen } from '../as-of.js';
import type { Database, Reads } from '../database.js';
import { type Found, rowsOf, selectFrom } from '../page.js';
import {
  type ChangeRow,
  type ChangeSearch,
  changesWith,
  ANY_CHANGE,
  GROUP,
  GROUP_PARTS,
  joinedToChanges,
  joinedToRemovals,
  searchConditions,
  type SiteChange,
  toSiteChange,
} from './changes.js';
import { ALL_SITES } from './filters.js';
import { withGaps } from './gaps.js';

/**
 * Groups of changes. One group is what happened on one UTC day at one or many Sites: the same kind
 * of equipment and of change, with the same type and configuration after it.
 */

/** A group of changes. */
export interface ChangeGroup {
  /** Selects the changes of the group: see {@link ChangeSearch}. */
  key: string;
  /** How many changes it has. */
  count: number;
  /** At how many Sites. */
  sites: number;
  /** The first of its changes, at most {@link MOST_LISTED}, in the order of their Sites. */
  changes: SiteChange[];
}

/** How many changes of a group are listed. */
const MOST_LISTED = 20;

/** A page of groups, and how many changes all groups have. */
export type FoundGroups = Found<ChangeGroup> & { totalChanges: number };

/** The number of groups and of changes of each day. */
type Days = { day: string; groups: number; changes: number }[];

/** How many searches are remembered. There is a limit, because clients can invent searches. */
const MOST_SEARCHES = 100;

/** Which changes are grouped: a search without its page. */
type GroupSearch = Omit<ChangeSearch, 'page' | 'size'>;

/** What tells groups apart, as columns. */
const PARTS = GROUP_PARTS.map((part, index) => `${part} AS part${index}`).join(', ');

/** The statement for columns of the changes that a search finds. */
const selectGrouped = (
  db: Database,
  search: ChangeSearch,
  columns: string,
  more: Sql[],
  joined = joinedToChanges,
): Sql => {
  const { mergeGaps, recordedSince } = search;
  const from = `change ${joined(mergeGaps)}`;
  const where = changesWith(mergeGaps, recordedSince !== null).where;
  const conditions = [...searchConditions(db.dialect, search), ...more];
  return selectFrom(where === undefined ? { from } : { from, where }, columns, conditions);
};

/** The condition that changes are of some days. */
const ofDays = (first: string, last: string): Sql[] => [
  sql`change.at >= ${first} AND change.at < ${`${last}~`}`,
];

/** The page that begins with some element, and how many groups there are before the days of it. */
function daysOfPage(days: Days, first: number, size: number): { days: Days; before: number } {
  let before = 0;
  const found: Days = [];
  let end = 0;
  for (const day of days) {
    const start = end;
    end += day.groups;
    if (end <= first) before = end;
    else if (start < first + size) found.push(day);
    else break;
  }
  return { days: found, before };
}

/** The years with changes. */
const YEARS = sql`SELECT DISTINCT substr(at, 1, 4) AS start FROM change ORDER BY start`;

/** The months with changes. Each is the first one after another: an index finds it at once. */
const MONTHS = sql`
  WITH RECURSIVE month (start) AS (
    SELECT substr(min(at), 1, 7) FROM change
    UNION ALL
    SELECT (SELECT substr(min(at), 1, 7) FROM change WHERE at > start || '~')
    FROM month WHERE start IS NOT NULL)
  SELECT start FROM month WHERE start IS NOT NULL ORDER BY start`;

/** Finds groups of changes. */
export class ChangeGroups {
  /** The days with changes, for the searches in one state. */
  private remembered = { version: -1, days: new Map<string, Days>() };

  constructor(private readonly reads: Reads) {}

  /** A page of groups. */
  async findPage(search: ChangeSearch): Promise<FoundGroups> {
    const reads = await withGaps(this.reads, search.sites);
    const days = await this.daysOf(reads, search);
    const totalElements = days.reduce((sum, { groups }) => sum + groups, 0);
    const totalChanges = days.reduce((sum, { changes }) => sum + changes, 0);
    const { page, size } = search;
    const ofPage = daysOfPage(days, page * size, size);
    if (ofPage.days.length === 0) return { elements: [], totalElements, totalChanges };
    const elements = await reads.inOneState((db) => this.readGroups(db, search, ofPage));
    return { elements, totalElements, totalChanges };
  }

  /**
   * The latest groups of all Sites, with gaps merged as by default. Other requests run between the
   * days.
   */
  async findLatest(size: number): Promise<ChangeGroup[]> {
    const search: ChangeSearch = {
      ...ANY_CHANGE,
      sites: ALL_SITES,
      recordedSince: null,
      mergeGaps: LONGEST_GAP,
      latestFirst: true,
      page: 0,
      size,
    };
    const found: ChangeGroup[] = [];
    let before = '~';
    while (found.length < size) {
      const { day, groups } = await this.reads.inOneState((db) =>
        this.readDayBefore(db, { ...search, size: size - found.length }, before),
      );
      if (day === null) break;
      found.push(...groups);
      before = day;
      await ownTurn();
    }
    return found;
  }

  /** The groups of the last day with changes before another day; the day is null if none is. */
  private async readDayBefore(
    db: Database,
    search: ChangeSearch,
    before: string,
  ): Promise<{ day: string | null; groups: ChangeGroup[] }> {
    const earlier = [sql`change.at < ${before}`];
    const { latest } = (await db.get<{ latest: Instant | null }>(
      selectGrouped(db, search, 'max(change.at) AS latest', earlier, joinedToRemovals),
    ))!;
    if (latest === null) return { day: null, groups: [] };
    const day = latest.slice(0, 10);
    const days: Days = [{ day, groups: 1, changes: 1 }];
    return { day, groups: await this.readGroups(db, search, { days, before: 0 }) };
  }

  /** The groups of a page. @param before how many come before those of its days */
  private async readGroups(
    db: Database,
    search: ChangeSearch,
    { days, before }: { days: Days; before: number },
  ): Promise<ChangeGroup[]> {
    const { latestFirst, page, size, mergeGaps, recordedSince } = search;
    const [first, last] = [days[0]!.day, days.at(-1)!.day].sort() as [string, string];
    const between = ofDays(first, last);
    const order = latestFirst ? 'latest DESC' : 'latest';
    const groups = await db.all<Pick<ChangeGroup, 'key' | 'count' | 'sites'>>(sql`
      ${selectGrouped(
        db,
        search,
        `${GROUP} AS key, count(*) AS count, count(DISTINCT change.site_id) AS sites,
          max(change.at) AS latest, min(change.kind_position) AS kind_position`,
        between,
      )}
      GROUP BY 1 ORDER BY substr(max(change.at), 1, 10)${raw(latestFirst ? ' DESC' : '')},
        ${raw(order)}, kind_position, key
      LIMIT ${size} OFFSET ${page * size - before}`);
    const keys = groups.map(({ key }) => key);
    const numbered = selectGrouped(
      db,
      search,
      `change.id AS id, ${GROUP} AS key, row_number() OVER (
        PARTITION BY ${GROUP} ORDER BY four_character_id, change.site_id, change.id) AS place`,
      between,
    );
    const members = await db.all<{ id: number; key: string }>(sql`
      SELECT id, key FROM (${numbered}) AS numbered
      WHERE place <= ${MOST_LISTED} AND key IN (${join(keys)}) ORDER BY key, place`);
    const table = changesWith(mergeGaps, recordedSince !== null);
    const ids = members.map(({ id }) => id);
    const changes = new Map(
      (await rowsOf<ChangeRow>(db, table, ids)).map((row) => [row.id, toSiteChange(row)]),
    );
    const byKey = Map.groupBy(members, ({ key }) => key);
    return groups.map(({ key, count, sites }) => ({
      key,
      count,
      sites,
      changes: (byKey.get(key) ?? []).flatMap(({ id }) => changes.get(id) ?? []),
    }));
  }

  /** The number of groups of each day, in the order of the search. */
  private async daysOf(reads: Reads, search: ChangeSearch): Promise<Days> {
    const { page: _page, size: _size, ...others } = search;
    const version = await reads.version();
    if (this.remembered.version !== version || this.remembered.days.size >= MOST_SEARCHES)
      this.remembered = { version, days: new Map() };
    const { days } = this.remembered;
    const key = JSON.stringify(others);
    const known = days.get(key);
    if (known !== undefined) return known;
    const found = await this.readDays(reads, others);
    // Another process may have committed meanwhile.
    if ((await reads.version()) === version) days.set(key, found);
    return found;
  }

  /**
   * Reads the days month by month. Other requests run between them. Of an earlier time, each
   * statement makes the gaps anew: the days are read year by year.
   */
  private async readDays(reads: Reads, search: GroupSearch): Promise<Days> {
    const whole = { ...search, page: 0, size: 1 };
    const parts = await reads.all<{ start: string }>(reads instanceof ReadsThen ? YEARS : MONTHS);
    const days: Days = [];
    for (const { start } of parts) {
      const columns = `${PARTS}, count(*) AS changes`;
      const grouped = selectGrouped(reads, whole, columns, ofDays(start, start), joinedToRemovals);
      days.push(
        ...(await reads.all<Days[number]>(sql`
          SELECT part0 AS day, count(*) AS groups,
            CAST(sum(changes) AS ${raw(reads.dialect.types.integer)}) AS changes
          FROM (${grouped} GROUP BY 1, 2, 3, 4) AS found GROUP BY 1 ORDER BY 1`)),
      );
      await ownTurn();
    }
    return search.latestFirst ? days.reverse() : days;
  }
}
