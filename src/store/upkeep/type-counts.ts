import { raw } from 'sql-template-tag';
import type { Database } from '../database.js';
import type { RowOf } from '../schema.js';

type Counts = RowOf<'equipment_type_count'>;

/** The counts by type, from the rows that they count. */
const EXPECTED = raw(`
  SELECT equipment_type, type, max(devices) AS devices, max(in_use) AS in_use,
    max(conflicts) AS conflicts, max(sites) AS sites
  FROM (
    SELECT equipment_type, coalesce(type, '') AS type, count(*) AS devices,
      count(nullif(in_use, 0)) AS in_use, count(nullif(conflicting, 0)) AS conflicts, 0 AS sites
    FROM equipment WHERE listed = 1 GROUP BY equipment_type, coalesce(type, '')
    UNION ALL
    SELECT equipment_type, coalesce(type, ''), 0, 0, 0, count(DISTINCT site_id)
    FROM installation WHERE superseded_at IS NULL GROUP BY equipment_type, coalesce(type, '')
  ) AS counted
  GROUP BY equipment_type, type`);

const RECORDED = raw(
  'SELECT equipment_type, type, devices, in_use, conflicts, sites FROM equipment_type_count',
);

/** Rows as one text, in an order that does not depend on the query. */
const comparable = (rows: Counts[]): string =>
  rows
    .map((row) => JSON.stringify(row))
    .sort()
    .join();

/** Whether the counts by type are not those of the devices on record. */
export async function hasWrongCounts(db: Database): Promise<boolean> {
  const expected = await db.all<Counts>(EXPECTED);
  const recorded = await db.all<Counts>(RECORDED);
  return comparable(expected) !== comparable(recorded);
}
