import { countAt } from './ask.js';
import type { Network } from './databases.js';
import type { Effort } from './effort.js';
import { measureNotCached } from './not-cached.js';
import { receiversPath, receiversPaths } from './paths.js';
import { startService } from './servers.js';
import { RECEIVER_TYPES } from './synthetic-logs.js';
import type { Row } from './table.js';

/** The target: speed relative to the bare server. */
const SPEED_TARGET = 0.4;

/** Compares the first 20 of many receivers of a type, without the cache, with a bare server that sends the same. */
export async function measureReceivers(network: Network, folder: string, effort: Effort): Promise<Row[]> {
  const example = receiversPath(RECEIVER_TYPES[0]!);
  const server = await startService(network.database);
  const count = await countAt(`${server.url}${example}`);
  await server.stop();
  const name = `20 of ${count} receivers, ${network.sites} Sites`;
  return measureNotCached(name, network, receiversPaths(), SPEED_TARGET, folder, effort);
}
