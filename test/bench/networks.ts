import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAIN } from '../campaigns/processes.js';
import { timeOf } from './processes.js';
import { writeOtherLogs, writeTextLogs } from './synthetic-logs.js';

/** A database of synthetic Sites. */
export interface Network {
  sites: number;
  database: string;
}

/** The folder in which large databases and older builds stay for later runs. */
export const KEPT = join(tmpdir(), 'gnss-site-setups-bench');
/** From how many Sites on a database is kept. */
const LARGE = 5000;

/** Imports synthetic Sites. The parameters are those of {@link createNetwork}. */
export async function importNetwork(
  folder: string,
  sites: number,
  database: string,
  main: string,
  withOthers: boolean,
): Promise<void> {
  process.stdout.write(`importing ${sites} Sites …\n`);
  const logs = mkdtempSync(join(folder, 'logs-'));
  writeTextLogs(logs, sites);
  if (withOthers) writeOtherLogs(logs);
  await timeOf(main, 'import', '--database', database, logs);
  rmSync(logs, { recursive: true });
}

/**
 * Creates a database with the import command, about 4 ms for each Site. A large one stays in the
 * folder for temporary files.
 * @param main the main file of the build that imports
 * @param withOthers adds Sites of other kinds
 */
export async function createNetwork(
  folder: string,
  sites: number,
  main = MAIN,
  withOthers = false,
): Promise<Network> {
  mkdirSync(KEPT, { recursive: true });
  const kept = join(KEPT, `sites-${sites}.sqlite`);
  const database =
    sites < LARGE ? join(mkdtempSync(join(folder, 'network-')), 'network.sqlite') : kept;
  if (!existsSync(database)) {
    await importNetwork(folder, sites, `${database}.new`, main, withOthers);
    renameSync(`${database}.new`, database);
  }
  return { sites, database };
}
