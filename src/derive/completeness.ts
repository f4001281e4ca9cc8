import type { EquipmentInUse, SetupEquipmentType } from '../../schemas/index.js';
import { membersOf } from './devices.js';

/** Members that do not count: the kind of equipment, which is always known, and remarks. */
const NEVER_ASKED = ['equipmentType', 'notes'];

/**
 * Members that the form asks for only under a condition, or never, as in the sections of the IGS
 * site log.
 */
const CONDITIONS: Record<
  SetupEquipmentType,
  Record<string, (members: Record<string, unknown>) => boolean>
> = {
  'gnss receiver': { manufacturer: () => false },
  'gnss antenna': {
    manufacturer: () => false,
    // 4.x: only a radome has a serial number, and NONE means that there is no radome.
    radomeSerialNumber: ({ radomeType }) => radomeType !== null && radomeType !== 'NONE',
  },
  'humidity sensor': {},
  clock: {
    manufacturer: () => false,
    serialNumber: () => false,
    // 6.x: "Input Frequency: (if external)". Logs also write QUARTZ/INTERNAL and INTERNAL CLOCK.
    inputFrequency: ({ type }) => type !== null && !/\bINTERNAL\b/i.test(String(type)),
  },
};

/**
 * The names of the members of an item that the form asks for and the site log leaves blank, in the
 * order of the contract.
 */
export function unknownMembers(equipment: EquipmentInUse): string[] {
  return askedMembers(equipment).flatMap(([member, value]) => (value === null ? [member] : []));
}

/** The members of an item that the form asks for, with their values. */
function askedMembers(item: EquipmentInUse): [string, unknown][] {
  const members = membersOf(item);
  const conditions = CONDITIONS[item.content.id.equipmentType];
  return Object.entries(members).filter(
    ([name]) => !NEVER_ASKED.includes(name) && (conditions[name]?.(members) ?? true),
  );
}
