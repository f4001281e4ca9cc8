import type { FeedChange, FeedEntry, Instant, Period } from '../../schemas/index.js';
import type { DerivedChange } from '../derive/changes.js';

/** A Setup as the feed shows it. */
export interface FeedSetup {
  id: number;
  effectivePeriod: Period;
}

/** What an import or correction changed, as the store keeps it. */
export interface FeedContent {
  isNew: boolean;
  siteChanged: boolean;
  setups: { added: FeedSetup[]; superseded: FeedSetup[] };
  changes: { added: FeedChange[]; superseded: FeedChange[] };
}

/** What is on record about a Site at a moment, as far as the feed compares it. */
export interface SiteState {
  /** Whether it is, or was, on record. */
  isKnown: boolean;
  /** Its members as text; null if it is not on record, or retired. */
  site: string | null;
  /** The valid Setups, in chronological order. */
  setups: FeedSetup[];
  /** The ids of the valid changes, in chronological order. */
  changes: number[];
}

/** The state of a Site of which nothing is on record. */
export const NOTHING: SiteState = { isKnown: false, site: null, setups: [], changes: [] };

/** What is in one list but not in the other, in both directions. */
interface Difference<T> {
  added: T[];
  superseded: T[];
}

type Item = DerivedChange['before'];
const deviceOf = (item: Item): FeedChange['before'] =>
  item === null ? null : { type: item.content.id.type, serialNumber: item.content.id.serialNumber };

/** What a change is compared by: everything but the periods of its items, which also change with what happens later. */
const withoutPeriods = ({ at, equipmentType, kind, before, after }: DerivedChange): unknown[] => [
  at,
  equipmentType,
  kind,
  ...[before, after].map((item) => item && [item.content.id, item.content.configuration]),
];

function differenceOf<T>(before: T[], after: T[], idOf: (item: T) => number): Difference<T> {
  const without = (all: T[], others: T[]): T[] => {
    const ids = new Set(others.map(idOf));
    return all.filter((item) => !ids.has(idOf(item)));
  };
  return { added: without(after, before), superseded: without(before, after) };
}

/** The ids of the changes that the feed needs to see; none if the Site is new. */
export const differingChanges = (before: SiteState, after: SiteState): Difference<number> =>
  before.isKnown ? differenceOf(before.changes, after.changes, (id) => id) : { added: [], superseded: [] };

/** What two states differ in; null if they are the same. Pure. @param changes those of {@link differingChanges} */
export function feedContentOf(before: SiteState, after: SiteState, { added, superseded }: Difference<DerivedChange>): FeedContent | null {
  const setups = differenceOf(before.setups, after.setups, ({ id }) => id);
  const siteChanged = before.site !== after.site;
  if (!siteChanged && setups.added.length + setups.superseded.length === 0) return null;
  const keys = (changes: DerivedChange[]): Set<string> => new Set(changes.map((each) => JSON.stringify(withoutPeriods(each))));
  const inShort = (changes: DerivedChange[], others: Set<string>): FeedChange[] =>
    changes
      .filter((each) => !others.has(JSON.stringify(withoutPeriods(each))))
      .map(({ at, equipmentType, kind, ...items }) => ({
        at,
        equipmentType,
        kind,
        before: deviceOf(items.before),
        after: deviceOf(items.after),
      }));
  const changes = { added: inShort(added, keys(superseded)), superseded: inShort(superseded, keys(added)) };
  return { isNew: !before.isKnown, siteChanged, setups, changes };
}

/** The earliest time from which the equipment differs; null if it does not. */
export function effectiveFromOf({ isNew, setups, changes }: FeedContent): Instant | null {
  const times = [...changes.added, ...changes.superseded].map(({ at }) => at);
  if (isNew || times.length === 0)
    times.push(...[...setups.added, ...setups.superseded].map(({ effectivePeriod }) => effectivePeriod.from));
  return times.sort()[0] ?? null;
}

/** An entry of the feed. */
export interface FeedRecord extends FeedContent, Pick<FeedEntry, 'kind' | 'recordedAt' | 'effectiveFrom' | 'site' | 'siteLog'> {
  /** The cursor of what comes after it. */
  cursor: string;
}

/** Entries of the feed in the order of recording. */
export interface FeedPage {
  entries: FeedRecord[];
  /** The cursor of what comes after them; null if the feed is empty. */
  next: string | null;
  /** The cursor of what will be recorded; null if the feed is empty. */
  last: string | null;
}

/** A cursor has the number and the checksum of an entry. So a cursor from another database is recognized and refused. */
export const cursorOf = (id: number, checksum: number): string => Buffer.from(`${id}.${checksum}`).toString('base64url');

/** The number and checksum in a cursor; null if the text is none. */
export function parseCursor(cursor: string): { id: number; checksum: number } | null {
  const parts = /^(\d{1,15})\.(\d{1,10})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  return parts === null ? null : { id: Number(parts[1]), checksum: Number(parts[2]) };
}

/** Reads the feed. */
export interface FeedReader {
  /** The entries after a cursor, or from the first one on; undefined if the cursor is of no entry of this database. */
  findAfter(cursor: string | null, size: number): Promise<FeedPage | undefined>;
  /** The newest entries, the newest first. */
  findNewest(size: number): Promise<FeedPage>;
}
