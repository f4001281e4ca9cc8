import sql, { join, type Sql } from 'sql-template-tag';
import type { CorsSite } from '../../../../schemas/index.js';
import { distanceOf, type Placed } from '../../../derive/places.js';
import { neededWordsOf } from '../../../derive/summary.js';
import type { Database } from '../../database.js';
import { allOf, type Dialect } from '../../dialect.js';
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

/** What is searched of a Site with its summary, as SQL. */
const CURRENT_TEXTS = ['search_text', 'lower(coalesce(nine_character_id, four_character_id))'];

/** The condition that a Site, joined with its summary, has all of these words. */
export const hasWords = ({ contains }: Dialect, words: string[], texts = CURRENT_TEXTS): Sql =>
  allOf(
    words.map((word) => {
      const inEach = texts.map((text) => contains(text, word));
      return sql`(${join(inEach, ' OR ')})`;
    }),
  );

/** The same with its former equipment. */
export const hadWords = (dialect: Dialect, words: string[]): Sql =>
  hasWords(dialect, words, ['former_text', ...CURRENT_TEXTS]);

/** A Site with what a search says about it. */
type Remarked<Row> = { row: Row } & Pick<FoundSite, 'foundBy' | 'distance'>;

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
  const words = neededWordsOf(search.text ?? '');
  const conditions = siteConditions(dialect, search.sites);
  if (words.length === 0 && near === null) {
    const { elements, totalElements } = await findCounted<Row>(db, table, search, conditions);
    return { elements: elements.map((row) => ({ row })), totalElements };
  }
  // Whether a Site has all words without its former equipment.
  const isCurrent = sql`CASE WHEN ${hasWords(dialect, words)} THEN 1 ELSE 0 END`;
  let searched = table;
  if (words.length > 0) {
    conditions.push(hadWords(dialect, words));
    searched = {
      ...table,
      from: `${table.from} JOIN site_summary ON site_summary.site_id = site.id`,
      columns: sql`${columnsAs(table.columns)}, ${isCurrent} AS has_words`,
    };
  }
  const byDefault: Term =
    near === null
      ? { expression: isCurrent, direction: ' DESC' }
      : { expression: distanceFrom(near), direction: ' NULLS LAST' };
  const { elements, totalElements } = await findCountingAlong<Row & { has_words?: number }>(
    db,
    searched,
    search,
    conditions,
    [byDefault],
  );
  const remarked = elements.map((row) => {
    const site: Remarked<Row> = { row };
    if (words.length > 0) site.foundBy = row.has_words === 1 ? 'current' : 'former';
    if (near !== null) site.distance = distanceOf(row, near);
    return site;
  });
  return { elements: remarked, totalElements };
}
