import type { DerivedRecord } from '../../derive/record.js';
import type { DerivedSummary } from '../../derive/summary.js';
import { saveChanges } from './save-changes.js';
import { saveDevices } from './save-devices.js';
import { type SavedSetups, saveSetups } from './save-setups.js';
import type { Saving } from './saving.js';
import type { SummaryRow, Tables } from './tables.js';

/**
 * Saves what the current log of a Site says. Rows on record that the log contradicts are superseded.
 * @param isNewLog whether the record came from another log before
 */
export function saveRecord(
  tables: Tables,
  saving: Saving,
  { setups, changes, devices, instruments, summary }: DerivedRecord,
  isNewLog: boolean,
): SavedSetups {
  const saved = saveSetups(tables.setups, saving, setups);
  saveDevices(tables.devices, saving, { devices, instruments, newSetups: saved.added, isNewLog });
  saveChanges(tables.changes, saving, changes);
  tables.sites.saveSummary(toSummaryRow(saving.site, summary));
  return saved;
}

/** Supersedes all that is on record about a Site. */
export function supersedeRecord(tables: Tables, saving: Saving): SavedSetups {
  const saved = saveSetups(tables.setups, saving, []);
  saveDevices(tables.devices, saving, { devices: [], instruments: [], newSetups: [], isNewLog: false });
  saveChanges(tables.changes, saving, []);
  return saved;
}

/** The summary of a Site as a row. */
export const toSummaryRow = (site: number, { current, searchText, formerText }: DerivedSummary): SummaryRow => ({
  site_id: site,
  receivers: current && JSON.stringify(current.receivers),
  antennas: current && JSON.stringify(current.antennas),
  since: current && current.since,
  asked: current && current.asked,
  known: current && current.known,
  search_text: searchText,
  former_text: formerText,
});
