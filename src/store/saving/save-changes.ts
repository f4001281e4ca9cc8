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
  const { added, superseded } = compareRows(table.validOf(site), derived, keyOf);
  for (const { change, document } of added) {
    const { at, equipmentType } = change;
    const kind = { equipment_type: equipmentType, kind_position: SETUP_EQUIPMENT_TYPES.indexOf(equipmentType) };
    const row = { site_id: site, at, ...kind, recorded_at: recordedAt, document };
    table.add({ ...row, checksum: checksumOfRow('change', row) });
  }
  for (const { id } of superseded) table.supersede(id, recordedAt);
  if (added.length + superseded.length > 0) saveGaps(table, site);
}

/** Only removals and installations are part of a gap. Parsing the others would cost more than all the rest. */
const PART_OF_GAP = /"kind":"(?:removed|installed)"/;

/** Saves which installations of a Site end the gap after which removal. */
export function saveGaps(table: ChangeTable, site: number): void {
  const swaps = table
    .validOf(site)
    .filter(({ document }) => PART_OF_GAP.test(document))
    .map(({ id, document }) => ({ ...(JSON.parse(document) as DerivedChange), id }))
    .sort((a, b) => (a.at === b.at ? a.id - b.id : a.at < b.at ? -1 : 1));
  const gaps = gapsBetween(swaps);
  const ends = new Map(gaps.map((gap) => [gap.installed.id, gap]));
  const begins = new Map(gaps.map((gap) => [gap.removed.id, gap]));
  for (const { id } of swaps) {
    const ended = ends.get(id);
    table.saveGap(id, ended?.removed.id ?? begins.get(id)?.installed.id ?? null, ended?.seconds ?? null);
  }
}
