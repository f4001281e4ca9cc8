import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { Cluster } from '../postgres/cluster.js';
import { importLogs } from './networks.js';
import { type Service, startService } from './processes.js';
import { writeVersion } from './versioned-network.js';

/** The pause between two imports, in milliseconds. */
const PAUSE = 300;

/** A primary with replicas, and services that read from them. */
export class ReplicatedNetwork {
  readonly cluster: Cluster;
  readonly services: Service[] = [];
  private readonly database: string;
  private readonly folder: string;
  private version = 0;

  private constructor(cluster: Cluster, database: string, folder: string) {
    this.cluster = cluster;
    this.database = database;
    this.folder = folder;
  }

  /** @param folder for the logs that are imported */
  static async create(
    folder: string,
    { replicas = 2, services = 2, flags = [] as string[], parameters = '' } = {},
  ): Promise<ReplicatedNetwork> {
    const cluster = await Cluster.create();
    try {
      const network = new ReplicatedNetwork(cluster, await cluster.createDatabase(), folder);
      await network.importNext();
      for (let count = 0; count < replicas; count++) await cluster.addReplica();
      for (let count = 0; count < services; count++) network.services.push(await startService(network.url(parameters), flags));
      return network;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  /** The URL with all servers. */
  url(parameters = ''): string {
    return this.cluster.url(this.database, this.cluster.servers, parameters);
  }

  get ports(): number[] {
    return this.services.map(({ port }) => port);
  }

  /** Imports the next version, whichever server is the primary. @throws {Error} if that fails */
  async importNext(): Promise<void> {
    const logs = join(this.folder, 'logs');
    // A failed import may have been committed all the same, so its number is not used again.
    writeVersion(logs, ++this.version);
    await importLogs(this.url(), logs);
  }

  /** The number of the import that begins next. */
  get nextVersion(): number {
    return this.version + 1;
  }

  /**
   * Imports one version after the other until `stop` says so.
   * @param onFailure gets the message of each import that failed
   * @returns how many succeeded
   */
  async keepImporting(stop: AbortSignal, onFailure: (message: string) => void): Promise<number> {
    let count = 0;
    while (!stop.aborted) {
      try {
        await this.importNext();
        count++;
      } catch (error) {
        onFailure((error as Error).message);
      }
      await rest(PAUSE);
    }
    return count;
  }

  /** Stops everything. Returns what is wrong with the services: their logs may have errors. */
  async stop(): Promise<string[]> {
    const findings = await Promise.all(this.services.map((service) => service.stop()));
    await this.cluster.stop();
    return findings.flat().filter((finding) => !finding.includes('errors in the log'));
  }
}
