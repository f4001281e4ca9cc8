import { createConnection, type Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as rest } from 'node:timers/promises';
import { memoryOf } from '../campaigns/processes.js';
import { createNetwork } from './networks.js';
import { ask, connect, type Server, startService } from './processes.js';
import { median, type Row, row } from './rows.js';

/**
 * What clients can do to others: costly requests, requests that are abandoned, and answers that are
 * not read.
 */

const SITES = 20_000;
/** How long others may wait, in milliseconds. */
const WAIT_TARGET = 100;
const ABANDONED_TARGET = 1000;
const ABANDONED_EXPORT_TARGET = 500;
/** How much memory clients that do not read may take, in megabytes. */
const MEMORY_TARGET = 300;
const ABANDONED = 200;
const NOT_READING = 400;
/** How long clients do not read, in milliseconds. */
const NOT_READING_TIME = 15_000;
const PAUSE = 3;
/** A round of all requests takes a minute. */
const MOST_ROUNDS = 3;

const COSTLIEST = '/corsSites/search/findByEquipment?type=*&size=1000';

/** Exports that take long. */
const EXPORTS = ['/exports/sites.rinex.zip', '/exports/sites.snx', '/exports/setups.csv'];

/** Costly requests: searches through all Sites, and the largest pages. */
const COSTLY = [
  '/siteLogs?q=bench&sort=name&size=10&page=1000',
  '/siteLogs?q=bench&size=1000',
  '/corsSites/search/findByEquipment?type=T*&size=1000',
  COSTLIEST,
  '/changes?size=1000&page=100',
  '/changes?countryCode=AUS&kind=replaced',
  '/setups?size=1000&page=100',
  '/gnssReceivers?size=1000&projection=installations',
  '/ogc/collections/installations/items?limit=1000&datetime=2010-01-01/..',
  '/exports/sites.snx',
  '/exports/sites.rinex.zip',
  '/exports/installations.csv?q=bench',
  '/exports/feed.csv',
  '/station/log/',
  '/sites?q=trimble',
  '/sites?sort=receiver,desc',
  '/receivers?type=TRIMBLE%20NETR9',
  '/network',
  '/findings',
];

/**
 * Asks for /health until something is done.
 * @returns the longest time that it took, in milliseconds
 */
async function waitsDuring(server: Server, work: Promise<unknown>): Promise<number> {
  const client = connect(server);
  const state = { isDone: false };
  const done = work.finally(() => (state.isDone = true));
  let longest = 0;
  while (!state.isDone) {
    const begin = performance.now();
    await ask(client, '/health');
    longest = Math.max(longest, performance.now() - begin);
    await rest(PAUSE);
  }
  client.close();
  await done;
  return longest;
}

/** Sends a request on a connection that does not read. */
async function send({ port }: Server, path: string): Promise<Socket> {
  const socket = createConnection(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.pause();
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
  return socket;
}

async function withService<T>(database: string, use: (server: Server) => Promise<T>): Promise<T> {
  const server = await startService(database);
  try {
    return await use(server);
  } finally {
    await server.stop();
  }
}

/**
 * How long others wait while a request is answered, as the first after the start and then again.
 */
async function measureWaits(database: string, rounds: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const path of COSTLY) {
    const [first, again]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      await withService(database, async (server) => {
        for (const waits of [first, again]) waits.push(await waitsDuring(server, server.ask(path)));
      });
    }
    const raw = `first after the start ${median(first).toFixed(0)}, then ${median(again).toFixed(0)} ms`;
    rows.push(
      row(
        `others wait during ${path}`,
        Math.max(median(first), median(again)),
        'ms',
        'at most',
        WAIT_TARGET,
        raw,
      ),
    );
  }
  return rows;
}

/** How long others wait after many requests for a path, which nobody waits for. */
async function measureAbandoned(
  database: string,
  path: string,
  target: number,
  rounds: number,
): Promise<Row> {
  const waits: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await withService(database, async (server) => {
      await server.ask('/health');
      const sockets = await Promise.all(
        Array.from({ length: ABANDONED }, () => send(server, path)),
      );
      for (const socket of sockets) socket.destroy();
      waits.push(await waitsDuring(server, rest(2000)));
    });
  }
  return row(
    `others wait after ${ABANDONED} abandoned requests`,
    median(waits),
    'ms',
    'at most',
    target,
    path,
  );
}

async function measureNotReading(database: string): Promise<Row> {
  const { idle, most, waits } = await withService(database, async (server) => {
    await server.ask('/health');
    await server.ask(COSTLIEST);
    const idle = memoryOf(server.pid);
    let most = idle;
    const sampler = setInterval(() => (most = Math.max(most, memoryOf(server.pid))), 100);
    const paths = [COSTLIEST, '/setups?size=1000', '/siteLogs?size=1000', '/exports/setups.ndjson'];
    const sockets = await Promise.all(
      Array.from({ length: NOT_READING }, (_, index) => send(server, paths[index % paths.length]!)),
    );
    const waits = await waitsDuring(server, rest(NOT_READING_TIME));
    clearInterval(sampler);
    for (const socket of sockets) socket.destroy();
    return { idle, most, waits };
  });
  const raw = `${(idle / 1e6).toFixed(0)} MB idle; others waited at most ${waits.toFixed(0)} ms`;
  return row(
    `memory for ${NOT_READING} clients that do not read`,
    (most - idle) / 1e6,
    'MB',
    'at most',
    MEMORY_TARGET,
    raw,
  );
}

/** Measures what clients can do to others. */
export async function measureCalm(folder: string, rounds: number): Promise<Row[]> {
  const { database } = await createNetwork(folder, SITES);
  const few = Math.min(rounds, MOST_ROUNDS);
  const rows = [await measureAbandoned(database, COSTLIEST, ABANDONED_TARGET, few)];
  for (const path of EXPORTS)
    rows.push(await measureAbandoned(database, path, ABANDONED_EXPORT_TARGET, few));
  rows.push(await measureNotReading(database), ...(await measureWaits(database, few)));
  return rows;
}
