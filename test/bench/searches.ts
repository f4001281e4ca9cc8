import { Agent } from 'node:http';
import { href, type QueryValues } from '../../src/links.js';
import { ask } from './load.js';
import { createNetwork } from './networks.js';
import { NOT_CACHED, processorTimeOf, startService } from './processes.js';
import { median, type Row, row } from './rows.js';
import { SETUPS_OF_SITE, siteIdOf } from './synthetic-logs.js';

/** How many Sites the searches go through. */
const SITES = 20_000;
/** The targets for a search and for a page, in milliseconds. */
const SEARCH_TARGET = 50;
const PAGE_TARGET = 100;
/** How often each request is sent in a round. */
const TIMES = 3;

const LARGEST = 1000;
const AUSTRALIA = { bbox: '110,-45,155,-10' };
const CANBERRA = { near: '-35.3,149.1' };

/** The ids of some Sites, spread over all. */
const someIds = (count: number): string[] => Array.from({ length: count }, (_, index) => siteIdOf(Math.floor((index * SITES) / count)));

/** The searches that must not take long, however many Sites there are. Some find all Sites, and some ask for the largest page. */
const SEARCHES: Record<string, QueryValues[]> = {
  '/corsSites': [
    AUSTRALIA,
    { ...AUSTRALIA, countryCode: 'AUS', sort: 'name,desc' },
    { bbox: '170,-90,-170,90', size: LARGEST },
    { bbox: '-180,-90,180,90', page: SITES / 40 },
    { ...CANBERRA, radius: 300 },
    CANBERRA,
    { ...CANBERRA, radius: 20_000, sort: 'location.height,desc' },
    { countryCode: 'AUS', sort: 'name', page: SITES / 40 },
    { q: 'e', sort: 'name,desc' },
    { q: 'leica gr50' },
    { q: 'e', ...CANBERRA },
  ],
  '/equipment': [
    { q: 'e', sort: 'serialNumber' },
    { q: '1', sort: 'type', size: LARGEST },
    { q: 'e', type: 'TRIMBLE NETR9', sort: 'serialNumber,desc' },
    { q: 'e', projection: 'installations', size: LARGEST },
  ],
  '/corsSites/search/findByEquipment': [
    { type: 'LEI*', equipmentType: 'gnss antenna', from: '2012-01-01', to: '2013-01-01' },
    { type: 'TRIMBLE NETRS' },
    { type: '*', page: SITES / 20 - 1 },
    { type: 'T*', size: LARGEST },
  ],
  '/changes': [
    { site: someIds(30), from: '2010-01-01', to: '2020-01-01', mergeGaps: 'P1D' },
    { site: someIds(900), mergeGaps: 'PT0S' },
    { mergeGaps: 'P52W', page: SITES / 10 },
    { equipmentType: 'gnss antenna', mergeGaps: 'PT0S' },
    { countryCode: 'AUS', kind: 'replaced' },
    { ...CANBERRA, radius: 300 },
    { size: LARGEST, page: 100 },
  ],
  '/setups': [
    { sort: 'effectivePeriod.from,desc' },
    { projection: 'site', size: LARGEST },
    { projection: 'gaps', page: SITES / 4 },
    { page: (SITES * SETUPS_OF_SITE) / 20 - 1 },
  ],
  '/siteLogs': [{ q: 'e' }],
  '/feed': [{}, { size: LARGEST }],
};

/** The pages for people. */
const PAGES: Record<string, QueryValues[]> = {
  '/sites': [{}, { page: SITES / LARGEST / 2 }, { sort: 'receiver,desc' }, { q: 'e' }, { q: 'xyzzy' }, AUSTRALIA],
  '/compare': [{ site: someIds(6) }],
  '/receivers': [{}, { type: 'TRIMBLE NETR9' }],
  '/antennas': [{}],
  '/network': [{}],
};

/** A request with its name: the path, and each parameter with its value, or with the number of its values. */
function requestOf(path: string, query: QueryValues, target: number) {
  const parameters = Object.entries(query).map(([name, value]) =>
    Array.isArray(value) ? `${value.length} ${name}s` : `${name}=${String(value)}`,
  );
  return { name: [path, ...parameters].join(' '), path: href('', path, { query }), target };
}

const requestsOf = (groups: Record<string, QueryValues[]>, target: number) =>
  Object.entries(groups).flatMap(([path, queries]) => queries.map((query) => requestOf(path, query, target)));

/** Measures each search and page alone, without the cache: processor time if it is known, because it depends less on what else the machine does. */
export async function measureSearches(folder: string, rounds: number): Promise<Row[]> {
  const { database } = await createNetwork(folder, SITES);
  const server = await startService(database, NOT_CACHED);
  const agent = new Agent({ keepAlive: true });
  const requests = [...requestsOf(SEARCHES, SEARCH_TARGET), ...requestsOf(PAGES, PAGE_TARGET)];
  const costs = requests.map((): { processor: number; elapsed: number }[] => []);
  // The first round warms up.
  for (let round = -1; round < rounds; round++) {
    for (const [index, { path }] of requests.entries()) {
      for (let time = 0; time < TIMES; time++) {
        const [begin, used] = [performance.now(), processorTimeOf(server.pid)];
        await ask(`${server.url}${path}`, agent);
        const [elapsed, usedAfter] = [performance.now() - begin, processorTimeOf(server.pid)];
        if (round >= 0) costs[index]!.push({ elapsed, processor: used === null || usedAfter === null ? elapsed : usedAfter - used });
      }
    }
  }
  agent.destroy();
  await server.stop();
  return requests.map(({ name, target }, index) => {
    const times = costs[index]!.map(({ processor }) => processor);
    const elapsed = median(costs[index]!.map((each) => each.elapsed));
    const raw = `worst ${Math.max(...times).toFixed(0)} ms, elapsed ${elapsed.toFixed(0)} ms`;
    return row(`${SITES} Sites: ${name}`, median(times), 'ms', 'at most', target, raw);
  });
}
