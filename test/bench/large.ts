import { megabytesOf, type Network } from './databases.js';
import type { Effort } from './effort.js';
import { measureNotCached } from './not-cached.js';
import { currentPath, currentPaths } from './paths.js';
import { measureReceivers } from './receivers.js';
import { SETUPS_OF_SITE, siteIdOf } from './synthetic-logs.js';
import type { Row } from './table.js';

/** The most kilobytes of the database for a Site: its Setups, devices and changes, and its log as it came. */
const SIZE_TARGET = 40;

/** The lookups of the contract among many Sites, without a cache, and the size of that database. */
export async function measureLarge(network: Network, folder: string, effort: Effort): Promise<Row[]> {
  const { sites, database } = network;
  const lookups = { example: currentPath(siteIdOf(sites / 2)), paths: currentPaths(sites) };
  const megabytes = megabytesOf(database);
  const kilobytesOfSite = (megabytes * 1e3) / sites;
  return [
    ...(await measureNotCached(`lookup, ${sites} Sites`, network, lookups, folder, effort)),
    ...(await measureReceivers(network, folder, effort)),
    {
      name: `database of ${sites} Sites, ${sites * SETUPS_OF_SITE} Setups`,
      result: `${megabytes} MB`,
      raw: `${kilobytesOfSite.toFixed(1)} kB a Site`,
      target: { text: `at most ${SIZE_TARGET} kB a Site`, met: kilobytesOfSite <= SIZE_TARGET },
    },
  ];
}
