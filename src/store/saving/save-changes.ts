import { SETUP_EQUIPMENT_TYPES } from '../../../schemas/index.js';
import type { DerivedChange } from '../../derive/changes.js';
import { gapsBetween } from '../../derive/gaps.js';
import { checksumOfRow } from './checksums.js';
import { compareRows } from './comparison.js';
import type { Saving } from './saving.js';
import type { ChangeTable } from './tables.js';

/** What a change is compared by: its JSON. */
const keyOf = ({ document }: { document: string }): string => document;

/** Saves the changes of a log. */
export function saveChanges(table: ChangeTable, { site, recordedAt }: Saving, changes: DerivedChange[]): void {
  const derived = changes.map((change) => ({ change, document: JSON.stringify(change) }));
  const recorded = table.validOf(site);
  const ids = new Map(recorded.map(({ id, document }) => [document, id]));
  const { added, superseded } = compareRows(recorded, derived, keyOf);
  for (const { change, document } of added) {
    const { at, equipmentType } = change;
    const kind = { equipment_type: equipmentType, kind_position: SETUP_EQUIPMENT_TYPES.indexOf(equipmentType) };
    const row = { site_id: site, at, ...kind, recorded_at: recordedAt, document };
    ids.set(document, table.add({ ...row, checksum: checksumOfRow('change', row) }));
  }
  for (const { id } of superseded) table.supersede(id, recordedAt);
  if (added.length + superseded.length === 0) return;
  // A log can give the same change twice; it has one row.
  const valid = new Map(derived.map(({ change, document }) => [document, { ...change, id: ids.get(document)! }]));
  savePairs(table, [...valid.values()]);
}

/** Saves which installations of a Site end the gap after which removal, from what is on record. */
export function saveGaps(table: ChangeTable, site: number): void {
  savePairs(
    table,
    table.validOf(site).map(({ id, document }) => ({ ...(JSON.parse(document) as DerivedChange), id })),
  );
}

/** Saves which installation ends the gap after which removal. Other changes do not belong to a gap. */
function savePairs(table: ChangeTable, changes: (DerivedChange & { id: number })[]): void {
  const swaps = changes
    .filter(({ kind }) => kind === 'removed' || kind === 'installed')
    .sort((a, b) => (a.at === b.at ? a.id - b.id : a.at < b.at ? -1 : 1));
  const gaps = gapsBetween(swaps);
  const ends = new Map(gaps.map((gap) => [gap.installed.id, gap]));
  const begins = new Map(gaps.map((gap) => [gap.removed.id, gap]));
  for (const { id } of swaps) {
    const ended = ends.get(id);
    table.saveGap(id, ended?.removed.id ?? begins.get(id)?.installed.id ?? null, ended?.seconds ?? null);
  }
}
