import { existsSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { PATHS } from '../../src/links.js';
import { childrenOf } from '../postgres/daemons.js';
import { rawDatabase } from '../raw-database.js';
import { ask } from './ask.js';
import { importNetwork, type Network } from './databases.js';
import type { Effort } from './effort.js';
import { currentPath } from './paths.js';
import { withCopy } from './postgres.js';
import { runningTimeOf } from './process-figures.js';
import { runNode, type Server, SERVICE } from './processes.js';
import { median } from './rounds.js';
import { pagePaths, type Recorded, type SearchPath, searchPaths } from './search-paths.js';
import { NOT_CACHED, startService } from './servers.js';
import { siteIdOf } from './synthetic-logs.js';
import type { Row } from './table.js';

/** The targets for a search and for a page, in milliseconds. */
const SEARCH_TARGET = 50;
const PAGE_TARGET = 100;
/** How often each request is sent in a round. */
const TIMES = 3;
/** How many Sites the page of the network shows: as many as there are real logs. */
const SHOWN_SITES = 471;
const REAL_LOGS = join(import.meta.dirname, '..', '..', '..', '..', 'shared', 'site-logs', 'geodesyml');

/** A request, and what happens before each time that it is sent. */
interface Measured extends SearchPath {
  server: Server;
  /** In milliseconds; null for what it is compared with. */
  target: number | null;
  before?: () => Promise<void>;
}

/** What a request took, in milliseconds. */
interface Cost {
  elapsed: number;
  /** Processor time of the service and, with PostgreSQL, of its server; null without /proc. */
  processor: number | null;
  bytes: number;
}

/** The processor time of some processes so far, in milliseconds; null without /proc. */
function processorTimeOf(pids: number[]): number | null {
  const times = pids.map(runningTimeOf);
  return times.includes(null) ? null : times.reduce<number>((sum, time) => sum + time!, 0) * 1e3;
}

/** Sends a request, and measures it alone. @param others processes that work for the service */
async function costOf({ server, path, before }: Measured, agent: Agent, others: () => number[]): Promise<Cost> {
  await before?.();
  const pids = [server.pid, ...others()];
  const [begin, used] = [performance.now(), processorTimeOf(pids)];
  const { body } = await ask(`${server.url}${path}`, agent);
  const [elapsed, usedAfter] = [performance.now() - begin, processorTimeOf(pids)];
  return { elapsed, processor: used === null || usedAfter === null ? null : usedAfter - used, bytes: Buffer.byteLength(body) };
}

/** Measures all requests in every round, one after the other, and compares them with the first. */
async function measureAll(requests: Measured[], rounds: number, others: () => number[]): Promise<Row[]> {
  const agent = new Agent({ keepAlive: true });
  const costs = requests.map((): Cost[] => []);
  // The first round warms up.
  for (let round = -1; round < rounds; round++) {
    for (const [index, request] of requests.entries()) {
      for (let time = 0; time < TIMES; time++) {
        const cost = await costOf(request, agent, others);
        if (round >= 0) costs[index]!.push(cost);
      }
    }
  }
  agent.destroy();
  // Elapsed time also depends on what else the machine does.
  const timesOf = (each: Cost[]): number[] => each.map(({ processor, elapsed }) => processor ?? elapsed);
  const plain = median(timesOf(costs[0]!));
  return requests.slice(1).map(({ name, target }, index) => {
    const own = costs[index + 1]!;
    const [typical, worst] = [median(timesOf(own)), Math.max(...timesOf(own))];
    return {
      name,
      result: `${typical.toFixed(1)} ms, ${(typical / plain).toFixed(0)} × lookup`,
      raw: `worst ${worst.toFixed(1)} ms, elapsed ${median(own.map(({ elapsed }) => elapsed)).toFixed(1)} ms, ${(own[0]!.bytes / 1e3).toFixed(0)} kB`,
      ...(target !== null && { target: { text: `at most ${target} ms`, met: typical <= target } }),
    };
  });
}

/** What the searches ask for that depends on the database. */
async function recordedIn({ sites, database }: Network, { url }: Server): Promise<Recorded> {
  const sorted = 'SELECT recorded_at AS "at" FROM setup WHERE superseded_at IS NULL ORDER BY recorded_at';
  const times = await rawDatabase(database).all<{ at: string }>(sorted);
  const { _embedded } = JSON.parse((await ask(`${url}${PATHS.feed}?size=1000`)).body) as { _embedded: { entries: { id: string }[] } };
  const at = (share: number): string => times[Math.floor(times.length * share)]!.at;
  return { sites, middle: at(0.5), late: at(0.99), cursor: _embedded.entries.at(-1)!.id };
}

/** A commit that changes nothing, so that the service drops what it has cached. */
const commitNothing = (database: string) => (): Promise<void> => rawDatabase(database).exec('UPDATE site SET name = name WHERE id = 1');

/** A database for the page of the network: of the real logs if they are next to the project, otherwise of synthetic ones. */
async function shownNetwork(folder: string): Promise<string> {
  if (!existsSync(REAL_LOGS)) return (await importNetwork(folder, 'shown', SHOWN_SITES)).database;
  const database = join(folder, 'shown.sqlite');
  await runNode(SERVICE, 'import', '--database', database, REAL_LOGS);
  return database;
}

/** The requests to a service over a network: the lookup first, then the searches and pages. */
async function requestsTo(network: Network, server: Server): Promise<Measured[]> {
  const recorded = await recordedIn(network, server);
  return [
    { name: 'lookup', path: currentPath(siteIdOf(0)), server, target: null },
    ...searchPaths(recorded).map((each) => ({ ...each, server, target: SEARCH_TARGET })),
    ...pagePaths(recorded).map((each) => ({ ...each, server, target: PAGE_TARGET })),
  ];
}

const named = (rows: Row[], { sites }: Network): Row[] => rows.map((row) => ({ ...row, name: `${sites} Sites: ${row.name}` }));

/** Measures each search and page alone, without the cache, and compares it with a lookup. */
export async function measureSearches(network: Network, folder: string, { rounds }: Effort): Promise<Row[]> {
  const shown = await shownNetwork(folder);
  const [server, small] = [await startService(network.database, { flags: NOT_CACHED }), await startService(shown, { flags: NOT_CACHED })];
  const pageOfNetwork = {
    name: `${PATHS.network} of ${SHOWN_SITES} Sites, after a commit`,
    path: PATHS.network,
    server: small,
    target: PAGE_TARGET,
    before: commitNothing(shown),
  };
  const rows = await measureAll([...(await requestsTo(network, server)), pageOfNetwork], rounds, () => []);
  await Promise.all([server.stop(), small.stop()]);
  return named(rows, network);
}

/** Measures the same over PostgreSQL, except the page of the network. */
export const measurePostgresSearches = (network: Network, { rounds }: Effort): Promise<Row[]> =>
  withCopy(network, async ({ cluster, url }) => {
    const server = await startService(url, { flags: NOT_CACHED });
    const { pid } = cluster.primary;
    const requests = await requestsTo({ sites: network.sites, database: url }, server);
    const rows = await measureAll(requests, rounds, () => [pid, ...childrenOf(pid)]);
    await server.stop();
    return named(rows, network);
  });
