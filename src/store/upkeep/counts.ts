import sql, { raw } from 'sql-template-tag';
import type { Database, Transaction } from '../database.js';
import type { RowOf } from '../schema.js';

type Counts = RowOf<'equipment_type_count'>;

/** The counts by type, from the rows that they count. */
const EXPECTED = raw(`
  SELECT equipment_type, coalesce(type, '') AS type, count(DISTINCT equipment.id) AS devices,
    count(DISTINCT CASE WHEN in_use = 1 THEN equipment.id END) AS in_use,
    count(DISTINCT CASE WHEN conflicting = 1 THEN equipment.id END) AS conflicts, count(DISTINCT site_id) AS sites
  FROM equipment JOIN installation ON equipment_id = equipment.id AND superseded_at IS NULL
  WHERE listed = 1 GROUP BY equipment_type, coalesce(type, '')`);

const RECORDED = raw('SELECT equipment_type, type, devices, in_use, conflicts, sites FROM equipment_type_count');

/** Whether the counts by type are not those of the devices on record. */
export async function hasWrongCounts(db: Database): Promise<boolean> {
  const texts = (rows: Counts[]): string =>
    rows
      .map((row) => JSON.stringify(row))
      .sort()
      .join();
  const [expected, recorded] = await Promise.all([db.all<Counts>(EXPECTED), db.all<Counts>(RECORDED)]);
  return texts(expected) !== texts(recorded);
}

/** Counts anew. */
export async function countAnew(transaction: Transaction): Promise<void> {
  await transaction.run(sql`DELETE FROM equipment_type_count`);
  await transaction.run(sql`INSERT INTO equipment_type_count (equipment_type, type, devices, in_use, conflicts, sites) ${EXPECTED}`);
}
