import { type EquipmentInUse, SETUP_EQUIPMENT_TYPES } from '../../../schemas/index.js';
import type { DerivedChange } from '../../derive/changes.js';
import { gapsBetween, mergedChange } from '../../derive/gaps.js';
import type { DerivedRecord } from '../../derive/record.js';
import type { DerivedSetup } from '../../derive/setups.js';
import { type DerivedSummary, deriveSummary } from '../../derive/summary.js';
import type { SiteLog } from '../../site-log/site-log.js';
import { writeEquipmentInUse, writeItem } from '../../serializers/documents.js';
import { JsonText } from '../../serializers/json-text.js';
import { compareRows } from '../../derive/comparison.js';
import { compareTexts } from '../../words.js';
import { comparisonKeyOf, continueChanges, groupKeyOf, withoutNumber } from './change-keys.js';
import { saveDevices } from './devices.js';
import { type LoadedRow, type Saving, validRows } from './loaded-rows.js';
import type { UnitOfWork } from './unit-of-work.js';

/** How many Setups were added, and how many were superseded. */
export interface SavedSetups {
  added: number;
  invalidated: number;
}

/**
 * Saves what the current log of a Site says, and supersedes what it contradicts.
 * @param isNewLog whether the record came from another log before
 */
export function saveRecord(
  unit: UnitOfWork,
  saving: Saving,
  derived: DerivedRecord,
  isNewLog: boolean,
): SavedSetups {
  const saved = saveSetups(unit, saving, derived.setups);
  saveDevices(unit, saving, derived, isNewLog);
  saveChanges(unit, saving, derived.changes);
  unit.summaries.set(saving.site, [toSummaryRow(saving.site, derived.summary)]);
  return saved;
}

/**
 * What follows from a log that was withdrawn while it was the only one: its Site stays, without
 * equipment.
 */
export const withoutEquipment = ({
  log,
}: {
  log: Pick<SiteLog, 'identification'>;
}): DerivedRecord => ({
  setups: [],
  changes: [],
  devices: [],
  instruments: [],
  summary: deriveSummary(log.identification, []),
});

/** Supersedes all that is on record about a Site. */
export function supersedeRecord(unit: UnitOfWork, saving: Saving): SavedSetups {
  const saved = saveSetups(unit, saving, []);
  saveDevices(unit, saving, { devices: [], instruments: [] }, false);
  saveChanges(unit, saving, []);
  return saved;
}

/** Saves the Setups of a log. Those that stay the same keep their ids. */
function saveSetups(
  unit: UnitOfWork,
  { site, log, recordedAt }: Saving,
  setups: DerivedSetup[],
): SavedSetups {
  // An item is in many Setups, as the same object.
  const items = new Set(setups.flatMap(({ equipmentInUse }) => equipmentInUse));
  const texts = new Map(
    [...items].map((item) => [item, new JsonText<EquipmentInUse>(writeItem(item))]),
  );
  const derived = setups.map(({ effectivePeriod: { from, to }, equipmentInUse }) => ({
    effective_from: from,
    effective_to: to,
    equipment_in_use: writeEquipmentInUse(equipmentInUse.map((item) => texts.get(item)!)),
  }));
  const comparedText = (row: (typeof derived)[number]): string =>
    `${row.effective_from} ${row.effective_to} ${row.equipment_in_use}`;
  const { added, superseded } = compareRows(
    validRows(unit.setups, site),
    derived,
    comparedText,
    comparedText,
  );
  for (const row of superseded) unit.setups.change(row, { superseded_at: recordedAt });
  for (const row of added)
    unit.setups.add({
      site_id: site,
      site_log_id: log,
      recorded_at: recordedAt,
      superseded_at: null,
      ...row,
    });
  return { added: added.length, invalidated: superseded.length };
}

/** A change that is part of no gap. */
export const NO_GAP = { counterpart_id: null, gap_before: null, merged_kind: null };

/** Saves the changes of a log. */
function saveChanges(
  unit: UnitOfWork,
  { site, recordedAt }: Saving,
  changes: DerivedChange[],
): void {
  const rows = changes.map((change) => ({
    at: change.at,
    equipment_type: change.equipmentType,
    kind: change.kind,
    kind_position: SETUP_EQUIPMENT_TYPES.indexOf(change.equipmentType),
    group_key: groupKeyOf(change),
    document: JSON.stringify(change),
  }));
  const comparedText = (
    row: Pick<LoadedRow<'change'>, 'at' | 'equipment_type' | 'kind' | 'kind_position' | 'document'>,
  ): string => `${row.at} ${row.equipment_type} ${row.kind} ${row.kind_position} ${row.document}`;
  const keys = new Map(rows.map((row, index) => [row, comparisonKeyOf(changes[index]!)]));
  const { added, superseded, same } = compareRows(
    validRows(unit.changes, site),
    rows,
    comparedText,
    comparedText,
  );
  for (const [row, derived] of same) {
    const key = keys.get(derived)!;
    if (row.comparison_key !== null && withoutNumber(row.comparison_key) !== key)
      unit.changes.change(row, { comparison_key: key });
    if (row.group_key !== null && row.group_key !== derived.group_key)
      unit.changes.change(row, { group_key: derived.group_key });
  }
  const continued = continueChanges(
    added.map((row) => keys.get(row)!),
    superseded,
    same.map(([row]) => row),
    recordedAt,
  );
  for (const [index, row] of added.entries()) {
    unit.changes.add({
      site_id: site,
      recorded_at: recordedAt,
      superseded_at: null,
      ...row,
      ...continued[index]!,
      ...NO_GAP,
    });
  }
  // One that was superseded is part of no gap.
  for (const row of superseded) unit.changes.change(row, { superseded_at: recordedAt, ...NO_GAP });
  const byDocument = new Map(changes.map((change, index) => [rows[index]!.document, change]));
  saveGaps(unit, site, byDocument);
}

/** Sorts changes by their time; those of the same time by their ids. */
const compareTimes = (one: { at: string; id: number }, other: { at: string; id: number }): number =>
  compareTexts(one.at, other.at) || one.id - other.id;

/** Whether a change can begin or end a gap. */
export const isSwap = ({ kind }: { kind: string }): boolean =>
  kind === 'removed' || kind === 'installed';

/**
 * Saves which installation ends the gap after each removal, from the changes on record.
 * @param known changes by their documents
 */
export function saveGaps(
  unit: UnitOfWork,
  site: number,
  known: ReadonlyMap<string, DerivedChange>,
): void {
  const swaps = validRows(unit.changes, site)
    .filter(isSwap)
    .map(({ id, document }) => ({
      ...(known.get(document) ?? (JSON.parse(document) as DerivedChange)),
      id,
    }))
    .sort(compareTimes);
  const gaps = gapsBetween(swaps);
  const ends = new Map(gaps.map((gap) => [gap.installed.id, gap]));
  const begins = new Map(gaps.map((gap) => [gap.removed.id, gap]));
  for (const { id } of swaps) {
    const ended = ends.get(id);
    const begun = begins.get(id);
    unit.changes.change(unit.changes.get(id), {
      counterpart_id: ended?.removed.id ?? begun?.installed.id ?? null,
      gap_before: ended?.seconds ?? null,
      merged_kind: begun === undefined ? null : mergedChange(begun).kind,
    });
  }
}

/** The summary of a Site as a row. */
const toSummaryRow = (
  site: number,
  { current, searchText, formerText }: DerivedSummary,
): LoadedRow<'site_summary'> => ({
  site_id: site,
  receivers: current && JSON.stringify(current.receivers),
  antennas: current && JSON.stringify(current.antennas),
  since: current && current.since,
  search_text: searchText,
  former_text: formerText,
});
