import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Database, Transaction } from '../database.js';
import type { RowOf } from '../schema.js';
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
export async function carryOut(
  transaction: Transaction,
  repairs: readonly Repair[],
): Promise<void> {
  const isKey = (key: Repair['key']): Sql =>
    join(
      Object.entries(key).map(([column, value]) => sql`${raw(column)} = ${value}`),
      ' AND ',
    );
  for (const { table, row, key } of repairs)
    if (row === null) await transaction.run(sql`DELETE FROM ${raw(table)} WHERE ${isKey(key)}`);
  const added: Repair[] = [];
  for (const repair of repairs) {
    const { table, row, key } = repair;
    if (row === null) continue;
    const columns = Object.keys(row).filter((column) => !(column in key));
    const set = join(columns.map((column) => sql`${raw(column)} = ${row[column]}`));
    if ((await transaction.run(sql`UPDATE ${raw(table)} SET ${set} WHERE ${isKey(key)}`)) === 0)
      added.push(repair);
  }
  for (const { table, row } of added) await transaction.insert(table, [row!]);
}

type Counts = RowOf<'equipment_type_count'>;

/** The counts by type, from the rows that they count. */
const EXPECTED = raw(`
  SELECT equipment_type, type, max(devices) AS devices, max(in_use) AS in_use, max(conflicts) AS conflicts, max(sites) AS sites FROM (
    SELECT equipment_type, coalesce(type, '') AS type, count(*) AS devices, count(nullif(in_use, 0)) AS in_use,
      count(nullif(conflicting, 0)) AS conflicts, 0 AS sites
    FROM equipment WHERE listed = 1 GROUP BY equipment_type, coalesce(type, '')
    UNION ALL SELECT equipment_type, coalesce(type, ''), 0, 0, 0, count(DISTINCT site_id)
    FROM installation WHERE superseded_at IS NULL GROUP BY equipment_type, coalesce(type, '')) AS counted
  GROUP BY equipment_type, type`);

const RECORDED = raw(
  'SELECT equipment_type, type, devices, in_use, conflicts, sites FROM equipment_type_count',
);

/** Whether the counts by type are not those of the devices on record. */
export async function hasWrongCounts(db: Database): Promise<boolean> {
  const texts = (rows: Counts[]): string =>
    rows
      .map((row) => JSON.stringify(row))
      .sort()
      .join();
  const [expected, recorded] = await Promise.all([
    db.all<Counts>(EXPECTED),
    db.all<Counts>(RECORDED),
  ]);
  return texts(expected) !== texts(recorded);
}

/** Counts anew. */
export async function countAnew(transaction: Transaction): Promise<void> {
  await transaction.run(sql`DELETE FROM equipment_type_count`);
  await transaction.run(
    sql`INSERT INTO equipment_type_count (equipment_type, type, devices, in_use, conflicts, sites) ${EXPECTED}`,
  );
}
