import sql, { join, raw, type Sql } from 'sql-template-tag';
import { distanceOf, type Placed } from '../../derive/places.js';
import { neededWordsOf } from '../../derive/summary.js';
import type { Database } from '../database.js';
import { allOf, type Dialect } from '../dialect.js';
import { filtersOn, findIds, findRows, type Found, orderOf, type PageTable, rowsOf } from '../page.js';
import { distanceFrom, siteConditions } from './filters.js';
import type { FoundSite, SitePageSearch } from './site-searches.js';

/** What is searched of a Site with its summary, as SQL. */
const CURRENT = ['search_text', 'lower(coalesce(nine_character_id, four_character_id))'];

/** The condition that a Site with its summary has a list of words. */
export const hasWords = ({ contains }: Dialect, words: string[], texts = CURRENT): Sql =>
  allOf(
    words.map((word) => {
      const inEach = texts.map((text) => contains(text, word));
      return sql`(${join(inEach, ' OR ')})`;
    }),
  );

/** The same with its former equipment. */
export const hadWords = (dialect: Dialect, words: string[]): Sql => hasWords(dialect, words, ['former_text', ...CURRENT]);

/** A Site with what a search says about it. */
type Remarked<Row> = { row: Row } & Pick<FoundSite, 'foundBy' | 'distance'>;

/** A Site of a search with words, and whether it has all of them without its former equipment. */
type MatchRow<Row> = Row & { has_words?: number };

const SUMMARY = 'JOIN site_summary ON site_summary.site_id = site.id';

/** A page of Sites, with where words were found and distances, if requested; several reads, in one state. @param table with the positions of Sites */
export async function findSitePage<Row extends Placed>(
  db: Database,
  table: PageTable,
  search: SitePageSearch,
): Promise<Found<Remarked<Row>>> {
  const { dialect } = db;
  const { text = '', sites, filters, sort } = search;
  const { near } = sites;
  const conditions = siteConditions(dialect, sites);
  const words = neededWordsOf(text);
  const toFound = (row: MatchRow<Row>): Remarked<Row> => ({
    row,
    ...(words.length > 0 && { foundBy: row.has_words === 1 ? 'current' : 'former' }),
    ...(near !== null && { distance: distanceOf(row, near) }),
  });
  if (words.length === 0 && (near === null || sort.length > 0)) {
    const { elements, totalElements } = await findRows<Row>(db, table, search, conditions);
    return { elements: elements.map(toFound), totalElements };
  }

  const source = words.length === 0 ? table : { ...table, from: `${table.from} ${SUMMARY}` };
  const found = sql`CASE WHEN ${hasWords(dialect, words)} THEN 1 ELSE 0 END`;
  const all = [...filtersOn(dialect, table, filters), ...conditions, ...(words.length === 0 ? [] : [hadWords(dialect, words)])];
  const byItself = near === null ? sql`${found} DESC` : sql`${distanceFrom(near)} NULLS LAST`;
  const order = sort.length > 0 ? raw(orderOf(table, sort)) : sql`${byItself}, ${raw(table.id)}`;
  const { ids, totalElements } = await findIds(db, source, all, order, search);
  const columns = words.length === 0 ? table.columns : sql`${raw(table.columns)}, ${found} AS has_words`;
  const rows = await rowsOf<MatchRow<Row>>(db, { ...source, columns }, ids);
  return { elements: rows.map(toFound), totalElements };
}
