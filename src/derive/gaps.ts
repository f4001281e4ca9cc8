import type { EquipmentInUse, Instant } from '../../schemas/index.js';
import { type DerivedChange, takePairs } from './changes.js';
import {
  differingMembers,
  identityKey,
  isSameDevice,
  orderOf,
  type Predecessors,
} from './devices.js';
import { secondsBetween } from './visits.js';
import { sortedByText } from '../words.js';

/** A gap is the time between a removal and the installation that ends it. */

/** A removal, the installation that ends it, and the time between them. */
interface Gap<C extends DerivedChange = DerivedChange> {
  removed: C;
  installed: C;
  /** At least 1. */
  seconds: number;
}

/** A change, perhaps with a gap in it. */
export interface MergedChange extends DerivedChange {
  /** From when to when the equipment was missing; null if the change has no gap. */
  gap: { from: Instant; to: Instant } | null;
}

/** Whether the device removed is the device installed. */
const isSame = ({ before }: DerivedChange, { after }: DerivedChange): boolean =>
  isSameDevice(before!, after!);

/** Installations, or removals, in the order of what is installed or removed. */
const inOrder = <C extends DerivedChange>(changes: readonly C[]): C[] =>
  sortedByText(changes, ({ before, after }) => orderOf((after ?? before)!));

/**
 * Finds the gaps in the changes of one Site. An installation ends the latest removal of its kind
 * that no other installation has ended. If several items were removed at once, each device is
 * paired with itself, then the others in the order of their starts, and of what they say. So the
 * pairs do not depend on how long a gap may be: a limit only selects among them. Nor do they depend
 * on the order of what happened at once, which is that of the log when it is read, and that of
 * recording in the store. Pure.
 *
 * @param changes in chronological order
 */
export function gapsBetween<C extends DerivedChange>(changes: readonly C[]): Gap<C>[] {
  return [...Map.groupBy(changes, ({ equipmentType }) => equipmentType).values()].flatMap(
    (ofKind) => {
      const gaps: Gap<C>[] = [];
      /** The removals that nothing has ended, the latest ones last. */
      const open: C[][] = [];
      // At one instant a kind has removals or installations, never both.
      for (const atOnce of Map.groupBy(ofKind, ({ at }) => at).values()) {
        const removed = inOrder(atOnce.filter(({ kind }) => kind === 'removed'));
        if (removed.length > 0) open.push(removed);
        const installed = inOrder(atOnce.filter(({ kind }) => kind === 'installed'));
        while (installed.length > 0 && open.length > 0) {
          const latest = open.at(-1)!;
          const pairs = [
            ...takePairs(latest, installed, isSame),
            ...takePairs(latest, installed, () => true),
          ];
          for (const [from, to] of pairs)
            gaps.push({ removed: from, installed: to, seconds: secondsBetween(from.at, to.at) });
          if (latest.length === 0) open.pop();
        }
      }
      return gaps;
    },
  );
}

/**
 * Makes one change of a removal and the installation that ends its gap. The same device is
 * `reconfigured`; no members differ if it came back as it was. Pure.
 */
export function mergedChange({
  removed,
  installed,
}: Pick<Gap, 'removed' | 'installed'>): MergedChange {
  const { at, equipmentType, before } = removed;
  const { after } = installed;
  return {
    at,
    equipmentType,
    kind: isSame(removed, installed) ? 'reconfigured' : 'replaced',
    before,
    after,
    differingMembers: differingMembers(before!, after!),
    gap: { from: at, to: installed.at },
  };
}

/**
 * Merges removals and installations with a gap of at most some seconds between them. Pure.
 * @param changes of one Site, in chronological order; the result is in this order too
 */
export function mergeGaps(changes: readonly DerivedChange[], longest: number): MergedChange[] {
  const gaps = gapsBetween(changes).filter(({ seconds }) => seconds <= longest);
  const byRemoval = new Map(gaps.map((gap) => [gap.removed, gap]));
  const ending = new Set(gaps.map(({ installed }) => installed));
  return changes.flatMap((change) => {
    const gap = byRemoval.get(change);
    if (gap !== undefined) return [mergedChange(gap)];
    return ending.has(change) ? [] : [{ ...change, gap: null }];
  });
}

/**
 * The item of the same device before each item that a change reconfigured, at once or in a visit.
 * @param changes with the gaps of a visit merged
 */
export const predecessorsIn = (changes: readonly MergedChange[]): Predecessors =>
  new Map(
    changes
      .filter(({ kind }) => kind === 'reconfigured')
      .map(({ before, after }) => [after!, before!]),
  );

/** Since when a device has been at a Site, and since when as it is. */
export interface Stay {
  /** When it was installed, or took the place of another one. */
  installed: Instant;
  /** When it was last reconfigured; null if it never was. */
  reconfigured: Instant | null;
}

/** The key of a device; of one without a serial number, that of its item. */
function keyOf({ content: { id, period } }: EquipmentInUse): string {
  const { equipmentType, type, serialNumber } = id;
  return identityKey(id) ?? JSON.stringify([equipmentType, type, serialNumber, period.from]);
}

/**
 * Finds the stay in which an instant lies, for each device that is there then. A gap that is merged
 * does not end a stay. Pure.
 * @param changes of one Site, with gaps merged, in chronological order
 * @returns the stay of an item; of one without a change that began it, its period of use
 */
export function staysAt(
  changes: readonly MergedChange[],
  instant: Instant,
): (item: EquipmentInUse) => Stay {
  const stays = new Map<string, Stay>();
  for (const { at, gap, kind, before, after, differingMembers } of changes) {
    const time = gap?.to ?? at;
    if (after === null || time > instant) continue;
    const key = keyOf(after);
    if (kind === 'installed' || kind === 'replaced') {
      stays.set(key, { installed: time, reconfigured: null });
      continue;
    }
    const stay = stays.get(keyOf(before!));
    if (stay === undefined) continue;
    const reconfigured = differingMembers.length > 0 ? time : stay.reconfigured;
    stays.set(key, { installed: stay.installed, reconfigured });
  }
  return (item) => {
    const stay = stays.get(keyOf(item));
    const { from } = item.content.period;
    // If the stay begins after the item, it belongs to a second entry of the same device.
    const isOfItem = stay !== undefined && (stay.reconfigured ?? stay.installed) <= from;
    return isOfItem ? stay : { installed: from, reconfigured: null };
  };
}
