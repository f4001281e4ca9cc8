import { readdirSync } from 'node:fs';
import { setTimeout as rest } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { killAll, SAMPLE_LOGS } from '../campaigns/processes.js';
import { Random } from '../campaigns/random.js';
import { type Requests, SteadyLoad } from '../campaigns/steady-load.js';
import { Stage } from './stage.js';

/**
 * `npm run demo-cluster`: a primary with two replicas, three services and nginx in front of them, with the sample network.
 * Kills parts of it on request, and shows what clients see meanwhile.
 */

/** Requests a second. */
const RATE = 100;
/** How long a client waits for an answer, in milliseconds. */
const PATIENCE = 10_000;
/** How often it shows what clients saw, in milliseconds. */
const INTERVAL = 1000;

/** What each key does. */
const ACTIONS: Record<string, { about: string; act: (stage: Stage) => Promise<string> }> = {
  1: { about: 'kill PostgreSQL 1, or start it again', act: (stage) => stage.toggleServer(0) },
  2: { about: 'kill PostgreSQL 2, or start it again', act: (stage) => stage.toggleServer(1) },
  3: { about: 'kill PostgreSQL 3, or start it again', act: (stage) => stage.toggleServer(2) },
  p: { about: 'promote a replica', act: (stage) => stage.promote() },
  s: { about: 'make the primary silent, or let it answer again', act: (stage) => stage.toggleSilence() },
  a: { about: 'kill service a, or start it again', act: (stage) => stage.toggleService(0) },
  b: { about: 'kill service b, or start it again', act: (stage) => stage.toggleService(1) },
  c: { about: 'kill service c, or start it again', act: (stage) => stage.toggleService(2) },
  i: { about: 'import newer logs', act: (stage) => stage.importNext() },
};
const QUIT = ['q', '\x03'];

/** The keys of `--script`. */
const SCRIPT = ['i', '3', 'i', '3', 's', 's', 'a', '1', 'p', 'i', '1', 'a', 'i'];

const KEYS = [...Object.entries(ACTIONS).map(([key, { about }]) => [key, about]), ['q', 'end everything']]
  .map(([key, about]) => `  ${key!}  ${about!}\n`)
  .join('');

const HELP = `Usage: npm run demo-cluster [-- --script]

Starts a PostgreSQL primary (1), two replicas (2, 3), three services (a, b, c) and nginx in front of them, and asks nginx
for ${RATE} answers a second. Keys:

${KEYS}
With --script it presses keys itself, and exits with 1 if a client saw a failure.
`;

/** Current Setups of the sample network, and some pages. */
class SampleRequests implements Requests {
  private readonly random = new Random('demo');
  private readonly targets = [
    ...readdirSync(SAMPLE_LOGS).map((name) => `/setups/search/findCurrentByFourCharacterId?id=${name.slice(0, 4)}`),
    '/gnssReceivers',
    '/sites',
  ];

  next(): string {
    return this.random.pick(this.targets);
  }

  findings(): string[] {
    return [];
  }
}

const print = (line: string): boolean => process.stdout.write(`${line}\n`);

/** Prints what clients saw, each second. Returns what ends it. */
function report(stage: Stage, load: SteadyLoad): () => { requests: number; failed: number; slowest: number } {
  const total = { requests: 0, failed: 0, slowest: 0 };
  const take = (): void => {
    const { requests, slowest, findings } = load.take();
    const failed = [...findings.values()].reduce((sum, count) => sum + count, 0);
    total.requests += requests;
    total.failed += failed;
    total.slowest = Math.max(total.slowest, slowest);
    print(`${stage.state}   ${String(requests).padStart(4)} answers, ${failed} failed, slowest ${Math.round(slowest)} ms`);
    for (const [finding, count] of findings) print(`  ${count} × ${finding}`);
  };
  const timer = setInterval(take, INTERVAL);
  return () => {
    clearInterval(timer);
    take();
    return total;
  };
}

async function act(stage: Stage, key: string): Promise<void> {
  const action = ACTIONS[key];
  if (action === undefined) return;
  print(`> ${key} …`);
  print(`> ${key} ${await action.act(stage)}`);
}

/** The keys that are pressed. */
async function* pressedKeys(): AsyncGenerator<string> {
  if (process.stdin.isTTY) process.stdin.setRawMode(true);
  for await (const chunk of process.stdin.setEncoding('utf8')) yield* chunk as string;
}

async function play(isScript: boolean): Promise<number> {
  process.once('exit', killAll);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
  print('starting a primary, two replicas, three services and nginx');
  const stage = await Stage.set();
  try {
    print(`http://127.0.0.1:${stage.port}/sites\n\n${KEYS}`);
    const load = new SteadyLoad([stage.port], new SampleRequests(), { rate: RATE, timeout: PATIENCE, allowed: [200] });
    const end = report(stage, load);
    load.start();
    if (isScript) {
      for (const key of SCRIPT) {
        await rest(INTERVAL);
        await act(stage, key);
      }
      await rest(INTERVAL);
    } else {
      for await (const key of pressedKeys()) {
        if (QUIT.includes(key)) break;
        await act(stage, key);
      }
    }
    await load.drain();
    const { requests, failed, slowest } = end();
    print(`\nclients saw ${requests} answers, ${failed} failed, slowest ${Math.round(slowest)} ms`);
    return failed === 0 ? 0 : 1;
  } finally {
    await stage.clear();
  }
}

const { values } = parseArgs({ options: { script: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } });
if (values.help === true) process.stdout.write(HELP);
else {
  try {
    process.exitCode = await play(values.script === true);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
  // Keys that nobody reads must not keep the process.
  process.stdin.destroy();
}
