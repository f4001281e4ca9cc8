import sql, { join } from 'sql-template-tag';
import type { Transaction } from '../database.js';
import { changedCounts, refreshDevices } from './devices.js';
import type { UnitOfWork } from './unit-of-work.js';

/**
 * Saves what the rules added and changed in memory. Rows are superseded before others take their
 * place.
 */
export async function flush(transaction: Transaction, unit: UnitOfWork): Promise<void> {
  refreshDevices(unit);
  for (const rows of [unit.sites, unit.identities, unit.summaries]) await rows.flush(transaction);
  await flushLogs(transaction, unit);
  for (const rows of [unit.findings, unit.setups, unit.devices, unit.installations])
    await rows.flush(transaction);
  await flushCounts(transaction, unit);
  for (const rows of [unit.changes, unit.events]) await rows.flush(transaction);
}

async function flushLogs(transaction: Transaction, { logs, originals }: UnitOfWork): Promise<void> {
  const changed = Map.groupBy(logs.changed, ({ superseded_at }) => superseded_at === null);
  // A Site has one current log at any time.
  for (const isCurrent of [false, true])
    await transaction.update('site_log', changed.get(isCurrent) ?? []);
  const added = logs.added.map((row) => ({ ...row, original: originals.get(row.id)! }));
  await transaction.insert('site_log', added);
}

async function flushCounts(transaction: Transaction, unit: UnitOfWork): Promise<void> {
  const counts = changedCounts(unit);
  if (counts.length === 0) return;
  const rows = counts.map(
    (each) =>
      sql`(${each.equipmentType}, ${each.type}, ${each.devices}, ${each.inUse}, ${each.conflicts}, ${each.sites})`,
  );
  await transaction.run(sql`
    INSERT INTO equipment_type_count AS counted (equipment_type, type, devices, in_use, conflicts, sites) VALUES ${join(rows)}
    ON CONFLICT (equipment_type, type) DO UPDATE SET devices = counted.devices + excluded.devices, in_use = counted.in_use + excluded.in_use,
      conflicts = counted.conflicts + excluded.conflicts, sites = counted.sites + excluded.sites`);
  await transaction.run(
    sql`DELETE FROM equipment_type_count WHERE devices = 0 AND in_use = 0 AND conflicts = 0 AND sites = 0`,
  );
}
