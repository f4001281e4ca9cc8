import type { Box } from '../../requests/place.js';
import { boxAround, byDistance, type Placed, plainBoxes } from '../places.js';
import type { Found } from '../search.js';
import { inOrderOf, neededWordsOf } from '../rows/sites.js';
import type { FoundSite, SitePageSearch } from '../sites.js';
import type { Reads } from './client.js';
import { findRows, findRowsIn } from './page-search.js';
import { Bindings, type Condition, Selection, type Table } from './selection.js';
import { findWords } from './site-words.js';

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

/** What a search says about a Site that it found, besides its row. */
type Remarks = Pick<FoundSite, 'foundBy' | 'distance'>;

/** A page of Sites, with where their words were found and their distances, if requested. */
export async function findSitePage<Row extends { id: number }>(
  reads: Reads,
  table: Table,
  { text = '', box, near, ...search }: SitePageSearch,
): Promise<Found<{ row: Row } & Remarks>> {
  const conditions = box === null ? [] : [withinBox(box)];
  const words = neededWordsOf(text);
  if (near === null && words.length === 0) {
    const { elements, totalElements } = await findRows<Row>(reads, table, search, conditions);
    return { elements: elements.map((row) => ({ row })), totalElements };
  }
  if (near !== null && near.radius !== null) conditions.push(withinBox(boxAround(near, near.radius)));
  return reads.inOneState(async (snapshot) => {
    const matches = words.length === 0 ? null : await findWords(snapshot, words);
    if (matches !== null) conditions.push(isOneOf([...matches.keys()]));
    const bindings = new Bindings();
    const statement = new Selection(table, search.filters, conditions, bindings).select('site.id, latitude, longitude');
    const candidates = await snapshot.all<Placed>(statement, ...bindings.values);
    const distances = near === null ? null : byDistance(candidates, near);
    const remarked = (row: Row) => ({
      row,
      ...(matches !== null && { foundBy: matches.get(row.id)! }),
      ...(distances !== null && { distance: distances.get(row.id)! }),
    });
    const ids = distances === null ? inOrderOf(matches!, candidates) : [...distances.keys()];
    if (search.sort.length > 0) {
      const found = await findRowsIn<Row>(snapshot, table, { ...search, filters: [] }, [isOneOf(ids)]);
      return { elements: found.elements.map(remarked), totalElements: found.totalElements };
    }
    const ofPage = ids.slice(search.page * search.size, (search.page + 1) * search.size);
    const found = await findRowsIn<Row>(snapshot, table, { filters: [], sort: [], page: 0, size: search.size }, [isOneOf(ofPage)]);
    const rows = new Map(found.elements.map((row) => [row.id, row]));
    return { elements: ofPage.map((id) => remarked(rows.get(id)!)), totalElements: ids.length };
  });
}
