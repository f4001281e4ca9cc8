import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Transaction } from '../database.js';
import type { CheckedTable } from '../save/checksums.js';
import type { AnyRow } from './scan.js';

/** What puts a row right. */
export interface Repair {
  table: CheckedTable;
  /** The row as it should be; null to delete what is there. */
  row: AnyRow | null;
  /** Which rows; the first columns of the key are enough. */
  key: Record<string, string | number>;
}

/** Carries repairs out: first what must go, then what changes or is missing. */
export async function carryOut(transaction: Transaction, repairs: readonly Repair[]): Promise<void> {
  const isKey = (key: Repair['key']): Sql =>
    join(
      Object.entries(key).map(([column, value]) => sql`${raw(column)} = ${value}`),
      ' AND ',
    );
  for (const { table, row, key } of repairs) if (row === null) await transaction.run(sql`DELETE FROM ${raw(table)} WHERE ${isKey(key)}`);
  const added: Repair[] = [];
  for (const repair of repairs) {
    const { table, row, key } = repair;
    if (row === null) continue;
    const columns = Object.keys(row).filter((column) => !(column in key));
    const set = join(columns.map((column) => sql`${raw(column)} = ${row[column]}`));
    if ((await transaction.run(sql`UPDATE ${raw(table)} SET ${set} WHERE ${isKey(key)}`)) === 0) added.push(repair);
  }
  for (const { table, row } of added) await transaction.insert(table, [row as never]);
}
