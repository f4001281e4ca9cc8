import { copyFileSync, mkdirSync, rmSync, watch } from 'node:fs';
import { join } from 'node:path';
import type { Campaign } from './campaign.js';
import { findInFile, type Found } from './interrupted.js';
import { importLogs, startTool } from './processes.js';
import type { Random } from './random.js';
import { SITES, SyntheticImports } from './synthetic-imports.js';

const WORKERS = 2;

/** Databases of an engine, in which imports are killed. */
export interface KilledDatabases {
  /** Creates the next database of a worker: an empty one, or one with the first version of the logs. */
  create: (worker: number, isFilled: boolean) => Promise<string>;
  /** Calls back when an import begins to use a database. Returns what ends the watch. */
  watch: (database: string, onBegin: () => void) => () => void;
  /** Reads a database whose import was killed; null if nothing was committed. */
  find: (database: string) => Promise<Found | null>;
  close: () => Promise<void>;
}

/** SQLite files below a folder. @param filled one with the first version of the logs */
function sqliteDatabases(folder: string, filled: string): KilledDatabases {
  return {
    create: async (worker, isFilled) => {
      const own = join(folder, `killed-${worker}`);
      rmSync(own, { recursive: true, force: true });
      mkdirSync(own);
      const database = join(own, 'killed.sqlite');
      if (isFilled) copyFileSync(filled, database);
      return database;
    },
    watch: (database, onBegin) => {
      const watcher = watch(join(database, '..'), onBegin);
      return () => watcher.close();
    },
    find: findInFile,
    close: async () => undefined,
  };
}

/** Runs an import and kills it during the Site after a number of findings about the date that each log has wrong; 0: while it creates the first tables. */
async function killImport(random: Random, logs: string, databases: KilledDatabases, database: string, killAfter: number): Promise<boolean> {
  const { child, ended } = startTool(['import', logs, '--database', database]);
  // A Site takes some milliseconds, most of them in its transaction; so does a new file.
  const delay = random.next() * 20;
  const unwatch = databases.watch(database, () => killAfter === 0 && setTimeout(() => child.kill('SIGKILL'), delay));
  let findings = 0;
  child.stderr.on('data', (chunk: string) => {
    findings += chunk.split('yesterday').length - 1;
    if (killAfter > 0 && findings >= killAfter) setTimeout(() => child.kill('SIGKILL'), delay);
  });
  const { signal } = await ended;
  unwatch();
  return signal === 'SIGKILL';
}

/**
 * Kills imports at random points. No Site may be half-written, and the next import must complete the work.
 * @param open opens the databases of an engine other than SQLite, given the folder of the first version of the logs
 */
export async function killImports(campaign: Campaign, kills: number, open?: (logs: string) => Promise<KilledDatabases>): Promise<void> {
  const imports = await SyntheticImports.create(join(campaign.folder, 'killed'));
  const databases = open === undefined ? sqliteDatabases(campaign.folder, imports.old) : await open(imports.logs(1));
  let killed = 0;
  let between = 0;
  await campaign
    .cases('kills', { cases: kills, workers: WORKERS }, async (random, round, worker) => {
      // Every other round kills the import of version 2 after version 1 has been imported.
      const version = 1 + (round % 2);
      const database = await databases.create(worker, version === 2);
      const killAfter = round < 2 || random.chance(0.1) ? 0 : 1 + random.below(SITES - 1);
      if (await killImport(random, imports.logs(version), databases, database, killAfter)) killed++;
      const { before, after, findings } = imports.check(await databases.find(database), version);
      if (after < killAfter) findings.push(`${after} Sites were saved after the findings of ${killAfter}`);
      if (before > 0 && after > 0) between++;
      if (round % 4 < 2) return findings;
      await importLogs(database, imports.logs(version));
      const again = imports.check(await databases.find(database), version);
      return again.after === SITES ? findings : [...findings, `the next import saved ${again.after} of ${SITES} Sites`];
    })
    .finally(() => databases.close());
  campaign.note('kills', `${killed} before they finished, ${between} of them between two Sites`);
  // Else the campaign has shown nothing.
  if (campaign.only === null && kills >= 10 && (killed <= kills / 2 || between === 0))
    campaign.failed('kills', `only ${killed} imports were killed before they finished, ${between} of them between two Sites`);
}
