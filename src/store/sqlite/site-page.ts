import type { Box } from '../../requests/place.js';
import { boxAround, idsByDistance, type Placed, plainBoxes } from '../places.js';
import { isMeasured, matchesAmong, matchingOf, neededWordsOf, remarksOn } from '../rows/sites.js';
import type { Found } from '../search.js';
import type { SitePageSearch } from '../sites.js';
import type { Connection } from './connection.js';
import { findRows, findRowsAmong } from './page-search.js';
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

/** A Site with what a search says about it. */
type Remarked<Row> = { row: Row } & ReturnType<typeof remarksOn>;

/** A page of Sites, with where their words were found and their distances, if requested; several reads, within the transaction of the caller. */
export function findSitePage<Row extends Placed>(connection: Connection, table: Table, search: SitePageSearch): Found<Remarked<Row>> {
  const { text = '', box, near, filters } = search;
  const conditions = box === null ? [] : [withinBox(box)];
  if (near !== null && near.radius !== null) conditions.push(withinBox(boxAround(near, near.radius)));
  const words = neededWordsOf(text);
  const matches = words.length === 0 ? null : findWords(connection, words);
  const find = (): Found<Row> => {
    const candidates = new Selection(connection, table, filters, conditions);
    if (isMeasured(search)) {
      const placed = matchingOf(candidates.rows<Placed>('site.id, latitude, longitude'), matches);
      return findRowsAmong(connection, table, idsByDistance(placed, near!), search);
    }
    if (matches === null) return findRows(connection, table, search, conditions);
    // Without anything else to meet, the Sites with the words are the candidates.
    const isPlain = filters.length + conditions.length === 0;
    return findRowsAmong(connection, table, isPlain ? matches.ids : matchesAmong(matches, candidates.allIds()), search);
  };
  const { elements, totalElements } = find();
  return { elements: elements.map((row) => ({ row, ...remarksOn(row, matches, search) })), totalElements };
}
