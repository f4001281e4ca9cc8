import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, watch, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import t from 'tap';
import { deriveSetups } from '../../src/derive/setups.js';
import { readSiteLog } from '../../src/site-log/read.js';
import { Findings } from '../../src/site-log/site-log.js';
import { importInto, logText, ROOT } from '../helper.js';

const MAIN = join(ROOT, 'dist', 'src', 'cli', 'main.js');
const KILLS = 10;
const SITES = 40;

/** A log with many Setups, all of which differ between versions 1 and 2, and one finding. */
function siteLog(site: number, version: number): string {
  const year = (n: number) => `${1990 + n}-01-0${version}`;
  const receivers = Array.from({ length: 30 }, (_, n) => ({ type: `R${version}`, serial: `${site}-${n}`, from: year(n), to: year(n + 1) }));
  const antennas = [{ type: 'A', from: 'yesterday' }];
  return logText({ id: `K${String(site).padStart(3, '0')}`, prepared: `20${20 + version}-01-01`, receivers, antennas });
}

/** The expected Setups of a site for one version of its log. */
function expected(site: number, version: number): string {
  const findings = new Findings('test.log');
  const setups = deriveSetups(readSiteLog(Buffer.from(siteLog(site, version)), findings).items, findings);
  return JSON.stringify(
    setups.map(({ effectivePeriod, equipmentInUse }) => [effectivePeriod.from, effectivePeriod.to, JSON.stringify(equipmentInUse)]),
  );
}

/** Opens a database as the service does. One that was killed in its first transaction has no data, and needs a writer to roll that back. */
function openKilled(database: string, isNew: boolean): Database.Database {
  const reader = new Database(database, { readonly: true, fileMustExist: true });
  try {
    reader.pragma('user_version');
    return reader;
  } catch (error) {
    reader.close();
    if (!isNew || (error as { code: string }).code !== 'SQLITE_READONLY_ROLLBACK') throw error;
  }
  const db = new Database(database, { fileMustExist: true });
  if (db.pragma('user_version', { simple: true }) !== 0) throw new Error('a migrated database cannot be read');
  return db;
}

t.test(`an import killed at ${KILLS} random points never leaves a site half-written or the file unreadable`, async (t) => {
  const folder = t.testdir({ v1: {}, v2: {} });
  const logs = (version: number) => join(folder, `v${version}`);
  for (const version of [1, 2]) {
    for (let site = 0; site < SITES; site++) writeFileSync(join(logs(version), `k${site}.log`), siteLog(site, version));
  }
  const wanted = [1, 2].map((version) => Array.from({ length: SITES }, (_, site) => expected(site, version)));
  const old = join(folder, 'v1.sqlite');
  await importInto(old, [logs(1)]);
  const database = join(folder, 'database', 'killed.sqlite');

  /** Runs an import and kills it during the site after a number of findings, of which each site has one; 0: as soon as it creates a file. */
  const killImport = (version: number, killAfter: number) =>
    new Promise<boolean>((resolve) => {
      const child = spawn(process.execPath, [MAIN, 'import', logs(version), '--database', database], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const watcher = watch(dirname(database), () => killAfter === 0 && child.kill('SIGKILL'));
      let findings = 0;
      child.stderr.on('data', (chunk: Buffer) => {
        findings += chunk.toString().split('\n').length - 1;
        // A site takes some milliseconds, most of them in its transaction.
        if (killAfter > 0 && findings >= killAfter) setTimeout(() => child.kill('SIGKILL'), Math.random() * 20);
      });
      child.on('close', (_code, signal) => {
        watcher.close();
        resolve(signal === 'SIGKILL');
      });
    });

  let killed = 0;
  let between = 0;
  for (let round = 0; round < KILLS; round++) {
    rmSync(dirname(database), { recursive: true, force: true });
    mkdirSync(dirname(database));
    // Every other round kills the import of version 2 after version 1 has been imported.
    const version = 1 + (round % 2);
    if (version === 2) copyFileSync(old, database);
    // The first round of each version kills at the beginning, the others from the first to the last site.
    const killAfter = round < 2 ? 0 : Math.ceil(((round - 2 + Math.random()) / (KILLS - 2)) * SITES);
    if (await killImport(version, killAfter)) killed++;

    const db = openKilled(database, version === 1);
    t.equal(db.pragma('integrity_check', { simple: true }), 'ok');
    t.same(db.pragma('foreign_key_check'), []);
    if (db.pragma('user_version', { simple: true }) !== 0) {
      const setups = db.prepare<[string], [string, string | null, string]>(
        `SELECT effective_from, effective_to, equipment_in_use FROM setup JOIN site ON site.id = site_id
         WHERE four_character_id = ? AND superseded_at IS NULL ORDER BY effective_from`,
      );
      const imported = { before: 0, after: 0 };
      for (let site = 0; site < SITES; site++) {
        const found = JSON.stringify(setups.raw().all(`K${String(site).padStart(3, '0')}`));
        if (found === wanted[version - 1]![site]) imported.after++;
        else if (found === (version === 1 ? '[]' : wanted[0]![site])) imported.before++;
        else t.fail(`site ${site} is half-written in round ${round}`);
      }
      t.ok(imported.after >= killAfter, `${imported.after} sites were saved after ${killAfter} findings`);
      if (imported.before > 0 && imported.after > 0) between++;
    }
    db.close();

    // The next import completes the work.
    if (round % 4 >= 2) {
      await importInto(database, [logs(version)]);
      const after = new Database(database, { readonly: true });
      t.equal(after.prepare('SELECT count(*) FROM site_log WHERE superseded_at IS NULL').pluck().get(), SITES);
      after.close();
    }
  }
  t.ok(killed > KILLS / 2, `${killed} of ${KILLS} imports were killed before they finished`);
  t.ok(between > 0, `${between} imports were killed between two sites`);
});
