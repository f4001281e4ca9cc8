import type { Box } from '../../requests/place.js';
import { boxAround, idsByDistance, type Placed, plainBoxes } from '../places.js';
import { isMeasured, matchesAmong, matchingOf, type Matches, neededWordsOf, remarksOn } from '../rows/sites.js';
import type { Found } from '../search.js';
import type { SitePageSearch } from '../sites.js';
import type { Reads } from './client.js';
import { readNarrowRows } from './narrow-rows.js';
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

/** A Site with what a search says about it. */
type Remarked<Row> = { row: Row } & ReturnType<typeof remarksOn>;

/** A page of Sites, with where their words were found and their distances, if requested. */
export async function findSitePage<Row extends Placed>(reads: Reads, table: Table, search: SitePageSearch): Promise<Found<Remarked<Row>>> {
  const { text = '', box, near, filters, page, size } = search;
  const conditions = box === null ? [] : [withinBox(box)];
  if (near !== null && near.radius !== null) conditions.push(withinBox(boxAround(near, near.radius)));
  const words = neededWordsOf(text);
  const toPage = ({ elements, totalElements }: Found<Row>, matches: Matches | null) => ({
    elements: elements.map((row) => ({ row, ...remarksOn(row, matches, search) })),
    totalElements,
  });
  if (words.length === 0 && !isMeasured(search)) return toPage(await findRows<Row>(reads, table, search, conditions), null);
  return reads.inOneState(async (snapshot) => {
    const matches = words.length === 0 ? null : await findWords(snapshot, words);
    const candidates = <Columns extends { id: number }>(...columns: (keyof Columns & string)[]): Promise<Columns[]> => {
      const bindings = new Bindings();
      const statement = new Selection(table, filters, conditions, bindings).select(columns.map((column) => `site.${column}`).join(', '));
      return readNarrowRows<Columns>(snapshot, columns, statement, ...bindings.values);
    };
    const matchingIds = async (): Promise<number[]> => {
      if (isMeasured(search)) return idsByDistance(matchingOf(await candidates<Placed>('id', 'latitude', 'longitude'), matches), near!);
      // Without anything else to meet, the Sites with the words are the candidates.
      if (filters.length + conditions.length === 0) return matches!.ids;
      const others = await candidates<Pick<Placed, 'id'>>('id');
      return matchesAmong(
        matches!,
        others.map(({ id }) => id),
      );
    };
    const ids = await matchingIds();
    if (search.sort.length > 0) {
      return toPage(await findRowsIn<Row>(snapshot, table, { ...search, filters: [] }, [isOneOf(ids)]), matches);
    }
    const ofPage = ids.slice(page * size, (page + 1) * size);
    const { elements } = await findRowsIn<Row>(snapshot, table, { filters: [], sort: [], page: 0, size }, [isOneOf(ofPage)]);
    const rows = new Map(elements.map((row) => [row.id, row]));
    return toPage({ elements: ofPage.map((id) => rows.get(id)!), totalElements: ids.length }, matches);
  });
}
