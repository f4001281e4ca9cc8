import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import t from 'tap';
import { deriveSetups } from '../../src/derive/setups.js';
import { readSiteLog } from '../../src/site-log/read.js';
import { Findings } from '../../src/site-log/site-log.js';
import { importInto, logText, ROOT } from '../helper.js';

const MAIN = join(ROOT, 'dist', 'src', 'cli', 'main.js');
const KILLS = 50;
const SITES = 80;

/** A log with many Setups, all of which differ between versions 1 and 2. */
function siteLog(site: number, version: number): string {
  const year = (n: number) => `${1990 + n}-01-0${version}`;
  const receivers = Array.from({ length: 30 }, (_, n) => ({ type: `R${version}`, serial: `${site}-${n}`, from: year(n), to: year(n + 1) }));
  return logText({ id: `K${String(site).padStart(3, '0')}`, prepared: `20${20 + version}-01-01`, receivers });
}

/** The expected Setups of a site for one version of its log. */
function expected(site: number, version: number): string {
  const findings = new Findings('test.log');
  const setups = deriveSetups(readSiteLog(Buffer.from(siteLog(site, version)), findings).items, findings);
  return JSON.stringify(
    setups.map(({ effectivePeriod, equipmentInUse }) => [effectivePeriod.from, effectivePeriod.to, JSON.stringify(equipmentInUse)]),
  );
}

t.test(
  `an import killed at ${KILLS} random points never leaves a site half-written or the file unreadable`,
  { timeout: 180_000 },
  async (t) => {
    const folder = t.testdir();
    for (const version of [1, 2]) {
      mkdirSync(join(folder, `v${version}`));
      for (let site = 0; site < SITES; site++) writeFileSync(join(folder, `v${version}`, `k${site}.log`), siteLog(site, version));
    }
    const wanted = [1, 2].map((version) => Array.from({ length: SITES }, (_, site) => expected(site, version)));
    const database = join(folder, 'killed.sqlite');

    /** Runs an import, and kills it after some milliseconds unless `killAfter` is null. */
    const run = (version: number, killAfter: number | null) =>
      new Promise<{ milliseconds: number; killed: boolean }>((resolve) => {
        const started = performance.now();
        const child = spawn(process.execPath, [MAIN, 'import', join(folder, `v${version}`), '--database', database], { stdio: 'ignore' });
        const timer = killAfter === null ? null : setTimeout(() => child.kill('SIGKILL'), killAfter);
        child.on('exit', (_code, signal) => {
          if (timer !== null) clearTimeout(timer);
          resolve({ milliseconds: performance.now() - started, killed: signal === 'SIGKILL' });
        });
      });
    const remove = () => ['', '-wal', '-shm'].forEach((suffix) => rmSync(database + suffix, { force: true }));

    // Kill between the start of the process and the end of a complete import.
    const whole = (await run(1, null)).milliseconds;
    const start = (await run(1, null)).milliseconds * 0.3;
    let killed = 0;
    let between = 0;
    for (let round = 0; round < KILLS; round++) {
      remove();
      // Every other round kills the import of version 2 after version 1 has been imported.
      const version = 1 + (round % 2);
      if (version === 2) await importInto(database, [join(folder, 'v1')]);
      const result = await run(version, start + Math.random() * (whole - start));
      if (result.killed) killed++;

      let db;
      try {
        db = new Database(database, { readonly: true, fileMustExist: true });
      } catch (error) {
        // Killed before the file was created.
        if ((error as { code: string }).code === 'SQLITE_CANTOPEN' && version === 1) continue;
        throw error;
      }
      t.equal(db.pragma('integrity_check', { simple: true }), 'ok');
      t.same(db.pragma('foreign_key_check'), []);
      if (db.pragma('user_version', { simple: true }) === 0) {
        db.close();
        continue;
      }
      const setups = db.prepare<[string], [string, string | null, string]>(
        `SELECT effective_from, effective_to, equipment_in_use FROM setup JOIN site ON site.id = site_id
       WHERE four_character_id = ? AND superseded_at IS NULL ORDER BY effective_from`,
      );
      let old = 0;
      let fresh = 0;
      for (let site = 0; site < SITES; site++) {
        const found = JSON.stringify(setups.raw().all(`K${String(site).padStart(3, '0')}`));
        if (found === wanted[version - 1]![site]) fresh++;
        else if (found === (version === 1 ? '[]' : wanted[0]![site])) old++;
        else t.fail(`site ${site} is half-written in round ${round}`);
      }
      if (old > 0 && fresh > 0) between++;
      db.close();

      // The next import completes the work.
      if (round % 10 === 0) {
        await importInto(database, [join(folder, `v${version}`)]);
        const after = new Database(database, { readonly: true });
        t.equal(after.prepare('SELECT count(*) FROM site_log WHERE superseded_at IS NULL').pluck().get(), SITES);
        after.close();
      }
    }
    t.ok(killed > KILLS / 2, `${killed} of ${KILLS} imports were killed before they finished`);
    t.ok(between > 0, `${between} imports were killed between two sites`);
  },
);
