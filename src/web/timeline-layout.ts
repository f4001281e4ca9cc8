import type { EquipmentInUse, EquipmentType, Instant, Setup } from '../../schemas/index.js';
import { type DerivedChange, isSameDevice } from '../derive/changes.js';
import type { Span } from './time-scale.js';

/** Where the equipment of a Site lies on a timeline: one row a kind, in it lanes that hold what was in use at once. */

/** One device, without an interruption but for work on it: an item for each of its configurations. */
export interface Run {
  items: EquipmentInUse[];
  /** Another one than that of another device before it in the lane. */
  shade: 0 | 1;
}

/**
 * What is marked on the timeline: `firmware` is another firmware of the same device, `reconfigured` any other setting of
 * it, `reinstalled` none.
 */
export interface Mark {
  at: Instant;
  kind: 'installed' | 'removed' | 'replaced' | 'firmware' | 'reconfigured' | 'reinstalled';
  /** One, or, where something was removed a little before the next was installed, two. */
  changes: DerivedChange[];
}

/** A time in which several items of a kind were in use at once. */
export interface Overlap extends Span {
  items: EquipmentInUse[];
  /** How many devices that were; 1: the log lists the one several times. */
  devices: number;
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
  overlaps: Overlap[];
}

/** Of each item of all Setups as many as one Setup has of it at most, in order of time. */
function equipmentOf(setups: Setup[]): EquipmentInUse[] {
  const most = new Map<string, EquipmentInUse[]>();
  for (const { equipmentInUse } of setups) {
    const here = new Map<string, EquipmentInUse[]>();
    for (const each of equipmentInUse) {
      const key = JSON.stringify(each);
      const same = here.get(key);
      if (same === undefined) here.set(key, [each]);
      else same.push(each);
    }
    for (const [key, same] of here) if (same.length > (most.get(key)?.length ?? 0)) most.set(key, same);
  }
  const sortKey = ({ content: { period } }: EquipmentInUse): string => period.from + (period.to ?? '~');
  return [...most.values()].flat().sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : sortKey(a) > sortKey(b) ? 1 : 0));
}

/**
 * The longest interruption that is taken for the work on the equipment itself: many logs end an item some minutes or
 * hours before the next begins. In milliseconds.
 */
const WORK = 86_400_000;

/** Whether what ends at the one instant and what begins at the other are one act. */
export const isOneAct = (end: Instant | null, begin: Instant): boolean =>
  end !== null && end <= begin && Date.parse(begin) - Date.parse(end) <= WORK;

/** What became of a device that was removed, and of the one that was installed soon after. */
function actOf({ content: before }: EquipmentInUse, { content: after }: EquipmentInUse): Mark['kind'] {
  if (!isSameDevice(before.id, after.id)) return 'replaced';
  const firmwareOf = ({ configuration }: typeof before) => ('firmwareVersion' in configuration ? configuration.firmwareVersion : null);
  if (firmwareOf(before) !== firmwareOf(after)) return 'firmware';
  return JSON.stringify(before.configuration) === JSON.stringify(after.configuration) ? 'reinstalled' : 'reconfigured';
}

/** The marks of the changes of one kind of equipment, given in order of time. */
function marksOf(changes: DerivedChange[]): Mark[] {
  const marks: Mark[] = [];
  for (const change of changes) {
    const { at, kind, after, differingMembers } = change;
    const removal = kind === 'installed' ? marks.findLast((mark) => mark.kind === 'removed' && isOneAct(mark.at, at)) : undefined;
    if (removal !== undefined) {
      removal.kind = actOf(removal.changes[0]!.before!, after!);
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

/** What is in use from each instant to the next. */
function inUseBetween(items: EquipmentInUse[], { from, to }: Span): (Span & { items: EquipmentInUse[] })[] {
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

/** How many devices the items are of. */
function devicesOf(items: EquipmentInUse[]): number {
  const seen: EquipmentInUse[] = [];
  for (const each of items) if (!seen.some((one) => one === each || isSameDevice(one.content.id, each.content.id))) seen.push(each);
  return seen.length;
}

/** Spans that follow each other without a gap as one. */
function merged(spans: Span[]): Span[] {
  return spans.reduce<Span[]>((done, { from, to }) => {
    const before = done.at(-1);
    return before?.to === from ? [...done.slice(0, -1), { from: before.from, to }] : [...done, { from, to }];
  }, []);
}

/** Kinds without which there is no GNSS station: that one is missing is remarkable as soon as there is the other. */
const ESSENTIAL: EquipmentType[] = ['gnss receiver', 'gnss antenna'];

/** The timeline's kinds in the order of a Setup, without those of which there is nothing. */
export function layoutOf(setups: Setup[], changes: DerivedChange[], kinds: EquipmentType[], span: Span): KindLayout[] {
  const all = equipmentOf(setups);
  const essential = all.find(({ content: { id } }) => ESSENTIAL.includes(id.equipmentType))?.content.period.from;
  return kinds.flatMap((equipmentType) => {
    const items = all.filter(({ content: { id } }) => id.equipmentType === equipmentType);
    if (items.length === 0) return [];
    const from = ESSENTIAL.includes(equipmentType) ? essential! : items[0]!.content.period.from;
    const between = inUseBetween(items, { from, to: span.to });
    return [
      {
        equipmentType,
        marks: marksOf(changes.filter((change) => change.equipmentType === equipmentType)),
        lanes: lanesOf(items),
        gaps: merged(between.filter((each) => each.items.length === 0)),
        overlaps: between.filter((each) => each.items.length > 1).map((each) => ({ ...each, devices: devicesOf(each.items) })),
      },
    ];
  });
}
