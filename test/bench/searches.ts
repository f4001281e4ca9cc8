import { createNetwork } from './networks.js';
import { NOT_CACHED, processorTimeOf, startService } from './processes.js';
import { median, type Row, row } from './rows.js';
import { SETUPS_OF_SITE, siteIdOf } from './synthetic-logs.js';

/** How many Sites the searches go through. */
const SITES = 20_000;
/** The target for a page of 20, in milliseconds. */
const TARGET = 50;
/** The target for a search that is slower for a reason, in milliseconds. */
const TARGET_WITH_REASON = 200;
/** How often each request is sent in a round. */
const TIMES = 3;

/** A query that names some Sites, spread over all. */
const sites = (count: number): string =>
  Array.from(
    { length: count },
    (_, index) => `site=${siteIdOf(Math.floor((index * SITES) / count))}`,
  ).join('&');
const AUSTRALIA = 'bbox=110,-45,155,-10';
const CANBERRA = 'near=-35.3,149.1';

const ALL_EQUIPPED = `/corsSites/search/findByEquipment?type=*&page=${SITES / 20 - 1}`;
const ALL_LOGS = '/siteLogs?q=e';

/** Why some searches are slower. */
const REASONS = new Map([
  [ALL_EQUIPPED, 'every installation matches, and every Site is sorted'],
  [ALL_LOGS, 'the size of its pages depends on the bytes of every log that is found'],
]);

/** The searches that must not take long, however many Sites there are. Some find all Sites. */
const SEARCHES = [
  `/corsSites?${AUSTRALIA}&countryCode=AUS&sort=name,desc`,
  `/corsSites?bbox=-180,-90,180,90&page=${SITES / 40}`,
  `/corsSites?${CANBERRA}`,
  `/corsSites?${CANBERRA}&radius=20000&sort=location.height,desc`,
  `/corsSites?countryCode=AUS&sort=name&page=${SITES / 40}`,
  '/corsSites?q=e&sort=name,desc',
  '/corsSites?q=leica%20gr50',
  `/corsSites?q=e&${CANBERRA}`,
  '/equipment?q=e&type=TRIMBLE%20NETR9&sort=serialNumber,desc',
  '/corsSites/search/findByEquipment?type=LEI*&equipmentType=gnss%20antenna&from=2012-01-01&to=2013-01-01',
  '/corsSites/search/findByEquipment?type=TRIMBLE%20NETRS',
  ALL_EQUIPPED,
  `/changes?${sites(30)}&from=2010-01-01&to=2020-01-01&mergeGaps=P1D`,
  `/changes?${sites(900)}&mergeGaps=PT0S`,
  `/changes?mergeGaps=P52W&page=${SITES / 10}`,
  '/changes?equipmentType=gnss%20antenna&mergeGaps=PT0S',
  '/changes?countryCode=AUS&kind=replaced',
  `/changes?${CANBERRA}&radius=300`,
  '/setups?sort=effectivePeriod.from,desc',
  `/setups?projection=gaps&page=${SITES / 4}`,
  `/setups?page=${(SITES * SETUPS_OF_SITE) / 20 - 1}`,
  ALL_LOGS,
  '/feed',
];

/**
 * Measures each search alone, without the cache: its processor time, because it depends less on
 * what else the machine does.
 */
export async function measureSearches(folder: string, rounds: number): Promise<Row[]> {
  const { database } = await createNetwork(folder, SITES);
  const server = await startService(database, NOT_CACHED);
  const costs = SEARCHES.map((): { processor: number; elapsed: number }[] => []);
  // The first round warms up.
  for (let round = -1; round < rounds; round++) {
    for (const [index, path] of SEARCHES.entries()) {
      for (let time = 0; time < TIMES; time++) {
        const begin = performance.now();
        const used = processorTimeOf(server.pid);
        await server.ask(path);
        const elapsed = performance.now() - begin;
        const usedAfter = processorTimeOf(server.pid);
        if (round >= 0) costs[index]!.push({ elapsed, processor: usedAfter - used });
      }
    }
  }
  await server.stop();
  return SEARCHES.map((path, index) => {
    const times = costs[index]!.map(({ processor }) => processor);
    const elapsed = median(costs[index]!.map((each) => each.elapsed));
    const reason = REASONS.get(path);
    const raw = [
      `worst ${Math.max(...times).toFixed(0)} ms, elapsed ${elapsed.toFixed(0)} ms`,
      ...(reason === undefined ? [] : [reason]),
    ].join('; ');
    const target = reason === undefined ? TARGET : TARGET_WITH_REASON;
    return row(`${SITES} Sites: ${path.slice(0, 80)}`, median(times), 'ms', 'at most', target, raw);
  });
}
