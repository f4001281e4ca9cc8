import { type ChangeCount, type LoadedRow, LoadedRows, NUMBERED, type NumberedTable, RowGroups } from './loaded-rows.js';

/** The last id of each table; 0 if it is empty. */
export type LastIds = Record<NumberedTable, number>;

/** Where a device has been in use, and when, according to the current log of a Site. */
export interface Stay {
  device: number;
  site: number;
  from: string;
  to: string | null;
  /** The device as that log has it there. */
  identity: string;
  /** The Date Prepared of that log, and its number. */
  datePrepared: string | null;
  log: number;
}

/** Whether a device is in use anywhere else. */
export interface Elsewhere {
  device: number;
  listed: number;
  in_use: number;
}

/** What is on record about some Sites, as far as saving compares with it. */
export interface Recorded {
  lastIds: LastIds;
  sites: LoadedRow<'site'>[];
  renames: LoadedRow<'site_rename'>[];
  summaries: LoadedRow<'site_summary'>[];
  logs: LoadedRow<'site_log'>[];
  /** The findings of some of the logs. */
  findings: LoadedRow<'finding'>[];
  /** The bytes of those logs that may become current. */
  originals: { id: number; name: string; original: Uint8Array }[];
  /** The time of the last event of each Site. */
  lastRecorded: { site: number; at: string }[];
  /** Those that have not been superseded. */
  setups: LoadedRow<'setup'>[];
  installations: LoadedRow<'installation'>[];
  changes: LoadedRow<'change'>[];
  /** The devices of these installations, and of what is going to be saved. */
  devices: LoadedRow<'equipment'>[];
  /** The installations of these devices at other Sites; of devices that may be at thousands of Sites, only whether there are any. */
  stays: Stay[];
  elsewhere: Elsewhere[];
}

/**
 * What an import or a correction reads and changes, in memory. The rules work on it, and what they changed is saved at the end.
 * No other process can write meanwhile.
 */
export class UnitOfWork {
  readonly sites: LoadedRows<LoadedRow<'site'>>;
  readonly logs: LoadedRows<LoadedRow<'site_log'>>;
  readonly setups: LoadedRows<LoadedRow<'setup'>>;
  readonly devices: LoadedRows<LoadedRow<'equipment'>>;
  readonly installations: LoadedRows<LoadedRow<'installation'>>;
  readonly changes: LoadedRows<LoadedRow<'change'>>;
  readonly events: LoadedRows<LoadedRow<'event'>>;
  /** By Site. */
  readonly summaries: RowGroups<number, LoadedRow<'site_summary'>>;
  /** By Site. */
  readonly renames: RowGroups<number, LoadedRow<'site_rename'>>;
  /** By log. */
  readonly findings: RowGroups<number, LoadedRow<'finding'>>;
  /** The bytes of logs, by log. */
  readonly originals: Map<number, Uint8Array>;
  /** The devices whose state or document may have changed. */
  readonly staleDevices = new Set<number>();
  /** By device. */
  readonly stays: Map<number, Stay[]>;
  readonly elsewhere: Map<number, Elsewhere>;
  /** By key. */
  readonly deviceIds: Map<string, number>;
  /** How the devices and installations on record were, to count them. */
  readonly countedBefore: { devices: Map<number, LoadedRow<'equipment'>>; installations: LoadedRow<'installation'>[] };
  private readonly recordTimes: Map<number, string>;
  private readonly count: ChangeCount = { changes: 0 };

  constructor(recorded: Recorded) {
    const { lastIds } = recorded;
    const rows = <Row extends { id: number; checksum: number }>(table: NumberedTable, loaded: Row[]): LoadedRows<Row> =>
      new LoadedRows(table, loaded, lastIds[table], this.count);
    this.sites = rows('site', recorded.sites);
    this.logs = rows('site_log', recorded.logs);
    this.setups = rows('setup', recorded.setups);
    this.devices = rows('equipment', recorded.devices);
    this.installations = rows('installation', recorded.installations);
    this.changes = rows('change', recorded.changes);
    this.events = rows<LoadedRow<'event'>>('event', []);
    this.summaries = new RowGroups(recorded.summaries, (row) => row.site_id, this.count);
    this.renames = new RowGroups(recorded.renames, (row) => row.site_id, this.count);
    this.findings = new RowGroups(recorded.findings, (row) => row.site_log_id, this.count);
    this.originals = new Map(recorded.originals.map(({ id, original }) => [id, original]));
    this.stays = Map.groupBy(recorded.stays, ({ device }) => device);
    this.elsewhere = new Map(recorded.elsewhere.map((each) => [each.device, each]));
    this.deviceIds = new Map(recorded.devices.map(({ identity, id }) => [identity, id]));
    this.countedBefore = {
      devices: new Map(recorded.devices.map((row) => [row.id, { ...row }])),
      installations: recorded.installations.map((row) => ({ ...row })),
    };
    this.recordTimes = new Map(recorded.lastRecorded.map(({ site, at }) => [site, at]));
  }

  /** How many rows have been changed so far. */
  get changed(): number {
    return this.count.changes;
  }

  /** The record time: now, but never before the last record time of the Site, even if the clock was set back. */
  recordTime(site: number, now: Date): string {
    const latest = this.recordTimes.get(site) ?? '';
    const time = now.toISOString();
    const recordedAt = time > latest ? time : latest;
    this.recordTimes.set(site, recordedAt);
    return recordedAt;
  }

  /** The last id of each numbered table, as an event has them. */
  lastIds(): number[] {
    const { sites, logs, setups, installations, changes, devices } = this;
    const rows = { site: sites, site_log: logs, setup: setups, installation: installations, change: changes, equipment: devices };
    return NUMBERED.map((table) => rows[table].lastId);
  }
}
