import { EQUIPMENT_TYPES, type EquipmentType } from '../../../schemas/index.js';
import type { Device, DevicePageSearch, Identity } from '../devices.js';
import { neededWordsOf } from './sites.js';
import { fromText } from '../written-text.js';

/** A row of `equipment`. */
export interface DeviceRow {
  id: number;
  equipment_type: EquipmentType;
  document: string;
  written_by: number | null;
  /** 1 if two Sites list the device for the same time. */
  conflicting: number;
  /** 1 if it is in use somewhere. */
  in_use: number;
}

/** A device, without installations. @param search the words of the search that found it */
export const toDevice = ({ id, equipment_type: equipmentType, document, written_by, in_use }: DeviceRow, text = ''): Device => ({
  id,
  equipmentType,
  identity: fromText<Identity>(document, written_by),
  ...(neededWordsOf(text).length > 0 && { foundBy: in_use === 1 ? 'current' : 'former' }),
});

/** The columns of a {@link DeviceRow}. */
export const DEVICE_COLUMNS =
  'equipment.id, equipment.equipment_type, equipment.document, equipment.written_by, equipment.conflicting, equipment.in_use';

/** Two indexes have the kinds first, so a search that concerns types or has words names all kinds if it names none. */
export function withKinds(search: DevicePageSearch): DevicePageSearch {
  const filtered = search.filters.map(({ property }) => property);
  const concerned =
    [...filtered, ...search.sort.map(({ property }) => property)].includes('type') || neededWordsOf(search.text ?? '').length > 0;
  if (!concerned || filtered.includes('equipmentType')) return search;
  return { ...search, filters: [...search.filters, { property: 'equipmentType', values: [...EQUIPMENT_TYPES] }] };
}
