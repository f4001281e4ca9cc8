import sql, { type Sql } from 'sql-template-tag';
import type { DerivedChange } from '../../derive/changes.js';
import { gapsBetween, mergedChange } from '../../derive/gaps.js';
import { ownTurn } from '../../turns.js';
import { DatabaseThen, type GapThen, ReadsThen } from '../as-of.js';
import type { Database, Reads } from '../database.js';
import { allOf } from '../dialect.js';
import { siteConditions, type SiteFilter } from './filters.js';

/**
 * The gaps between changes at an earlier time. Rows of `change` have those of now, so these are
 * derived from the changes that were on record.
 */

/** How many Sites are read at once. This takes a few milliseconds. */
const SITES_AT_ONCE = 100;

/** The gaps between the changes on record at some Sites. */
async function gapsOf(db: Database, sites: readonly number[]): Promise<GapThen[]> {
  const rows = await db.all<{ id: number; siteId: number; document: string }>(sql`
    SELECT id, site_id AS "siteId", document FROM change
    WHERE ${db.dialect.isOneOf('site_id', sites)} AND superseded_at IS NULL
      AND kind IN ('removed', 'installed')
    ORDER BY at, id`);
  const changes = rows.map(({ document, ...row }) => ({
    ...(JSON.parse(document) as DerivedChange),
    ...row,
  }));
  return [...Map.groupBy(changes, ({ siteId }) => siteId).values()].flatMap((ofSite) =>
    gapsBetween(ofSite).map((gap) => ({
      removed: gap.removed.id,
      installed: gap.installed.id,
      seconds: gap.seconds,
      mergedKind: mergedChange(gap).kind,
    })),
  );
}

/** The same state, in which the changes of some Sites have their gaps. */
export async function withGapsAt(db: Database, sites: readonly number[]): Promise<Database> {
  if (!(db instanceof DatabaseThen)) return db;
  return new DatabaseThen(db.db, db.time, await gapsOf(db, sites));
}

/** The same reads, in which the changes of the Sites of a filter have their gaps. */
export async function withGaps(reads: Reads, filter: SiteFilter): Promise<Reads> {
  if (!(reads instanceof ReadsThen)) return reads;
  const conditions: Sql[] = siteConditions(reads.dialect, filter);
  const sites = await reads.all<{ id: number }>(
    sql`SELECT site.id FROM site WHERE ${allOf(conditions)}`,
  );
  const gaps: GapThen[] = [];
  for (let first = 0; first < sites.length; first += SITES_AT_ONCE) {
    const some = sites.slice(first, first + SITES_AT_ONCE).map(({ id }) => id);
    gaps.push(...(await gapsOf(reads, some)));
    await ownTurn();
  }
  return new ReadsThen(reads.reads, reads.time, gaps);
}
