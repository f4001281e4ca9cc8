import { type EquipmentInUse, type Instant, SETUP_EQUIPMENT_TYPES, type SetupEquipmentType } from '../../schemas/index.js';
import { comparableValues, type Identity, knownValue } from './devices.js';
import type { DerivedSetup } from './setups.js';

/** What happened to one piece of equipment at one instant. */
export interface DerivedChange {
  at: Instant;
  equipmentType: SetupEquipmentType;
  /** `replaced` by another device of the same kind; `reconfigured`: the same device with another configuration. */
  kind: 'installed' | 'removed' | 'replaced' | 'reconfigured';
  /** What was in use until then; null if something was `installed`. */
  before: EquipmentInUse | null;
  /** What is in use from then on; null if something was `removed`. */
  after: EquipmentInUse | null;
  /** The names of the members of identity and configuration that differ between `before` and `after`. */
  differingMembers: string[];
}

/** Whether two identities of one kind are the same device: they have the same type and serial number, at least one of them known. */
export function isSameDevice(a: Identity, b: Identity): boolean {
  const [one, other] = [comparableValues(a), comparableValues(b)];
  return one.type === other.type && one.serialNumber === other.serialNumber && (one.serialNumber !== null || one.type !== null);
}

/** The members of an item, with its type and serial number in one spelling. The type of an antenna has the radome, too. */
function comparedMembers({ content: { id, configuration } }: EquipmentInUse): Record<string, unknown> {
  const { serialNumber } = comparableValues(id);
  return { ...id, ...configuration, type: knownValue(id.type)?.toUpperCase(), serialNumber };
}

/** The members of identity and configuration in which two items of one kind differ, other than in the spelling of a type or serial number. */
export function differingMembers(a: EquipmentInUse, b: EquipmentInUse): string[] {
  const [before, after] = [comparedMembers(a), comparedMembers(b)];
  return Object.keys(after).filter((member) => before[member] !== after[member]);
}

/**
 * Derives the changes between the Setups of one Site, in chronological order; at one instant, in the order of kinds.
 *
 * If a device ends and begins at the same instant, it is reconfigured (for example by a firmware update). If one device
 * ends and another one of the same kind begins, the second replaces the first; several are paired in log order. If a log
 * splits an item without changing a value, or only spells it differently, that is not a change. Pure.
 *
 * @param setups in chronological order, as `deriveSetups` returns them
 */
export function deriveChanges(setups: DerivedSetup[]): DerivedChange[] {
  return setups.flatMap(({ effectivePeriod: { from: at }, equipmentInUse }, index) => {
    const before = setups[index - 1]?.equipmentInUse ?? [];
    const remaining = new Set(before);
    const ended = before.filter((each) => !equipmentInUse.includes(each));
    const begun = equipmentInUse.filter((each) => !remaining.has(each));
    return SETUP_EQUIPMENT_TYPES.flatMap((equipmentType) => {
      const ofKind = (each: EquipmentInUse) => each.content.id.equipmentType === equipmentType;
      return pair(ended.filter(ofKind), begun.filter(ofKind)).map((change) => ({ at, equipmentType, ...change }));
    });
  });
}

/** Pairs the items of one kind that end at an instant with those that begin at it. */
function pair(ended: EquipmentInUse[], begun: EquipmentInUse[]): Omit<DerivedChange, 'at' | 'equipmentType'>[] {
  const changes: Omit<DerivedChange, 'at' | 'equipmentType'>[] = [];
  const left = [...ended];
  // First take out what continues unchanged in another block of the log, so that only real changes are paired.
  const different = begun.filter((after) => {
    const index = left.findIndex((each) => differingMembers(each, after).length === 0);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
  const others: EquipmentInUse[] = [];
  for (const after of different) {
    const index = left.findIndex((each) => isSameDevice(each.content.id, after.content.id));
    if (index < 0) {
      others.push(after);
      continue;
    }
    const [before] = left.splice(index, 1) as [EquipmentInUse];
    changes.push({ kind: 'reconfigured', before, after, differingMembers: differingMembers(before, after) });
  }
  for (let index = 0; index < Math.max(left.length, others.length); index++) {
    const [before = null, after = null] = [left[index], others[index]];
    if (before !== null && after !== null)
      changes.push({ kind: 'replaced', before, after, differingMembers: differingMembers(before, after) });
    else changes.push({ kind: before === null ? 'installed' : 'removed', before, after, differingMembers: [] });
  }
  return changes;
}
