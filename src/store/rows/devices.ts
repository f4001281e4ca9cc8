import { EQUIPMENT_TYPES, type EquipmentType } from '../../../schemas/index.js';
import type { Device, DevicePageSearch, Identity } from '../devices.js';
import { fromText } from '../written-text.js';

/** A row of `equipment`. */
export interface DeviceRow {
  id: number;
  equipment_type: EquipmentType;
  document: string;
  written_by: number | null;
  /** 1 if two Sites list the device for the same time. */
  conflicting: number;
}

/** A device, without installations. */
export const toDevice = ({ id, equipment_type: equipmentType, document, written_by }: DeviceRow): Device => ({
  id,
  equipmentType,
  identity: fromText<Identity>(document, written_by),
});

/** The columns of a {@link DeviceRow}. */
export const DEVICE_COLUMNS = 'equipment.id, equipment.equipment_type, equipment.document, equipment.written_by, equipment.conflicting';

/** The index of types has the kinds first, so a search that concerns types names all kinds if it names none. */
export function withKinds(search: DevicePageSearch): DevicePageSearch {
  const filtered = search.filters.map(({ property }) => property);
  const concerned = [...filtered, ...search.sort.map(({ property }) => property)].includes('type');
  if (!concerned || filtered.includes('equipmentType')) return search;
  return { ...search, filters: [...search.filters, { property: 'equipmentType', values: [...EQUIPMENT_TYPES] }] };
}
