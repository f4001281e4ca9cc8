import type { ExportReader } from '../exports.js';
import { ExportWindows } from '../rows/exports.js';
import { changeConditions } from './changes.js';
import type { Connection } from './connection.js';
import { DEVICE_PROPERTIES } from './devices.js';
import { type Condition, Selection } from './selection.js';
import { withinBox } from './site-page.js';

/** Reads windows of exports from one SQLite file. */
export const sqliteExports = (connection: Connection): ExportReader =>
  new ExportWindows<Condition>({
    // CROSS JOIN makes SQLite begin with the first table.
    join: 'CROSS JOIN',
    deviceProperties: DEVICE_PROPERTIES,
    toCondition: (clause) => clause,
    isOneOf: (column, values) => [`${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(values)],
    withinBox,
    ofChanges: (search) => changeConditions(null, search),
    read: async ({ ids, ...table }, filters, conditions) =>
      connection.inOneTransaction(() => {
        const { last } = connection.get<{ last: number | null }>(`SELECT max(id) AS last FROM ${ids}`)!;
        const selection = new Selection(connection, { ...table, id: `${ids}.id`, known: [] }, filters, conditions);
        return { rows: selection.rows<object>(table.columns), last };
      }),
  });
