import type { Box } from '../../requests/place.js';
import { boxAround, byDistance, type Placed, plainBoxes } from '../places.js';
import type { Found } from '../search.js';
import type { SitePageSearch } from '../sites.js';
import type { Reads } from './client.js';
import { findRows, findRowsIn } from './page-search.js';
import { Bindings, type Condition, Selection, type Table } from './selection.js';

/** The condition that a Site is within a box. */
export const withinBox =
  (box: Box): Condition =>
  (bindings) => {
    const boxes = plainBoxes(box).map(({ west, south, east, north }) => {
      const [w, s, e, n] = [west, south, east, north].map((value) => `${bindings.add(value)}::double precision`);
      return `point(longitude, latitude) <@ box(point(${w}, ${s}), point(${e}, ${n})) AND longitude BETWEEN ${w} AND ${e} AND latitude BETWEEN ${s} AND ${n}`;
    });
    return `(${boxes.join(' OR ')})`;
  };

const isOneOf =
  (ids: number[]): Condition =>
  (bindings) =>
    `site.id = ANY (${bindings.add(ids)}::bigint[])`;

/** A page of Sites, with their distances if the search measures any. */
export async function findSitePage<Row extends { id: number }>(
  reads: Reads,
  table: Table,
  { box, near, ...search }: SitePageSearch,
): Promise<Found<{ row: Row; distance?: number | null }>> {
  const conditions = box === null ? [] : [withinBox(box)];
  if (near === null) {
    const { elements, totalElements } = await findRows<Row>(reads, table, search, conditions);
    return { elements: elements.map((row) => ({ row })), totalElements };
  }
  if (near.radius !== null) conditions.push(withinBox(boxAround(near, near.radius)));
  return reads.inOneState(async (snapshot) => {
    const bindings = new Bindings();
    const candidates = new Selection(table, search.filters, conditions, bindings).select('site.id, latitude, longitude');
    const distances = byDistance(await snapshot.all<Placed>(candidates, ...bindings.values), near);
    const measured = (row: Row) => ({ row, distance: distances.get(row.id)! });
    const ids = [...distances.keys()];
    if (search.sort.length > 0) {
      const found = await findRowsIn<Row>(snapshot, table, { ...search, filters: [] }, [isOneOf(ids)]);
      return { elements: found.elements.map(measured), totalElements: found.totalElements };
    }
    const ofPage = ids.slice(search.page * search.size, (search.page + 1) * search.size);
    const found = await findRowsIn<Row>(snapshot, table, { filters: [], sort: [], page: 0, size: search.size }, [isOneOf(ofPage)]);
    const byId = new Map(found.elements.map((row) => [row.id, row]));
    return { elements: ofPage.map((id) => measured(byId.get(id)!)), totalElements: ids.length };
  });
}
