import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { href, PATHS } from '../../src/links.js';
import { countAt } from './ask.js';
import type { Network } from './databases.js';
import type { Effort } from './effort.js';
import { load, type Load } from './load.js';
import { setupsOfSitePath } from './paths.js';
import { runNode, SERVICE } from './processes.js';
import { compare, interleave } from './rounds.js';
import { NOT_CACHED, startService } from './servers.js';
import { HISTORY_ID, HISTORY_SETUPS, writeHistoryLog } from './synthetic-logs.js';
import type { Row } from './table.js';

/** The target for the page of the longest history, in milliseconds. */
const SITE_TARGET = 30;
/** The target for the page of a thousand sites, in milliseconds. */
const SITES_TARGET = 250;

/** The real log with the longest history, if the real logs are next to the project. */
function realLog(): { id: string; path: string } | null {
  const folder = join(import.meta.dirname, '..', '..', '..', '..', 'shared', 'site-logs', 'geodesyml');
  const name = existsSync(folder) ? readdirSync(folder).find((each) => /^wtzr/i.test(each)) : undefined;
  return name === undefined ? null : { id: 'WTZR', path: join(folder, name) };
}

/** Measures pages: that of a Site with the longest history, compared with its Setups as JSON, and that of all Sites. */
export async function measurePages(few: Network, folder: string, { rounds, pressure }: Effort): Promise<Row[]> {
  const [logs, database] = [join(folder, 'history'), join(folder, 'history.sqlite')];
  mkdirSync(logs);
  writeHistoryLog(logs);
  const real = realLog();
  if (real !== null) copyFileSync(real.path, join(logs, 'real.xml'));
  copyFileSync(few.database, database);
  await runNode(SERVICE, 'import', '--database', database, logs);

  const server = await startService(database, { flags: NOT_CACHED });
  const setups = await countAt(`${server.url}${setupsOfSitePath(HISTORY_ID)}`);
  if (setups !== HISTORY_SETUPS) throw new Error(`${HISTORY_ID} has ${setups} Setups; expected ${HISTORY_SETUPS}`);
  const costOf = (path: string): Promise<Load> => load(server, [path], { ...pressure, connections: 1 });
  const row = async (name: string, path: string, of: string, other: string, target: number): Promise<Row> => {
    const measured = await interleave(
      rounds,
      () => costOf(path),
      () => costOf(other),
    );
    const { ours, theirs, ratio, spread } = compare(measured, ({ requestsPerSecond }) => 1e3 / requestsPerSecond);
    return {
      name,
      result: `${ours.toFixed(1)} ms, ${ratio.toFixed(1)} × ${of}`,
      raw: `${ours.toFixed(1)} / ${theirs.toFixed(1)} ms (rounds ${spread})`,
      target: { text: `at most ${target} ms`, met: ours <= target },
    };
  };
  const rows: Row[] = [];
  for (const id of [HISTORY_ID, ...(real === null ? [] : [real.id])]) {
    rows.push(await row(`page of ${id}`, href('', PATHS.site, { site: id }), 'its Setups as JSON', setupsOfSitePath(id), SITE_TARGET));
  }
  const ofSites = `${HISTORY_SETUPS} Setups as JSON`;
  rows.push(await row(`page of ${few.sites} Sites`, PATHS.sites, ofSites, setupsOfSitePath(HISTORY_ID), SITES_TARGET));
  await server.stop();
  return rows;
}
