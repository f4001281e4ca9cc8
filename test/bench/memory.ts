import { Agent, get } from 'node:http';
import { setTimeout as rest } from 'node:timers/promises';
import { SITE_LOGS } from '../../schemas/index.js';
import { href, pathOf } from '../../src/links.js';
import { ask } from './ask.js';
import type { Network } from './databases.js';
import type { Effort } from './effort.js';
import { currentPath, differentPaths } from './paths.js';
import { figuresOf } from './process-figures.js';
import type { Server } from './processes.js';
import { startService } from './servers.js';
import { siteIdOf } from './synthetic-logs.js';
import type { Row } from './table.js';

/** The targets for resident memory, in megabytes. */
const IDLE_TARGET = 80;
const USED_TARGET = 130;
const LOGS_TARGET = 150;
/** How many clients request a page of site logs at once, and how large it is. */
const [CLIENTS, LOGS] = [8, 1000];
/** How many different hosts the requests name, in turn. */
const HOSTS = 1000;

/** Requests each path once, with many different hosts. @throws {Error} if an answer is not 200 */
async function askOnce(server: Server, paths: string[], connections: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const one = (path: string, host: string): Promise<void> =>
    new Promise((resolve, reject) => {
      get(`${server.url}${path}`, { agent, headers: { host } }, (response) => {
        response.resume().on('error', reject);
        response.on('end', () => (response.statusCode === 200 ? resolve() : reject(new Error(`${path}: ${response.statusCode}`))));
      }).on('error', reject);
    });
  const numbered = paths.entries();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (const [number, path] of numbered) await one(path, `host-${number % HOSTS}.example`);
    }),
  );
  agent.destroy();
}

/** Measures the memory of the service: idle after the first answer, after many different URLs, as from a crawler or an attacker, and after pages of whole site logs. */
export async function measureMemory({ sites, database }: Network, { urls, rest: pause, pressure }: Effort): Promise<Row[]> {
  const server = await startService(database);
  const measured = async (): Promise<{ memory: number; peakMemory: number }> => {
    await rest(pause);
    const figures = figuresOf(server.pid);
    if (figures === null) throw new Error('the memory of a process is only known where there is /proc');
    return figures;
  };
  await ask(`${server.url}${currentPath(siteIdOf(0))}`);
  const idle = await measured();
  await askOnce(server, differentPaths(sites, urls), pressure.connections);
  const used = await measured();
  await server.stop();

  const other = await startService(database);
  const page = `${other.url}${href('', pathOf(SITE_LOGS), { query: { size: LOGS } })}`;
  await Promise.all(Array.from({ length: CLIENTS }, () => ask(page)));
  const { peakMemory: logs } = figuresOf(other.pid)!;
  await other.stop();
  const row = (name: string, { memory, peakMemory }: typeof idle, target: number): Row => ({
    name,
    result: `${(memory / 1e6).toFixed(0)} MB`,
    raw: `at most ${(peakMemory / 1e6).toFixed(0)} MB before`,
    target: { text: `at most ${target} MB`, met: memory <= target * 1e6 },
  });
  return [
    row('resident memory, idle', idle, IDLE_TARGET),
    row(`resident memory, after ${urls} different URLs with ${HOSTS} hosts`, used, USED_TARGET),
    {
      name: `resident memory, ${CLIENTS} pages of ${LOGS} site logs at once`,
      result: `${(logs / 1e6).toFixed(0)} MB`,
      raw: 'at most',
      target: { text: `at most ${LOGS_TARGET} MB`, met: logs <= LOGS_TARGET * 1e6 },
    },
  ];
}
