import type { FeedChange } from '../../../schemas/index.js';
import type { DerivedChange } from '../../derive/changes.js';
import type { SiteId } from '../../requests/site-id.js';
import type { FeedContent, FeedSetup } from '../read/feed.js';
import type { Correction } from './corrections.js';
import type { LoadedRow } from './loaded-rows.js';
import { currentLog, logsOf } from './logs.js';
import { validRows } from './record.js';
import type { SiteRecord } from './sites.js';
import type { UnitOfWork } from './unit-of-work.js';

/** What is on record about a Site at a moment, as far as the feed compares it. */
export interface SiteState {
  /** Whether it is, or was, on record. */
  isKnown: boolean;
  /** Its members as text; null if it is not on record, or retired. */
  site: string | null;
  /** The valid rows. */
  setups: LoadedRow<'setup'>[];
  changes: LoadedRow<'change'>[];
}

/** The state of a Site of which nothing is on record. */
export const NOTHING: SiteState = { isKnown: false, site: null, setups: [], changes: [] };

/** What is on record about a Site now. */
export function siteState(unit: UnitOfWork, site: SiteRecord): SiteState {
  if (site.retired_at !== null) return { ...NOTHING, isKnown: true };
  const { last_event: _, checksum: __, ...content } = site;
  const [setups, changes] = [validRows.setups(unit, site.id), validRows.changes(unit, site.id)];
  return { isKnown: true, site: JSON.stringify(content), setups, changes };
}

const without = <Row extends { id: number }>(rows: Row[], others: Row[]): Row[] => {
  const ids = new Set(others.map(({ id }) => id));
  return rows.filter(({ id }) => !ids.has(id));
};

const toFeedSetups = (rows: LoadedRow<'setup'>[]): FeedSetup[] =>
  rows
    .map(({ id, effective_from: from, effective_to: to }) => ({ id, effectivePeriod: { from, to } }))
    .sort((a, b) => (a.effectivePeriod.from < b.effectivePeriod.from ? -1 : 1));

const toChanges = (rows: LoadedRow<'change'>[]): DerivedChange[] =>
  rows
    .sort((a, b) => (a.at !== b.at ? (a.at < b.at ? -1 : 1) : a.kind_position - b.kind_position || a.id - b.id))
    .map(({ document }) => JSON.parse(document) as DerivedChange);

/** What a change is compared by: everything but the periods of its items, which also change with what happens later. */
const keyOf = ({ at, equipmentType, kind, before, after }: DerivedChange): string =>
  JSON.stringify([at, equipmentType, kind, ...[before, after].map((item) => item && [item.content.id, item.content.configuration])]);

const deviceOf = (item: DerivedChange['before']): FeedChange['before'] =>
  item === null ? null : { type: item.content.id.type, serialNumber: item.content.id.serialNumber };

/** Changes as the feed shows them, except those that are also among others. */
function inShort(changes: DerivedChange[], others: DerivedChange[]): FeedChange[] {
  const keys = new Set(others.map(keyOf));
  return changes
    .filter((change) => !keys.has(keyOf(change)))
    .map(({ at, equipmentType, kind, before, after }) => ({ at, equipmentType, kind, before: deviceOf(before), after: deviceOf(after) }));
}

/** What two states of a Site differ in; null if they are the same. The changes of a new Site say nothing. */
function feedContent(before: SiteState, after: SiteState): FeedContent | null {
  const setups = {
    added: toFeedSetups(without(after.setups, before.setups)),
    superseded: toFeedSetups(without(before.setups, after.setups)),
  };
  const siteChanged = before.site !== after.site;
  if (!siteChanged && setups.added.length + setups.superseded.length === 0) return null;
  const added = before.isKnown ? toChanges(without(after.changes, before.changes)) : [];
  const superseded = toChanges(without(before.changes, after.changes));
  return {
    isNew: !before.isKnown,
    siteChanged,
    setups,
    changes: { added: inShort(added, superseded), superseded: inShort(superseded, added) },
  };
}

/** What was corrected, as an event has it. */
export type RecordedCorrection = Exclude<Correction, { kind: 'rename' }> | (Extract<Correction, { kind: 'rename' }> & { from: SiteId });

/**
 * Adds an event that has just happened at a Site.
 * @param at when, by the clock
 * @param before the state of the Site before
 */
export function addEvent(unit: UnitOfWork, site: SiteRecord, at: Date, what: 'import' | RecordedCorrection, before: SiteState): void {
  const content = feedContent(before, siteState(unit, site));
  const event = unit.events.add({
    kind: what === 'import' ? what : what.kind,
    at: at.toISOString(),
    site_id: site.id,
    site_log_id: currentLog(logsOf(unit, site.id))!.id,
    correction: what === 'import' ? null : JSON.stringify(what),
    last_ids: JSON.stringify(unit.lastIds()),
    document: content === null ? null : JSON.stringify(content),
  });
  unit.sites.change(site, { last_event: event.id });
}
