import { MAIN } from '../campaigns/processes.js';
import { Cluster } from '../postgres/cluster.js';
import { type Load, processorOf, underLoad } from './load.js';
import { receiverPaths } from './lookups.js';
import { importNetwork } from './networks.js';
import { buildOf } from './older-build.js';
import { NOT_CACHED, startService } from './processes.js';
import { median, rawOf, type Row, row } from './rows.js';

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
    const loadOf = async (main: string): Promise<Load> => {
      const database = cluster.url(await cluster.createDatabase());
      await importNetwork(folder, SITES, database, main, true);
      return { start: () => startService(database, NOT_CACHED, main), paths };
    };
    const loads: Record<string, Load> = { ours: await loadOf(MAIN) };
    if (against !== null) loads.older = await loadOf(buildOf(against));
    const costs = await underLoad(folder, rounds, loads);
    const ours = processorOf(costs.ours!);
    const older = costs.older && processorOf(costs.older);
    const name = '20 receivers of a type over PostgreSQL, not cached';
    const time = { name, result: `${median(ours).toFixed(0)} µs`, raw: '', target: null };
    if (older === undefined) return [time];
    const figure = median(older) / median(ours);
    const raw = rawOf(older, ours, 'µs');
    return [time, row(name, figure, '× the older build', 'at least', LEAST, raw)];
  } finally {
    await cluster.stop();
  }
}
