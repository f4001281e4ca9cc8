import { copyFileSync, mkdirSync, rmSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openReader } from '../../src/store/open.js';
import { isPostgres } from '../../src/store/address.js';
import { logText } from '../synthetic-log.js';
import { contentsOf, rawDatabase } from '../raw-database.js';
import type { Campaign } from './campaign.js';
import { importLogs, startTool } from './processes.js';
import type { Random } from './random.js';

const WORKERS = 2;
/** How many Sites there are. */
const SITES = 60;
const idOf = (site: number): string => `K${String(site).padStart(3, '0')}`;

const REMARK = 'ask Erika Quorvblax, +1 555 9876 5432, or quorvblax (at) example dot org';
/** Each contact of the logs. */
const CONTACT = /quorvblax|9876\s*543/i;

/**
 * A log with many Setups, all of which differ between versions 1 and 2, with one finding, and with
 * contacts in remarks and under unknown labels.
 */
function siteLog(site: number, version: number): string {
  const year = (n: number): string => `${1990 + n}-01-0${version}`;
  const more = { 'Additional Information': REMARK, 'Best Person': REMARK };
  const receivers = Array.from({ length: 30 }, (_, n) => ({
    type: `R${version}`,
    serial: `${site}-${n}`,
    from: year(n),
    to: year(n + 1),
    more: n === 0 ? more : {},
  }));
  const antennas = [{ type: 'A by Erika Quorvblax', from: 'yesterday' }];
  return `${logText({ id: idOf(site), prepared: `20${20 + version}-01-01`, receivers, antennas })}
11.  On-Site, Point of Contact Agency Information
     Agency                   : Example Agency
     Contact Person           : Erika Quorvblax
     Primary Contact
       Contact Name           : Erika Quorvblax
       Telephone (primary)    : +1 555 9876 5432
       E-mail                 : quorvblax@example.org
       Mobile                 : +1 555 9876 5433
`;
}

/** What an import has left in a database. */
export interface Found {
  /** The valid Setups of each Site, as JSON of their periods and equipment. */
  setups: Map<string, string>;
  /** The damage that the engine finds. */
  damage: string[];
}

/** Reads a database; null if nothing was committed. */
export async function findIn(database: string): Promise<Found | null> {
  try {
    // Open it as the service does, which rolls back what was not committed.
    await (await openReader(database)).close();
  } catch (error) {
    if (/is empty; create /.test((error as Error).message)) return null;
    throw error;
  }
  const db = rawDatabase(database);
  const rows = await db.all<{
    id: string;
  }>(`SELECT four_character_id AS id, effective_from, effective_to, equipment_in_use
    FROM setup JOIN site ON site.id = site_id WHERE superseded_at IS NULL ORDER BY four_character_id, effective_from`);
  const setups = new Map(
    [...Map.groupBy(rows, ({ id }) => id)].map(([id, found]) => [id, JSON.stringify(found)]),
  );
  const checks = isPostgres(database) ? [] : ['PRAGMA integrity_check', 'PRAGMA foreign_key_check'];
  const problems = (await Promise.all(checks.map((check) => db.all(check))))
    .flat()
    .map((row) => JSON.stringify(row));
  return { setups, damage: problems.filter((problem) => problem !== '{"integrity_check":"ok"}') };
}

/** Databases of an engine, in which imports are killed. */
export interface KilledDatabases {
  /**
   * Creates the next database of a worker: an empty one, or one with the first version of the logs.
   */
  create: (worker: number, isFilled: boolean) => Promise<string>;
  /** Calls back when an import begins to use a database. Returns what ends the watch. */
  watch: (database: string, onBegin: () => void) => () => void;
  /** Waits until the engine has noticed that an import was killed. */
  settle: (database: string) => Promise<void>;
  close: () => Promise<void>;
}

/** SQLite files below a folder. @param filled one with the first version of the logs */
const sqliteDatabases = (folder: string, filled: string): KilledDatabases => ({
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
  settle: async () => undefined,
  close: async () => undefined,
});

/**
 * Runs an import and kills it at the Site after `killAfter` findings, one per log, about its wrong
 * date; 0: while it creates the first tables. Returns whether it was killed, and its output.
 */
async function killImport(
  random: Random,
  logs: string,
  databases: KilledDatabases,
  database: string,
  killAfter: number,
) {
  const { child, ended, output } = startTool(['import', logs, '--database', database]);
  // A Site takes some milliseconds, most of them in its transaction; so does a new file.
  const delay = random.next() * 20;
  const unwatch = databases.watch(
    database,
    () => killAfter === 0 && setTimeout(() => child.kill('SIGKILL'), delay),
  );
  child.stderr!.on('data', () => {
    const findings = output.stderr.split('yesterday').length - 1;
    if (killAfter > 0 && findings >= killAfter) setTimeout(() => child.kill('SIGKILL'), delay);
  });
  const { signal } = await ended;
  unwatch();
  return { isKilled: signal === 'SIGKILL', text: output.stdout + output.stderr };
}

/**
 * Kills imports at random points. No Site may be half-written, nothing may show a contact, and the
 * next import must complete the work.
 * @param open opens the databases of an engine other than SQLite, given the folder of the first
 *   version of the logs
 */
export async function killImports(
  campaign: Campaign,
  kills: number,
  open?: (logs: string) => Promise<KilledDatabases>,
): Promise<void> {
  const own = join(campaign.folder, 'killed');
  const logs = [1, 2].map((version) => join(own, `v${version}`));
  const complete: Map<string, string>[] = [new Map()];
  const filled = join(own, 'v1.sqlite');
  for (const [index, folder] of logs.entries()) {
    mkdirSync(folder, { recursive: true });
    for (let site = 0; site < SITES; site++)
      writeFileSync(join(folder, `k${site}.log`), siteLog(site, index + 1));
    const database = join(own, `v${index + 1}.sqlite`);
    await importLogs(database, folder);
    complete.push((await findIn(database))!.setups);
  }
  /**
   * Examines what an import left: each Site must be as before or as after. Returns how many are as
   * after, and what is wrong.
   */
  const examine = async (database: string, version: number) => {
    const found = await findIn(database);
    if (found === null)
      return { after: 0, findings: version === 1 ? [] : ['the database is empty'] };
    const [before, after] = complete.slice(version - 1) as [
      Map<string, string>,
      Map<string, string>,
    ];
    const ids = Array.from({ length: SITES }, (_, site) => idOf(site));
    const isAs = (state: Map<string, string>) => (id: string) =>
      found.setups.get(id) === state.get(id);
    const halves = ids.filter((id) => !isAs(before)(id) && !isAs(after)(id));
    const text = JSON.stringify(await contentsOf(database));
    const withheld =
      text.includes('(withheld)') || !found.setups.size ? [] : ['nothing is withheld'];
    const contact = CONTACT.exec(text);
    const shown =
      contact === null
        ? []
        : [
            `a contact is stored: ${text.slice(Math.max(0, contact.index - 80), contact.index + 80)}`,
          ];
    const findings = [
      ...found.damage,
      ...halves.map((id) => `${id} is half-written`),
      ...withheld,
      ...shown,
    ];
    return { after: ids.filter(isAs(after)).length, findings };
  };
  const databases =
    open === undefined ? sqliteDatabases(campaign.folder, filled) : await open(logs[0]!);
  let killed = 0;
  let between = 0;
  await campaign
    .cases('kills', { cases: kills, workers: WORKERS }, async (random, round, worker) => {
      // Every other round kills the import of version 2 after version 1 has been imported.
      const version = 1 + (round % 2);
      const folder = logs[version - 1]!;
      const database = await databases.create(worker, version === 2);
      const killAfter =
        round === 2 || round === 3 || random.chance(0.1) ? 0 : 1 + random.below(SITES - 1);
      const { isKilled, text } = await killImport(random, folder, databases, database, killAfter);
      if (isKilled) killed++;
      await databases.settle(database);
      const { after, findings } = await examine(database, version);
      if (CONTACT.test(text)) findings.push('the import printed a contact');
      if (after < killAfter)
        findings.push(`${after} Sites were saved after the findings of ${killAfter}`);
      if (after > 0 && after < SITES) between++;
      if (round % 4 > 1) return findings;
      await importLogs(database, folder);
      const again = await examine(database, version);
      findings.push(...again.findings);
      return again.after === SITES
        ? findings
        : [...findings, `the next import saved ${again.after} of ${SITES} Sites`];
    })
    .finally(() => databases.close());
  campaign.note('kills', `${killed} before they finished, ${between} of them between two Sites`);
  // Else the campaign has shown nothing.
  if (campaign.only === null && kills >= 10 && (killed <= kills / 2 || between === 0))
    campaign.failed(
      'kills',
      `only ${killed} imports were killed before they finished, ${between} of them between two Sites`,
    );
}
