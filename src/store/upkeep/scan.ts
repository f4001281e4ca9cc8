import { hash } from 'node:crypto';
import type { Database } from '../database.js';
import { type RowOf, TABLES } from '../schema.js';
import { CHECKED, type CheckedTable, coveredBy, isIntact } from '../save/checksums.js';
import type { NumberedTable } from '../save/loaded-rows.js';
import { batchesOf } from '../batches.js';
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

/** The last id that a table should have; undefined if no event says so. There is always a record of the last import. */
const lastIdOf = (table: CheckedTable, history: History): number | undefined =>
  table === 'last_import' ? 1 : history.lastIdOf(table as NumberedTable);

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
    const isNumbered = TABLES[table].key[0] === 'id';
    const last = isNumbered ? lastIdOf(table, history) : undefined;
    for await (const rows of batchesOf<AnyRow>(db, table, [...coveredBy(table), 'checksum'])) {
      for (const row of rows) {
        if (!isIntact(table, row)) add(found.damaged, table, row);
        if (!isNumbered) continue;
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

/** Checks the SHA-256 of all originals. */
async function checkOriginals(db: Database, found: Scan): Promise<void> {
  type Log = Pick<RowOf<'site_log'>, 'id' | 'sha256' | 'original'>;
  for await (const rows of batchesOf<Log>(db, 'site_log', ['id', 'sha256', 'original'])) {
    for (const { id, sha256, original } of rows) if (hash('sha256', original) !== sha256) found.damagedOriginals.push(id);
    found.logs += rows.length;
  }
}
