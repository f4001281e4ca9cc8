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

/** The number of Sites in the database that every run creates. */
export const FEW_SITES = 1000;

/** The folder in which large databases stay for later runs. */
const KEPT = join(tmpdir(), 'gnss-site-setups-bench');

/** Creates a database with the import command. @param service the main file of another version */
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

/** How many migrations a database has had. */
async function migrationOf(database: string): Promise<number> {
  const server = await startService(database);
  const { migration } = JSON.parse((await ask(`${server.url}/ready`)).body) as { migration: number };
  await server.stop();
  return migration;
}

/** A database of many Sites: that of an earlier run if it has the same migrations as `few`, or a new one, which takes long. */
export async function keptNetwork(few: Network, sites: number): Promise<Network> {
  const name = `migration-${await migrationOf(few.database)}-sites-${sites}`;
  const database = join(KEPT, `${name}.sqlite`);
  if (existsSync(database)) {
    process.stdout.write(`database: ${sites} synthetic Sites from an earlier run (${database}; delete it to create a new one)\n`);
    return { sites, database };
  }
  process.stdout.write(`creating a database of ${sites} Sites, about 4 ms each; it stays at ${database} for later runs …\n`);
  mkdirSync(KEPT, { recursive: true });
  // Rename the file last, because its name means that it is complete.
  const making = mkdtempSync(join(KEPT, 'making-'));
  process.once('exit', () => rmSync(making, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }));
  renameSync((await importNetwork(making, name, sites)).database, database);
  return { sites, database };
}
