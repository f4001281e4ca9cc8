import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Load } from './load-generator.js';
import { runToEnd, type Server } from './processes.js';
import { readProfile } from './profile.js';
import { compare, interleave } from './rounds.js';
import type { Servers } from './servers.js';
import type { Row } from './table.js';

const ROUNDS = 7;
/** The least part of the bare server's speed. */
const TARGET = 0.5;
const TOP = 5;

async function underLoad(start: () => Promise<Server>): Promise<Load> {
  const server = await start();
  const load = await runToEnd<Load>('load-generator', server.url, String(server.pid));
  await server.stop();
  return load;
}

/**
 * The lookup of current Setups against a bare server. Two ratios, each of which can flatter: requests a second where
 * the generator is the slower end, processor time where a server waits; the smaller one counts.
 */
export async function measureLookup({ startService, startBare }: Servers): Promise<Row[]> {
  const rounds = await interleave(
    ROUNDS,
    () => underLoad(startService),
    () => underLoad(startBare),
  );
  const throughput = compare(rounds, ({ requestsPerSecond }) => requestsPerSecond);
  const rows: Row[] = [
    {
      name: 'lookup, requests a second',
      result: `${throughput.ratio.toFixed(2)} of node:http`,
      raw: `${throughput.ours.toFixed(0)} / ${throughput.theirs.toFixed(0)} a second (rounds ${throughput.spread})`,
    },
  ];
  let smaller = throughput.ratio;
  if (rounds.ours.every(({ processorTime }) => processorTime !== null)) {
    // Turned over, so that here too more is better.
    const speed = compare(rounds, ({ processorTime }) => 1 / processorTime!);
    smaller = Math.min(smaller, speed.ratio);
    rows.push({
      name: 'lookup, processor time',
      result: `${speed.ratio.toFixed(2)} of node:http`,
      raw: `${(1 / speed.ours).toFixed(1)} / ${(1 / speed.theirs).toFixed(1)} µs a request (rounds ${speed.spread})`,
    });
  }
  rows.push({
    name: 'lookup',
    result: `${smaller.toFixed(2)} of node:http`,
    raw: `the smaller one; medians of ${ROUNDS} rounds`,
    target: { text: `at least ${TARGET}`, met: smaller >= TARGET },
  });
  return rows;
}

/** Where the service spends its time under the same load: the functions with the most self time, as lines to print. */
export async function profileLookup({ startService }: Servers, folder: string): Promise<string> {
  const profiles = join(folder, 'profiles');
  mkdirSync(profiles);
  await underLoad(() => startService('--cpu-prof', '--cpu-prof-dir', profiles));
  const [file] = readdirSync(profiles);
  if (file === undefined) throw new Error('Node wrote no profile');
  const { functions, garbageCollector, program } = readProfile(join(profiles, file));
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`.padStart(7);
  return [
    `lookup, self time of the busy time (start included):`,
    ...functions.slice(0, TOP).map(({ name, place, share }) => `${percent(share)}  ${name}  ${place}`),
    `${percent(garbageCollector)}  garbage collector`,
    `${percent(program)}  outside of JavaScript`,
  ].join('\n');
}
