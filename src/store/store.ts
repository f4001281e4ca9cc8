import { ReadsThen } from './as-of.js';
import type { Reads } from './database.js';
import { ChangeGroups } from './read/change-groups.js';
import { Changes } from './read/changes.js';
import { Devices } from './read/devices/devices.js';
import { Exports } from './read/exports/exports.js';
import { SiteFindings } from './read/findings.js';
import { Feed } from './read/feed.js';
import { LogFiles } from './read/logs/files.js';
import { Logs } from './read/logs/logs.js';
import { PublishedLogs } from './read/logs/published.js';
import { Network } from './read/network.js';
import { findRejectedFiles } from './read/rejected-files.js';
import { Setups } from './read/setups/setups.js';
import { Sites } from './read/sites/sites.js';
import { Status } from './read/status.js';

export { StoreBusy, StoreUnusable, WrongDatabase } from './database.js';
export type { StoreStatus } from './read/status.js';

/** Reads what was imported. Each call sees one committed state: the newest. */
export type Store = ReturnType<typeof storeOf>;

/**
 * The store as it was at an earlier time: each call answers from what was on record then.
 * @param time the record time, `YYYY-MM-DDThh:mm:ss.sssZ`; null for now, which costs nothing
 */
export const storeAsOf = (store: Store, time: string | null): Store =>
  time === null ? store : storeOf(new ReadsThen(store.database, time), time);

/** The store over a database. */
export function storeOf(database: Reads, asOf: string | null = null) {
  const state = new Status(database);
  return {
    /** What it is read from. */
    database,
    /** The record time that it answers about, `YYYY-MM-DDThh:mm:ss.sssZ`; null for now. */
    asOf,
    setups: new Setups(database),
    sites: new Sites(database),
    devices: new Devices(database),
    changes: new Changes(database),
    changeGroups: new ChangeGroups(database),
    findings: new SiteFindings(database),
    feed: new Feed(database),
    exports: new Exports(database),
    logs: new Logs(database),
    publishedLogs: new PublishedLogs(database),
    logFiles: new LogFiles(database),
    network: new Network(database),
    /** The rejected files, by path. */
    rejectedFiles: () => findRejectedFiles(database),
    /** @param now the current time by default */
    status: (now?: Date) => state.find(now ?? new Date()),
    /** The record time of the newest event; null if nothing is on record. */
    recordTime: () => state.findRecordTime(),
    /** Closes all connections. No call may follow. */
    close: () => database.close(),
  };
}
