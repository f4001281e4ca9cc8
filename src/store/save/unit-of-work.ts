import {
  type ChangeCount,
  type LoadedRow,
  LoadedRows,
  type NumberedTable,
  RowGroups,
} from './loaded-rows.js';

/** The last id of each table; 0 if it is empty. */
export type LastIds = Record<NumberedTable, number>;

/** Where a device has been in use, and when, according to the current log of a Site. */
export interface DeviceStay {
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

/** What is on record about some Sites, as far as saving compares with it. */
export interface Recorded {
  lastIds: LastIds;
  sites: LoadedRow<'site'>[];
  renames: LoadedRow<'site_rename'>[];
  summaries: LoadedRow<'site_summary'>[];
  logs: LoadedRow<'site_log'>[];
  /** The findings of some of the logs. */
  findings: LoadedRow<'finding'>[];
  /** The time of the last event of each Site. */
  lastRecorded: { site: number; at: string }[];
  /** The Setups, installations and changes that have not been superseded. */
  setups: LoadedRow<'setup'>[];
  installations: LoadedRow<'installation'>[];
  changes: LoadedRow<'change'>[];
  /** The devices of these installations, and of what is going to be saved. */
  devices: LoadedRow<'equipment'>[];
  /** The installations of these devices at other Sites. */
  stays: DeviceStay[];
  /** In place of these, of devices that may be at thousands of Sites: whether there are any. */
  elsewhere: { device: number; listed: number; in_use: number }[];
}

/**
 * What an import or a correction reads and changes, in memory. It is saved when all rules have run;
 * no other process writes meanwhile.
 */
export type UnitOfWork = ReturnType<typeof beginUnitOfWork>;

/** A unit of work that has changed nothing yet. */
export function beginUnitOfWork(recorded: Recorded) {
  const count: ChangeCount = { changes: 0 };
  const rows = <Row extends { id: number }>(table: NumberedTable, loaded: Row[]): LoadedRows<Row> =>
    new LoadedRows(table, loaded, recorded.lastIds[table], count);
  const recordTimes = new Map(recorded.lastRecorded.map(({ site, at }) => [site, at]));
  return {
    sites: rows('site', recorded.sites),
    logs: rows('site_log', recorded.logs),
    setups: rows('setup', recorded.setups),
    devices: rows('equipment', recorded.devices),
    installations: rows('installation', recorded.installations),
    changes: rows('change', recorded.changes),
    events: rows<LoadedRow<'event'>>('event', []),
    summaries: new RowGroups('site_summary', 'site_id', recorded.summaries, count),
    renames: new RowGroups('site_rename', 'site_id', recorded.renames, count),
    findings: new RowGroups('finding', 'site_log_id', recorded.findings, count),
    /** The bytes of added logs, by log. */
    originals: new Map<number, Uint8Array>(),
    /** The devices whose state or document may have changed. */
    staleDevices: new Set<number>(),
    /** Where devices are besides these Sites, by the id of the device. */
    stays: Map.groupBy(recorded.stays, ({ device }) => device),
    elsewhere: new Map(recorded.elsewhere.map((each) => [each.device, each])),
    /** The ids of the devices, by `identity`, which is their key. */
    deviceIds: new Map(recorded.devices.map(({ identity, id }) => [identity, id])),
    /** The devices and installations as they were on record, for the counts. */
    countedBefore: {
      devices: new Map(recorded.devices.map((row) => [row.id, { ...row }])),
      installations: recorded.installations.map((row) => ({ ...row })),
    },

    /** How many rows have been changed so far. */
    get changed(): number {
      return count.changes;
    },

    /**
     * The record time: now, but never before the last record time of the Site, even if the clock
     * was set back.
     */
    recordTime(site: number, now: Date): string {
      const latest = recordTimes.get(site) ?? '';
      const time = now.toISOString();
      const recordedAt = time > latest ? time : latest;
      recordTimes.set(site, recordedAt);
      return recordedAt;
    },
  };
}
