import { hash } from 'node:crypto';
import sql, { raw } from 'sql-template-tag';
import type { Database } from '../database.js';
import { TABLES } from '../schema.js';
import { CHECKED, type CheckedTable, coveredBy, isIntact } from '../save/checksums.js';
import type { NumberedTable } from '../save/loaded-rows.js';
import { History } from './history.js';

/** A row of any table. */
export type AnyRow = Record<string, string | number | null> & { checksum: number };

/** What is wrong with the rows themselves, whatever the logs say. */
export interface Scan {
  history: History;
  /** The rows that do not match their checksum, by table. */
  damaged: Map<CheckedTable, AnyRow[]>;
  /** The ids that are missing, by table. Ids continue without gaps. */
  missing: Map<CheckedTable, number[]>;
  /** The ids after the last one that a table should have. */
  surplus: Map<CheckedTable, number[]>;
  /** The logs whose bytes do not match their SHA-256. */
  damagedOriginals: number[];
  logs: number;
}

/** Whether any row is damaged, missing or too much. */
export const hasDamage = ({ damaged, missing, surplus }: Scan): boolean => damaged.size + missing.size + surplus.size > 0;

/** How many rows are read at once. A log has up to two megabytes. */
const BATCH = 2000;
const BATCH_OF_LOGS = 10;

const NUMBERED_TABLES: readonly CheckedTable[] = ['site', 'site_log', 'setup', 'equipment', 'installation', 'change', 'event'];

/** The rows of a table in the order of its key, in batches. */
async function* batchesOf(db: Database, table: CheckedTable): AsyncGenerator<AnyRow[]> {
  const key = TABLES[table].key;
  const columns = raw([...coveredBy(table), 'checksum'].join(', '));
  const order = raw(key.join(', '));
  for (let last: AnyRow | undefined; ;) {
    const after =
      last === undefined
        ? sql`1 = 1`
        : key.length === 1
          ? sql`${raw(key[0])} > ${last[key[0]]}`
          : sql`(${order}) > (${last[key[0]]}, ${last[key[1]]})`;
    const rows: AnyRow[] = await db.all<AnyRow>(sql`SELECT ${columns} FROM ${raw(table)} WHERE ${after} ORDER BY ${order} LIMIT ${BATCH}`);
    yield rows;
    last = rows.at(-1);
    if (rows.length < BATCH) return;
  }
}

const add = <Value>(map: Map<CheckedTable, Value[]>, table: CheckedTable, value: Value): void => {
  const values = map.get(table);
  if (values === undefined) map.set(table, [value]);
  else values.push(value);
};

/** Checks the checksums and the ids of all rows, and the SHA-256 of all originals. */
export async function scan(db: Database): Promise<Scan> {
  const history = await History.read(db);
  const found: Scan = { history, damaged: new Map(), missing: new Map(), surplus: new Map(), damagedOriginals: [], logs: 0 };
  for (const table of CHECKED) {
    let next = 1;
    const last = NUMBERED_TABLES.includes(table) ? history.lastIdOf(table as NumberedTable) : undefined;
    for await (const rows of batchesOf(db, table)) {
      for (const row of rows) {
        if (!isIntact(table, row)) add(found.damaged, table, row);
        if (!NUMBERED_TABLES.includes(table)) continue;
        const id = row.id as number;
        if (id < 1 || (last !== undefined && id > last)) add(found.surplus, table, id);
        else for (; next <= id; next++) if (next < id) add(found.missing, table, next);
      }
    }
    for (; last !== undefined && next <= last; next++) add(found.missing, table, next);
  }
  await checkOriginals(db, found);
  return found;
}

async function checkOriginals(db: Database, found: Scan): Promise<void> {
  for (let last = 0; ;) {
    const rows = await db.all<{ id: number; sha256: string; original: Uint8Array }>(
      sql`SELECT id, sha256, original FROM site_log WHERE id > ${last} ORDER BY id LIMIT ${BATCH_OF_LOGS}`,
    );
    for (const { id, sha256, original } of rows) if (hash('sha256', original) !== sha256) found.damagedOriginals.push(id);
    found.logs += rows.length;
    if (rows.length < BATCH_OF_LOGS) return;
    last = rows.at(-1)!.id;
  }
}
