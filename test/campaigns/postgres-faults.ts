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
    if (performance.now() - begin > NOTICED_WITHIN)
      throw new Error(`version ${version} is not shown within ${NOTICED_WITHIN} ms`);
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
  lag: async ({ cluster }) =>
    void (await cluster.replicas[0]!.query('SELECT pg_wal_replay_pause()')),
};

/** Sends requests to all services until `work` is done, and checks each answer. */
async function underLoad(
  campaign: Campaign,
  part: string,
  network: VersionedNetwork,
  work: () => Promise<void>,
): Promise<void> {
  const random = randomOf(campaign.seed, part, 0);
  let [running, slowest] = [true, 0];
  const ask = async (service: number, port: number): Promise<void> => {
    const client = new Client(port, 2 * ANSWERED_WITHIN);
    while (running) {
      const askedAt = performance.now();
      campaign.tried(part);
      try {
        const { status, body } = await client.get(network.target(random));
        const text = body.toString();
        if (status !== 200) campaign.failed(part, `${status}: ${text.slice(0, 300)}`);
        else
          for (const finding of network.findings(service, text, askedAt))
            campaign.failed(part, finding);
      } catch (error) {
        campaign.failed(part, (error as Error).message);
      }
      slowest = Math.max(slowest, performance.now() - askedAt);
    }
    client.close();
  };
  const clients = network.services.flatMap(({ port }, service) =>
    Array.from({ length: CLIENTS }, () => ask(service, port)),
  );
  await work().finally(() => (running = false));
  await Promise.all(clients);
  if (slowest > ANSWERED_WITHIN)
    campaign.failed(part, `a request was answered only after ${Math.round(slowest)} ms`);
  campaign.note(part, `slowest ${Math.round(slowest)} ms`);
}

/** A fault under load, in a network of its own: every request must be answered as if there were none. */
const beUnnoticed = (part: string) => async (campaign: Campaign) => {
  const network = await VersionedNetwork.create(join(campaign.folder, part));
  const work = async (): Promise<void> => {
    const stopped = new AbortController();
    const imports = network.keepImporting(stopped.signal);
    await seeImport(network);
    await UNNOTICED[part]!(network);
    await seeImport(network).finally(() => stopped.abort());
    const failed = await imports;
    if (/replica|lag/.test(part)) for (const message of failed) campaign.failed(part, message);
  };
  await underLoad(campaign, part, network, work).catch((error: unknown) =>
    campaign.failed(part, (error as Error).message),
  );
  for (const finding of await network.stop()) campaign.failed(part, finding);
};

await runCampaign({
  name: 'postgres-faults',
  about:
    'Kills, pauses and promotes PostgreSQL servers while two services answer requests and imports go on, and kills imports.',
  options: { kills: 100 },
  parts: {
    ...Object.fromEntries(Object.keys(UNNOTICED).map((part) => [part, beUnnoticed(part)])),
    kills: (campaign, { kills }) => killImports(campaign, kills, postgresDatabases),
  },
});
