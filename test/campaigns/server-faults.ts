import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import type { Given } from './campaign.js';
import { randomOf } from './random.js';
import { ReplicatedNetwork } from './replicated-network.js';
import { type Seen, SteadyLoad } from './steady-load.js';
import { VersionedRequests } from './versioned-network.js';

/** What clients see when PostgreSQL servers are killed, promoted, go silent or lag behind. */

/** How long a client waits for an answer, in milliseconds. */
const PATIENCE = 20_000;
/** Within what time a request is refused while no server answers, in milliseconds: a service gives each as long to read. */
const REFUSED_WITHIN = 10_000;
/** Within what time a service notices that a server is there again, or has another role, in milliseconds. */
const NOTICED_WITHIN = 15_000;
/** Requests a second while no server answers: few, as each of them waits. */
const OUTAGE_RATE = 20;

/** How much each fault is tried. */
export interface Effort {
  /** Requests a second, to two services together. */
  rate: number;
  /** How long the requests go on before and after a fault, in seconds. */
  seconds: number;
}

/** A fault that clients must not notice, while imports go on. */
interface Unnoticed {
  row: string;
  /** Whether imports fail for a while because there is no primary. */
  withoutPrimary?: true;
  /** Resolves once all that it does is done. Returns a note for the row. */
  act: (network: ReplicatedNetwork, requests: VersionedRequests) => Promise<string | void>;
}

/** Waits until a condition is true. Returns for how many milliseconds. @throws {Error} if it never is */
async function until(what: string, condition: () => boolean): Promise<number> {
  const begin = performance.now();
  while (!condition()) {
    if (performance.now() - begin > NOTICED_WITHIN) throw new Error(`not within ${NOTICED_WITHIN} ms: ${what}`);
    await rest(20);
  }
  return Math.round(performance.now() - begin);
}

/** Waits until all services show an import that began after now. */
async function seeImport({ nextVersion }: ReplicatedNetwork, requests: VersionedRequests): Promise<string> {
  const waited = await until(`version ${nextVersion} at all services`, () => requests.newest >= nextVersion);
  return `an import seen ${waited} ms after the fault`;
}

export const UNNOTICED: Record<string, Unnoticed> = {
  control: { row: 'no fault', act: async () => undefined },
  primary: {
    row: 'primary killed',
    withoutPrimary: true,
    act: async ({ cluster: { primary } }) => primary.kill(),
  },
  'primary-back': {
    row: 'primary killed, and back',
    withoutPrimary: true,
    act: async (network, requests) => {
      const { primary } = network.cluster;
      await primary.kill();
      await rest(1000);
      await primary.start();
      return seeImport(network, requests);
    },
  },
  promotion: {
    row: 'primary killed, replica promoted',
    withoutPrimary: true,
    act: async (network, requests) => {
      const { cluster } = network;
      await cluster.primary.kill();
      await cluster.promote(cluster.replicas[0]!);
      return seeImport(network, requests);
    },
  },
  replica: {
    row: 'replica killed',
    act: async (network, requests) => {
      await network.cluster.replicas[0]!.kill();
      return seeImport(network, requests);
    },
  },
  replicas: {
    row: 'both replicas killed',
    act: async (network, requests) => {
      for (const replica of network.cluster.replicas) await replica.kill();
      return seeImport(network, requests);
    },
  },
  'silent-primary': {
    row: 'primary silent, and back',
    withoutPrimary: true,
    act: async (network, requests) => {
      const { primary } = network.cluster;
      primary.pause();
      await rest(3000);
      primary.resume();
      return seeImport(network, requests);
    },
  },
  'silent-replica': {
    row: 'replica silent, and back',
    act: async (network, requests) => {
      const [first] = network.cluster.replicas;
      first!.pause();
      const note = await seeImport(network, requests);
      first!.resume();
      return note;
    },
  },
  lag: {
    row: 'one replica behind, then the other',
    act: async (network, requests) => {
      const [first, second] = network.cluster.replicas;
      await first!.query('SELECT pg_wal_replay_pause()');
      await seeImport(network, requests);
      await second!.query('SELECT pg_wal_replay_pause()');
      await first!.query('SELECT pg_wal_replay_resume()');
      const note = await seeImport(network, requests);
      await second!.query('SELECT pg_wal_replay_resume()');
      return note;
    },
  },
};

function record({ tally, repeat }: Given<string>, part: string, row: string, { requests, slowest, findings }: Seen): void {
  tally.tried(row, requests);
  for (const [finding, count] of findings) tally.failed(row, finding, repeat(part, 0), count);
  tally.slowest(row, slowest);
}

function startLoad(given: Given<string>, part: string, { ports }: ReplicatedNetwork, rate: number, allowed: number[]) {
  const requests = new VersionedRequests(randomOf(given.seed, part, 0), ports.length);
  const load = new SteadyLoad(ports, requests, { rate, timeout: PATIENCE, allowed });
  load.start();
  return { load, requests };
}

/** Runs `work` with a network of its own. What it throws, and what is wrong with the services afterwards, is a failure of the row. */
async function withNetwork(
  given: Given<string>,
  part: string,
  row: string,
  work: (network: ReplicatedNetwork) => Promise<void>,
): Promise<void> {
  const network = await ReplicatedNetwork.create(join(given.folder, part));
  try {
    await work(network);
  } catch (error) {
    given.tally.failed(row, (error as Error).message, given.repeat(part, 0));
  } finally {
    for (const finding of await network.stop()) given.tally.failed(row, finding, given.repeat(part, 0));
  }
}

/** A fault under load: every request must be answered as if there were none. */
export async function beUnnoticed(given: Given<string>, part: string, { rate, seconds }: Effort): Promise<void> {
  const { row, withoutPrimary, act } = UNNOTICED[part]!;
  const { tally, repeat } = given;
  await withNetwork(given, part, row, async (network) => {
    const { load, requests } = startLoad(given, part, network, rate, [200]);
    const stopped = new AbortController();
    const imports = network.keepImporting(stopped.signal, (message) => {
      if (withoutPrimary !== true) tally.failed(row, message, repeat(part, 0));
    });
    try {
      await rest(seconds * 1000);
      const note = await act(network, requests);
      await rest(seconds * 1000);
      if (typeof note === 'string') tally.note(row, note);
    } finally {
      stopped.abort();
      record(given, part, row, await load.stop());
      tally.note(row, `${await imports} imports`);
    }
  });
}

/** An outage of all servers: requests are refused in time, and answered again afterwards, by the same processes. */
export async function outage(given: Given<string>, part: 'gone' | 'silence', { rate, seconds }: Effort): Promise<void> {
  const [row, after] = part === 'gone' ? ['all killed', 'all back'] : ['all silent', 'all resumed'];
  await withNetwork(given, part, row, async (network) => {
    const { servers } = network.cluster;
    const { load: during } = startLoad(given, part, network, OUTAGE_RATE, [200, 503]);
    await rest(1000);
    if (part === 'gone') await Promise.all(servers.map((server) => server.kill()));
    else for (const server of servers) server.pause();
    await rest(seconds * 1000);
    const seen = await during.stop();
    record(given, part, row, seen);
    given.tally.note(row, `${seen.statuses.get(503) ?? 0} refused with 503`);
    if (!seen.statuses.has(503)) given.tally.failed(row, 'no request was refused', given.repeat(part, 0));
    if (seen.slowest > REFUSED_WITHIN)
      given.tally.failed(row, `slowest ${Math.round(seen.slowest)} ms; expected at most ${REFUSED_WITHIN}`, given.repeat(part, 0));

    if (part === 'gone') await Promise.all(servers.map((server) => server.start()));
    else for (const server of servers) server.resume();
    const probing = startLoad(given, part, network, OUTAGE_RATE, [200, 503]);
    const recovery = await until('an answer of every service', () => probing.requests.newest > 0).finally(() => probing.load.stop());
    given.tally.note(after, `answered after ${recovery} ms`);
    const { load } = startLoad(given, part, network, rate, [200]);
    await rest(seconds * 1000);
    record(given, part, after, await load.stop());
  });
}
