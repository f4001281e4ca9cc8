import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { importLogs } from '../campaigns/networks.js';
import { SAMPLE_LOGS, type Service, startService } from '../campaigns/processes.js';
import { writeVersion } from '../campaigns/versioned-network.js';
import { Cluster, type PostgresServer } from '../postgres/cluster.js';
import { startProxy } from '../postgres/in-front.js';

const REPLICAS = 2;
const SERVICES = 3;

/** A primary with two replicas, three services that read from them, and nginx in front. */
export class Stage {
  /** The port of nginx. */
  readonly port: number;
  private readonly cluster: Cluster;
  private readonly database: string;
  private readonly services: Service[];
  private readonly silent = new Set<PostgresServer>();
  private version = 0;

  private constructor(cluster: Cluster, database: string, services: Service[], port: number) {
    this.cluster = cluster;
    this.database = database;
    this.services = services;
    this.port = port;
  }

  /** Starts everything, and imports the sample network. */
  static async set(): Promise<Stage> {
    const cluster = await Cluster.create();
    try {
      const database = await cluster.createDatabase();
      await importLogs(cluster.url(database), SAMPLE_LOGS);
      for (let count = 0; count < REPLICAS; count++) await cluster.addReplica();
      const services = await Promise.all(Array.from({ length: SERVICES }, () => startService(cluster.url(database))));
      const ports = services.map(({ port }) => port);
      const { port } = await startProxy(cluster.daemons, ports);
      return new Stage(cluster, database, services, port);
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  /** The state of each process, in one line. */
  get state(): string {
    const { primary, servers } = this.cluster;
    const ofServer = (server: PostgresServer): string =>
      !server.isRunning ? 'down' : this.silent.has(server) ? 'silent' : server === primary ? 'primary' : 'replica';
    const words = [
      ...servers.map((server, index) => `${index + 1} ${ofServer(server).padEnd(7)}`),
      ...this.services.map((service, index) => `${'abc'[index]!} ${service.end() === null ? 'up  ' : 'down'}`),
    ];
    return words.join('  ');
  }

  /** Kills a PostgreSQL server, or starts it again. Returns what was done. */
  async toggleServer(index: number): Promise<string> {
    const server = this.cluster.servers[index]!;
    if (server.isRunning) {
      this.silent.delete(server);
      await server.kill();
      return `PostgreSQL ${index + 1} killed`;
    }
    await this.cluster.restart(server);
    return `PostgreSQL ${index + 1} started as ${server === this.cluster.primary ? 'the primary' : 'a replica'}`;
  }

  /** Stops all processes of the primary, as if its network had gone silent, or lets them continue. */
  async toggleSilence(): Promise<string> {
    const { primary } = this.cluster;
    if (!primary.isRunning) return 'the primary is down';
    if (this.silent.delete(primary)) {
      primary.resume();
      return 'the primary answers again';
    }
    this.silent.add(primary);
    primary.pause();
    return 'the primary is silent';
  }

  /** Makes the first running replica the primary, if there is none. */
  async promote(): Promise<string> {
    const { cluster } = this;
    if (cluster.primary.isRunning) return 'the primary is not down; kill it first';
    const replica = cluster.replicas.find(({ isRunning }) => isRunning);
    if (replica === undefined) return 'no replica is up';
    await cluster.promote(replica);
    return `PostgreSQL ${cluster.servers.indexOf(replica) + 1} is the primary`;
  }

  /** Kills a service, or starts it again on the same port. */
  async toggleService(index: number): Promise<string> {
    const service = this.services[index]!;
    const name = `service ${'abc'[index]!}`;
    if (service.end() === null) {
      service.child.kill('SIGKILL');
      await service.ended;
      return `${name} killed`;
    }
    this.services[index] = await startService(this.url, ['--port', String(service.port)]);
    return `${name} started`;
  }

  /** Imports newer logs of ten Sites. */
  async importNext(): Promise<string> {
    const logs = join(this.cluster.daemons.folder, 'logs');
    mkdirSync(logs, { recursive: true });
    writeVersion(logs, ++this.version);
    try {
      await importLogs(this.url, logs);
      return `ten logs imported, version ${this.version}`;
    } catch (error) {
      return (error as Error).message.trim();
    }
  }

  /** Ends everything and deletes it. */
  async clear(): Promise<void> {
    for (const service of this.services) service.child.kill('SIGKILL');
    await Promise.all(this.services.map(({ ended }) => ended));
    for (const server of this.silent) server.resume();
    await this.cluster.stop();
  }

  private get url(): string {
    return this.cluster.url(this.database);
  }
}
