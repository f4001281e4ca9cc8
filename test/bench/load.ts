import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer } from '../campaigns/client.js';
import type { BareAnswers } from './bare-server.js';
import {
  benchFile,
  plainFile,
  processorTimeOf,
  runNode,
  type Server,
  startMeasured,
  startService,
} from './processes.js';
import { interleave, median, rawOf } from './rows.js';

const CONNECTIONS = 32;
/**
 * How long a server warms up, in seconds. After one second, compiling still takes a tenth of the
 * time of a server with more code.
 */
const WARM_UP = 2;
/** How often each server is measured in a round, and for how long, in seconds. */
const TURNS = 3;
const TURN = 1;

/** What a request costs, in microseconds. */
interface Cost {
  elapsed: number;
  /** Processor time of the server. */
  processor: number;
}

export const processorOf = (costs: Cost[]): number[] => costs.map(({ processor }) => processor);

/** A server, and what is requested from it. */
export interface Load {
  start: () => Promise<Server>;
  /** They are requested repeatedly. */
  paths: string[];
  /** The status of all answers. Default: 200. */
  status?: number;
}

/** Requests the paths of a load. @returns the answers in a second */
function request(
  folder: string,
  server: Server,
  { paths, status = 200 }: Load,
  seconds: number,
): Promise<number> {
  const file = join(folder, 'paths');
  writeFileSync(file, paths.join('\n'));
  const url = `http://127.0.0.1:${server.port}`;
  const counts = [CONNECTIONS, seconds, status].map(String);
  return runNode('load', benchFile('load-generator'), url, file, ...counts).then(Number);
}

/** Measures a server under load. */
async function costOf(folder: string, server: Server, load: Load): Promise<Cost> {
  const before = processorTimeOf(server.pid);
  const perSecond = await request(folder, server, load, TURN);
  const processor = processorTimeOf(server.pid) - before;
  return { elapsed: 1e6 / perSecond, processor: (processor * 1000) / (perSecond * TURN) };
}

/**
 * Measures servers under load, in processor time and elapsed time. Each round starts them anew, so
 * that none profits from earlier ones. In a round they take turns, so that a machine that slows
 * down affects all. The figures of a server in a round are the medians of its turns.
 * @returns the figures of each round
 */
export async function underLoad<K extends string>(
  folder: string,
  rounds: number,
  loads: Record<K, Load>,
): Promise<Record<K, Cost[]>> {
  const names = Object.keys(loads) as K[];
  const costs = Object.fromEntries(names.map((name) => [name, [] as Cost[]])) as Record<K, Cost[]>;
  for (let round = 0; round < rounds; round++) {
    const servers = {} as Record<K, Server>;
    for (const name of names) {
      servers[name] = await loads[name].start();
      await request(folder, servers[name], loads[name], WARM_UP);
    }
    const measures = Object.fromEntries(
      names.map((name) => [name, () => costOf(folder, servers[name], loads[name])]),
    ) as Record<K, () => Promise<Cost>>;
    const turns = await interleave(TURNS, measures);
    for (const name of names) {
      const medianOf = (kind: keyof Cost): number => median(turns[name].map((cost) => cost[kind]));
      costs[name].push({ elapsed: medianOf('elapsed'), processor: medianOf('processor') });
      await servers[name].stop();
    }
  }
  return costs;
}

/**
 * Our cost as a multiple of theirs. There are two ratios, and each can flatter us: that of elapsed
 * time if the generator is the slower side, that of processor time if a server waits. The larger
 * one counts.
 */
export function compareCosts(ours: Cost[], theirs: Cost[]): { ratio: number; raw: string } {
  const compared = (['elapsed', 'processor'] as const).map((kind) => {
    const [own, other] = [ours, theirs].map((costs) => costs.map((each) => each[kind])) as [
      number[],
      number[],
    ];
    return { ratio: median(own) / median(other), raw: `${kind} ${rawOf(own, other, 'µs')}` };
  });
  return {
    ratio: Math.max(...compared.map(({ ratio }) => ratio)),
    raw: compared.map(({ raw }) => raw).join(', '),
  };
}

/**
 * An answer without what differs between servers: the date, and the case and order of header
 * fields.
 */
export const shapeOf = ({ headers, body }: Answer): string =>
  JSON.stringify([
    headers
      .map(([name, value]) => (name === 'date' ? name : `${name}: ${value}`.toLowerCase()))
      .sort(),
    body.toString(),
  ]);

/**
 * Prepares a bare server that sends the service's answers to some paths, with the same bytes and
 * header fields.
 * @returns a function that starts it
 * @throws {Error} if the two answers differ
 */
export async function prepareBare(
  folder: string,
  database: string,
  paths: string[],
): Promise<() => Promise<Server>> {
  const file = join(folder, 'bare.json');
  const service = await startService(database);
  const bodies: BareAnswers['bodies'] = {};
  for (const each of new Set(paths)) bodies[each] = (await service.ask(each)).body.toString();
  const ours = await service.ask(paths[0]!);
  await service.stop();
  writeFileSync(file, JSON.stringify({ headers: ours.headers, bodies } satisfies BareAnswers));
  const startBare = (): Promise<Server> => startMeasured(plainFile('bare-server'), file);
  const server = await startBare();
  const bare = await server.ask(paths[0]!);
  await server.stop();
  if (shapeOf(bare) !== shapeOf(ours))
    throw new Error(`the bare server sends ${shapeOf(bare)}, the service ${shapeOf(ours)}`);
  return startBare;
}
