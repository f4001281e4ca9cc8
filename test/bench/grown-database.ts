import { join } from 'node:path';
import type { Growth } from './grow-worker.js';
import { runToEnd } from './processes.js';

/** Makes a database of more Sites out of that of the synthetic ones. @returns its path */
export async function growDatabase(folder: string, database: string, sites: number): Promise<string> {
  const grown = join(folder, `${sites}-sites.sqlite`);
  const { setups, bytes, milliseconds } = await runToEnd<Growth>('grow-worker', database, grown, String(sites));
  process.stdout.write(
    `database: ${sites} Sites, ${setups} Setups, ${(bytes / 1e6).toFixed(0)} MB, copied in ${(milliseconds / 1e3).toFixed(0)} s\n`,
  );
  return grown;
}
