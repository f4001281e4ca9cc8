import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { hostileText, hostileXml } from '../hostile-logs.js';
import { SAMPLE } from '../project-files.js';
import { AnswerChecks } from './answers.js';
import type { Budget, Campaign } from './campaign.js';
import { type Asked, Client } from './client.js';
import { importLogs, type Service, startService } from './processes.js';
import { readKnownValues, RequestGenerator } from './requests.js';

/**
 * How long an answer may take, in milliseconds, and how often a slow request is repeated: one slow
 * answer may be a busy machine.
 */
export const SLOWEST = 1000;
const REPETITIONS = 3;
const WORKERS = 6;

/** A log with markup in every field, and an id of its own: `H` instead of the first letter. */
function hostileLog(name: string): string {
  const text = readFileSync(join(SAMPLE, name), 'utf8');
  const id = name.slice(0, 4);
  const own = text.replaceAll(
    new RegExp(`\\b${id}(?=\\b|\\d\\d[A-Z]{3})`, 'gi'),
    `H${id.slice(1).toUpperCase()}`,
  );
  return name.endsWith('.xml') ? hostileXml(own) : hostileText(own);
}

/**
 * Creates a database of the sample network, and of the same logs with markup in every field.
 * Returns its path.
 */
export async function createHostileNetwork(folder: string): Promise<string> {
  const own = mkdtempSync(join(folder, 'network-'));
  const logs = join(own, 'logs');
  mkdirSync(logs);
  for (const name of readdirSync(SAMPLE)) {
    copyFileSync(join(SAMPLE, name), join(logs, name));
    writeFileSync(join(logs, `h${name.slice(1)}`), hostileLog(name));
  }
  const database = join(own, 'network.sqlite');
  await importLogs(database, logs);
  return database;
}

/** Sends a request that is answered by a service. Returns what is wrong, and how long it took. */
async function ask(
  client: Client,
  request: Asked,
  checks: AnswerChecks,
): Promise<{ findings: string[]; milliseconds: number }> {
  const begin = performance.now();
  const answer = await client.ask(request);
  return {
    findings: checks.findings(request.method, request.target, answer),
    milliseconds: performance.now() - begin,
  };
}

/** Sends generated requests to services in turn, and checks every answer. */
export async function sendRequests(
  campaign: Campaign,
  part: string,
  services: Service[],
  budget: Budget,
  beforeEach: (number: number) => Promise<void> = async () => undefined,
): Promise<void> {
  const checks = new AnswerChecks();
  const clients = Array.from({ length: WORKERS }, () =>
    services.map(({ port }) => new Client(port)),
  );
  const generator = new RequestGenerator(checks.contract, await readKnownValues(clients[0]![0]!));
  let worst = 0;
  await campaign.cases(part, { ...budget, workers: WORKERS }, async (random, number, worker) => {
    const request = generator.request(random);
    const which = number % services.length;
    await beforeEach(number);
    const found: string[] = [];
    try {
      let { findings, milliseconds } = await ask(clients[worker]![which]!, request, checks);
      worst = Math.max(worst, milliseconds);
      found.push(...findings);
      for (let time = 1; time < REPETITIONS && milliseconds > SLOWEST; time++)
        ({ milliseconds } = await ask(clients[worker]![which]!, request, checks));
      if (milliseconds > SLOWEST) found.push(`over ${SLOWEST} ms, ${REPETITIONS} times`);
    } catch (error) {
      found.push((error as Error).message);
      if (services[which]!.end() !== null)
        throw new Error(`the service died: ${services[which]!.output.stderr.slice(-2000)}`, {
          cause: error,
        });
    }
    return found.map(
      (finding) => `${finding}\n  request: ${JSON.stringify(request).slice(0, 1500)}`,
    );
  });
  for (const client of clients.flat()) client.close();
  campaign.note(part, `slowest ${worst.toFixed(0)} ms`);
}

/** The part of `npm run fuzz`: every second request goes to a service that trusts proxies. */
export async function fuzzRequests(campaign: Campaign, budget: Budget): Promise<void> {
  const database = await createHostileNetwork(campaign.folder);
  const services = await Promise.all([
    startService(database),
    startService(database, ['--trust-proxy', 'true']),
  ]);
  await sendRequests(campaign, 'requests', services, budget);
  for (const service of services)
    for (const problem of await service.stop()) campaign.failed('requests', problem);
}
