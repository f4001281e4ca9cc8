import type { EquipmentType } from '../../../schemas/index.js';
import type { Device, Identity } from '../devices.js';
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
