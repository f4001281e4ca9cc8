import sql, { join, raw, type Sql } from 'sql-template-tag';
import { boxAround, distanceOf, idsByDistance, type Placed, plainBoxes } from '../../derive/places.js';
import type { Box } from '../../requests/place.js';
import type { Database } from '../database.js';
import { filtersOn, findIds, findRows, orderOf, type PageTable, rowsOf, selectFrom } from '../page.js';
import type { Found } from '../search.js';
import type { FoundSite, SitePageSearch } from './site-searches.js';
import { hadWords, hasWords, neededWordsOf } from './words.js';

/** The condition that a Site is within a box. */
export const withinBox = (box: Box): Sql => {
  const each = plainBoxes(box).map(
    ({ west, south, east, north }) => sql`site.latitude BETWEEN ${south} AND ${north} AND site.longitude BETWEEN ${west} AND ${east}`,
  );
  return sql`(${join(each, ' OR ')})`;
};

/** A Site with what a search says about it. */
type Remarked<Row> = { row: Row } & Pick<FoundSite, 'foundBy' | 'distance'>;

/** A Site of a search with words, and whether it has all of them without its former equipment. */
type MatchRow<Row> = Row & { has_words?: number };

const SUMMARY = 'JOIN site_summary ON site_summary.site_id = site.id';

/**
 * Finds a page of Sites, with where their words were found and their distances, if requested; several reads, in one state.
 * @param table its rows have the positions of their Sites
 */
export async function findSitePage<Row extends Placed>(
  db: Database,
  table: PageTable,
  search: SitePageSearch,
): Promise<Found<Remarked<Row>>> {
  const { dialect } = db;
  const { text = '', box, near, filters, sort, page, size } = search;
  const areas = [box, near !== null && near.radius !== null ? boxAround(near, near.radius) : null];
  const conditions = areas.filter((area) => area !== null).map(withinBox);
  const words = neededWordsOf(text);
  const isMeasured = near !== null && (near.radius !== null || sort.length === 0);
  const toFound = (row: MatchRow<Row>): Remarked<Row> => ({
    row,
    ...(words.length > 0 && { foundBy: row.has_words === 1 ? 'current' : 'former' }),
    ...(near !== null && { distance: distanceOf(row, near) }),
  });
  if (words.length === 0 && !isMeasured) {
    const { elements, totalElements } = await findRows<Row>(db, table, search, conditions);
    return { elements: elements.map(toFound), totalElements };
  }

  const source = words.length === 0 ? table : { ...table, from: `${table.from} ${SUMMARY}` };
  const found = sql`CASE WHEN ${hasWords(dialect, words)} THEN 1 ELSE 0 END`;
  const all = [...filtersOn(dialect, table, filters), ...conditions, ...(words.length === 0 ? [] : [hadWords(dialect, words)])];
  const order = sort.length > 0 ? raw(orderOf(table, sort)) : sql`${found} DESC, ${raw(table.id)}`;
  const findNearest = async () => {
    const candidates = await db.all<Placed>(selectFrom(source, `${table.id} AS id, site.latitude, site.longitude`, all));
    const nearest = idsByDistance(candidates, near!);
    if (nearest.length > 0 && sort.length > 0) return findIds(db, source, [dialect.isOneOf(table.id, nearest)], order, search);
    return { ids: nearest.slice(page * size, (page + 1) * size), totalElements: nearest.length };
  };
  const { ids, totalElements } = await (isMeasured ? findNearest() : findIds(db, source, all, order, search));
  const columns = words.length === 0 ? table.columns : sql`${raw(table.columns)}, ${found} AS has_words`;
  const rows = await rowsOf<MatchRow<Row>>(db, { ...source, columns }, ids);
  return { elements: rows.map(toFound), totalElements };
}
