import { setTimeout as rest } from 'node:timers/promises';
import { Client } from './client.js';

/**
 * `mixed-client PORT SECONDS CLIENTS PAUSE TARGET...`: some clients request the targets in turn, each
 * the next when the answer to the last one is complete and a pause is over, and print each answer.
 */

/** An answer to a client: its target, its status, and its time in milliseconds. */
export type Timed = [target: string, status: number, time: number];

/** What the clients of a process have read. */
export interface Read {
  answers: Timed[];
  /** The processor time of all clients, in milliseconds. */
  processorTime: number;
}

/** How long a complete answer may take, in milliseconds. */
const TIMEOUT = 60_000;

const [port, seconds, clients, pause] = process.argv.slice(2, 6).map(Number);
const targets = process.argv.slice(6);

const answers: Timed[] = [];
const end = performance.now() + seconds! * 1000;
let next = 0;

async function work(): Promise<void> {
  const client = new Client(port!, TIMEOUT);
  while (performance.now() < end) {
    const target = targets[next++ % targets.length]!;
    const begin = performance.now();
    const { status } = await client.get(target);
    answers.push([target, status, performance.now() - begin]);
    if (pause! > 0) await rest(pause);
  }
  client.close();
}

await Promise.all(Array.from({ length: clients! }, work));
const { user, system } = process.cpuUsage();
const read: Read = { answers, processorTime: (user + system) / 1000 };
process.stdout.write(JSON.stringify(read));
