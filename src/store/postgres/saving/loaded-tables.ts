import { entryOf, type Event, type JournalRow, NUMBERED } from '../../saving/journal.js';
import type { FeedRow, Tables } from '../../saving/tables.js';
import { type DeviceRow, type InstallationRow, LoadedDevices } from './loaded-devices.js';
import { LoadedLogs, type RecordedLogs } from './loaded-logs.js';
import type { ChangeCount } from './loaded-rows.js';
import { type ChangeRow, LoadedChanges, LoadedSetups, type SetupRow } from './loaded-setups.js';
import { LoadedSites, type RecordedSites } from './loaded-sites.js';

/** The last id of each table; 0 if it is empty. */
export type LastIds = Record<(typeof NUMBERED)[number] | 'journal', number>;

/** The rows on record that saving may read. */
export interface Recorded extends RecordedSites, RecordedLogs {
  lastIds: LastIds;
  setups: SetupRow[];
  devices: DeviceRow[];
  installations: InstallationRow[];
  changeRows: ChangeRow[];
}

/**
 * The tables that saving and correcting change, in memory: a database behind a network would need a round trip for each of
 * the many rows that the rules read and write. The write lock keeps them from changing meanwhile.
 */
export class LoadedTables implements Tables {
  readonly sites: LoadedSites;
  readonly logs: LoadedLogs;
  readonly setups: LoadedSetups;
  readonly devices: LoadedDevices;
  readonly changes: LoadedChanges;
  /** The new rows of the journal. */
  readonly entries: JournalRow[] = [];
  /** The new rows of the feed. */
  readonly feedRows: FeedRow[] = [];
  private readonly count: ChangeCount = { changes: 0 };
  private readonly lastEntry: number;

  constructor(recorded: Recorded) {
    const { lastIds } = recorded;
    const touch = (site: number, at: string): void => this.sites.touch(site, at);
    this.sites = new LoadedSites(recorded, lastIds.site, this.count);
    this.logs = new LoadedLogs(recorded, lastIds.site_log, this.count, touch);
    this.setups = new LoadedSetups(recorded.setups, lastIds.setup, this.count, touch);
    this.devices = new LoadedDevices(recorded, lastIds, this.count);
    this.changes = new LoadedChanges(recorded.changeRows, lastIds.change, this.count);
    this.lastEntry = lastIds.journal;
  }

  readonly journal = { add: (event: Event): number => this.addEntry(event) };

  readonly feed = {
    add: (row: FeedRow): void => {
      this.feedRows.push(row);
      this.count.changes++;
    },
  };

  /** The persons to add. */
  readonly newPersons = new Set<string>();
  readonly persons = {
    add: (names: string[]): void => {
      for (const name of names) this.newPersons.add(name);
    },
  };

  changed(): number {
    return this.count.changes;
  }

  private addEntry(event: Event): number {
    const { sites, logs, setups, devices, changes } = this;
    const last = {
      site: sites.rows,
      site_log: logs.rows,
      setup: setups.rows,
      installation: devices.installations,
      change: changes.rows,
      equipment: devices.rows,
    };
    const lastIds = NUMBERED.map((table) => last[table].lastId);
    const entry = entryOf(event, this.lastEntry + this.entries.length + 1, lastIds);
    this.entries.push(entry);
    this.count.changes++;
    return entry.id;
  }
}
