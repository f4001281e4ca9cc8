import { get } from 'node:http';
import { EXPORTS, type ExportName } from '../../schemas/index.js';
import { exportPathOf } from '../../src/links.js';
import type { Network } from './databases.js';
import type { Effort } from './effort.js';
import { load, type Load } from './load.js';
import { currentPaths } from './paths.js';
import { figuresOf } from './process-figures.js';
import type { Server } from './processes.js';
import { compare, interleave } from './rounds.js';
import { NOT_CACHED, startService } from './servers.js';
import type { Row } from './table.js';

/** The target for the peak resident memory of a service that exports everything, in megabytes. */
const MEMORY_TARGET = 150;
/** The target for the 99th percentile of lookups during an export, as a multiple of that without. */
const P99_TARGET = 2;

/** Exports everything, and drops the text. @returns how many bytes it had; fewer if it was aborted @throws {Error} if the answer is not 200 or breaks off */
const exportAll = (server: Server, name: ExportName, signal?: AbortSignal): Promise<number> =>
  new Promise((resolve, reject) => {
    let bytes = 0;
    const failed = (error: Error) => (signal?.aborted ? resolve(bytes) : reject(error));
    get(`${server.url}${exportPathOf(name, 'csv')}`, { signal, agent: false }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`export of ${name}: ${response.statusCode}`));
      response.on('data', (chunk: Buffer) => (bytes += chunk.length)).on('error', failed);
      response.on('end', () => resolve(bytes));
    }).on('error', failed);
  });

/** Measures the peak resident memory of a service that has done nothing but export several tables at once. */
async function measurePeak({ sites, database }: Network, names: readonly ExportName[]): Promise<Row> {
  const server = await startService(database);
  const begin = performance.now();
  const bytes = (await Promise.all(names.map((name) => exportAll(server, name)))).reduce((sum, each) => sum + each);
  const seconds = (performance.now() - begin) / 1e3;
  const { peakMemory = NaN } = figuresOf(server.pid) ?? {};
  await server.stop();
  return {
    name: `resident memory, export of the ${names.join(', ')} of ${sites} Sites`,
    result: `${(peakMemory / 1e6).toFixed(0)} MB`,
    raw: `at most; ${(bytes / 1e6).toFixed(0)} MB of CSV in ${seconds.toFixed(1)} s`,
    target: { text: `at most ${MEMORY_TARGET} MB`, met: peakMemory <= MEMORY_TARGET * 1e6 },
  };
}

/** Puts a service under load while it exports one table after the other. */
async function loadDuringExports(server: Server, measure: () => Promise<Load>): Promise<Load> {
  const controller = new AbortController();
  const exporting = (async () => {
    while (!controller.signal.aborted) for (const name of EXPORTS) await exportAll(server, name, controller.signal);
  })();
  try {
    return await Promise.race([measure(), exporting.then(() => Promise.reject<Load>(new Error('the exports ended')))]);
  } finally {
    controller.abort();
    await exporting.catch(() => undefined);
  }
}

/** Measures the memory of exports of many Sites, and how much an export slows lookups down. */
export async function measureExports(network: Network, { rounds, pressure }: Effort): Promise<Row[]> {
  const rows: Row[] = [];
  for (const name of EXPORTS) rows.push(await measurePeak(network, [name]));
  rows.push(await measurePeak(network, EXPORTS));
  const server = await startService(network.database, { flags: NOT_CACHED });
  const lookups = (): Promise<Load> => load(server, currentPaths(network.sites), pressure);
  const measured = await interleave(rounds, () => loadDuringExports(server, lookups), lookups);
  await server.stop();
  const { ours, theirs, ratio, spread } = compare(measured, ({ p99 }) => p99);
  rows.push({
    name: `lookup during an export of ${network.sites} Sites, p99`,
    result: `${ratio.toFixed(2)} × without`,
    raw: `${ours.toFixed(1)} / ${theirs.toFixed(1)} ms (rounds ${spread})`,
    target: { text: `at most ${P99_TARGET}`, met: ratio <= P99_TARGET },
  });
  return rows;
}
