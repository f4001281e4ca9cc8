import {
  type EquipmentType,
  type InstalledEquipment,
  type InstalledInstrument,
  type Instant,
  isGnssEquipment,
  isInstrument,
  type Period,
  type Setup,
} from '../../../schemas/index.js';
import type { DerivedChange } from '../../derive/changes.js';
import { identityKey, type Predecessors, predecessorsAmong } from '../../derive/devices.js';
import { mergeGaps, type MergedChange, predecessorsIn } from '../../derive/gaps.js';
import { isOneVisit, LONGEST_GAP } from '../../derive/visits.js';
import { type Span, spanFrom } from '../page/time-scale.js';
import { compareTexts, sortedByText } from '../../words.js';

/**
 * The layout of a timeline: one row per kind of equipment, divided into lanes for items in use at
 * the same time.
 */

/** An item as it is drawn. One with an unknown start is drawn from the start of the timeline. */
export type TimelineItem = InstalledEquipment & {
  content: { period: Period };
  startUnknown?: boolean;
};

/**
 * A continuous period of one device, ignoring gaps of up to a day, with one item per configuration.
 */
export interface Run {
  items: TimelineItem[];
  /** Alternates when another device follows in the lane. */
  shade: 0 | 1;
}

/**
 * A mark on the timeline. `firmware`: new firmware on the same device; `reconfigured`: any other
 * change of its configuration; `reinstalled`: the same device in the same configuration.
 */
export interface Mark {
  kind: 'installed' | 'removed' | 'replaced' | 'firmware' | 'reconfigured' | 'reinstalled';
  change: MergedChange;
}

/** A span in which several items of one kind were in use at once. */
export interface Overlap extends Span {
  items: TimelineItem[];
  /** The number of distinct devices; 1 if the log lists the same device several times. */
  devices: number;
}

/** The row of one kind of equipment. */
export interface KindLayout {
  equipmentType: EquipmentType;
  marks: Mark[];
  /** Runs in chronological order; runs in the same lane do not overlap. */
  lanes: Run[][];
  /** The spans with no item in use. */
  gaps: Span[];
  /** The spans with several items in use. */
  overlaps: Overlap[];
}

/** All items of all Setups. An item appears as often as in the Setup that lists it most often. */
function equipmentOf(setups: Setup[]): TimelineItem[] {
  const all = new Map<string, TimelineItem[]>();
  for (const { equipmentInUse } of setups) {
    for (const [key, same] of Map.groupBy(equipmentInUse, (each) => JSON.stringify(each)))
      if (same.length > (all.get(key)?.length ?? 0)) all.set(key, same);
  }
  return [...all.values()].flat();
}

/** An instrument as it is drawn. */
function drawn({ content }: InstalledInstrument, { from }: Span): TimelineItem {
  const period = { ...content.period, from: content.period.from ?? from };
  return {
    content: { ...content, period },
    startUnknown: content.period.from === null,
  } as TimelineItem;
}

function markOf(change: MergedChange): Mark {
  const { kind, differingMembers } = change;
  if (kind !== 'reconfigured') return { kind, change };
  if (differingMembers.includes('firmwareVersion')) return { kind: 'firmware', change };
  return { kind: differingMembers.length > 0 ? 'reconfigured' : 'reinstalled', change };
}

const lastItemOf = (lane: Run[]): TimelineItem => lane.at(-1)!.items.at(-1)!;

/** When the last item of a lane ended; null if it has not. */
const endOf = (lane: Run[]): Instant | null => lastItemOf(lane).content.period.to;

/** An item as a text: Setups and changes do not share their objects. */
const textOf = ({ content: { id, configuration, period } }: InstalledEquipment): string =>
  JSON.stringify([id, configuration, period]);

/**
 * Finds the predecessors of items without a serial number as the changes have them, and of such
 * instruments as the catalogue does: which of several continues depends on all that ends and
 * begins.
 * @param changes with the gaps of a visit merged
 * @param drawnAs the instruments as they are drawn
 */
function predecessorsOf(
  items: readonly TimelineItem[],
  changes: readonly MergedChange[],
  drawnAs: ReadonlyMap<InstalledEquipment, TimelineItem>,
): Predecessors {
  const found = new Map<TimelineItem, TimelineItem>();
  const unidentified = items.filter(({ content }) => identityKey(content.id) === null);
  // Equal items are paired one to one.
  const [begun, ended] = [Map.groupBy(unidentified, textOf), Map.groupBy(unidentified, textOf)];
  for (const [after, before] of predecessorsIn(changes)) {
    const item = begun.get(textOf(after))?.shift();
    const predecessor = ended.get(textOf(before))?.shift();
    if (item !== undefined && predecessor !== undefined) found.set(item, predecessor);
  }
  for (const [item, before] of predecessorsAmong([...drawnAs.keys()]))
    found.set(drawnAs.get(item)!, drawnAs.get(before)!);
  return found;
}

/** Which items are of one device. */
interface Devices {
  /** The key of the device of each item; null if the item does not say which it is. */
  keys: ReadonlyMap<TimelineItem, string | null>;
  predecessors: Predecessors;
  /** The predecessors themselves. */
  awaited: ReadonlySet<InstalledEquipment>;
}

/** Whether two items give the same key. */
function haveSameKey(one: TimelineItem, other: TimelineItem, { keys }: Devices): boolean {
  const key = keys.get(one);
  return key !== null && key === keys.get(other);
}

/**
 * Puts an item into the lane of its device, if that ended in the same visit.
 * @returns whether it did
 */
function continueLane(lanes: Run[][], item: TimelineItem, devices: Devices): boolean {
  const { from } = item.content.period;
  const predecessor = devices.predecessors.get(item);
  const lane = lanes.find((each) => {
    const last = lastItemOf(each);
    if (predecessor !== undefined) return last === predecessor;
    return haveSameKey(last, item, devices) && isOneVisit(endOf(each), from);
  });
  lane?.at(-1)!.items.push(item);
  return lane !== undefined;
}

/** Begins a run: in the lane of what ended in the same visit, in a free lane or in a new one. */
function beginRun(lanes: Run[][], item: TimelineItem, devices: Devices): void {
  const { from } = item.content.period;
  const free = lanes.filter((lane) => {
    const end = endOf(lane);
    return end !== null && end <= from && !devices.awaited.has(lastItemOf(lane));
  });
  const lane = free.find((each) => isOneVisit(endOf(each), from)) ?? free[0];
  if (lane === undefined) {
    lanes.push([{ items: [item], shade: 0 }]);
    return;
  }
  const { shade } = lane.at(-1)!;
  const otherShade = shade === 0 ? 1 : 0;
  const isSame = haveSameKey(lastItemOf(lane), item, devices);
  lane.push({ items: [item], shade: isSame ? shade : otherShade });
}

/**
 * Assigns items to lanes. A device stays in its lane; a new device takes a lane that ended in the
 * same visit, or else the first free lane.
 * @param items in the order of their starts
 */
function lanesOf(items: TimelineItem[], predecessors: Predecessors): Run[][] {
  const lanes: Run[][] = [];
  const devices = {
    keys: new Map(items.map((item) => [item, identityKey(item.content.id)])),
    predecessors,
    awaited: new Set(predecessors.values()),
  };
  for (const begun of Map.groupBy(items, ({ content }) => content.period.from).values()) {
    // A new device must not take the lane of one that stays.
    const others = begun.filter((item) => !continueLane(lanes, item, devices));
    // What begins and ends at once can be continued at once.
    for (const item of others)
      if (!continueLane(lanes, item, devices)) beginRun(lanes, item, devices);
  }
  return lanes;
}

/** The items in use between each two consecutive dates. */
function inUseBetween(
  items: TimelineItem[],
  { from, to }: Span,
): (Span & { items: TimelineItem[] })[] {
  const ends = items
    .flatMap(({ content: { period } }) => [period.from, period.to ?? to])
    .filter((instant) => instant > from && instant < to);
  const instants = [...new Set([from, ...ends, to])].sort();
  return instants.slice(0, -1).map((start, index) => ({
    from: start,
    to: instants[index + 1]!,
    items: items.filter(
      ({ content: { period } }) =>
        period.from <= start && (period.to === null || period.to > start),
    ),
  }));
}

/** The number of distinct devices among items that are in use at once. */
function devicesOf(items: TimelineItem[]): number {
  const keys = items.map(({ content }) => identityKey(content.id) ?? JSON.stringify(content));
  return new Set(keys).size;
}

/** Merges spans that follow each other without a gap. */
function merged(spans: Span[]): Span[] {
  return spans.reduce<Span[]>((done, { from, to }) => {
    const before = done.at(-1);
    return before?.to === from
      ? [...done.slice(0, -1), { from: before.from, to }]
      : [...done, { from, to }];
  }, []);
}

/** Whether an item is a receiver or an antenna, without which no station works. */
const isEssential = ({ content: { id } }: TimelineItem | InstalledEquipment): boolean =>
  isGnssEquipment(id.equipmentType);

/**
 * The whole of a timeline, from the first receiver or antenna on: a clock may be decades older.
 * @param setups at least one
 */
export function wholeOf(setups: Setup[], now: Instant): Span {
  const first = setups.find((each) => each.equipmentInUse.some(isEssential)) ?? setups[0]!;
  return spanFrom(first.effectivePeriod.from, now, setups.at(-1)!.effectivePeriod.from);
}

/** What began before a timeline, the earliest first. */
export function itemsBefore(
  { setups, instruments = [] }: { setups: Setup[]; instruments?: InstalledInstrument[] },
  whole: Span,
): TimelineItem[] {
  return [...equipmentOf(setups), ...instruments.map((each) => drawn(each, whole))]
    .filter(({ content: { period } }) => period.from < whole.from)
    .sort((a, b) => compareTexts(a.content.period.from, b.content.period.from));
}

/**
 * The rows of a timeline, in the order of `kinds`, without those that have no items.
 * @param whole all of the timeline
 * @param shown the part of it to lay out; what begins or ends outside keeps its true times
 */
export function layoutOf(
  {
    setups,
    instruments = [],
    changes,
  }: { setups: Setup[]; instruments?: InstalledInstrument[]; changes: DerivedChange[] },
  kinds: readonly EquipmentType[],
  whole: Span,
  shown: Span,
): KindLayout[] {
  const sortKey = ({ content: { period } }: TimelineItem): string =>
    period.from + (period.to ?? '~');
  const drawnAs = new Map<InstalledEquipment, TimelineItem>(
    instruments.map((each) => [each, drawn(each, whole)]),
  );
  const all = sortedByText([...equipmentOf(setups), ...drawnAs.values()], sortKey);
  const mergedChanges = mergeGaps(changes, LONGEST_GAP);
  const predecessors = predecessorsOf(all, mergedChanges, drawnAs);
  const marks = mergedChanges.filter(({ at }) => at >= shown.from && at <= shown.to);
  // Once a receiver or an antenna is in use, a missing other one is a gap.
  const first = all.find(isEssential)?.content.period.from;
  const isShown = ({ from, to }: Period): boolean =>
    from < shown.to && (to === null || to > shown.from);
  return kinds.flatMap((equipmentType) => {
    const items = all.filter(({ content: { id } }) => id.equipmentType === equipmentType);
    if (items.length === 0) return [];
    const from = isGnssEquipment(equipmentType) ? first! : items[0]!.content.period.from;
    // A Site can have several instruments of a kind, or none.
    const between = isInstrument(equipmentType) ? [] : inUseBetween(items, { from, to: whole.to });
    const lanes = lanesOf(items, predecessors).map((lane) =>
      lane
        .map((run) => ({
          ...run,
          items: run.items.filter(({ content: { period } }) => isShown(period)),
        }))
        .filter((run) => run.items.length > 0),
    );
    return [
      {
        equipmentType,
        marks: marks.filter((change) => change.equipmentType === equipmentType).map(markOf),
        lanes: lanes.filter((lane) => lane.length > 0),
        gaps: merged(between.filter((each) => each.items.length === 0)).filter(isShown),
        overlaps: between
          .filter((each) => each.items.length > 1 && isShown(each))
          .map((each) => ({ ...each, devices: devicesOf(each.items) })),
      },
    ];
  });
}
