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
import { median, rawOf } from './rows.js';

const CONNECTIONS = 32;
/**
 * How long a server warms up and is measured, in seconds. After one second, compiling still takes a
 * tenth of the time of a server with more code.
 */
const WARM_UP = 2;
const MEASURED = 2;

/** What a request costs, in microseconds. */
export interface Cost {
  elapsed: number;
  /** Processor time of the server. */
  processor: number;
}

/**
 * Starts a server, requests these paths repeatedly, and stops it, so that no round profits from
 * earlier ones.
 * @param status of all answers
 */
export async function underLoad(
  folder: string,
  startIt: () => Promise<Server>,
  paths: string[],
  status = 200,
): Promise<Cost> {
  const server = await startIt();
  const file = join(folder, 'paths');
  writeFileSync(file, paths.join('\n'));
  const run = async (seconds: number): Promise<number> =>
    Number(
      await runNode(
        'load',
        benchFile('load-generator'),
        `http://127.0.0.1:${server.port}`,
        file,
        String(CONNECTIONS),
        String(seconds),
        String(status),
      ),
    );
  await run(WARM_UP);
  const before = processorTimeOf(server.pid);
  const perSecond = await run(MEASURED);
  const after = processorTimeOf(server.pid);
  await server.stop();
  return {
    elapsed: 1e6 / perSecond,
    processor: ((after - before) * 1000) / (perSecond * MEASURED),
  };
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
