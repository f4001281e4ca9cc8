import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Cluster, findPrograms, NOT_INSTALLED } from '../postgres/cluster.js';
import { childrenOf } from '../postgres/daemons.js';
import { importLogs, writeLogsToImport } from './import.js';
import { countAt } from './ask.js';
import type { Network } from './databases.js';
import type { Effort } from './effort.js';
import { type Load, load, type Pressure } from './load.js';
import { micro } from './load-rows.js';
import { profileLookup } from './lookup.js';
import { atPaths, changesPaths, currentPaths, setupsPath } from './paths.js';
import { figuresOf } from './process-figures.js';
import { runNodeOnAllCores, type Server, SERVICE } from './processes.js';
import { compare, interleave, median, rotate, type Rounds } from './rounds.js';
import { NOT_CACHED, startService, startServiceOnAllCores } from './servers.js';
import type { Row } from './table.js';

/**
 * The service over PostgreSQL, compared with the same over a SQLite file of the same content. PostgreSQL runs on all cores,
 * also on those of the service and of the load generator.
 */

/** Settings as an operator has them, not those of the tests. */
export const SETTINGS = { fsync: 'on', full_page_writes: 'on', shared_buffers: '512MB', max_wal_size: '4GB', autovacuum_naptime: '5s' };
/** Between these days, all Sites have a Setup. */
const ALL_TIME = ['2004-10-01', '2024-01-31'] as const;
/** The days between which each following year has a change at every Site. */
const YEAR_OF_CHANGES = ['2011-10-01', '2011-12-31'] as const;

/** A load on a service, and what PostgreSQL spent on it. */
interface LoadOnBoth extends Load {
  /** Processor time of PostgreSQL per request, in microseconds; null without /proc, or over SQLite. */
  databaseTime: number | null;
}

/** The processor time of PostgreSQL with its sessions so far, in seconds; null without /proc. */
function processorTimeOf(pid: number): number | null {
  try {
    return [pid, ...childrenOf(pid)].reduce((sum, each) => sum + (figuresOf(each)?.processorTime ?? 0), 0);
  } catch {
    return null;
  }
}

/** Puts a service under load. The database is measured from the warm-up on, with a share for that. */
async function loadOnBoth(server: Server, paths: string[], pressure: Pressure, postgres: number | null): Promise<LoadOnBoth> {
  const before = postgres === null ? null : processorTimeOf(postgres);
  const measured = await load(server, paths, pressure);
  const after = postgres === null ? null : processorTimeOf(postgres);
  const requests = measured.requestsPerSecond * (pressure.warmUp + pressure.seconds);
  return { ...measured, databaseTime: before === null || after === null ? null : ((after - before) / requests) * 1e6 };
}

/** Both figures and their ratio. There is no target: what matters is what a request costs. */
function costRow(name: string, { ours, theirs }: Rounds<LoadOnBoth>): Row {
  const elapsed = compare({ ours, theirs }, ({ requestsPerSecond }) => 1e6 / requestsPerSecond);
  const processor = compare({ ours, theirs }, ({ processorTime }) => processorTime ?? NaN);
  const database = median(ours.map(({ databaseTime }) => databaseTime ?? NaN));
  return {
    name,
    result: `${elapsed.ratio.toFixed(2)} × SQLite`,
    raw:
      `${micro(elapsed.ours)} / ${micro(elapsed.theirs)} per request (rounds ${elapsed.spread}), processor of the service ` +
      `${micro(processor.ours)} / ${micro(processor.theirs)}, of PostgreSQL about ${micro(database)}`,
  };
}

/** Compares lookups and searches. */
async function measureReads(network: Network, url: string, postgres: number, { rounds, pressure }: Effort): Promise<Row[]> {
  const { sites, database } = network;
  const loads: [name: string, paths: string[], flags: string[]][] = [
    ['lookup, cached', currentPaths(sites), []],
    ['lookup, not cached', currentPaths(sites), NOT_CACHED],
    ['lookup at an instant', atPaths(sites, ...ALL_TIME), NOT_CACHED],
    ['changes of a year', changesPaths(...YEAR_OF_CHANGES), NOT_CACHED],
  ];
  const rows: Row[] = [];
  for (const [name, paths, flags] of loads) {
    const [ours, theirs] = [await startService(url, { flags }), await startService(database, { flags })];
    const measured = await interleave(
      rounds,
      () => loadOnBoth(ours, paths, pressure, postgres),
      () => loadOnBoth(theirs, paths, pressure, null),
    );
    await Promise.all([ours.stop(), theirs.stop()]);
    rows.push(costRow(`${name}, ${sites} Sites`, measured));
  }
  return rows;
}

/** The requests per second of several services together, without the cache, on all cores. */
async function throughputOf(url: string, processes: number, paths: string[], pressure: Pressure): Promise<number> {
  const servers = await Promise.all(Array.from({ length: processes }, () => startServiceOnAllCores(url, NOT_CACHED)));
  const connections = Math.ceil(pressure.connections / processes);
  const loads = await Promise.all(servers.map((server) => load(server, paths, { ...pressure, connections })));
  await Promise.all(servers.map((server) => server.stop()));
  return loads.reduce((sum, { requestsPerSecond }) => sum + requestsPerSecond, 0);
}

/** Compares one, two and three services over one server. */
async function measureProcesses({ sites }: Network, url: string, { rounds, pressure }: Effort): Promise<Row[]> {
  const paths = currentPaths(sites);
  const of = (processes: number) => () => throughputOf(url, processes, paths, pressure);
  const measured = await rotate(rounds, { one: of(1), two: of(2), three: of(3) });
  const one = median(measured.one);
  return Object.entries(measured).map(([name, each]) => ({
    name: `lookup, not cached, ${name} process${name === 'one' ? '' : 'es'}, ${sites} Sites`,
    result: `${(median(each) / one).toFixed(2)} × one`,
    raw: `${median(each).toFixed(0)} requests per second`,
  }));
}

/** Compares an import into an empty database. */
async function measureImports(cluster: Cluster, folder: string, { rounds }: Effort): Promise<Row> {
  const { single, logs, files } = writeLogsToImport(folder);
  const urlOfNew = async (): Promise<string> => cluster.primary.url(await cluster.createDatabase());
  const { ours, theirs, ratio, spread } = compare(
    await interleave(
      rounds,
      async () => {
        const start = await importLogs(await urlOfNew(), single);
        return (await importLogs(await urlOfNew(), logs)).milliseconds - start.milliseconds;
      },
      async () => {
        const start = await importLogs(join(folder, `${performance.now()}.sqlite`), single);
        return (await importLogs(join(folder, `${performance.now()}.sqlite`), logs)).milliseconds - start.milliseconds;
      },
    ),
    (milliseconds) => milliseconds,
  );
  return {
    name: 'import',
    result: `${ratio.toFixed(2)} × SQLite`,
    raw: `${ours.toFixed(0)} / ${theirs.toFixed(0)} ms for ${files} files, without the start (rounds ${spread})`,
  };
}

/** A PostgreSQL server with a copy of a network. */
export interface CopiedNetwork {
  cluster: Cluster;
  url: string;
}

/** Measures with a copy of a network in a PostgreSQL server of its own. Without PostgreSQL, says so and measures nothing. */
export async function withCopy(network: Network, measure: (copied: CopiedNetwork) => Promise<Row[]>): Promise<Row[]> {
  if (findPrograms() === null) {
    process.stdout.write(`${NOT_INSTALLED}; nothing measured\n`);
    return [];
  }
  const cluster = await Cluster.create({ settings: SETTINGS });
  try {
    const url = cluster.primary.url(await cluster.createDatabase());
    const { milliseconds } = await runNodeOnAllCores(SERVICE, 'copy', '--from', network.database, '--to', url);
    // Without it, the first minutes are those of a server that knows nothing about its tables, and reads each row to see it.
    await cluster.primary.query('VACUUM ANALYZE', url.slice(url.lastIndexOf('/') + 1));
    await checkCopy(url, network);
    process.stdout.write(`copied ${network.sites} Sites to PostgreSQL in ${(milliseconds / 1e3).toFixed(1)} s\n`);
    return (await measure({ cluster, url })).map((row) => ({ ...row, name: `PostgreSQL: ${row.name}` }));
  } finally {
    await cluster.stop();
  }
}

/** Measures the service over PostgreSQL and prints where it spends its time. Without PostgreSQL, says so and measures nothing. */
export function measurePostgres(network: Network, folder: string, effort: Effort, withImport: boolean): Promise<Row[]> {
  return withCopy(network, async ({ cluster, url }) => {
    const own = join(folder, `postgres-${network.sites}`);
    mkdirSync(own);
    const rows = await measureReads(network, url, cluster.primary.pid, effort);
    rows.push(...(await measureProcesses(network, url, effort)));
    if (withImport) rows.push(await measureImports(cluster, own, effort));
    process.stdout.write(`\nover PostgreSQL, ${await profileLookup({ sites: network.sites, database: url }, own, effort)}\n\n`);
    return rows;
  });
}

/** @throws {Error} if a copy has other Setups */
async function checkCopy(url: string, { database }: Network): Promise<void> {
  const count = async (each: string): Promise<number> => {
    const server = await startService(each);
    const setups = await countAt(`${server.url}${setupsPath()}`);
    await server.stop();
    return setups;
  };
  const [copied, original] = [await count(url), await count(database)];
  if (copied !== original) throw new Error(`${copied} Setups were copied; expected ${original}`);
}
