import type { EquipmentInUse } from '../../../schemas/index.js';
import type { DerivedSetup } from '../../derive/setups.js';
import { documentsVersion, writeEquipmentInUse, writeItem } from '../../serializers/documents.js';
import { JsonText } from '../../serializers/json-text.js';
import type { Serialize } from '../../serializers/serializers.js';
import { inThisForm } from '../written-text.js';
import { checksumOfRow } from './checksums.js';
import { compareRows } from './comparison.js';
import type { Saving } from './saving.js';
import type { RecordedSetup, SetupTable } from './tables.js';

/** What a Setup is compared by. */
type SetupContent = Pick<RecordedSetup, 'effective_from' | 'effective_to' | 'equipment_in_use'>;
const keyOf = (row: SetupContent): string => `${row.effective_from} ${row.effective_to} ${row.equipment_in_use}`;

/** What saving the Setups of a log changed. */
export interface SavedSetups {
  /** The new Setups. */
  added: DerivedSetup[];
  /** How many stayed the same. */
  kept: number;
  /** How many were superseded. */
  invalidated: number;
}

/** Saves the Setups of a log. Those that stay the same keep their ids. */
export function saveSetups(table: SetupTable, { site, log, recordedAt }: Saving, setups: DerivedSetup[]): SavedSetups {
  // An item is in many Setups, as the same object.
  const texts = new Map<EquipmentInUse, JsonText<EquipmentInUse>>();
  const textOf = (item: EquipmentInUse): JsonText<EquipmentInUse> => {
    const known = texts.get(item);
    if (known !== undefined) return known;
    const text = new JsonText<EquipmentInUse>(writeItem(item));
    texts.set(item, text);
    return text;
  };
  const derived = setups.map((setup) => ({
    setup,
    effective_from: setup.effectivePeriod.from,
    effective_to: setup.effectivePeriod.to,
    equipment_in_use: writeEquipmentInUse(setup.equipmentInUse.map(textOf)),
  }));
  const recorded = table.validOf(site).map((row) => ({
    ...row,
    equipment_in_use: inThisForm(row.equipment_in_use, row.written_by, writeEquipmentInUse as Serialize),
  }));
  const { added, superseded } = compareRows(recorded, derived, keyOf);
  // Supersede first: only one valid Setup may begin at an instant.
  for (const { id } of superseded) table.supersede(id, recordedAt);
  for (const { setup: _, ...content } of added) {
    const row = { site_id: site, site_log_id: log, recorded_at: recordedAt, ...content };
    table.add({ ...row, written_by: documentsVersion(), checksum: checksumOfRow('setup', row) });
  }
  return { added: added.map(({ setup }) => setup), kept: setups.length - added.length, invalidated: superseded.length };
}
