import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Import } from './import-worker.js';
import { runToEnd } from './processes.js';
import { SETUPS_OF_SITE, SITE_IDS, writeTextLogs } from './synthetic-logs.js';

/** Makes a database of the synthetic Sites through the real importer. @returns its path */
export async function fillDatabase(folder: string): Promise<string> {
  const logs = join(folder, 'text-logs');
  mkdirSync(logs);
  writeTextLogs(logs);
  const database = join(folder, 'filled.sqlite');
  const { summary, complaints, milliseconds } = await runToEnd<Import>('import-worker', logs, database);
  const { saved, setupsAdded } = summary;
  if (saved !== SITE_IDS.length || setupsAdded !== SITE_IDS.length * SETUPS_OF_SITE || complaints > 0) {
    throw new Error(`the synthetic logs came to ${saved} Sites, ${setupsAdded} Setups and ${complaints} complaints`);
  }
  process.stdout.write(`database: ${saved} synthetic Sites, ${setupsAdded} Setups, imported in ${Math.round(milliseconds)} ms\n`);
  return database;
}
