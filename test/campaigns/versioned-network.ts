import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { importInto } from '../databases.js';
import { logText } from '../synthetic-log.js';
import { Cluster, ROLE } from '../postgres/cluster.js';
import { startProxy } from '../postgres/proxy.js';
import { type Service, startService } from './processes.js';
import type { Random } from './random.js';

/** As many Sites as an import saves in one transaction. */
const SITES = 10;
/** The pause between two imports, in milliseconds. */
const PAUSE = 300;

const idOf = (site: number): string => `V${String(site).padStart(3, '0')}`;

/**
 * A primary and its standby behind HAProxy, and two services. All Sites of version N have one
 * Setup, whose receiver is of the type `VN`. One transaction takes the network from one version to
 * the next.
 */
export class VersionedNetwork {
  readonly services: Service[] = [];
  /** The number of the import that began last. */
  version = 0;
  /** For each service, when each newer version was first seen. */
  private readonly seen: { at: number; version: number }[][] = [];
  /** The versions that were lost with a primary. */
  private readonly lost = new Set<number>();

  private constructor(
    readonly cluster: Cluster,
    private readonly url: string,
    private readonly folder: string,
  ) {}

  /** @param folder for the logs that are imported */
  static async create(folder: string): Promise<VersionedNetwork> {
    const cluster = await Cluster.create();
    const database = await cluster.createDatabase();
    await cluster.addReplica();
    const url = `postgres://${ROLE}@127.0.0.1:${await startProxy(cluster)}/${database}`;
    const network = new VersionedNetwork(cluster, url, folder);
    mkdirSync(folder);
    await network.importNext();
    for (let count = 0; count < 2; count++) {
      network.services.push(await startService(network.url));
      network.seen.push([]);
    }
    return network;
  }

  /** The newest version that every service has shown; 0 for none. */
  get newest(): number {
    return Math.min(...this.seen.map((each) => each.at(-1)?.version ?? 0));
  }

  /** Says that the newest version was lost: services may show the one before again. */
  loseNewest(): void {
    this.lost.add(this.version);
  }

  /** Imports the next version. @throws {Error} if the import fails */
  async importNext(): Promise<void> {
    // A failed import may have been committed all the same, so its number is not used again.
    const version = ++this.version;
    const prepared = new Date(Date.UTC(2015, 0, version)).toISOString().slice(0, 10);
    for (let site = 0; site < SITES; site++) {
      const receivers = [{ type: `V${version}`, serial: `${site}`, from: '2010-01-01' }];
      writeFileSync(
        join(this.folder, `${idOf(site)}.log`),
        logText({ id: idOf(site), prepared, receivers }),
      );
    }
    await importInto(this.url, [this.folder]);
  }

  /**
   * Imports one version after the other until it is stopped. Returns the messages of the imports
   * that failed.
   */
  async keepImporting(stop: AbortSignal): Promise<string[]> {
    const failed: string[] = [];
    for (; !stop.aborted; await rest(PAUSE))
      await this.importNext().catch((error: unknown) => failed.push((error as Error).message));
    return failed;
  }

  /** The target of a request whose answer shows the version: one Site, or, rarely, all. */
  target(random: Random): string {
    if (random.chance(0.1)) return '/setups?current=true&size=20';
    return `/setups/search/findCurrentByFourCharacterId?id=${idOf(random.below(SITES))}`;
  }

  /**
   * An answer must have one version, no older than that of any answer of the same service that had
   * come before it was asked for.
   */
  findings(service: number, body: string, askedAt: number): string[] {
    const seen = this.seen[service]!;
    const [version = 0, ...others] = new Set(
      [...body.matchAll(/"type":"V(\d+)"/g)].map(([, each]) => Number(each)),
    );
    if (version === 0 || others.length > 0)
      return [`an answer with the versions ${[version, ...others].join(', ')}`];
    const before =
      seen.findLast((each) => each.at < askedAt && !this.lost.has(each.version))?.version ?? 0;
    if (version > (seen.at(-1)?.version ?? 0)) seen.push({ at: performance.now(), version });
    return version < before ? [`version ${version} after version ${before}`] : [];
  }

  /** Stops everything. Returns what is wrong with the services; their logs may have errors. */
  async stop(): Promise<string[]> {
    const findings = await Promise.all(this.services.map((service) => service.stop()));
    await this.cluster.stop();
    return findings.flat().filter((finding) => !finding.includes('in the log'));
  }
}
