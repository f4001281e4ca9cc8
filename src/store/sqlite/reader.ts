import type { ChangeReader } from '../changes.js';
import type { DeviceReader } from '../devices.js';
import type { ExportReader } from '../exports.js';
import type { FeedReader } from '../feed.js';
import type { LogReader } from '../logs.js';
import type { NetworkReader } from '../network.js';
import type { SetupReader } from '../setups.js';
import type { SiteReader } from '../sites.js';
import { KnownPersons } from '../../site-log/known-persons.js';
import type { LastImport } from '../../../schemas/index.js';
import { lastCredibleDay } from '../logs.js';
import { persons } from '../rows/persons.js';
import type { StoreReader, StoreStatus } from '../store.js';
import { SqliteChangeReader } from './changes.js';
import type { Connection } from './connection.js';
import { SqliteDeviceReader } from './devices.js';
import { sqliteExports } from './exports.js';
import { SqliteFeedReader } from './feed.js';
import { SqliteLogReader } from './log-reader.js';
import { migrationOf } from './migrations.js';
import { SqliteNetworkReader } from './network.js';
import { SqliteSetupReader } from './setups.js';
import { SqliteSiteReader } from './sites.js';

const STATUS = `
  SELECT (SELECT count(*) FROM site WHERE retired_at IS NULL) AS sites,
    (SELECT max(date_prepared) FROM site_log WHERE superseded_at IS NULL AND date_prepared <= ?) AS newestLog`;
const PERSONS = `SELECT ${persons()}`;
const LAST_IMPORT = 'SELECT finished_at AS finishedAt, saved, unchanged, outdated, rejected, skipped FROM last_import';

/** Reads one SQLite file through one connection. */
export class SqliteReader implements StoreReader {
  readonly setups: SetupReader;
  readonly sites: SiteReader;
  readonly devices: DeviceReader;
  readonly changes: ChangeReader;
  readonly feed: FeedReader;
  readonly exports: ExportReader;
  readonly logs: LogReader;
  readonly network: NetworkReader;

  /** The persons at a version of the file. */
  private persons: { version: number; known: KnownPersons } | null = null;

  constructor(private readonly connection: Connection) {
    this.setups = new SqliteSetupReader(connection);
    this.sites = new SqliteSiteReader(connection);
    this.devices = new SqliteDeviceReader(connection);
    this.changes = new SqliteChangeReader(connection);
    this.feed = new SqliteFeedReader(connection);
    this.exports = sqliteExports(connection);
    this.logs = new SqliteLogReader(connection);
    this.network = new SqliteNetworkReader(connection);
  }

  async knownPersons(): Promise<KnownPersons> {
    const version = this.connection.version();
    if (this.persons?.version !== version) {
      const names = this.connection.all<{ name: string }>(PERSONS).map(({ name }) => name);
      this.persons = { version, known: new KnownPersons(names) };
    }
    return this.persons.known;
  }

  /** @throws {StoreUnusable} if the file cannot be read */
  async status(now = new Date()): Promise<StoreStatus> {
    this.connection.check();
    return this.connection.inOneTransaction(() => ({
      migration: migrationOf(this.connection.db),
      ...this.connection.get<Pick<StoreStatus, 'sites' | 'newestLog'>>(STATUS, lastCredibleDay(now))!,
      lastImport: this.connection.get<LastImport>(LAST_IMPORT) ?? null,
    }));
  }

  version(): number {
    return this.connection.version();
  }

  seenVersion(): number {
    return this.connection.version();
  }

  servers(): [] {
    return [];
  }

  async close(): Promise<void> {
    this.connection.close();
  }
}
