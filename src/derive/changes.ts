import type { EquipmentInUse, EquipmentType, Instant } from '../../schemas/index.js';
import { EQUIPMENT_TYPES } from '../../schemas/index.js';
import type { DerivedSetup } from './setups.js';

/** What happened to one piece of equipment at one instant. */
export interface DerivedChange {
  at: Instant;
  equipmentType: EquipmentType;
  /** `replaced`: by another device of the kind; `reconfigured`: the same device, otherwise configured. */
  kind: 'installed' | 'removed' | 'replaced' | 'reconfigured';
  /** What was in use until then; null where it is `installed`. */
  before: EquipmentInUse | null;
  /** What is in use from then on; null where it is `removed`. */
  after: EquipmentInUse | null;
  /** The members of identity and configuration that differ between the two. */
  differingMembers: string[];
}

/** Whether two pieces of one kind are the same device: one type and serial number; for a clock, one type. */
export function isSameDevice(a: EquipmentInUse['content']['id'], b: EquipmentInUse['content']['id']): boolean {
  return a.type === b.type && a.serialNumber === b.serialNumber && (a.serialNumber !== null || a.type !== null);
}

/** The members of identity and configuration in which two pieces of one kind differ. */
function differingMembers({ content: a }: EquipmentInUse, { content: b }: EquipmentInUse): string[] {
  const [before, after] = [
    { ...a.id, ...a.configuration },
    { ...b.id, ...b.configuration },
  ] as Record<string, unknown>[];
  return Object.keys(after!).filter((member) => before![member] !== after![member]);
}

/**
 * What changed between the Setups of one Site, in order of time and, at one instant, of kind. A device that goes and
 * comes at one instant is reconfigured (a firmware update); another device of the kind that comes as one goes replaces
 * it, pair by pair as the log lists them. An item that a log splits without a difference is no change. Pure.
 *
 * @param setups in order of time, as `deriveSetups` gives them
 */
export function deriveChanges(setups: DerivedSetup[]): DerivedChange[] {
  return setups.flatMap(({ effectivePeriod: { from: at }, equipmentInUse }, index) => {
    const before = setups[index - 1]?.equipmentInUse ?? [];
    const remaining = new Set(before);
    const gone = before.filter((each) => !equipmentInUse.includes(each));
    const come = equipmentInUse.filter((each) => !remaining.has(each));
    return EQUIPMENT_TYPES.flatMap((equipmentType) => {
      const ofKind = (each: EquipmentInUse) => each.content.id.equipmentType === equipmentType;
      return pair(gone.filter(ofKind), come.filter(ofKind)).map((change) => ({ at, equipmentType, ...change }));
    });
  });
}

/** Pairs what goes with what comes, of one kind at one instant. */
function pair(gone: EquipmentInUse[], come: EquipmentInUse[]): Omit<DerivedChange, 'at' | 'equipmentType'>[] {
  const changes: Omit<DerivedChange, 'at' | 'equipmentType'>[] = [];
  const left = [...gone];
  // First what goes on as it was, in another block of the log: it leaves the rest to be paired.
  const different = come.filter((after) => {
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
