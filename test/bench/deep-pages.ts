import { costOf, costRow } from './costs.js';
import { FreshPaths } from './fresh-paths.js';
import { ask } from './lookup-request.js';
import { interleave } from './rounds.js';
import { startServiceOver } from './servers.js';
import type { Row } from './table.js';

const ROUNDS = 5;
/** Pages in a round. */
const PAGES = 5;
const CONNECTIONS = 1;

/** What a page at the end of all Setups costs against one at the beginning. */
export async function measureDeepPages(database: string, folder: string): Promise<Row[]> {
  const server = await startServiceOver(database);
  const { page } = JSON.parse((await ask(`${server.url}/setups`)).body) as { page: { totalPages: number; totalElements: number } };
  const paths = new FreshPaths();
  // A few pages from the beginning on, and a few to the end: each once, for one that is asked again comes from the cache.
  let [first, last] = [0, page.totalPages];
  const rounds = await interleave(
    ROUNDS,
    () => costOf(folder, server, paths.pages(PAGES, (last -= PAGES)), CONNECTIONS),
    () => costOf(folder, server, paths.pages(PAGES, (first += PAGES) - PAGES), CONNECTIONS),
  );
  await server.stop();
  return [costRow(`last page of ${page.totalElements} Setups`, 'first page', rounds)];
}
