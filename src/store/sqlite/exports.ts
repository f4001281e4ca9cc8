import type { ExportReader } from '../exports.js';
import { ExportWindows, type ExportTable } from '../rows/exports.js';
import { changeConditions } from './changes.js';
import type { Connection } from './connection.js';
import { DEVICE_PROPERTIES } from './devices.js';
import { listed, rowsOf } from './page-search.js';
import { type Condition, Selection, type Table } from './selection.js';
import { withinBox } from './site-page.js';
import { hadWords } from './site-words.js';

/** The installations in the order of their index by Site, which finds the matching ones without reading the others. */
const INSTALLATIONS_AT_SITES = 'site CROSS JOIN installation INDEXED BY installation_at_site ON installation.site_id = site.id';
/** How many ids are tried in the order of the table before that index is read. If many installations match, this is enough. */
const TRIED = 5000;

/** What a selection reads a table from. */
const tableOf = ({ ids, ...table }: ExportTable): Table => ({ ...table, id: `${ids}.id`, known: [] });

/** Reads windows of exports from one SQLite file. */
export const sqliteExports = (connection: Connection): ExportReader =>
  new ExportWindows<Condition>({
    // CROSS JOIN makes SQLite begin with the first table.
    join: 'CROSS JOIN',
    deviceProperties: DEVICE_PROPERTIES,
    toCondition: (clause) => clause,
    isOneOf: (column, values) => [`${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(values)],
    withinBox,
    hadWords: (words) => {
      const [sql, ...values] = hadWords(words);
      return [`EXISTS (SELECT 1 FROM site_summary WHERE site_id = site.id AND ${sql})`, ...values];
    },
    ofDevices: (words) => words.map((word) => ['instr(equipment.search_text, ?) > 0', word]),
    ofChanges: (search) => changeConditions(null, search),
    read: async (exported, filters, conditions) =>
      connection.inOneTransaction(() => {
        const { last } = connection.get<{ last: number | null }>(`SELECT max(id) AS last FROM ${exported.ids}`)!;
        const selection = new Selection(connection, tableOf(exported), filters, conditions);
        return { rows: selection.rows<object>(exported.columns), last };
      }),
    readFirst: async (exported, conditions, { after, most }) =>
      connection.inOneTransaction(() => {
        const table = tableOf(exported);
        const { id } = table;
        const rowsAmong = (ids: number[]) => rowsOf(connection, table, listed(ids), id);
        const order = [{ property: 'id', sql: id, descending: false, unknown: null }];
        const find = (from: string, range: Condition, limit: number): number[] =>
          new Selection(connection, { ...table, from }, [], [range, ...conditions]).ids(order, 0, limit);
        if (exported.ids !== 'installation') return rowsAmong(find(table.from, [`${id} > ?`, after], most));
        const tried = find(table.from, [`${id} > ? AND ${id} <= ?`, after, after + TRIED], most);
        const missing = most - tried.length;
        const others = missing === 0 ? [] : find(INSTALLATIONS_AT_SITES, [`${id} > ?`, after + TRIED], missing);
        return rowsAmong([...tried, ...others]);
      }),
  });
