import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { AnswerChecks } from './answers.js';
import { runCampaign } from './campaign.js';
import { runCases } from './cases.js';
import { Connection } from './connection.js';
import { createHostileNetwork, importLogs } from './networks.js';
import { anonymousMemoryOf, memoryOf } from './process-memory.js';
import { SAMPLE_LOGS, startService } from './processes.js';
import { randomOf } from './random.js';
import { readKnownValues, SLOWEST } from './request-fuzz.js';
import { RequestGenerator } from './requests.js';

/** `npm run soak`: generated requests at a steady rate for minutes, with imports in between. */

const DEFAULT_MINUTES = 10;
/** The rate, and the least time between two imports. */
const REQUESTS_PER_SECOND = 300;
const WORKERS = 6;
const IMPORT_SECONDS = 15;
const SAMPLE_MILLISECONDS = 500;

/** The bound of resident memory, and how much more the last quarter may need than the third, in bytes. */
const MOST_MEMORY = 150e6;
const MOST_GROWTH = 3e6;
/** A shorter run says nothing about growth: the compiler and the heap still warm up. */
const GROWTH_SECONDS = 240;

const REQUESTS = 'requests while importing';
const MEMORY = 'resident memory';

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** Writes the sample network anew, as prepared on another day and with another serial number, so that each import changes something. */
function writeChangedLogs(folder: string, round: number): string {
  const name = readdirSync(SAMPLE_LOGS)[round % readdirSync(SAMPLE_LOGS).length]!;
  const day = new Date(Date.UTC(2024, 0, 1 + round)).toISOString().slice(0, 10);
  const text = readFileSync(join(SAMPLE_LOGS, name), 'utf8')
    .replace(/(Date Prepared.*?: *)[\d-]+/, `$1${day}`)
    .replace(/(<\w+:datePrepared[^>]*>)\d{4}-\d\d-\d\d/, `$1${day}`)
    .replace(/(Serial Number.*?: *)\S+/, `$1S${round}`)
    .replace(/(<\w+:manufacturerSerialNumber[^>]*>)[^<]*/, `$1S${round}`);
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

await runCampaign(
  {
    name: 'soak',
    about: `Sends ${REQUESTS_PER_SECOND} requests per second for minutes, imports meanwhile, and watches the memory. Exits with 1 if anything fails.`,
    options: {
      minutes: { argument: 'N', about: `How long. Default: ${DEFAULT_MINUTES}.` },
      seconds: { argument: 'N', about: 'The same in seconds.' },
    },
    parts: {},
  },
  async (given) => {
    const { tally, seed, folder, options, repeat, only } = given;
    const seconds = options.seconds ?? (options.minutes ?? DEFAULT_MINUTES) * 60;
    const database = await createHostileNetwork(folder);
    const service = await startService(database);
    const checks = new AnswerChecks();
    const generator = new RequestGenerator(checks.contract, await readKnownValues(service, checks));
    const samples: number[] = [];
    let anonymous = 0;
    const sampler = setInterval(() => {
      if (service.end() !== null) return;
      samples.push(memoryOf(service.pid));
      anonymous = Math.max(anonymous, anonymousMemoryOf(service.pid));
    }, SAMPLE_MILLISECONDS);
    const begin = performance.now();
    const elapsed = (): number => (performance.now() - begin) / 1000;

    const imports = async (): Promise<void> => {
      for (let round = 0; only === null && elapsed() < seconds; round++) {
        tally.tried('imports meanwhile');
        try {
          await importLogs(database, writeChangedLogs(folder, round));
        } catch (error) {
          tally.failed('imports meanwhile', (error as Error).message, `npm run soak -- --seed ${seed}`);
        }
        for (let waited = 0; waited < IMPORT_SECONDS && elapsed() < seconds; waited++) await rest(1000);
      }
    };
    const connections = Array.from({ length: WORKERS }, () => new Connection(service.port));
    let [slow, worst, sent] = [0, 0, 0];
    const requests = runCases(given, { cases: Infinity, seconds }, WORKERS, async (number, worker) => {
      const early = number / REQUESTS_PER_SECOND - elapsed();
      if (only === null && early > 0) await rest(early * 1000);
      const request = generator.request(randomOf(seed, 'soak', number));
      tally.tried(REQUESTS);
      sent++;
      try {
        const start = performance.now();
        const answer = await connections[worker]!.ask(request.bytes, request.method === 'HEAD');
        const milliseconds = performance.now() - start;
        worst = Math.max(worst, milliseconds);
        if (milliseconds > SLOWEST) slow++;
        for (const finding of checks.findings(request, answer))
          tally.failed(REQUESTS, `${request.method} ${request.target.slice(0, 500)}: ${finding}`, repeat('soak', number));
      } catch (error) {
        tally.failed(REQUESTS, `${request.method} ${request.target.slice(0, 500)}: ${(error as Error).message}`, repeat('soak', number));
        if (service.end() !== null) throw new Error(`the service died: ${service.output.stderr.slice(-2000)}`, { cause: error });
      }
    });
    await Promise.all([requests, imports()]);
    const duration = elapsed();
    clearInterval(sampler);
    for (const connection of connections) connection.close();
    for (const problem of await service.stop()) tally.failed(REQUESTS, problem, `npm run soak -- --seed ${seed}`);
    tally.note(REQUESTS, `${(sent / duration).toFixed(0)} per second; slowest ${worst.toFixed(0)} ms, ${slow} over ${SLOWEST} ms`);
    if (only !== null) return;

    const quarter = samples.length >> 2;
    const [third, last] = [mean(samples.slice(2 * quarter, 3 * quarter)), mean(samples.slice(3 * quarter))];
    const most = Math.max(...samples);
    const again = `npm run soak -- --seed ${seed} --seconds ${seconds}`;
    tally.tried(MEMORY, samples.length);
    if (most > MOST_MEMORY) tally.failed(MEMORY, `${megabytes(most)}; expected at most ${megabytes(MOST_MEMORY)}`, again);
    if (seconds >= GROWTH_SECONDS && last - third > MOST_GROWTH)
      tally.failed(MEMORY, `it grew by ${megabytes(last - third)} in the second half`, again);
    tally.note(
      MEMORY,
      `at most ${megabytes(most)}, ${megabytes(anonymous)} of it not mapped from files; third quarter ${megabytes(third)}, last ${megabytes(last)}${seconds >= GROWTH_SECONDS ? '' : ' (too short to judge growth)'}`,
    );
  },
);
