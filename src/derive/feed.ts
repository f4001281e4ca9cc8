import {
  type EquipmentInUse,
  type FeedChange,
  type Instant,
  type Period,
  SETUP_EQUIPMENT_TYPES,
  type SetupEquipmentType,
} from '../../schemas/index.js';
import { compareTexts } from '../words.js';
import type { DerivedChange } from './changes.js';
import { comparableContent, comparableMembers, differingMembers, membersOf } from './devices.js';
import { type MergedChange, mergeGaps } from './gaps.js';
import { LONGEST_GAP } from './visits.js';

/** A Setup as the feed shows it. */
export interface FeedSetup {
  id: number;
  effectivePeriod: Period;
}

/** A Setup on record. */
interface RecordedSetup extends FeedSetup {
  /** Its equipment in use as JSON. */
  equipment: string;
}

/** What an import or a correction changed. */
export interface FeedContent {
  isNew: boolean;
  siteChanged: boolean;
  setups: { added: FeedSetup[]; superseded: FeedSetup[] };
  changes: Record<'added' | 'corrected' | 'superseded', FeedChange[]>;
}

/** A change on record. */
interface RecordedChange {
  id: number;
  at: Instant;
  equipmentType: SetupEquipmentType;
  /** The {@link DerivedChange} as JSON. */
  document: string;
}

/** What is on record about a Site at a moment, as far as the feed compares it. */
export interface SiteState {
  /** Whether it is, or was, on record. */
  isKnown: boolean;
  /** Its members as text; null if it is not on record, or retired. */
  site: string | null;
  /** Those that have not been superseded. */
  setups: RecordedSetup[];
  changes: RecordedChange[];
}

/** The state of a Site of which nothing is on record. */
export const NOTHING_ON_RECORD: SiteState = { isKnown: false, site: null, setups: [], changes: [] };

/** The Setups that are only in the first of two states, in chronological order. */
const onlyIn = (setups: RecordedSetup[], others: RecordedSetup[]): RecordedSetup[] => {
  const ids = new Set(others.map(({ id }) => id));
  return setups
    .filter(({ id }) => !ids.has(id))
    .sort((a, b) => compareTexts(a.effectivePeriod.from, b.effectivePeriod.from));
};

/** What Setups say, in one spelling. */
const meaningOf = (setups: RecordedSetup[]): string =>
  JSON.stringify(
    setups.map(({ effectivePeriod, equipment }) => [
      effectivePeriod,
      (JSON.parse(equipment) as EquipmentInUse[]).map(comparableContent),
    ]),
  );

/** Whether the Setups in two states say the same. Versions of a Setup can differ in spelling. */
const areRespelt = (added: RecordedSetup[], superseded: RecordedSetup[]): boolean =>
  added.length === superseded.length && meaningOf(added) === meaningOf(superseded);

/** A Setup as the feed shows it. */
const toFeedSetup = ({ id, effectivePeriod }: RecordedSetup): FeedSetup => ({
  id,
  effectivePeriod,
});

const positionOf = ({ equipmentType }: RecordedChange): number =>
  SETUP_EQUIPMENT_TYPES.indexOf(equipmentType);

/** Changes in chronological order; at one instant, in the order of kinds. Gaps are merged. */
function toChanges(changes: RecordedChange[]): MergedChange[] {
  const sorted = changes.toSorted(
    (a, b) => compareTexts(a.at, b.at) || positionOf(a) - positionOf(b) || a.id - b.id,
  );
  const derived = sorted.map(({ document }) => JSON.parse(document) as DerivedChange);
  return mergeGaps(derived, LONGEST_GAP);
}

/** Where a change takes place. Changes in the same place differ only in their items. */
const placeOf = ({ at, equipmentType, kind, gap }: MergedChange): string =>
  JSON.stringify([at, equipmentType, kind, gap]);

/**
 * What a change is compared by: everything but the spelling of its items, and their periods, which
 * also change with what happens later.
 */
const comparedKey = (change: MergedChange): string =>
  placeOf(change) +
  JSON.stringify([change.before, change.after].map((item) => item && comparableMembers(item)));

type Difference = FeedChange['differences'][number];

/** The values of the members in which two items differ; by default, of all that do. */
const differencesIn = (
  a: EquipmentInUse | null,
  b: EquipmentInUse | null,
  members?: string[],
): Difference[] => {
  if (a === null || b === null) return [];
  const before = membersOf(a);
  const after = membersOf(b);
  return (members ?? differingMembers(a, b)).map((member) => ({
    member,
    before: before[member]!,
    after: after[member]!,
  }));
};

/** What was corrected in the items of a change, each difference once. */
function corrections(was: MergedChange, is: MergedChange): Difference[] {
  const found = [...differencesIn(was.before, is.before), ...differencesIn(was.after, is.after)];
  return [...new Map(found.map((difference) => [JSON.stringify(difference), difference])).values()];
}

const deviceOf = (item: EquipmentInUse | null): FeedChange['before'] =>
  item && { type: item.content.id.type, serialNumber: item.content.id.serialNumber };

/** What a change makes different. */
const differencesOf = ({ before, after, differingMembers }: MergedChange): Difference[] =>
  differencesIn(before, after, differingMembers);

/** A change as the feed shows it. */
function inShort(change: MergedChange, differences: Difference[]): FeedChange {
  const { at, equipmentType, kind, before, after, gap } = change;
  return {
    at,
    equipmentType,
    kind,
    before: deviceOf(before),
    after: deviceOf(after),
    gap,
    differences,
  };
}

/**
 * What changes on record differ in. Of two changes in the same place, the later one corrects the
 * earlier one.
 */
function compare(before: MergedChange[], after: MergedChange[]): FeedContent['changes'] {
  const old = new Set(before.map(comparedKey));
  const now = new Set(after.map(comparedKey));
  const superseded = Map.groupBy(
    before.filter((change) => !now.has(comparedKey(change))),
    placeOf,
  );
  const added: FeedChange[] = [];
  const corrected: FeedChange[] = [];
  for (const change of after) {
    if (old.has(comparedKey(change))) continue;
    const was = superseded.get(placeOf(change))?.shift();
    if (was === undefined) added.push(inShort(change, differencesOf(change)));
    else corrected.push(inShort(change, corrections(was, change)));
  }
  return {
    added,
    corrected,
    superseded: [...superseded.values()]
      .flat()
      .map((change) => inShort(change, differencesOf(change))),
  };
}

/**
 * What two states of a Site differ in; null if they say the same, though perhaps in another
 * spelling. The changes of a new Site say nothing. Pure.
 */
export function deriveFeedContent(before: SiteState, after: SiteState): FeedContent | null {
  const added = onlyIn(after.setups, before.setups);
  const superseded = onlyIn(before.setups, after.setups);
  const siteChanged = before.site !== after.site;
  if (!siteChanged && areRespelt(added, superseded)) return null;
  return {
    isNew: !before.isKnown,
    siteChanged,
    setups: { added: added.map(toFeedSetup), superseded: superseded.map(toFeedSetup) },
    changes: compare(toChanges(before.changes), before.isKnown ? toChanges(after.changes) : []),
  };
}

/** The earliest time from which the equipment differs; null if it does not. Pure. */
export function effectiveFromOf({ isNew, setups, changes }: FeedContent): Instant | null {
  const times = Object.values(changes).flatMap((each) => each.map(({ at }) => at));
  const starts = Object.values(setups).flatMap((each) =>
    each.map(({ effectivePeriod }) => effectivePeriod.from),
  );
  return (isNew || times.length === 0 ? [...times, ...starts] : times).sort()[0] ?? null;
}
