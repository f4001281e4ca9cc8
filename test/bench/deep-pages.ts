import { ask } from './ask.js';
import type { Network } from './databases.js';
import type { Effort } from './effort.js';
import { load, type Load } from './load.js';
import { costRow } from './load-rows.js';
import { setupsPath } from './paths.js';
import { interleave } from './rounds.js';
import { NOT_CACHED, startService } from './servers.js';
import type { Row } from './table.js';

/** The target: the cost of the last page as a multiple of the first. */
const TARGET = 1.5;

/** Compares the cost of the last page of all Setups with that of the first. */
export async function measureDeepPages({ database }: Network, { rounds, pressure }: Effort): Promise<Row[]> {
  const server = await startService(database, { flags: NOT_CACHED });
  const { page } = JSON.parse((await ask(`${server.url}${setupsPath()}`)).body) as { page: { totalPages: number; totalElements: number } };
  // One request at a time, to measure the cost of a page without contention.
  const pageCost = (number: number): Promise<Load> => load(server, [setupsPath(number)], { ...pressure, connections: 1 });
  const measured = await interleave(
    rounds,
    () => pageCost(page.totalPages - 1),
    () => pageCost(0),
  );
  await server.stop();
  return [costRow(`last page of ${page.totalElements} Setups`, 'first page', measured, TARGET)];
}
