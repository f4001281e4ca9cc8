import type { KnownPersons } from '../../site-log/known-persons.js';
import type { LastImport, ServerState } from '../../../schemas/index.js';
import type { ChangeReader } from '../changes.js';
import type { DeviceReader } from '../devices.js';
import type { ExportReader } from '../exports.js';
import type { FeedReader } from '../feed.js';
import { lastCredibleDay, type LogReader } from '../logs.js';
import type { NetworkReader } from '../network.js';
import type { SetupReader } from '../setups.js';
import type { SiteReader } from '../sites.js';
import type { StoreReader, StoreStatus } from '../store.js';
import { PostgresChangeReader } from './changes.js';
import type { Reads } from './client.js';
import { PostgresDeviceReader } from './devices.js';
import { postgresExports } from './exports.js';
import { PostgresFeedReader } from './feed.js';
import { PostgresLogReader } from './log-reader.js';
import { PostgresNetworkReader } from './network.js';
import { knownPersons } from './persons.js';
import { PostgresSetupReader } from './setups.js';
import { PostgresSiteReader } from './sites.js';

const STATUS = `
  SELECT (SELECT migration FROM gnss_site_setups) AS migration, (SELECT count(*) FROM site WHERE retired_at IS NULL) AS sites,
    (SELECT max(date_prepared) FROM site_log WHERE superseded_at IS NULL AND date_prepared <= $1) AS "newestLog",
    (SELECT json_build_object('finishedAt', finished_at, 'saved', saved, 'unchanged', unchanged, 'outdated', outdated,
      'rejected', rejected, 'skipped', skipped) FROM last_import) AS "lastImport"`;

/** Reads a PostgreSQL database. */
export class PostgresReader implements StoreReader {
  readonly setups: SetupReader;
  readonly sites: SiteReader;
  readonly devices: DeviceReader;
  readonly changes: ChangeReader;
  readonly feed: FeedReader;
  readonly exports: ExportReader;
  readonly logs: LogReader;
  readonly network: NetworkReader;

  /** The persons at a revision of the database, or a newer one. */
  private persons: { revision: number; known: KnownPersons } | null = null;

  constructor(private readonly reads: Reads) {
    this.setups = new PostgresSetupReader(reads);
    this.sites = new PostgresSiteReader(reads);
    this.devices = new PostgresDeviceReader(reads);
    this.changes = new PostgresChangeReader(reads);
    this.feed = new PostgresFeedReader(reads);
    this.exports = postgresExports(reads);
    this.logs = new PostgresLogReader(reads);
    this.network = new PostgresNetworkReader(reads);
  }

  async knownPersons(): Promise<KnownPersons> {
    const revision = this.reads.seen;
    if (this.persons?.revision !== revision) this.persons = { revision, known: await knownPersons(this.reads) };
    return this.persons.known;
  }

  async status(now = new Date()): Promise<StoreStatus> {
    const row = await this.reads.get<Omit<StoreStatus, 'lastImport'> & { lastImport: LastImport | null }>(STATUS, lastCredibleDay(now));
    return row!;
  }

  version(): Promise<number> {
    return this.reads.revision();
  }

  seenVersion(): number {
    return this.reads.seen;
  }

  servers(): ServerState[] {
    return this.reads.states();
  }

  close(): Promise<void> {
    return this.reads.close();
  }
}
