import { randomOf } from '../campaigns/random.js';
import { compareCosts, type Cost, prepareBare, underLoad } from './load.js';
import { createNetwork, type Network } from './networks.js';
import { NOT_CACHED, startService } from './processes.js';
import { interleave, type Row, row } from './rows.js';
import { RECEIVER_TYPES, siteIdOf } from './synthetic-logs.js';

/** How many paths a load has: enough to hide any pattern. */
const PATHS = 20_000;
/**
 * How many Sites the small and the large database have; the first is as large as the network of the
 * real logs.
 */
const REAL = 471;
const FEW = 1000;
const MANY = 100_000;
/** How much slower a lookup may be with the most Sites. */
const FLAT = 1.2;

const random = randomOf(1, 'lookups', 0);
const several = (path: () => string): string[] => Array.from({ length: PATHS }, path);
const lookup = 'setups/search/find';

/** The paths of the current Setups of random Sites. */
const currentPaths = (sites: number): string[] =>
  several(() => `/${lookup}CurrentByFourCharacterId?id=${siteIdOf(random.below(sites))}`);

/** The same at random days on which all Sites have a Setup. */
const atPaths = (sites: number): string[] =>
  several(() => {
    const day = new Date(Date.UTC(2005, 0, 1 + random.below(6900))).toISOString().slice(0, 10);
    return `/${lookup}AtByFourCharacterId?id=${siteIdOf(random.below(sites))}&at=${day}`;
  });

/** The paths of the first pages of the receivers of a type. */
const receiverPaths = (): string[] =>
  several(() => `/gnssReceivers?type=${encodeURIComponent(random.pick(RECEIVER_TYPES))}`);

/**
 * Compares the service, cached and not, with a bare server that sends the same. What has no target
 * is not measured.
 */
async function compare(
  folder: string,
  { database, sites }: Network,
  name: string,
  paths: string[],
  rounds: number,
  targets: { cached?: number; notCached?: number },
): Promise<Row[]> {
  const startBare = await prepareBare(folder, database, paths);
  const flags = { cached: [], notCached: NOT_CACHED };
  const kinds = Object.keys(targets) as (keyof typeof flags)[];
  const measures = kinds.map(
    (kind) =>
      [kind, () => underLoad(folder, () => startService(database, flags[kind]), paths)] as const,
  );
  const costs = await interleave(rounds, {
    bare: () => underLoad(folder, startBare, paths),
    ...Object.fromEntries(measures),
  });
  return kinds.map((kind) => {
    const { ratio, raw } = compareCosts((costs as Record<string, Cost[]>)[kind]!, costs.bare);
    const title = `${name}, ${sites} Sites, ${kind === 'cached' ? 'cached' : 'not cached'}`;
    return row(title, 1 / ratio, 'of node:http', 'at least', targets[kind]!, raw);
  });
}

/** The lookups of the contract: random ids and types. */
export async function measureLookups(folder: string, rounds: number): Promise<Row[]> {
  const real = await createNetwork(folder, REAL);
  const few = await createNetwork(folder, FEW);
  return [
    ...(await compare(folder, real, 'current lookup', currentPaths(REAL), rounds, {
      cached: 0.75,
    })),
    ...(await compare(folder, few, 'current lookup', currentPaths(FEW), rounds, {
      notCached: 0.45,
    })),
    ...(await compare(folder, few, 'lookup at an instant', atPaths(FEW), rounds, {
      notCached: 0.4,
    })),
    ...(await compare(folder, few, '20 receivers of a type', receiverPaths(), rounds, {
      cached: 0.75,
      notCached: 0.25,
    })),
  ];
}

/** The current lookup with many Sites, compared with few. */
export async function measureLarge(folder: string, rounds: number): Promise<Row[]> {
  const few = await createNetwork(folder, FEW);
  const many = await createNetwork(folder, MANY);
  const lookups = (network: Network) => () =>
    underLoad(
      folder,
      () => startService(network.database, NOT_CACHED),
      currentPaths(network.sites),
    );
  const costs = await interleave(rounds, { few: lookups(few), many: lookups(many) });
  const { ratio, raw } = compareCosts(costs.many, costs.few);
  return [
    ...(await compare(folder, many, 'current lookup', currentPaths(MANY), rounds, {
      notCached: 0.45,
    })),
    row(`current lookup, ${MANY} Sites`, ratio, `× ${FEW} Sites`, 'at most', FLAT, raw),
  ];
}
