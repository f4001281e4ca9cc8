import type { EquipmentInUse, EquipmentType, Instant, Setup } from '../../schemas/index.js';
import { type DerivedChange, isSameDevice } from '../derive-changes.js';
import type { Span } from './time-scale.js';

/** Where the equipment of a Site lies on a timeline: one row a kind, in it lanes that hold what was in use at once. */

/** One device, without an interruption but for work on it: an item for each of its configurations. */
export interface Run {
  items: EquipmentInUse[];
  /** Another one than that of another device before it in the lane. */
  shade: 0 | 1;
}

/** What is marked on the timeline: `firmware` is another firmware of the same device, `reconfigured` any other setting of it. */
export interface Mark {
  at: Instant;
  kind: 'installed' | 'removed' | 'replaced' | 'firmware' | 'reconfigured';
  /** One, or, where something was removed a little before the next was installed, two. */
  changes: DerivedChange[];
}

/** The marks of the changes of one kind of equipment, given in order of time. */
function marksOf(changes: DerivedChange[]): Mark[] {
  const marks: Mark[] = [];
  for (const change of changes) {
    const { at, kind, after, differingMembers } = change;
    const removal = marks.findLast((mark) => mark.kind === 'removed' && isOneAct(mark.at, at));
    if (kind === 'installed' && removal !== undefined) {
      const [before, now] = [removal.changes[0]!.before!.content, after!.content];
      const firmwareOf = ({ configuration }: typeof now) => ('firmwareVersion' in configuration ? configuration.firmwareVersion : null);
      const same = firmwareOf(before) === firmwareOf(now) ? 'reconfigured' : 'firmware';
      removal.kind = isSameDevice(before.id, now.id) ? same : 'replaced';
      removal.changes.push(change);
    } else {
      marks.push({
        at,
        kind: kind === 'reconfigured' && differingMembers.includes('firmwareVersion') ? 'firmware' : kind,
        changes: [change],
      });
    }
  }
  return marks;
}

/** What a kind of equipment has on the timeline. */
export interface KindLayout {
  equipmentType: EquipmentType;
  marks: Mark[];
  /** Each in order of time, no two of a lane at once. */
  lanes: Run[][];
  /** When none was in use. */
  gaps: Span[];
  /** When several were in use at once. */
  overlaps: (Span & { items: EquipmentInUse[] })[];
}

/** The equipment of all Setups, each item once, in order of time. */
function equipmentOf(setups: Setup[]): EquipmentInUse[] {
  const distinct = new Map(setups.flatMap(({ equipmentInUse }) => equipmentInUse).map((each) => [JSON.stringify(each), each]));
  const end = ({ content: { period } }: EquipmentInUse): string => period.to ?? '~';
  return [...distinct.values()].sort((a, b) => {
    const [left, right] = [a.content.period.from + end(a), b.content.period.from + end(b)];
    return left < right ? -1 : left > right ? 1 : 0;
  });
}

/**
 * The longest interruption that is taken for the work on the equipment itself: many logs end an item some minutes or
 * hours before the next begins.
 */
const WORK = 86_400_000;

/** Whether what ends at the one instant and what begins at the other are one act. */
export const isOneAct = (end: Instant | null, begin: Instant): boolean =>
  end !== null && end <= begin && Date.parse(begin) - Date.parse(end) <= WORK;

/** A device goes on in the lane in which it was, else where the one before has just ended, else in the first that is free. */
function lanesOf(items: EquipmentInUse[]): Run[][] {
  const lanes: Run[][] = [];
  for (const item of items) {
    const { id, period } = item.content;
    const last = lanes.map((lane) => lane.at(-1)!.items.at(-1)!.content);
    const adjacent = (index: number): boolean => isOneAct(last[index]!.period.to, period.from);
    const free = [...lanes.keys()].filter((index) => last[index]!.period.to !== null && last[index]!.period.to! <= period.from);
    const same = free.find((index) => adjacent(index) && isSameDevice(last[index]!.id, id));
    if (same !== undefined) {
      lanes[same]!.at(-1)!.items.push(item);
      continue;
    }
    const lane = free.find(adjacent) ?? free[0];
    if (lane === undefined) {
      lanes.push([{ items: [item], shade: 0 }]);
      continue;
    }
    const { shade } = lanes[lane]!.at(-1)!;
    lanes[lane]!.push({ items: [item], shade: isSameDevice(last[lane]!.id, id) ? shade : shade === 0 ? 1 : 0 });
  }
  return lanes;
}

/** How many are in use from each instant to the next. */
function countsOf(items: EquipmentInUse[], { from, to }: Span): (Span & { items: EquipmentInUse[] })[] {
  const ends = items
    .flatMap(({ content: { period } }) => [period.from, period.to ?? to])
    .filter((instant) => instant > from && instant < to);
  const instants = [...new Set([from, ...ends, to])].sort();
  return instants.slice(0, -1).map((start, index) => ({
    from: start,
    to: instants[index + 1]!,
    items: items.filter(({ content: { period } }) => period.from <= start && (period.to === null || period.to > start)),
  }));
}

/** The timeline's kinds in the order of a Setup, without those of which there is nothing. */
export function layoutOf(setups: Setup[], changes: DerivedChange[], kinds: EquipmentType[], span: Span): KindLayout[] {
  const all = equipmentOf(setups);
  return kinds.flatMap((equipmentType) => {
    const items = all.filter(({ content: { id } }) => id.equipmentType === equipmentType);
    if (items.length === 0) return [];
    // A site without a receiver or an antenna is remarkable from the first on; other equipment may have come later.
    const always = equipmentType === 'gnss receiver' || equipmentType === 'gnss antenna';
    const counts = countsOf(items, { from: always ? span.from : items[0]!.content.period.from, to: span.to });
    const merged = (spans: Span[]): Span[] =>
      spans.reduce<Span[]>((done, each) => {
        const before = done.at(-1);
        const { from, to } = each;
        return before?.to === from ? [...done.slice(0, -1), { from: before.from, to }] : [...done, { from, to }];
      }, []);
    return [
      {
        equipmentType,
        marks: marksOf(changes.filter((change) => change.equipmentType === equipmentType)),
        lanes: lanesOf(items),
        gaps: merged(counts.filter(({ items: each }) => each.length === 0)),
        overlaps: counts.filter(({ items: each }) => each.length > 1),
      },
    ];
  });
}
