import { codeOf } from '../../../site-log/finding-codes.js';
import { type DeviceState, stateOf, type Stay } from '../../saving/save-devices.js';
import { SITE_COLUMNS } from '../../saving/site-columns.js';
import type { Transaction } from '../client.js';
import { addPersons } from '../persons.js';
import { insertRows, updateRows } from '../rows.js';
import type { LoadedDevices } from './loaded-devices.js';
import type { LoadedLogs } from './loaded-logs.js';
import type { LoadedSites } from './loaded-sites.js';
import type { LoadedTables } from './loaded-tables.js';

/**
 * Saves what the rules added and changed in memory. Statements that do not depend on the answers of others are sent
 * together, and run in this order: rows are superseded before others take their place.
 */
export async function flush(transaction: Transaction, tables: LoadedTables): Promise<void> {
  const { sites, logs, setups, devices, changes, entries, feedRows } = tables;
  await Promise.all([
    ...flushSites(transaction, sites),
    ...flushLogs(transaction, logs),
    updateRows(transaction, 'setup', ['superseded_at'], [...setups.rows.changed]),
    insertRows(transaction, 'setup', setups.rows.added),
    ...flushDevices(transaction, devices),
    updateRows(transaction, 'change', ['superseded_at', 'counterpart_id', 'gap_before'], [...changes.rows.changed]),
    insertRows(transaction, 'change', changes.rows.added),
    insertRows(transaction, 'journal', entries),
    insertRows(transaction, 'feed', feedRows),
    addPersons(transaction, [...tables.newPersons]),
  ]);
  await refreshStates(transaction, [...devices.staleStates]);
}

function flushSites(transaction: Transaction, { rows, droppedFormerIds, addedFormerIds, savedSummaries }: LoadedSites): Promise<unknown>[] {
  const formerIds = [...droppedFormerIds, ...addedFormerIds.keys()];
  return [
    updateRows(transaction, 'site', [...Object.values(SITE_COLUMNS), 'retired_at'], [...rows.changed]),
    insertRows(transaction, 'site', rows.added),
    ...(formerIds.length === 0 ? [] : [transaction.run('DELETE FROM site_rename WHERE former_id = ANY($1)', formerIds)]),
    insertRows(transaction, 'site_rename', [...addedFormerIds.values()]),
    ...(savedSummaries.size === 0 ? [] : [transaction.run('DELETE FROM site_summary WHERE site_id = ANY($1)', [...savedSummaries.keys()])]),
    insertRows(transaction, 'site_summary', [...savedSummaries.values()]),
  ];
}

function flushLogs(transaction: Transaction, { rows, savedFindings }: LoadedLogs): Promise<unknown>[] {
  const changed = [...rows.changed];
  const findings = [...savedFindings].flatMap(([site_log_id, list]) =>
    list.map(([line, level, message, text], position) => ({ site_log_id, position, line, level, message, text, code: codeOf(message) })),
  );
  const columns = ['superseded_at', 'withdrawn_at'];
  return [
    // A Site has one current log at any time.
    updateRows(
      transaction,
      'site_log',
      columns,
      changed.filter(({ superseded_at }) => superseded_at !== null),
    ),
    updateRows(
      transaction,
      'site_log',
      columns,
      changed.filter(({ superseded_at }) => superseded_at === null),
    ),
    insertRows(transaction, 'site_log', rows.added),
    ...(savedFindings.size === 0 ? [] : [transaction.run('DELETE FROM finding WHERE site_log_id = ANY($1)', [...savedFindings.keys()])]),
    insertRows(transaction, 'finding', findings),
  ];
}

const UNLISTED: DeviceState = { listed: 0, in_use: 0, conflicting: 0 };

function flushDevices(transaction: Transaction, { rows, savedTexts, installations, newStates }: LoadedDevices): Promise<unknown>[] {
  const texts = [...savedTexts].map(([id, saved]) => ({ id, ...saved }));
  return [
    updateRows(transaction, 'equipment', ['document', 'search_text', 'checksum'], texts),
    // A trigger removes the mark with the old text.
    updateRows(transaction, 'equipment', ['written_by'], texts),
    insertRows(
      transaction,
      'equipment',
      rows.added.map((row) => ({ ...row, ...(newStates.get(row.id) ?? UNLISTED) })),
    ),
    updateRows(transaction, 'installation', ['superseded_at'], [...installations.changed]),
    insertRows(transaction, 'installation', installations.added),
  ];
}

const STAYS = `
  SELECT equipment_id AS device, site_id AS site, period_from AS "from", period_to AS "to"
  FROM installation JOIN equipment ON equipment.id = equipment_id
  WHERE equipment_id = ANY($1) AND superseded_at IS NULL AND serial_number IS NOT NULL ORDER BY period_from`;

/** A device without a serial number can be at thousands of Sites: an internal clock is one. */
const UNNUMBERED_STATES = `
  SELECT id,
    EXISTS (SELECT FROM installation WHERE equipment_id = equipment.id AND superseded_at IS NULL)::integer AS listed,
    EXISTS (SELECT FROM installation WHERE equipment_id = equipment.id AND superseded_at IS NULL AND period_to IS NULL)::integer AS in_use,
    0 AS conflicting
  FROM equipment WHERE id = ANY($1) AND serial_number IS NULL`;

/** Finds out and saves the states of devices, which depend on the installations at all Sites. */
export async function refreshStates(transaction: Transaction, devices: number[]): Promise<void> {
  if (devices.length === 0) return;
  const [stays, unnumbered] = await Promise.all([
    transaction.all<Stay & { device: number }>(STAYS, devices),
    transaction.all<DeviceState & { id: number }>(UNNUMBERED_STATES, devices),
  ]);
  const byDevice = new Map<number, Stay[]>(devices.map((id) => [id, []]));
  for (const { device, ...stay } of stays) byDevice.get(device)!.push(stay);
  const known = new Set(unnumbered.map(({ id }) => id));
  const numbered = devices.filter((id) => !known.has(id)).map((id) => ({ id, ...stateOf(byDevice.get(id)!) }));
  await updateRows(transaction, 'equipment', ['listed', 'in_use', 'conflicting'], [...unnumbered, ...numbered]);
}
