import { ClockBehind, recordTimeInFuture } from '../clock.js';
import type { RowOf } from '../schema.js';
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

/** A Site that has a DOMES number of a log that is going to be saved, but none of its ids. */
export interface Namesake {
  site: LoadedRow<'site'>;
  /** The keys of its receivers and antennas. */
  devices: string[];
}

/** What is on record about some Sites, as far as saving compares with it. */
export interface Recorded {
  lastIds: LastIds;
  sites: LoadedRow<'site'>[];
  /** The ids of these Sites that have not been superseded. */
  identities: LoadedRow<'site_identity'>[];
  summaries: LoadedRow<'site_summary'>[];
  logs: LoadedRow<'site_log'>[];
  /** The findings of some of the logs. */
  findings: LoadedRow<'finding'>[];
  /** The last record time of any Site; null if nothing is on record. */
  lastRecorded: string | null;
  /** The Setups, installations and changes that have not been superseded. */
  setups: LoadedRow<'setup'>[];
  installations: LoadedRow<'installation'>[];
  changes: LoadedRow<'change'>[];
  /** The devices of these installations, and of what is going to be saved. */
  devices: LoadedRow<'equipment'>[];
  /** The installations of these devices at other Sites. */
  stays: DeviceStay[];
  /** For devices that may be at thousands of Sites, instead of these: whether there are any. */
  elsewhere: { device: number; listed: number; in_use: number }[];
  /** Other Sites with a DOMES number of what is going to be saved. */
  namesakes: Namesake[];
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
  return {
    sites: rows('site', recorded.sites),
    logs: rows('site_log', recorded.logs),
    setups: rows('setup', recorded.setups),
    devices: rows('equipment', recorded.devices),
    installations: rows('installation', recorded.installations),
    changes: rows('change', recorded.changes),
    identities: rows<LoadedRow<'site_identity'>>('site_identity', recorded.identities),
    events: rows<LoadedRow<'event'>>('event', []),
    summaries: new RowGroups('site_summary', 'site_id', recorded.summaries, count),
    findings: new RowGroups('finding', 'site_log_id', recorded.findings, count),
    /** The bytes of added logs, by log. */
    originals: new Map<number, Uint8Array>(),
    /** What is published of them. */
    published: [] as RowOf<'published_log'>[],
    namesakes: recorded.namesakes,
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
  };
}

/**
 * The record time of what is saved now. It is later than any on record, even if the clock was set
 * back a little; otherwise, the record of an earlier time could still change. It is taken while no
 * other process can write, and after everything has been read.
 * @throws {ClockBehind} if the clock is too far behind
 */
export function recordTimeAfter({ lastRecorded }: Recorded, now: Date): Date {
  if (lastRecorded === null) return now;
  if (recordTimeInFuture(lastRecorded, now) !== null) throw new ClockBehind(now, lastRecorded);
  const last = new Date(lastRecorded).getTime();
  return new Date(Math.max(now.getTime(), last + 1));
}
