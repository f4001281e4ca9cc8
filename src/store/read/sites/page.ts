import sql from 'sql-template-tag';
import type { CorsSite } from '../../../../schemas/index.js';
import { distanceOf, type Placed } from '../../../derive/places.js';
import type { Database } from '../../database.js';
import {
  columnsAs,
  findCounted,
  findCountingAlong,
  type Found,
  type FoundBy,
  type PageSearch,
  type PageTable,
  type Term,
} from '../../page.js';
import { distanceFrom, siteConditions, type SiteFilter } from '../filters.js';
import { type WordConditions, wordConditions } from './words.js';

/** Which Sites to find, also by words and place. */
export interface SitePageSearch extends PageSearch {
  /**
   * As in a list of Sites, but former equipment counts too; Sites found by it come last by default.
   * Left out or empty for all Sites.
   */
  text?: string;
  /**
   * Distances are measured from its point. By default, the nearest Sites come first, and those
   * without a known position last.
   */
  sites: SiteFilter;
}

/** A Site that a search found. */
export interface FoundSite extends CorsSite {
  /** Present only if the search had words. */
  foundBy?: FoundBy;
  /**
   * The distance from `near` in kilometres, null if the position is unknown; present only if a
   * point was given.
   */
  distance?: number | null;
}

/** A Site with what a search says about it. */
type Remarked<Row> = { row: Row } & Pick<FoundSite, 'foundBy' | 'distance'>;

/** Sites in the country that the words name come first, those found by former equipment last. */
function bestFirst({ inCountry, isCurrent }: WordConditions): Term[] {
  const first = [isCurrent];
  if (inCountry !== null) first.unshift(inCountry);
  return first.map((condition) => ({
    expression: sql`CASE WHEN ${condition} THEN 1 ELSE 0 END`,
    direction: ' DESC',
  }));
}

/**
 * A page of Sites, with distances and where words were found, if requested; several reads of one
 * state.
 * @param table has the positions
 */
export async function findSitePage<Row extends Placed>(
  db: Database,
  table: PageTable,
  search: SitePageSearch,
): Promise<Found<Remarked<Row>>> {
  const { dialect } = db;
  const { near } = search.sites;
  const words = wordConditions(dialect, search.text ?? '');
  const conditions = siteConditions(dialect, search.sites);
  if (words === null && near === null) {
    const { elements, totalElements } = await findCounted<Row>(db, table, search, conditions);
    return { elements: elements.map((row) => ({ row })), totalElements };
  }
  let searched = table;
  const byDefault: Term[] = [];
  if (near !== null) byDefault.push({ expression: distanceFrom(near), direction: ' NULLS LAST' });
  if (words !== null) {
    const isCurrent = sql`CASE WHEN ${words.isCurrent} THEN 1 ELSE 0 END`;
    conditions.push(words.isFound);
    searched = {
      ...table,
      from: `${table.from} JOIN site_summary ON site_summary.site_id = site.id`,
      columns: sql`${columnsAs(table.columns)}, ${isCurrent} AS has_words`,
    };
    if (near === null) byDefault.push(...bestFirst(words));
  }
  const { elements, totalElements } = await findCountingAlong<Row & { has_words?: number }>(
    db,
    searched,
    search,
    conditions,
    byDefault,
  );
  const remarked = elements.map((row) => {
    const site: Remarked<Row> = { row };
    if (words !== null) site.foundBy = row.has_words === 1 ? 'current' : 'former';
    if (near !== null) site.distance = distanceOf(row, near);
    return site;
  });
  return { elements: remarked, totalElements };
}
