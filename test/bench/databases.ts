import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, countAt } from './ask.js';
import { setupsPath } from './paths.js';
import { runNode, SERVICE } from './processes.js';
import { startService } from './servers.js';
import { SETUPS_OF_SITE, writeTextLogs } from './synthetic-logs.js';

/** A database of synthetic Sites. */
export interface Network {
  sites: number;
  database: string;
}

/** Sites of the database that is made at every run. */
export const FEW_SITES = 1000;

/** Large databases stay here, for the next run. */
const KEPT = join(tmpdir(), 'gnss-site-setups-bench');

/** Makes a database by the command line, as an operator does. @param service the main file, of another version */
export async function importNetwork(folder: string, name: string, sites: number, service = SERVICE): Promise<Network> {
  const database = join(folder, `${name}.sqlite`);
  const logs = mkdtempSync(join(folder, 'logs-'));
  writeTextLogs(logs, sites);
  const { milliseconds } = await runNode(service, 'import', '--database', database, logs);
  rmSync(logs, { recursive: true });

  const server = await startService(database, { service });
  const setups = await countAt(`${server.url}${setupsPath()}`);
  await server.stop();
  if (setups !== sites * SETUPS_OF_SITE) throw new Error(`${database}: ${setups} Setups; expected ${sites * SETUPS_OF_SITE}`);
  process.stdout.write(
    `database: ${sites} synthetic Sites, ${setups} Setups, ${megabytesOf(database)} MB, imported in ${(milliseconds / 1e3).toFixed(1)} s\n`,
  );
  return { sites, database };
}

/** The size of a file, in megabytes. */
export const megabytesOf = (file: string): number => Math.round(statSync(file).size / 1e6);

/** The number of migrations that a database has had. */
async function migrationOf(database: string): Promise<number> {
  const server = await startService(database);
  const { migration } = JSON.parse((await ask(`${server.url}/ready`)).body) as { migration: number };
  await server.stop();
  return migration;
}

/** A database of many Sites, from an earlier run where that had the schema of `few`; otherwise made now, which takes long. */
export async function keptNetwork(few: Network, sites: number): Promise<Network> {
  const name = `migration-${await migrationOf(few.database)}-sites-${sites}`;
  const database = join(KEPT, `${name}.sqlite`);
  if (existsSync(database)) {
    process.stdout.write(`database: ${sites} synthetic Sites of an earlier run (${database}; delete it to have it made anew)\n`);
    return { sites, database };
  }
  process.stdout.write(`making a database of ${sites} Sites, some 4 ms for each; it stays at ${database} for later runs …\n`);
  mkdirSync(KEPT, { recursive: true });
  // Its name says that it is complete: it gets it last.
  const making = mkdtempSync(join(KEPT, 'making-'));
  process.once('exit', () => rmSync(making, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }));
  renameSync((await importNetwork(making, name, sites)).database, database);
  return { sites, database };
}
