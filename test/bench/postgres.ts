import { MAIN } from '../campaigns/processes.js';
import { Cluster } from '../postgres/cluster.js';
import { underLoad } from './load.js';
import { receiverPaths } from './lookups.js';
import { importNetwork } from './networks.js';
import { buildOf } from './older-build.js';
import { NOT_CACHED, startService } from './processes.js';
import { interleave, median, rawOf, type Row, row } from './rows.js';

/** How many Sites there are. */
const SITES = 471;
/** The least cost of the older build, as a multiple of ours. */
const LEAST = 2;

/**
 * The receivers of a type over PostgreSQL, in processor time of the service for each request, not
 * cached.
 * @param against the revision of an older build to compare with; null for none
 */
export async function measurePostgres(
  folder: string,
  rounds: number,
  against: string | null,
): Promise<Row[]> {
  const cluster = await Cluster.create();
  try {
    const paths = receiverPaths();
    const costOf = async (main: string): Promise<() => Promise<number>> => {
      const database = cluster.url(await cluster.createDatabase());
      await importNetwork(folder, SITES, database, main, true);
      const start = () => startService(database, NOT_CACHED, main);
      return async () => (await underLoad(folder, start, paths)).processor;
    };
    const measures: Record<string, () => Promise<number>> = { ours: await costOf(MAIN) };
    if (against !== null) measures.older = await costOf(buildOf(against));
    const { ours, older } = await interleave(rounds, measures);
    const name = '20 receivers of a type over PostgreSQL, not cached';
    const time = { name, result: `${median(ours!).toFixed(0)} µs`, raw: '', target: null };
    if (older === undefined) return [time];
    const figure = median(older) / median(ours!);
    const raw = rawOf(older, ours!, 'µs');
    return [time, row(name, figure, '× the older build', 'at least', LEAST, raw)];
  } finally {
    await cluster.stop();
  }
}
