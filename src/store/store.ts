import type { Reads } from './database.js';
import { Changes } from './read/changes.js';
import { Devices } from './read/devices.js';
import { Exports } from './read/exports.js';
import { SiteFindings } from './read/findings.js';
import { Feed } from './read/feed.js';
import { LogFiles } from './read/log-files.js';
import { Logs } from './read/logs.js';
import { Network } from './read/network.js';
import { Setups } from './read/setups.js';
import { Sites } from './read/sites.js';
import { Status, type StoreStatus } from './read/status.js';

export { StoreBusy, StoreUnusable } from './database.js';
export type { StoreStatus } from './read/status.js';

/** Reads what was imported. Each call sees one committed state: the newest. */
export class Store {
  readonly setups: Setups;
  readonly sites: Sites;
  readonly devices: Devices;
  readonly changes: Changes;
  readonly findings: SiteFindings;
  readonly feed: Feed;
  readonly exports: Exports;
  readonly logs: Logs;
  readonly logFiles: LogFiles;
  readonly network: Network;
  private readonly state: Status;

  /** @param database its version, servers and warnings */
  constructor(readonly database: Reads) {
    this.setups = new Setups(database);
    this.sites = new Sites(database);
    this.devices = new Devices(database);
    this.changes = new Changes(database);
    this.findings = new SiteFindings(database);
    this.feed = new Feed(database);
    this.exports = new Exports(database);
    this.logs = new Logs(database);
    this.logFiles = new LogFiles(database);
    this.network = new Network(database);
    this.state = new Status(database);
  }

  /** @param now the current time by default */
  status(now = new Date()): Promise<StoreStatus> {
    return this.state.find(now);
  }

  /** Closes all connections. No call may follow. */
  close(): Promise<void> {
    return this.database.close();
  }
}
