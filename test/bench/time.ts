import { countAt } from './ask.js';
import type { Network } from './databases.js';
import type { Effort } from './effort.js';
import { load, type Load } from './load.js';
import { costRow } from './load-rows.js';
import { atPaths, changesPaths, currentPaths } from './paths.js';
import type { Server } from './processes.js';
import { interleave, rotate } from './rounds.js';
import { NOT_CACHED, startService } from './servers.js';
import type { Row } from './table.js';

/** The target for a lookup at an instant, as a multiple of a current one. */
const AT_TARGET = 1.2;
/** The target for a lookup with 100 times as many Sites, as a multiple. */
const FLAT_TARGET = 1.3;
/** The target for the changes of a year, as a multiple of a lookup at an instant. */
const CHANGES_TARGET = 50;

/** The days between which all Sites have a Setup. */
const ALL_TIME = ['2004-10-01', '2024-01-31'] as const;
/** The days between which the current Setups of all Sites are in effect. */
const CURRENT = ['2022-10-01', '2024-01-31'] as const;
/** The days between which each following year has a change at every Site. */
const YEAR_OF_CHANGES = ['2011-10-01', '2011-12-31'] as const;

/** Databases with different numbers of Sites. */
export interface Sizes {
  few: Network;
  more: Network;
  most: Network;
}

const startNotCached = ({ database }: Network): Promise<Server> => startService(database, { flags: NOT_CACHED });

/** Compares lookups in the past with current ones, and with more Sites. */
export async function measureTime({ few, more, most }: Sizes, { rounds, pressure }: Effort): Promise<Row[]> {
  const [small, large] = [await startNotCached(few), await startNotCached(most)];
  const costs = await rotate<string, Load>(rounds, {
    currentFew: () => load(small, currentPaths(few.sites), pressure),
    atFew: () => load(small, atPaths(few.sites, ...ALL_TIME), pressure),
    currentMost: () => load(large, currentPaths(most.sites), pressure),
    atMost: () => load(large, atPaths(most.sites, ...ALL_TIME), pressure),
    // The bodies of earlier Setups are shorter. This comparison has the same answers on both sides.
    atCurrentMost: () => load(large, atPaths(most.sites, ...CURRENT), pressure),
  });
  await small.stop();
  await large.stop();

  const middle = await startNotCached(more);
  const paths = changesPaths(...YEAR_OF_CHANGES);
  const found = await countAt(`${middle.url}${paths[0]}`);
  if (found !== more.sites) throw new Error(`${paths[0]}: ${found} changes; expected ${more.sites}`);
  const changes = await interleave(
    rounds,
    () => load(middle, paths, pressure),
    () => load(middle, atPaths(more.sites, ...ALL_TIME), pressure),
  );
  await middle.stop();

  const compared = (ours: string, theirs: string) => ({ ours: costs[ours]!, theirs: costs[theirs]! });
  return [
    costRow(`lookup at an instant, ${most.sites} Sites`, 'current', compared('atMost', 'currentMost'), AT_TARGET),
    costRow('the same, where that is the current Setup', 'current', compared('atCurrentMost', 'currentMost'), AT_TARGET),
    costRow(`lookup at an instant, ${few.sites} Sites`, 'current', compared('atFew', 'currentFew'), AT_TARGET),
    costRow(`current lookup, ${most.sites} Sites`, `${few.sites} Sites`, compared('currentMost', 'currentFew'), FLAT_TARGET),
    costRow(`lookup at an instant, ${most.sites} Sites`, `${few.sites} Sites`, compared('atMost', 'atFew'), FLAT_TARGET),
    costRow(`changes of a year, ${more.sites} Sites`, 'lookup at an instant', changes, CHANGES_TARGET),
  ];
}
