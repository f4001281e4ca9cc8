import {
  type EquipmentInUse,
  type Instant,
  SETUP_EQUIPMENT_TYPES,
  type SetupEquipmentType,
} from '../../schemas/index.js';
import {
  comparableMembers,
  differingMembers,
  identityKey,
  isSameDevice,
  OF_ONE_DEVICE,
} from './devices.js';
import type { DerivedSetup } from './setups.js';

/** What happened to one piece of equipment at one instant. */
export interface DerivedChange {
  at: Instant;
  equipmentType: SetupEquipmentType;
  /**
   * `replaced` by another device of the same kind; `reconfigured`: the same device with another
   * configuration.
   */
  kind: 'installed' | 'removed' | 'replaced' | 'reconfigured';
  /** What was in use until then; null if something was `installed`. */
  before: EquipmentInUse | null;
  /** What is in use from then on; null if something was `removed`. */
  after: EquipmentInUse | null;
  /**
   * The names of the members of identity and configuration that differ between `before` and
   * `after`.
   */
  differingMembers: string[];
}

/** Items without those that repeat one of a known device in every value. */
function withoutRepeats(items: EquipmentInUse[]): EquipmentInUse[] {
  if (items.length < 2) return items;
  const seen = new Set<string>();
  return items.filter((item) => {
    if (identityKey(item.content.id) === null) return true;
    const written = JSON.stringify(item);
    const isRepeated = seen.has(written);
    seen.add(written);
    return !isRepeated;
  });
}

/**
 * Derives the changes between the Setups of one Site, in chronological order; at one instant, in
 * the order of kinds.
 *
 * If a device ends and begins at the same instant, it is reconfigured (for example by a firmware
 * update). If one device ends and another one of the same kind begins, the second replaces the
 * first; several are paired in log order. If a log splits an item of a known device without
 * changing a value, or only spells it differently, that is not a change; nor is an item of a known
 * device that repeats another one in every value. Pure.
 *
 * @param setups in chronological order, as `deriveSetups` returns them
 */
export function deriveChanges(setups: DerivedSetup[]): DerivedChange[] {
  return setups.flatMap(({ effectivePeriod: { from: at }, equipmentInUse }, index) => {
    const before = setups[index - 1]?.equipmentInUse ?? [];
    const ended = before.filter((each) => !equipmentInUse.includes(each));
    const begun = equipmentInUse.filter((each) => !before.includes(each));
    return SETUP_EQUIPMENT_TYPES.flatMap((equipmentType) => {
      const ofKind = (items: EquipmentInUse[]) =>
        items.filter(({ content }) => content.id.equipmentType === equipmentType);
      const [from, to] = [ofKind(ended), ofKind(begun)];
      if (from.length === 0 && to.length === 0) return [];
      return pair(withoutRepeats(from), withoutRepeats(to)).map((change) => ({
        at,
        equipmentType,
        ...change,
      }));
    });
  });
}

/** What a change says as a key, without the spelling and the periods of its items. */
export const meaningOfChange = ({
  at,
  equipmentType,
  kind,
  before,
  after,
}: DerivedChange): string =>
  JSON.stringify([
    at,
    equipmentType,
    kind,
    before && comparableMembers(before),
    after && comparableMembers(after),
  ]);

/**
 * What is in use after a change as a key, without serial numbers and remarks; after a removal, only
 * what type was removed. So the same change at many Sites has one key.
 */
export function outcomeOfChange({ equipmentType, before, after }: DerivedChange): string {
  if (after === null) return JSON.stringify([equipmentType, comparableMembers(before!).type]);
  const members = Object.entries(comparableMembers(after));
  return JSON.stringify(members.filter(([member]) => !OF_ONE_DEVICE.includes(member)));
}

/**
 * Removes pairs from two lists: each item of the second list, with the first item of the first list
 * that fits it.
 */
export function takePairs<A, B>(first: A[], second: B[], fits: (a: A, b: B) => boolean): [A, B][] {
  const pairs: [A, B][] = [];
  for (const b of [...second]) {
    const index = first.findIndex((a) => fits(a, b));
    if (index < 0) continue;
    pairs.push([...(first.splice(index, 1) as [A]), b]);
    second.splice(second.indexOf(b), 1);
  }
  return pairs;
}

/** Pairs the items of one kind that end at an instant with those that begin at it. */
function pair(
  ended: EquipmentInUse[],
  begun: EquipmentInUse[],
): Omit<DerivedChange, 'at' | 'equipmentType'>[] {
  // First take out what continues unchanged in another block of the log, so that only real changes
  // are paired.
  takePairs(
    ended,
    begun,
    (before, after) => isSameDevice(before, after) && differingMembers(before, after).length === 0,
  );
  const reconfigured = takePairs(ended, begun, isSameDevice);
  const replaced = takePairs(ended, begun, () => true);
  const differing = (kind: DerivedChange['kind'], pairs: [EquipmentInUse, EquipmentInUse][]) =>
    pairs.map(([before, after]) => ({
      kind,
      before,
      after,
      differingMembers: differingMembers(before, after),
    }));
  return [
    ...differing('reconfigured', reconfigured),
    ...differing('replaced', replaced),
    ...ended.map((before) => ({
      kind: 'removed' as const,
      before,
      after: null,
      differingMembers: [],
    })),
    ...begun.map((after) => ({
      kind: 'installed' as const,
      before: null,
      after,
      differingMembers: [],
    })),
  ];
}
