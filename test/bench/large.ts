import { megabytesOf, type Network } from './databases.js';
import type { Effort } from './effort.js';
import { costRow } from './load-rows.js';
import { LOOKUP_SPEED_TARGET, measureNotCached } from './not-cached.js';
import { currentPaths } from './paths.js';
import { measureReceivers } from './receivers.js';
import { interleave } from './rounds.js';
import { NOT_CACHED, startService, underLoad } from './servers.js';
import { SETUPS_OF_SITE } from './synthetic-logs.js';
import type { Row } from './table.js';

/** The target for the size of the database per Site, in kilobytes: Setups, devices, changes and the original log. */
const SIZE_TARGET = 15;
/** The target: the cost of a lookup as a multiple of that with few Sites. */
const FLAT_TARGET = 1.2;

/** Measures the two lookups of the contract with many Sites and without the cache, and the size of the database. */
export async function measureLarge(network: Network, few: Network, folder: string, effort: Effort): Promise<Row[]> {
  const { sites, database } = network;
  const lookupsIn = (each: Network) => () =>
    underLoad(() => startService(each.database, { flags: NOT_CACHED }), currentPaths(each.sites), effort.pressure);
  const megabytes = megabytesOf(database);
  const kilobytesOfSite = (megabytes * 1e3) / sites;
  return [
    ...(await measureNotCached(`lookup, ${sites} Sites`, network, currentPaths(sites), LOOKUP_SPEED_TARGET, folder, effort)),
    costRow(
      `lookup, ${sites} Sites, not cached`,
      `${few.sites} Sites`,
      await interleave(effort.rounds, lookupsIn(network), lookupsIn(few)),
      FLAT_TARGET,
    ),
    ...(await measureReceivers(network, folder, effort)),
    {
      name: `database of ${sites} Sites, ${sites * SETUPS_OF_SITE} Setups`,
      result: `${megabytes} MB`,
      raw: `${kilobytesOfSite.toFixed(1)} kB per Site`,
      target: { text: `at most ${SIZE_TARGET} kB per Site`, met: kilobytesOfSite <= SIZE_TARGET },
    },
  ];
}
