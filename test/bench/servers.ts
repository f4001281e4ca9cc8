import { writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { type Answer, ask } from './ask.js';
import type { BareAnswers } from './bare-server.js';
import { load, type Load, type Pressure } from './load.js';
import { benchFile, type Server, SERVICE, startServer, startServerOnAllCores } from './processes.js';

/** Flags of `serve` that turn the cache off. A version without this flag exits with a usage error. */
export const NOT_CACHED = ['--cache-megabytes', '0'];

/** How a service is started. */
interface ServiceOptions {
  /** Flags of `serve`. */
  flags?: string[];
  /** Flags of Node. */
  nodeFlags?: string[];
  /** The main file of another version. */
  service?: string;
}

/** Starts the service over a database. */
export const startService = (database: string, { flags = [], nodeFlags = [], service = SERVICE }: ServiceOptions = {}): Promise<Server> =>
  startServer(...nodeFlags, service, 'serve', '--database', database, '--port', '0', ...flags);

/** The same on all cores. */
export const startServiceOnAllCores = (database: string, flags: string[]): Promise<Server> =>
  startServerOnAllCores(SERVICE, 'serve', '--database', database, '--port', '0', ...flags);

async function answerOf(server: Server, path: string): Promise<Answer> {
  const answer = await ask(`${server.url}${path}`);
  await server.stop();
  return answer;
}

/** An answer without what differs between servers: the date, and the case and order of header fields. */
const shapeOf = ({ headers, body }: Answer): string =>
  JSON.stringify([headers.map(([name, value]) => (name === 'Date' ? name : `${name}: ${value}`.toLowerCase())).sort(), body]);

/**
 * Prepares a bare server that sends the service's answers to some paths, with the same bytes and header fields.
 * @returns a function that starts it
 * @throws {Error} if the two answers differ
 */
export async function prepareBare(folder: string, name: string, database: string, paths: string[]): Promise<() => Promise<Server>> {
  const file = join(folder, `${name}.json`);
  const startBare = (): Promise<Server> => startServer(benchFile('bare-server'), file);
  const path = paths[0]!;
  const service = await startService(database);
  const agent = new Agent({ keepAlive: true });
  const bodies: BareAnswers['bodies'] = {};
  for (const each of new Set(paths)) bodies[each] = (await ask(`${service.url}${each}`, agent)).body;
  agent.destroy();
  const ours = await answerOf(service, path);
  writeFileSync(file, JSON.stringify({ headers: ours.headers, bodies } satisfies BareAnswers));
  const bare = await answerOf(await startBare(), path);
  if (shapeOf(bare) !== shapeOf(ours)) throw new Error(`the bare server sends ${shapeOf(bare)}, the service ${shapeOf(ours)}`);
  process.stdout.write(`${path}: ${Buffer.byteLength(ours.body)} bytes, ${ours.headers.length} header fields\n`);
  return startBare;
}

/** Starts a server, puts it under load, and stops it, so that no round profits from earlier ones. */
export async function underLoad(start: () => Promise<Server>, paths: string[], pressure: Pressure): Promise<Load> {
  const server = await start();
  const measured = await load(server, paths, pressure);
  await server.stop();
  return measured;
}
