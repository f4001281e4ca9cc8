import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SETUPS } from '../../schemas/index.js';
import { href, PATHS, searchPathOf } from '../../src/links.js';
import { costOf } from './costs.js';
import { ask } from './lookup-request.js';
import type { Import } from './import-worker.js';
import type { Cost } from './path-load.js';
import { runToEnd } from './processes.js';
import { compare, interleave } from './rounds.js';
import { startServiceOver } from './servers.js';
import { HISTORY_ID, HISTORY_SETUPS, SITE_IDS, writeHistoryLog } from './synthetic-logs.js';
import type { Row } from './table.js';

const ROUNDS = 9;
/** Of each in a round. */
const REQUESTS = 20;
const WARM_UP = 60;
/** The most that the page of the longest history may cost, in milliseconds. */
const SITE_TARGET = 30;
/** The most that the page of a thousand sites may cost, in milliseconds: well under a second. */
const SITES_TARGET = 250;

/** The real log of the longest history, where the real logs lie beside the project. */
function realLog(): { id: string; path: string } | null {
  const folder = join(import.meta.dirname, '..', '..', '..', '..', 'shared', 'site-logs', 'geodesyml');
  const name = existsSync(folder) ? readdirSync(folder).find((each) => /^wtzr/i.test(each)) : undefined;
  return name === undefined ? null : { id: 'WTZR', path: join(folder, name) };
}

/** What pages cost: of a Site with the longest history, against its Setups as JSON, and of all Sites. */
export async function measurePages(filled: string, folder: string): Promise<Row[]> {
  const [logs, database] = [join(folder, 'history'), join(folder, 'history.sqlite')];
  mkdirSync(logs);
  writeHistoryLog(logs);
  const real = realLog();
  if (real !== null) copyFileSync(real.path, join(logs, 'real.xml'));
  copyFileSync(filled, database);
  const { summary } = await runToEnd<Import>('import-worker', logs, database);
  if (summary.saved !== (real === null ? 1 : 2)) throw new Error(`${summary.saved} logs with a long history were saved`);

  const server = await startServiceOver(database);
  let day = 0;
  // Pages are made anew at each request; the answers in JSON are kept by URL, so that each must be another one.
  const page = (path: string, count = REQUESTS): Promise<Cost> => costOf(folder, server, Array<string>(count).fill(path), 1);
  const setups = (id: string): Promise<Cost> => {
    const paths = Array.from({ length: REQUESTS }, () => {
      const effectiveFrom = new Date(Date.UTC(1900, 0, ++day)).toISOString().slice(0, 10);
      return href('', searchPathOf(SETUPS, 'findByFourCharacterId'), { query: { id, effectiveFrom, size: 1000 } });
    });
    return costOf(folder, server, paths, 1);
  };
  const { page: all } = JSON.parse(
    (await ask(`${server.url}${href('', searchPathOf(SETUPS, 'findByFourCharacterId'), { query: { id: HISTORY_ID } })}`)).body,
  ) as {
    page: { totalElements: number };
  };
  if (all.totalElements !== HISTORY_SETUPS) throw new Error(`${HISTORY_ID} has ${all.totalElements} Setups; expected ${HISTORY_SETUPS}`);
  const ofSite = (id: string): string => href('', PATHS.site, { site: id });
  const rows: Row[] = [];
  const add = (name: string, of: string, target: number, ours: Cost[], theirs: Cost[]): void => {
    const { ours: time, theirs: other, ratio, spread } = compare({ ours, theirs }, (cost) => cost.time / 1e3);
    rows.push({
      name,
      result: `${time.toFixed(1)} ms, ${ratio.toFixed(1)} × ${of}`,
      raw: `${time.toFixed(1)} / ${other.toFixed(1)} ms (rounds ${spread})`,
      target: { text: `at most ${target} ms`, met: time <= target },
    });
  };
  for (const id of [HISTORY_ID, ...(real === null ? [] : [real.id])]) {
    await page(ofSite(id), WARM_UP);
    const { ours, theirs } = await interleave(
      ROUNDS,
      () => page(ofSite(id)),
      () => setups(id),
    );
    add(`page of ${id}, ${HISTORY_SETUPS} Setups`, 'these Setups as JSON', SITE_TARGET, ours, theirs);
  }
  await page(PATHS.sites, WARM_UP);
  const { ours, theirs } = await interleave(
    ROUNDS,
    () => page(PATHS.sites),
    () => setups(HISTORY_ID),
  );
  add(`page of ${SITE_IDS.length} Sites`, `${HISTORY_SETUPS} Setups as JSON`, SITES_TARGET, ours, theirs);
  await server.stop();
  return rows;
}
