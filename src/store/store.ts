import type { ServerState } from '../../schemas/index.js';
import type { KnownPersons } from '../site-log/known-persons.js';
import type { Reads } from './database.js';
import { Changes } from './read/changes.js';
import { Devices } from './read/devices.js';
import { Exports } from './read/exports.js';
import { Feed } from './read/feed.js';
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
  readonly feed: Feed;
  readonly exports: Exports;
  readonly logs: Logs;
  readonly network: Network;
  private readonly state: Status;

  constructor(private readonly reads: Reads) {
    this.setups = new Setups(reads);
    this.sites = new Sites(reads);
    this.devices = new Devices(reads);
    this.changes = new Changes(reads);
    this.feed = new Feed(reads);
    this.exports = new Exports(reads);
    this.logs = new Logs(reads);
    this.network = new Network(reads);
    this.state = new Status(reads);
  }

  /** The persons whom any log on record names as a contact. */
  knownPersons(): Promise<KnownPersons> {
    return this.state.knownPersons();
  }

  /** @param now the current time by default */
  status(now = new Date()): Promise<StoreStatus> {
    return this.state.find(now);
  }

  /** As `Reads.check`: the number of the last migration, quickly. @throws {StoreUnusable} if the database cannot be used */
  check(): Promise<number> {
    return this.reads.check();
  }

  /** As `Reads.version`. */
  version(): number | Promise<number> {
    return this.reads.version();
  }

  /** As `Reads.seenVersion`. */
  seenVersion(): number {
    return this.reads.seenVersion();
  }

  /** The state of each database server, in the order of the URL; empty for an engine without servers. */
  servers(): ServerState[] {
    return this.reads.servers();
  }

  /** What an operator should know about the settings of the database, one sentence each. */
  get warnings(): readonly string[] {
    return this.reads.warnings;
  }

  /** Closes all connections. No call may follow. */
  close(): Promise<void> {
    return this.reads.close();
  }
}
