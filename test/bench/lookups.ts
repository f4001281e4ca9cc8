import { randomOf } from '../campaigns/random.js';
import { compareCosts, type Load, prepareBare, processorOf, shapeOf, underLoad } from './load.js';
import { createNetwork, type Network } from './networks.js';
import { buildOf } from './older-build.js';
import { NOT_CACHED, plainFile, type Server, startMeasured, startService } from './processes.js';
import { median, rawOf, type Row, row } from './rows.js';
import {
  nineIdOf,
  NINES,
  RECEIVER_TYPES,
  SETUPS_OF_SITE,
  SHORT_SETUP,
  siteIdOf,
} from './synthetic-logs.js';

/** How many paths a load has: enough to hide any pattern. */
const PATHS = 20_000;
/** How many Sites the network of the real logs has. */
const REAL = 471;
/** How many Sites the small and the large database have. */
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
export const receiverPaths = (): string[] =>
  several(() => `/gnssReceivers?type=${encodeURIComponent(random.pick(RECEIVER_TYPES))}`);

/** A lookup that is measured, and how much cheaper or dearer it may be. */
interface Lookup {
  name: string;
  paths: string[];
  /** The least cost of the small program, as a part of ours, not cached. */
  ofSmall: number;
  /** The least cost of the older build, as a multiple of ours, not cached. */
  ofOlder: number;
}

/** How many answers of the small program are compared with the service's before measuring. */
const COMPARED = 200;

/** An answer without the port of its server. */
const portless = async ({ ask, port }: Server, path: string): Promise<string> =>
  shapeOf(await ask(path)).replaceAll(`:${port}/`, '/');

/** @throws {Error} if the small program answers with other bytes or header fields */
async function compareAnswers(small: Start, service: Start, paths: string[]): Promise<void> {
  const servers = [await small(), await service()] as const;
  for (const path of paths.slice(0, COMPARED)) {
    const [theirs, ours] = [await portless(servers[0], path), await portless(servers[1], path)];
    if (theirs !== ours)
      throw new Error(`${path}: the small program sends ${theirs}, the service ${ours}`);
  }
  for (const server of servers) await server.stop();
}

type Start = () => Promise<Server>;

/**
 * Compares the processor time of the service, cached and not, with that of a bare server and of the
 * small program, and of an older build if there is one.
 */
async function compare(
  folder: string,
  { database, sites }: Network,
  { name, paths, ofSmall, ofOlder }: Lookup,
  rounds: number,
  older: OlderService | null,
): Promise<Row[]> {
  const service = (): Promise<Server> => startService(database, NOT_CACHED);
  const small = (): Promise<Server> => startMeasured(plainFile('small-program'), database);
  await compareAnswers(small, service, paths);
  const starts: Record<string, Start> = {
    'node:http': await prepareBare(folder, database, paths),
    'small program': small,
    'not cached': service,
    cached: () => startService(database),
    ...(older !== null && {
      'older, not cached': () => older(NOT_CACHED),
      'older, cached': () => older([]),
    }),
  };
  const loads = Object.fromEntries(
    Object.entries(starts).map(([kind, start]): [string, Load] => [kind, { start, paths }]),
  );
  const costs = await underLoad(folder, rounds, loads);
  const times = Object.entries(costs).map(([kind, each]): Row => {
    const all = processorOf(each);
    const spread = `${Math.min(...all).toFixed(1)}–${Math.max(...all).toFixed(1)}`;
    const result = `${median(all).toFixed(1)} µs`;
    return { name: `${name}, ${sites} Sites, ${kind}`, result, target: null, raw: spread };
  });
  const ratio = (kind: string, unit: string, target: number): Row => {
    const [theirs, ours] = [processorOf(costs[kind]!), processorOf(costs['not cached']!)];
    const figure = median(theirs) / median(ours);
    return row(`${name}, not cached`, figure, unit, 'at least', target, rawOf(theirs, ours, 'µs'));
  };
  return [
    ...times,
    ratio('small program', 'of the small program', ofSmall),
    ...(older === null ? [] : [ratio('older, not cached', '× the older build', ofOlder)]),
  ];
}

/** Starts the service of an older build. */
type OlderService = (flags: string[]) => Promise<Server>;

/** Builds a revision, imports the Sites with it, and returns what starts it. */
async function olderService(
  folder: string,
  sites: number,
  revision: string,
): Promise<OlderService> {
  const main = buildOf(revision);
  const { database } = await createNetwork(folder, sites, main, true);
  return (flags) => startService(database, flags, main);
}

/**
 * The lookups of the contract: random ids and types, in processor time for each request.
 * @param against the revision of an older build; null for none
 */
export async function measureLookups(
  folder: string,
  rounds: number,
  against: string | null,
): Promise<Row[]> {
  const network = await createNetwork(folder, REAL, undefined, true);
  const older = against === null ? null : await olderService(folder, REAL, against);
  const lookups: Lookup[] = [
    { name: 'current Setup', paths: currentPaths(REAL), ofSmall: 0.85, ofOlder: 1.4 },
    { name: 'Setup at an instant', paths: atPaths(REAL), ofSmall: 0.8, ofOlder: 1.6 },
    { name: '20 receivers of a type', paths: receiverPaths(), ofSmall: 0.75, ofOlder: 4 },
  ];
  const rows: Row[] = [];
  for (const lookup of lookups)
    rows.push(...(await compare(folder, network, lookup, rounds, older)));
  for (const lookup of await otherLookups(network, lookups))
    rows.push(...(await compareOther(folder, network, lookup, rounds, older)));
  return rows;
}

/** A further lookup, measured without the cache. */
interface OtherLookup {
  name: string;
  paths: string[];
  status: number;
  /** A lookup that finds something at once, and the most cost as a multiple of its cost. */
  plain?: { paths: string[]; most: number };
  /** The least cost of the older build, as a multiple of ours. */
  ofOlder?: number;
}

/** Lookups that find nothing, or more than usual, and lookups by other ids. */
async function otherLookups(
  { database, sites }: Network,
  [current, at]: Lookup[],
): Promise<OtherLookup[]> {
  const server = await startService(database);
  const { body } = await server.ask('/gnssReceivers?size=1000');
  await server.stop();
  const receivers = body.toString().match(/\/gnssReceivers\/\d+(?=")/g)!;
  const found = `/${lookup}CurrentByFourCharacterId?id=`;
  const byId = { status: 200, ofOlder: 1.3 };
  return [
    {
      name: 'unknown Site',
      paths: several(() => `${found}Z${siteIdOf(random.below(sites)).slice(1)}`),
      status: 404,
      plain: { paths: current!.paths, most: 1.3 },
    },
    {
      name: 'before the first Setup',
      paths: several(
        () => `/${lookup}AtByFourCharacterId?id=${siteIdOf(random.below(sites))}&at=1990-01-01`,
      ),
      status: 404,
      plain: { paths: at!.paths, most: 1.3 },
    },
    {
      name: 'in a short Setup',
      paths: [`/${lookup}AtByFourCharacterId?id=${SHORT_SETUP.id}&at=${SHORT_SETUP.at}`],
      status: 200,
      plain: { paths: at!.paths, most: 1.5 },
    },
    {
      name: 'Setup by its id',
      paths: several(() => `/setups/${1 + random.below(sites * SETUPS_OF_SITE)}`),
      ...byId,
    },
    { name: 'receiver by its id', paths: several(() => random.pick(receivers)), ...byId },
    {
      name: 'current Setup by nine characters',
      paths: several(() => found + nineIdOf(random.below(NINES))),
      ...byId,
    },
    {
      name: 'Site',
      paths: several(
        () => `/corsSites/search/findByFourCharacterId?id=${siteIdOf(random.below(sites))}`,
      ),
      ...byId,
    },
  ];
}

/** Compares a lookup with a plain one, and with an older build if there is one. */
async function compareOther(
  folder: string,
  { database }: Network,
  { name, paths, status, plain, ofOlder }: OtherLookup,
  rounds: number,
  older: OlderService | null,
): Promise<Row[]> {
  const service = (): Promise<Server> => startService(database, NOT_CACHED);
  const loads: Record<string, Load> = { own: { start: service, paths, status } };
  if (plain !== undefined) loads.plain = { start: service, paths: plain.paths };
  if (older !== null) loads.older = { start: () => older(NOT_CACHED), paths, status };
  const costs = await underLoad(folder, rounds, loads);
  const times = (kind: string): number[] => processorOf(costs[kind]!);
  const compared = (
    unit: string,
    bound: 'at least' | 'at most',
    target: number,
    a: string,
    b: string,
  ) =>
    row(
      `${name}, not cached`,
      median(times(a)) / median(times(b)),
      unit,
      bound,
      target,
      rawOf(times(a), times(b), 'µs'),
    );
  const rows: Row[] = [];
  if (plain !== undefined)
    rows.push(compared('× a plain lookup', 'at most', plain.most, 'own', 'plain'));
  if (older !== null)
    rows.push(compared('× the older build', 'at least', ofOlder ?? 1, 'older', 'own'));
  return rows;
}

/** The current lookup with many Sites, compared with few. */
export async function measureLarge(folder: string, rounds: number): Promise<Row[]> {
  const few = await createNetwork(folder, FEW);
  const many = await createNetwork(folder, MANY);
  const lookups = ({ database, sites }: Network): Load => ({
    start: () => startService(database, NOT_CACHED),
    paths: currentPaths(sites),
  });
  const costs = await underLoad(folder, rounds, { few: lookups(few), many: lookups(many) });
  const { ratio, raw } = compareCosts(costs.many, costs.few);
  return [row(`current lookup, ${MANY} Sites`, ratio, `× ${FEW} Sites`, 'at most', FLAT, raw)];
}
