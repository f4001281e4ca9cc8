import type { Box } from '../../requests/place.js';
import { boxAround, byDistance, type Placed, plainBoxes } from '../places.js';
import { inOrderOf, neededWordsOf } from '../rows/sites.js';
import type { Found } from '../search.js';
import type { FoundSite, SitePageSearch } from '../sites.js';
import type { Connection } from './connection.js';
import { findRows, rowsOf } from './page-search.js';
import { type Condition, Selection, type Table } from './selection.js';
import { findWords } from './site-words.js';

/** The condition that a Site is within a box. The index of positions rounds, so it only finds candidates. */
export function withinBox(box: Box): Condition {
  const boxes = plainBoxes(box);
  const inIndex = boxes.map(() => 'SELECT site_id FROM site_position WHERE west <= ? AND east >= ? AND south <= ? AND north >= ?');
  const spans = boxes.map(() => 'site.longitude BETWEEN ? AND ?');
  return [
    `site.id IN (${inIndex.join(' UNION ALL ')}) AND site.latitude BETWEEN ? AND ? AND (${spans.join(' OR ')})`,
    ...boxes.flatMap(({ west, south, east, north }) => [east, west, north, south]),
    box.south,
    box.north,
    ...boxes.flatMap(({ west, east }) => [west, east]),
  ];
}

const listed = (ids: number[]): Condition => ['SELECT value FROM json_each(?)', JSON.stringify(ids)];
const isOneOf = (ids: number[]): Condition => ['site.id IN (SELECT value FROM json_each(?))', JSON.stringify(ids)];

/** What a search says about a Site that it found, besides its row. */
type Remarks = Pick<FoundSite, 'foundBy' | 'distance'>;

/** A page of Sites, with where their words were found and their distances, if requested; several reads, within the transaction of the caller. */
export function findSitePage<Row extends { id: number }>(
  connection: Connection,
  table: Table,
  { text = '', box, near, ...search }: SitePageSearch,
): Found<{ row: Row } & Remarks> {
  const conditions = box === null ? [] : [withinBox(box)];
  const words = neededWordsOf(text);
  const matches = words.length === 0 ? null : findWords(connection, words);
  if (matches !== null) conditions.push(isOneOf([...matches.keys()]));
  if (near !== null && near.radius !== null) conditions.push(withinBox(boxAround(near, near.radius)));
  const candidates = (columns: string) => new Selection(connection, table, search.filters, conditions).rows<Placed>(columns);
  const distances = near === null ? null : byDistance(candidates('site.id, latitude, longitude'), near);
  const remarked = (row: Row) => ({
    row,
    ...(matches !== null && { foundBy: matches.get(row.id)! }),
    ...(distances !== null && { distance: distances.get(row.id)! }),
  });
  if (search.sort.length > 0 || (matches ?? distances) === null) {
    const measured = distances === null ? conditions : [isOneOf([...distances.keys()])];
    const found = findRows<Row>(connection, table, distances === null ? search : { ...search, filters: [] }, measured);
    return { elements: found.elements.map(remarked), totalElements: found.totalElements };
  }
  const ids = distances === null ? inOrderOf(matches!, candidates('site.id')) : [...distances.keys()];
  const ofPage = ids.slice(search.page * search.size, (search.page + 1) * search.size);
  const rows = new Map(rowsOf<Row>(connection, table, listed(ofPage), table.id).map((row) => [row.id, row]));
  return { elements: ofPage.map((id) => remarked(rows.get(id)!)), totalElements: ids.length };
}
