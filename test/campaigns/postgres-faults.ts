import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { type Campaign, runCampaign } from './campaign.js';
import { Client } from './client.js';
import { killImports } from './killed-imports.js';
import { postgresDatabases } from './postgres-databases.js';
import { randomOf } from './random.js';
import { VersionedNetwork } from './versioned-network.js';

/** `npm run postgres-faults`: what happens to clients and imports when PostgreSQL servers fail. */

/** How many clients ask each service, one request after the other. */
const CLIENTS = 4;
/** Within what time a request is answered or refused, in milliseconds: a service gives each server as long to read. */
const ANSWERED_WITHIN = 10_000;
/** Within what time a service notices that a server is there again, or has another role, in milliseconds. */
const NOTICED_WITHIN = 15_000;

/** Waits until all services show an import that begins after now. @throws {Error} if they never do */
async function seeImport(network: VersionedNetwork): Promise<void> {
  const version = network.version + 1;
  for (const begin = performance.now(); network.newest < version; await rest(20))
    if (performance.now() - begin > NOTICED_WITHIN) throw new Error(`version ${version} is not shown within ${NOTICED_WITHIN} ms`);
}

/** Faults that clients must not notice, while imports go on. Without a primary, imports fail for a while. */
const UNNOTICED: Record<string, (network: VersionedNetwork) => Promise<void>> = {
  promotion: async ({ cluster }) => {
    await cluster.primary.kill();
    await cluster.promote(cluster.replicas[0]!);
  },
  replicas: async ({ cluster }) => {
    for (const replica of cluster.replicas) await replica.kill();
  },
  'silent-primary': async ({ cluster: { primary } }) => {
    primary.pause();
    await rest(3000);
    primary.resume();
  },
  'silent-replica': async ({ cluster }) => cluster.replicas[0]!.pause(),
  lag: async ({ cluster }) => void (await cluster.replicas[0]!.query('SELECT pg_wal_replay_pause()')),
};

/** Sends requests to all services until `work` is done, and checks each answer. Returns how many answers had each status. */
async function underLoad(
  campaign: Campaign,
  part: string,
  network: VersionedNetwork,
  allowed: number[],
  work: () => Promise<void>,
): Promise<Map<number, number>> {
  const random = randomOf(campaign.seed, part, 0);
  const statuses = new Map<number, number>();
  let [running, slowest] = [true, 0];
  const ask = async (service: number, port: number): Promise<void> => {
    const client = new Client(port, 2 * ANSWERED_WITHIN);
    while (running) {
      const askedAt = performance.now();
      campaign.tried(part);
      try {
        const { status, body } = await client.get(network.target(random));
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        const text = body.toString();
        if (!allowed.includes(status)) campaign.failed(part, `${status}: ${text.slice(0, 300)}`);
        else if (status === 200) for (const finding of network.findings(service, text, askedAt)) campaign.failed(part, finding);
      } catch (error) {
        campaign.failed(part, (error as Error).message);
      }
      slowest = Math.max(slowest, performance.now() - askedAt);
    }
    client.close();
  };
  const clients = network.services.flatMap(({ port }, service) => Array.from({ length: CLIENTS }, () => ask(service, port)));
  await work().finally(() => (running = false));
  await Promise.all(clients);
  if (slowest > ANSWERED_WITHIN) campaign.failed(part, `a request was answered only after ${Math.round(slowest)} ms`);
  campaign.note(part, `slowest ${Math.round(slowest)} ms`);
  return statuses;
}

/** Runs `work` with a network of its own. What it throws, and what is wrong with the services afterwards, is a failure. */
async function withNetwork(campaign: Campaign, part: string, work: (network: VersionedNetwork) => Promise<void>): Promise<void> {
  const network = await VersionedNetwork.create(join(campaign.folder, part));
  await work(network).catch((error: unknown) => campaign.failed(part, (error as Error).message));
  for (const finding of await network.stop()) campaign.failed(part, finding);
}

/** A fault under load: every request must be answered as if there were none. */
const beUnnoticed = (part: string) => (campaign: Campaign) =>
  withNetwork(campaign, part, async (network) => {
    await underLoad(campaign, part, network, [200], async () => {
      const stopped = new AbortController();
      const imports = network.keepImporting(stopped.signal);
      await seeImport(network);
      await UNNOTICED[part]!(network);
      await seeImport(network).finally(() => stopped.abort());
      const failed = await imports;
      if (/replica|lag/.test(part)) for (const message of failed) campaign.failed(part, message);
    });
  });

/** An outage of all servers: requests are refused in time, and answered again afterwards, by the same processes. */
const outage = (campaign: Campaign) =>
  withNetwork(campaign, 'outage', async (network) => {
    const [silent, ...killed] = network.cluster.servers;
    const statuses = await underLoad(campaign, 'outage', network, [200, 503], async () => {
      for (const server of killed) await server.kill();
      silent!.pause();
      await rest(5000);
    });
    if (!statuses.has(503)) campaign.failed('outage', 'no request was refused');
    silent!.resume();
    for (const server of killed) await server.start();
    await rest(NOTICED_WITHIN);
    await underLoad(campaign, 'outage', network, [200], () => rest(1000));
  });

await runCampaign({
  name: 'postgres-faults',
  about: 'Kills, pauses and promotes PostgreSQL servers while two services answer requests and imports go on, and kills imports.',
  options: { kills: 100 },
  parts: {
    ...Object.fromEntries(Object.keys(UNNOTICED).map((part) => [part, beUnnoticed(part)])),
    outage,
    kills: (campaign, { kills }) => killImports(campaign, kills, postgresDatabases),
  },
});
