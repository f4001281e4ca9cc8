import { EQUIPMENT_KINDS, type EquipmentInUse, type EquipmentType } from '../../schemas/index.js';

/** How much a site log says of the equipment in use: of the members that the form asks for, how many have a value. */
export interface Completeness {
  asked: number;
  known: number;
}

/** Members that say nothing about how well a device is known: its kind, and remarks. */
const NEVER_ASKED = ['equipmentType', 'notes'];

/** Members of a kind that the form asks for only under a condition, or never; by the sections of the IGS site log. */
const CONDITIONS: Record<EquipmentType, Record<string, (members: Record<string, unknown>) => boolean>> = {
  'gnss receiver': { manufacturer: () => false },
  'gnss antenna': {
    manufacturer: () => false,
    // 4.x: only a radome has a serial number, and NONE is none.
    radomeSerialNumber: ({ radomeType }) => radomeType !== null && radomeType !== 'NONE',
  },
  'humidity sensor': {},
  clock: {
    manufacturer: () => false,
    serialNumber: () => false,
    // 6.x: "Input Frequency: (if external)"; logs have QUARTZ/INTERNAL and INTERNAL CLOCK, too.
    inputFrequency: ({ type }) => type !== null && !/\bINTERNAL\b/i.test(String(type)),
  },
};

/** The members of one piece of equipment that the form asks for and the site log leaves open, in the order of the contract. */
export function unknownMembers(equipment: EquipmentInUse): string[] {
  return askedMembers(equipment).flatMap(([member, value]) => (value === null ? [member] : []));
}

function askedMembers({ content: { id, configuration } }: EquipmentInUse): [string, unknown][] {
  const kind = EQUIPMENT_KINDS[id.equipmentType];
  const members: Record<string, unknown> = { ...id, ...configuration };
  const names = [...Object.keys(kind.id.properties), ...Object.keys(kind.configuration.properties)];
  return names
    .filter((name) => !NEVER_ASKED.includes(name) && (CONDITIONS[id.equipmentType][name]?.(members) ?? true))
    .map((name) => [name, members[name] ?? null]);
}

/** How much is known of the equipment of a Setup. Pure. */
export function completenessOf(equipmentInUse: EquipmentInUse[]): Completeness {
  const values = equipmentInUse.flatMap(askedMembers);
  return { asked: values.length, known: values.filter(([, value]) => value !== null).length };
}
