import { megabytesOf, type Network } from './databases.js';
import type { Effort } from './effort.js';
import { measureNotCached } from './not-cached.js';
import { currentPaths } from './paths.js';
import { measureReceivers } from './receivers.js';
import { SETUPS_OF_SITE } from './synthetic-logs.js';
import type { Row } from './table.js';

/** The target for the size of the database per Site, in kilobytes: Setups, devices, changes and the original log. */
const SIZE_TARGET = 40;

/** Measures the two lookups of the contract with many Sites and without the cache, and the size of the database. */
export async function measureLarge(network: Network, folder: string, effort: Effort): Promise<Row[]> {
  const { sites, database } = network;
  const megabytes = megabytesOf(database);
  const kilobytesOfSite = (megabytes * 1e3) / sites;
  return [
    ...(await measureNotCached(`lookup, ${sites} Sites`, network, currentPaths(sites), folder, effort)),
    ...(await measureReceivers(network, folder, effort)),
    {
      name: `database of ${sites} Sites, ${sites * SETUPS_OF_SITE} Setups`,
      result: `${megabytes} MB`,
      raw: `${kilobytesOfSite.toFixed(1)} kB per Site`,
      target: { text: `at most ${SIZE_TARGET} kB per Site`, met: kilobytesOfSite <= SIZE_TARGET },
    },
  ];
}
