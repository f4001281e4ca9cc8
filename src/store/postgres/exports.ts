import type { ExportReader } from '../exports.js';
import { ExportWindows } from '../rows/exports.js';
import { changeConditions } from './changes.js';
import type { Reads } from './client.js';
import { DEVICE_PROPERTIES, withWords } from './devices.js';
import { Bindings, type Condition, Selection } from './selection.js';
import { withinBox } from './site-page.js';
import { hadWords } from './site-words.js';

/** Reads windows of exports from a PostgreSQL database. */
export const postgresExports = (reads: Reads): ExportReader =>
  new ExportWindows<Condition>({
    join: 'JOIN',
    deviceProperties: DEVICE_PROPERTIES,
    toCondition:
      ([sql, ...values]) =>
      (bindings) => {
        const left = values.values();
        return sql.replaceAll('?', () => bindings.add(left.next().value!));
      },
    isOneOf: (column, values) => (bindings) => `${column} = ANY (${bindings.add(values)})`,
    withinBox,
    hadWords: (words) => (bindings) => `EXISTS (SELECT 1 FROM site_summary WHERE site_id = site.id AND ${hadWords(words)(bindings)})`,
    ofDevices: withWords,
    ofChanges: (search) => changeConditions(null, search),
    read: async ({ ids, ...table }, filters, conditions) => {
      const bindings = new Bindings();
      const selection = new Selection({ ...table, id: `${ids}.id`, known: [], size: '0' }, filters, conditions, bindings);
      const sql = selection.select(table.columns);
      return reads.inOneState(async (snapshot) => {
        const [rows, found] = await Promise.all([
          snapshot.all(sql, ...bindings.values),
          snapshot.get<{ last: number | null }>(`SELECT max(id) AS last FROM ${ids}`),
        ]);
        return { rows, last: found?.last ?? null };
      });
    },
    readFirst: async ({ ids, ...table }, conditions, { after, most }) => {
      const id = `${ids}.id`;
      const bindings = new Bindings();
      const range: Condition = (bound) => `${id} > ${bound.add(after)}`;
      const selection = new Selection({ ...table, id, known: [], size: '0' }, [], [range, ...conditions], bindings);
      const sql = `${selection.select(table.columns)} ORDER BY ${id} LIMIT ${bindings.add(most)}`;
      return reads.all<object>(sql, ...bindings.values);
    },
  });
