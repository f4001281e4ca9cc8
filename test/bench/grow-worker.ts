import { copyFileSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { SITE_IDS, siteIdOf } from './synthetic-logs.js';

/**
 * `grow-worker SOURCE TARGET SITES`: makes a database of as many Sites out of that of the synthetic ones, and prints a
 * {@link Growth} as JSON. It copies rows in SQL: importing as many logs would take minutes. A process of its own, for
 * what it does blocks.
 */

/** What became of it. */
export interface Growth {
  milliseconds: number;
  /** Of the file. */
  bytes: number;
  setups: number;
}

/** Columns that are not as in the row that is copied, beside ids. What the documents of devices say stays, though. */
const CHANGED: Record<string, string> = {
  'site.four_character_id': `site_id_of(id - 1 + copy * ${SITE_IDS.length})`,
  'equipment.identity': `json_insert(identity, '$[#]', copy)`,
  // A fifth of the file, which nothing that is measured reads.
  'site_log.original': `x''`,
};

interface Column {
  name: string;
  type: string;
  /** The place in the primary key; 0: not in it. */
  pk: number;
}

const [source = '', target = '', sites = ''] = process.argv.slice(2);
const start = performance.now();
const copies = Number(sites) / SITE_IDS.length - 1;
copyFileSync(source, target);
const db = new Database(target);
db.pragma('foreign_keys = OFF');
db.pragma('journal_mode = OFF');
db.pragma('synchronous = OFF');
db.pragma('temp_store = MEMORY');
db.pragma('cache_size = -200000');
db.function('site_id_of', { deterministic: true }, (number) => siteIdOf(number as number));
db.prepare('ATTACH ? AS source').run(source);

const columnsOf = (table: string): Column[] => db.pragma(`main.table_info(${table})`) as Column[];
const numbered = (columns: Column[]): Column | undefined => columns.find(({ type, pk }) => type === 'INTEGER' && pk === 1);
/** What is added to an id of the table with each copy. */
function strideOf(table: string): number {
  const key = numbered(columnsOf(table));
  return key === undefined ? 0 : db.prepare<[], number>(`SELECT coalesce(max(${key.name}), 0) FROM source.${table}`).pluck().get()!;
}
if (strideOf('site') !== SITE_IDS.length) throw new Error(`${source}: its Sites are not numbered from 1 to ${SITE_IDS.length}`);

const schema = db
  .prepare<[], { type: string; name: string; sql: string }>(
    `SELECT type, name, sql FROM main.sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid`,
  )
  .all();
const indexes = schema.filter(({ type }) => type === 'index');
for (const { name } of indexes) db.exec(`DROP INDEX main.${name}`);
const unused = new Set(Object.keys(CHANGED));
for (const { name: table } of schema.filter(({ type }) => type === 'table')) {
  const columns = columnsOf(table);
  const parents = new Map(
    (db.pragma(`main.foreign_key_list(${table})`) as { from: string; table: string }[]).map((key) => [key.from, key.table]),
  );
  const values = columns.map((column) => {
    const { name } = column;
    const changed = `${table}.${name}`;
    unused.delete(changed);
    const numbers = parents.get(name) ?? (column === numbered(columns) ? table : undefined);
    return numbers === undefined ? (CHANGED[changed] ?? name) : `${name} + copy * ${strideOf(numbers)}`;
  });
  db.prepare(
    `WITH RECURSIVE copies (copy) AS (SELECT 1 WHERE ? >= 1 UNION ALL SELECT copy + 1 FROM copies WHERE copy < ?)
     INSERT INTO main.${table} (${columns.map(({ name }) => name).join(', ')})
     SELECT ${values.join(', ')} FROM copies CROSS JOIN source.${table}`,
  ).run(copies, copies);
}
if (unused.size > 0) throw new Error(`there is no column ${[...unused].join(', ')}`);
for (const { sql } of indexes) db.exec(sql);
const [setups, made] = db.prepare('SELECT (SELECT count(*) FROM setup), (SELECT count(*) FROM site)').raw().get() as [number, number];
if (made !== Number(sites)) throw new Error(`${made} Sites instead of ${sites}`);
db.exec('DETACH source');
// As the importer leaves it.
db.pragma('journal_mode = WAL');
db.close();
const grown: Growth = { milliseconds: performance.now() - start, bytes: statSync(target).size, setups };
process.stdout.write(JSON.stringify(grown));
