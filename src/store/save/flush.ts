import sql, { join } from 'sql-template-tag';
import type { Transaction } from '../database.js';
import { changedCounts, refreshDevices } from './devices.js';
import type { LoadedRow } from './loaded-rows.js';
import type { UnitOfWork } from './unit-of-work.js';

/**
 * Saves what the rules added and changed in memory. A table is saved after those that it refers to.
 */
export async function flush(transaction: Transaction, unit: UnitOfWork): Promise<void> {
  refreshDevices(unit);
  await unit.sites.flush(transaction);
  await unit.identities.flush(transaction);
  await unit.summaries.flush(transaction);
  await flushLogs(transaction, unit);
  await unit.findings.flush(transaction);
  await unit.setups.flush(transaction);
  await unit.devices.flush(transaction);
  await unit.installations.flush(transaction);
  await flushCounts(transaction, unit);
  await unit.changes.flush(transaction);
  await unit.events.flush(transaction);
}

async function flushLogs(
  transaction: Transaction,
  { logs, originals, published }: UnitOfWork,
): Promise<void> {
  const isCurrent = ({ superseded_at }: LoadedRow<'site_log'>): boolean => superseded_at === null;
  const changed = [...logs.changed];
  // A Site has at most one current log at any time, so the old one is superseded before the new one
  // is saved.
  await transaction.update(
    'site_log',
    changed.filter((log) => !isCurrent(log)),
  );
  await transaction.update('site_log', changed.filter(isCurrent));
  const added = logs.added.map((row) => ({ ...row, original: originals.get(row.id)! }));
  await transaction.insert('site_log', added);
  await transaction.insert('published_log', published);
}

async function flushCounts(transaction: Transaction, unit: UnitOfWork): Promise<void> {
  const counts = changedCounts(unit);
  if (counts.length === 0) return;
  const rows = counts.map(({ equipmentType, type, devices, inUse, conflicts, sites }) => {
    const values = [equipmentType, type, devices, inUse, conflicts, sites];
    return sql`(${join(values)})`;
  });
  await transaction.run(sql`
    INSERT INTO equipment_type_count AS counted
      (equipment_type, type, devices, in_use, conflicts, sites)
    VALUES ${join(rows)}
    ON CONFLICT (equipment_type, type) DO UPDATE SET
      devices = counted.devices + excluded.devices,
      in_use = counted.in_use + excluded.in_use,
      conflicts = counted.conflicts + excluded.conflicts,
      sites = counted.sites + excluded.sites`);
  await transaction.run(sql`
    DELETE FROM equipment_type_count
    WHERE devices = 0 AND in_use = 0 AND conflicts = 0 AND sites = 0`);
}
