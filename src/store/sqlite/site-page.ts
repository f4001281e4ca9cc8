import type { Box } from '../../requests/place.js';
import { boxAround, byDistance, type Placed, plainBoxes } from '../places.js';
import type { Found } from '../search.js';
import type { SitePageSearch } from '../sites.js';
import type { Connection } from './connection.js';
import { findRows, rowsOf } from './page-search.js';
import { type Condition, Selection, type Table } from './selection.js';

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

/** A page of Sites, with their distances if the search measures any; several reads, within the transaction of the caller. */
export function findSitePage<Row extends { id: number }>(
  connection: Connection,
  table: Table,
  { box, near, ...search }: SitePageSearch,
): Found<{ row: Row; distance?: number | null }> {
  const conditions = box === null ? [] : [withinBox(box)];
  if (near === null) {
    const { elements, totalElements } = findRows<Row>(connection, table, search, conditions);
    return { elements: elements.map((row) => ({ row })), totalElements };
  }
  if (near.radius !== null) conditions.push(withinBox(boxAround(near, near.radius)));
  const candidates = new Selection(connection, table, search.filters, conditions).rows<Placed>('site.id, latitude, longitude');
  const distances = byDistance(candidates, near);
  const measured = (row: Row) => ({ row, distance: distances.get(row.id)! });
  const ids = [...distances.keys()];
  if (search.sort.length > 0) {
    const found = findRows<Row>(connection, table, { ...search, filters: [] }, [isOneOf(ids)]);
    return { elements: found.elements.map(measured), totalElements: found.totalElements };
  }
  const ofPage = ids.slice(search.page * search.size, (search.page + 1) * search.size);
  const rows = rowsOf<Row>(connection, table, ['SELECT value FROM json_each(?)', JSON.stringify(ofPage)], table.id);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return { elements: ofPage.map((id) => measured(byId.get(id)!)), totalElements: ids.length };
}

const isOneOf = (ids: number[]): Condition => ['site.id IN (SELECT value FROM json_each(?))', JSON.stringify(ids)];
