import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { type Campaign, runCampaign } from './campaign.js';
import { type Answer, Client } from './client.js';
import { killImports } from './killed-imports.js';
import { postgresDatabases } from './postgres-databases.js';
import { randomOf } from './random.js';
import { VersionedNetwork } from './versioned-network.js';
import { timeToGiveUp } from '../postgres/proxy.js';

/**
 * `npm run postgres-faults`: what happens to clients and imports when PostgreSQL servers behind
 * HAProxy fail.
 */

/** How many clients ask each service, one request after the other. */
const CLIENTS = 4;
/** Within what time a request is answered or refused, in milliseconds. */
const ANSWERED_WITHIN = 10_000;
/** Within what time services show an import, in milliseconds. */
const SHOWN_WITHIN = 15_000;
/**
 * How long after a server is there requests may still fail, in milliseconds: HAProxy looks once a
 * second, a request that waits for a connection does so for two, and this machine is busy.
 */
const NOTICED_WITHIN = 5000;
/** How long HAProxy may take to give up a server, in milliseconds. */
const GIVEN_UP_WITHIN = timeToGiveUp();

/** When requests may fail, by `performance.now()`. */
interface Outage {
  from: number;
  to: number;
}

/** Waits until all services show a version. @throws {Error} if they never do */
async function seeVersion(network: VersionedNetwork, version: number): Promise<void> {
  for (const begin = performance.now(); network.newest < version; await rest(20))
    if (performance.now() - begin > SHOWN_WITHIN)
      throw new Error(`version ${version} is not shown within ${SHOWN_WITHIN} ms`);
}

/** Runs some work while imports go on, before it and after it. */
async function whileImporting(network: VersionedNetwork, work: () => Promise<Outage>) {
  const stopped = new AbortController();
  const imports = network.keepImporting(stopped.signal);
  try {
    await seeVersion(network, network.version + 1);
    const outage = await work();
    await seeVersion(network, network.version + 1);
    return outage;
  } finally {
    stopped.abort();
    // Imports fail while there is no primary.
    await imports;
  }
}

/** Lets the server fail until `end` resolves. */
async function failUntil(fail: () => Promise<void>, end: () => Promise<void>): Promise<Outage> {
  const from = performance.now();
  await fail();
  await end();
  const to = Math.max(performance.now(), from + GIVEN_UP_WITHIN) + NOTICED_WITHIN;
  return { from, to };
}

/** What happens to the servers. Each resolves to when requests may fail. */
const FAULTS: Record<string, (network: VersionedNetwork) => Promise<Outage>> = {
  promotion: (network) => {
    const { cluster } = network;
    const standby = cluster.replicas[0]!;
    return whileImporting(network, async () => {
      // Otherwise the newest commit may be lost. The standby, once promoted, waits for no other.
      await cluster.primary.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
      await cluster.primary.query('SELECT pg_reload_conf()');
      await seeVersion(network, network.version + 2);
      return failUntil(
        () => cluster.primary.kill(),
        () => cluster.promote(standby),
      );
    });
  },
  restart: (network) => {
    const { primary } = network.cluster;
    return whileImporting(network, () =>
      failUntil(
        () => primary.kill(),
        () => primary.start(),
      ),
    );
  },
  silence: (network) => {
    const { primary } = network.cluster;
    return whileImporting(network, () =>
      failUntil(
        async () => primary.pause(),
        async () => {
          await rest(GIVEN_UP_WITHIN + 1000);
          primary.resume();
        },
      ),
    );
  },
  'lost-commit': async (network) => {
    const { cluster } = network;
    const { primary } = cluster;
    const standby = cluster.replicas[0]!;
    await standby.catchUp(primary);
    await standby.stop();
    await network.importNext();
    await seeVersion(network, network.version);
    network.loseNewest();
    const outage = await failUntil(
      () => primary.kill(),
      async () => {
        await standby.start();
        await cluster.promote(standby);
      },
    );
    await rest(outage.to - performance.now());
    await network.importNext();
    await seeVersion(network, network.version);
    return outage;
  },
};

/** Whether an answer is one that a service may give while the server is away. */
const isRefusal = ({ status, body }: Answer): boolean =>
  status === 503 && /:(not-ready|service-busy)"/.test(body.toString());

/** Sends requests to all services until `work` is done, and checks each answer. */
async function underLoad(
  campaign: Campaign,
  part: string,
  network: VersionedNetwork,
  work: () => Promise<Outage>,
): Promise<void> {
  const random = randomOf(campaign.seed, part, 0);
  const refused: { askedAt: number; answeredAt: number; text: string }[] = [];
  let running = true;
  let slowest = 0;
  const ask = async (service: number, client: Client): Promise<void> => {
    const askedAt = performance.now();
    campaign.tried(part);
    try {
      const answer = await client.get(network.target(random));
      const text = answer.body.toString();
      if (isRefusal(answer)) refused.push({ askedAt, answeredAt: performance.now(), text });
      else if (answer.status !== 200)
        campaign.failed(part, `${answer.status}: ${text.slice(0, 300)}`);
      else
        for (const finding of network.findings(service, text, askedAt))
          campaign.failed(part, finding);
    } catch (error) {
      campaign.failed(part, (error as Error).message);
    }
    slowest = Math.max(slowest, performance.now() - askedAt);
  };
  const askOn = async (service: number, port: number): Promise<void> => {
    const client = new Client(port, 2 * ANSWERED_WITHIN);
    while (running) await ask(service, client);
    client.close();
  };
  const clients = network.services.flatMap(({ port }, service) =>
    Array.from({ length: CLIENTS }, () => askOn(service, port)),
  );
  const outage = await work().finally(() => (running = false));
  await Promise.all(clients);
  for (const { askedAt, answeredAt, text } of refused)
    if (askedAt > outage.to || answeredAt < outage.from)
      campaign.failed(part, `refused while a server was there: ${text.slice(0, 300)}`);
  if (slowest > ANSWERED_WITHIN)
    campaign.failed(part, `a request was answered only after ${Math.round(slowest)} ms`);
  const times = refused.map(({ answeredAt }) => answeredAt);
  const longest = times.length === 0 ? 0 : Math.max(...times) - outage.from;
  campaign.note(
    part,
    `${times.length} refused, the last ${Math.round(longest)} ms after the fault; slowest ${Math.round(slowest)} ms`,
  );
}

/** What a service logs when commits are lost. */
const LOSS = /gone back to an earlier state/g;

/** A fault under load, in a network of its own. */
const runFault = (part: string) => async (campaign: Campaign) => {
  const network = await VersionedNetwork.create(join(campaign.folder, part));
  await underLoad(campaign, part, network, () => FAULTS[part]!(network)).catch((error: unknown) =>
    campaign.failed(part, (error as Error).message),
  );
  for (const finding of await network.stop()) campaign.failed(part, finding);
  const expected = part === 'lost-commit' ? 1 : 0;
  for (const { output } of network.services) {
    const logged = output.stderr.match(LOSS)?.length ?? 0;
    if (logged !== expected) campaign.failed(part, `a lost commit was logged ${logged} times`);
  }
};

await runCampaign({
  name: 'postgres-faults',
  about:
    'Kills, pauses and promotes PostgreSQL servers behind HAProxy while two services answer requests and imports go on, and kills imports.',
  options: { kills: 100 },
  parts: {
    ...Object.fromEntries(Object.keys(FAULTS).map((part) => [part, runFault(part)])),
    kills: (campaign, { kills }) => killImports(campaign, kills, postgresDatabases),
  },
});
