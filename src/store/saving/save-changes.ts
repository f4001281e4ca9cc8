import { EQUIPMENT_TYPES } from '../../../schemas/index.js';
import type { DerivedChange } from '../../derive/changes.js';
import { checksumOfRow } from './checksums.js';
import { compareRows } from './comparison.js';
import type { Saving } from './saving.js';
import type { ChangeTable } from './tables.js';

/** What a change is compared by: its JSON. */
const keyOf = ({ document }: { document: string }): string => document;

/** Saves the changes of a log. */
export function saveChanges(table: ChangeTable, { site, recordedAt }: Saving, changes: DerivedChange[]): void {
  const derived = changes.map((change) => ({ change, document: JSON.stringify(change) }));
  const { added, superseded } = compareRows(table.validOf(site), derived, keyOf);
  for (const { change, document } of added) {
    const { at, equipmentType } = change;
    const kind = { equipment_type: equipmentType, kind_position: EQUIPMENT_TYPES.indexOf(equipmentType) };
    const row = { site_id: site, at, ...kind, recorded_at: recordedAt, document };
    table.add({ ...row, checksum: checksumOfRow('change', row) });
  }
  for (const { id } of superseded) table.supersede(id, recordedAt);
}
