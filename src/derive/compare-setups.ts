import {
  type Comparison,
  type EquipmentInUse,
  SETUP_EQUIPMENT_TYPES,
  type SetupEquipmentType,
  type Setup,
} from '../../schemas/index.js';
import { comparableValue, membersOf, OF_ONE_DEVICE } from './devices.js';

/** Compares the equipment of Sites, value by value. */

type Value = string | number | null;
/** What says that there is nothing, or nothing known. */
const isNothing = (value: Value): boolean =>
  value === null || /^(none|unknown)$/i.test(String(value));

const ofKind = (setup: Setup | undefined, kind: SetupEquipmentType): EquipmentInUse[] =>
  (setup?.equipmentInUse ?? []).filter(({ content: { id } }) => id.equipmentType === kind);

/** The values of one member at each Site. */
function compareMember(
  equipmentType: SetupEquipmentType,
  member: string,
  items: (EquipmentInUse | undefined)[],
): Comparison['equipment'][number]['properties'][number] {
  const values = items.map((item) =>
    item === undefined ? null : (membersOf(item)[member] ?? null),
  );
  const comparable = (value: Value): Value =>
    isNothing(value) ? null : comparableValue(equipmentType, member, value);
  const known = new Set(values.map(comparable));
  // If a Site lacks the item, one mark says so.
  const isComparable = member === 'type' || !items.includes(undefined);
  return {
    property: member,
    values,
    differs: isComparable && !OF_ONE_DEVICE.includes(member) && known.size > 1,
  };
}

/**
 * Compares Setups: of each kind, as many items as the Setup with the most has. Undefined is a Site
 * without a Setup.
 */
export function compareSetups(setups: (Setup | undefined)[]): Comparison['equipment'] {
  return SETUP_EQUIPMENT_TYPES.flatMap((equipmentType) => {
    const items = setups.map((setup) => ofKind(setup, equipmentType));
    return Array.from({ length: Math.max(0, ...items.map(({ length }) => length)) }, (_, index) => {
      const compared = items.map((each) => each[index]);
      const members = Object.keys(membersOf(compared.find((each) => each !== undefined)!)).filter(
        (member) => member !== 'equipmentType',
      );
      return {
        equipmentType,
        since: compared.map((each) => each?.content.period.from ?? null),
        properties: members.map((member) => compareMember(equipmentType, member, compared)),
      };
    });
  });
}
