import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask } from './load.js';
import { runTool, startService } from './processes.js';
import { SETUPS_OF_SITE, writeTextLogs } from './synthetic-logs.js';

/** A database of synthetic Sites. */
export interface Network {
  sites: number;
  database: string;
}

/** The folder in which large databases stay for later runs. */
const KEPT = join(tmpdir(), 'gnss-site-setups-bench');
/** From how many Sites on a database is kept. */
const LARGE = 5000;

const read = async <T>(url: string): Promise<T> => JSON.parse((await ask(url)).body) as T;

/** How many migrations a database has had, and how many Setups it has. */
async function stateOf(database: string): Promise<{ migration: number; setups: number }> {
  const server = await startService(database);
  const { migration } = await read<{ migration: number }>(`${server.url}/ready`);
  const { page } = await read<{ page: { totalElements: number } }>(`${server.url}/setups?size=1`);
  await server.stop();
  return { migration, setups: page.totalElements };
}

/** Creates a database with the import command, about 4 ms for each Site. A large one stays in the folder for temporary files. */
export async function createNetwork(folder: string, sites: number): Promise<Network> {
  const kept = join(KEPT, `sites-${sites}.sqlite`);
  const database = join(mkdtempSync(join(folder, 'network-')), 'network.sqlite');
  if (sites >= LARGE && existsSync(kept)) {
    const { migration } = await stateOf((await createNetwork(folder, 1)).database);
    if ((await stateOf(kept)).migration === migration) return { sites, database: kept };
  }
  process.stdout.write(`importing ${sites} Sites …\n`);
  const logs = mkdtempSync(join(folder, 'logs-'));
  writeTextLogs(logs, sites);
  await runTool('import', '--database', database, logs);
  rmSync(logs, { recursive: true });
  const { setups } = await stateOf(database);
  if (setups !== sites * SETUPS_OF_SITE) throw new Error(`${database}: ${setups} Setups; expected ${sites * SETUPS_OF_SITE}`);
  if (sites < LARGE) return { sites, database };
  mkdirSync(KEPT, { recursive: true });
  // Both are in the folder for temporary files.
  renameSync(database, kept);
  return { sites, database: kept };
}
