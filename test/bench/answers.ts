import { createNetwork } from './networks.js';
import { buildOf } from './older-build.js';
import { NOT_CACHED, processorTimeOf, startService } from './processes.js';
import { besideOlder, interleave, median, type Row } from './rows.js';
import { siteIdOf } from './synthetic-logs.js';

/** How many Sites there are. */
const SITES = 471;
/** How often each path is requested before it is measured: compiling takes a while. */
const WARM_UP = 60;
/** How often it is requested then, at least, and for how many milliseconds of the processor. */
const TIMES = 40;
const ENOUGH = 300;
/** The most time as a multiple of the older build. */
const MOST = 1.1;

/** Pages, exports and other large answers. */
const PATHS = [
  '/sites',
  '/sites?q=leica',
  `/sites/${siteIdOf(7)}`,
  `/sites/${siteIdOf(7)}/log`,
  `/sites/${siteIdOf(7)}/findings`,
  '/receivers',
  '/antennas',
  '/network',
  '/changes?size=200',
  '/setups?size=200',
  '/siteLogs?size=200',
  '/exports/sites.csv',
  '/exports/setups.ndjson',
  '/exports/installations.csv',
  '/exports/sites.snx',
  '/exports/sites.station-info',
  '/exports/sites.sta',
  '/ogc/collections/sites/items?limit=1000',
  '/openapi.json',
];

/** The processor time of each path, in milliseconds, in a new process. */
async function timesOf(database: string, main?: string): Promise<number[]> {
  const server = await startService(database, NOT_CACHED, main);
  const times: number[] = [];
  for (const path of PATHS) {
    for (let count = 0; count < WARM_UP; count++) await server.ask(path);
    const before = processorTimeOf(server.pid);
    let count = 0;
    let time = 0;
    while (count < TIMES || time < ENOUGH) {
      await server.ask(path);
      count++;
      time = processorTimeOf(server.pid) - before;
    }
    times.push(time / count);
  }
  await server.stop();
  return times;
}

/**
 * The processor time of pages, exports and other large answers, not cached, beside an older build.
 * @param against its revision; null for none, and no comparison
 */
export async function measureAnswers(
  folder: string,
  rounds: number,
  against: string | null,
): Promise<Row[]> {
  const { database } = await createNetwork(folder, SITES);
  const measures: Record<string, () => Promise<number[]>> = { ours: () => timesOf(database) };
  if (against !== null) {
    const main = buildOf(against);
    const older = await createNetwork(folder, SITES, main);
    measures.older = () => timesOf(older.database, main);
  }
  const { ours, older } = await interleave(rounds, measures);
  return PATHS.flatMap((path, index) => {
    const own = ours!.map((times) => times[index]!);
    const other = older?.map((times) => times[index]!);
    const time = { name: path, result: `${median(own).toFixed(1)} ms`, raw: '', target: null };
    return [time, ...besideOlder(path, own, other, MOST, 1)];
  });
}
