import { costOf, costRow } from './costs.js';
import { FreshPaths } from './fresh-paths.js';
import { ask } from './lookup-request.js';
import type { Cost } from './path-load.js';
import type { Server } from './processes.js';
import { interleave, rotate } from './rounds.js';
import { startServiceOver } from './servers.js';
import type { Row } from './table.js';

const ROUNDS = 11;
/** Lookups of a kind in a round. */
const REQUESTS = 3000;
/** Enough for the server's code to be compiled. */
const WARM_UP = 4000;
const CONNECTIONS = 32;
/** Searches of changes in a round. */
const CHANGES = 200;
const CHANGE_ROUNDS = 5;

/** The most times that a lookup at an instant may cost a current one. */
const AT_TARGET = 1.2;
/** The most times that a lookup may cost among 100 times the Sites. */
const FLAT_TARGET = 1.3;
/** The most times that a search for the changes of a year may cost a lookup at an instant. */
const CHANGES_TARGET = 50;

/** From the day when all Sites have a Setup until the last log. */
const ALL_TIME = ['2004-10-01', '2024-01-31'] as const;
/** The Setup in effect is the current one, of all Sites. */
const CURRENT = ['2022-10-01', '2024-01-31'] as const;
/** The year from each instant in between on has a change at each Site. */
const YEAR_OF_CHANGES = ['2011-10-01', '2011-12-31'] as const;

/** Databases that differ in how many Sites they have. */
export interface Sizes {
  small: { sites: number; database: string };
  middle: { sites: number; database: string };
  large: { sites: number; database: string };
}

/** What it costs to ask about the past: against asking about now, and among more Sites. */
export async function measureTime({ small, middle, large }: Sizes, folder: string): Promise<Row[]> {
  const paths = new FreshPaths();
  const load = (server: Server, of: string[]) => costOf(folder, server, of, CONNECTIONS);
  const rows: Row[] = [];

  const [few, many] = [await startServiceOver(small.database), await startServiceOver(large.database)];
  const current = (server: Server, sites: number, count = REQUESTS) => load(server, paths.current(sites, count));
  const at = (server: Server, sites: number, count = REQUESTS) => load(server, paths.at(sites, count, ...ALL_TIME));
  for (const [server, { sites }] of [[few, small] as const, [many, large] as const]) {
    await current(server, sites, WARM_UP);
    await at(server, sites, WARM_UP);
  }
  const costs = await rotate<string, Cost>(ROUNDS, {
    currentFew: () => current(few, small.sites),
    atFew: () => at(few, small.sites),
    currentMany: () => current(many, large.sites),
    atMany: () => at(many, large.sites),
    // The bodies of earlier Setups are shorter: this one compares lookups with the same answers.
    atCurrentMany: () => load(many, paths.at(large.sites, REQUESTS, ...CURRENT)),
  });
  await few.stop();
  await many.stop();
  const compared = (ours: string, theirs: string) => ({ ours: costs[ours]!, theirs: costs[theirs]! });
  rows.push(
    costRow(`lookup at an instant, ${large.sites} Sites`, 'current', compared('atMany', 'currentMany'), AT_TARGET),
    costRow(`the same, where that is the current Setup`, 'current', compared('atCurrentMany', 'currentMany'), AT_TARGET),
    costRow(`lookup at an instant, ${small.sites} Sites`, 'current', compared('atFew', 'currentFew'), AT_TARGET),
    costRow(`current lookup, ${large.sites} Sites`, `${small.sites} Sites`, compared('currentMany', 'currentFew'), FLAT_TARGET),
    costRow(`lookup at an instant, ${large.sites} Sites`, `${small.sites} Sites`, compared('atMany', 'atFew'), FLAT_TARGET),
  );

  const some = await startServiceOver(middle.database);
  const [example] = paths.changes(1, ...YEAR_OF_CHANGES);
  const { page } = JSON.parse((await ask(`${some.url}${example}`)).body) as { page: { totalElements: number } };
  if (page.totalElements !== middle.sites) throw new Error(`${example}: ${page.totalElements} changes; expected ${middle.sites}`);
  const changes = () => load(some, paths.changes(CHANGES, ...YEAR_OF_CHANGES));
  await at(some, middle.sites, WARM_UP);
  await changes();
  const rounds = await interleave(CHANGE_ROUNDS, changes, () => at(some, middle.sites));
  await some.stop();
  rows.push(costRow(`changes of a year, ${middle.sites} Sites`, 'lookup at an instant', rounds, CHANGES_TARGET));
  return rows;
}
