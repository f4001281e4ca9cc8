import { type EquipmentInUse, GNSS_EQUIPMENT_TYPES } from '../../schemas/index.js';
import { isNoDevice } from '../derive/devices.js';
import { nameOfKind } from '../findings/finding.js';

/** The status of a Site in operation. */
export const ACTIVE = 'Active';

/** Whether a Site is in operation, by the equipment that is in use there. */
export function siteStatus(equipment: readonly EquipmentInUse[]): string {
  if (equipment.length === 0) return 'No current equipment';
  const missing = GNSS_EQUIPMENT_TYPES.filter(
    (kind) =>
      !equipment.some(({ content: { id } }) => id.equipmentType === kind && !isNoDevice(id.type)),
  );
  return missing.length === 0 ? ACTIVE : `No current ${missing.map(nameOfKind).join(' or ')}`;
}
