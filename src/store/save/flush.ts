import sql, { join, raw } from 'sql-template-tag';
import type { Transaction } from '../database.js';
import type { RowOf } from '../schema.js';
import { changedCounts, refreshDevices } from './devices.js';
import type { RowGroups } from './loaded-rows.js';
import { SITE_COLUMNS } from './sites.js';
import type { UnitOfWork } from './unit-of-work.js';

/** The columns of a device that can change. */
const DEVICE_COLUMNS = [
  ...(['type', 'serial_number', 'serial_key', 'manufacturer', 'aspiration', 'search_text', 'document'] as const),
  ...(['listed', 'in_use', 'conflicting', 'checksum'] as const),
];

/** Saves what the rules added and changed in memory. Rows are superseded before others take their place. */
export async function flush(transaction: Transaction, unit: UnitOfWork): Promise<void> {
  refreshDevices(unit);
  const { sites, setups, devices, installations, changes, events } = unit;
  await transaction.update('site', [...SITE_COLUMNS, 'retired_at', 'last_event', 'checksum'], [...sites.changed]);
  await transaction.insert('site', sites.added);
  await flushGroups(transaction, 'site_rename', 'site_id', unit.renames);
  await flushGroups(transaction, 'site_summary', 'site_id', unit.summaries);
  await flushLogs(transaction, unit);
  await flushGroups(transaction, 'finding', 'site_log_id', unit.findings);
  await transaction.update('setup', ['superseded_at', 'checksum'], [...setups.changed]);
  await transaction.insert('setup', setups.added);
  await transaction.update('equipment', DEVICE_COLUMNS, [...devices.changed]);
  await transaction.insert('equipment', devices.added);
  await transaction.update('installation', ['superseded_at', 'type', 'identity', 'checksum'], [...installations.changed]);
  await transaction.insert('installation', installations.added);
  await flushCounts(transaction, unit);
  await transaction.update('change', ['superseded_at', 'counterpart_id', 'gap_before', 'merged_kind', 'checksum'], [...changes.changed]);
  await transaction.insert('change', changes.added);
  await transaction.insert('event', events.added);
}

/** Replaces rows that belong together. @param column of their key */
async function flushGroups<Name extends 'site_rename' | 'site_summary' | 'finding', Key extends string | number>(
  transaction: Transaction,
  table: Name,
  column: string,
  groups: RowGroups<Key, RowOf<Name>>,
): Promise<void> {
  const keys = [...groups.replaced];
  if (keys.length === 0) return;
  await transaction.run(sql`DELETE FROM ${raw(table)} WHERE ${transaction.dialect.isOneOf(column, keys)}`);
  await transaction.insert(
    table,
    keys.flatMap((key) => groups.get(key)),
  );
}

async function flushLogs(transaction: Transaction, { logs, originals }: UnitOfWork): Promise<void> {
  const superseded = [...logs.changed].filter(({ superseded_at }) => superseded_at !== null);
  const current = [...logs.changed].filter(({ superseded_at }) => superseded_at === null);
  const columns = ['superseded_at', 'withdrawn_at', 'checksum'] as const;
  // A Site has one current log at any time.
  await transaction.update('site_log', columns, superseded);
  await transaction.update('site_log', columns, current);
  const added = logs.added.map((row) => ({ ...row, original: originals.get(row.id)! }));
  await transaction.insert('site_log', added);
}

async function flushCounts(transaction: Transaction, unit: UnitOfWork): Promise<void> {
  const counts = changedCounts(unit);
  if (counts.length === 0) return;
  const rows = counts.map(
    (each) => sql`(${each.equipmentType}, ${each.type}, ${each.devices}, ${each.inUse}, ${each.conflicts}, ${each.sites})`,
  );
  await transaction.run(sql`
    INSERT INTO equipment_type_count AS counted (equipment_type, type, devices, in_use, conflicts, sites) VALUES ${join(rows)}
    ON CONFLICT (equipment_type, type) DO UPDATE SET devices = counted.devices + excluded.devices, in_use = counted.in_use + excluded.in_use,
      conflicts = counted.conflicts + excluded.conflicts, sites = counted.sites + excluded.sites`);
  await transaction.run(sql`DELETE FROM equipment_type_count WHERE devices = 0 AND in_use = 0 AND conflicts = 0 AND sites = 0`);
}
