import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { killImports } from '../campaigns/killed-imports.js';
import { postgresDatabases } from '../campaigns/postgres-databases.js';
import { killAll, runTool, startTool } from '../campaigns/processes.js';
import { Tally } from '../campaigns/tally.js';
import { logText, SAMPLE } from '../helper.js';
import { runStatements } from '../postgres/cluster.js';
import { createDatabase } from '../postgres/database.js';

const KILLS = 10;

t.teardown(killAll);
const folder = t.testdir({ logs: {}, watched: {} });
const logs = join(folder, 'logs');
const database = await createDatabase(t);

/** Runs a command on the database. */
const run = (...args: string[]) => runTool([...args, '--database', database]);

const right = logText({ prepared: '2020-01-01', receivers: [{ type: 'RIGHT', serial: '1', from: '2001-01-01' }] });
const wrong = logText({ prepared: '2021-01-01', receivers: [{ type: 'WRONG', serial: '2', from: '2001-01-01' }] });

t.test('import creates the tables, but not in a dry run', async (t) => {
  t.match(await run('import', '--dry-run', SAMPLE), { code: 0, stdout: /^8 files: 8 saved[\s\S]*Dry run: nothing was saved/ });
  t.same(await runStatements(database, `SELECT to_regclass('site')::text AS name`), [{ name: null }]);
  t.match(await run('log', 'list', 'ALIC'), { code: 3, stderr: /is empty; create its tables with: gnss-site-setups import/ });
  t.match(await run('site', 'retire', 'ALIC'), { code: 3, stderr: /is empty/ });
  t.match(await run('import', '--jobs', '2', SAMPLE), { code: 0, stdout: /^8 files: 8 saved, 0 unchanged/ });
  t.match(await run('import', SAMPLE), { code: 0, stdout: /^8 files: 0 saved, 8 unchanged/ });
  t.match(await run('serve', '--check', '--port', '0'), { code: 0, stdout: /the database has 8 sites/ });
});

t.test('lookup, log and site work as over SQLite', async (t) => {
  writeFileSync(join(logs, 'right.log'), right);
  writeFileSync(join(logs, 'wrong.log'), wrong);
  t.match(await run('import', logs), { code: 0, stdout: /^2 files: 2 saved/ });
  t.match(await run('lookup', 'TEST'), { code: 0, stdout: /WRONG/ });
  t.match(await run('log', 'list', 'TEST'), { code: 0, stdout: /current +wrong\.log/ });
  const { stdout } = await run('log', 'list', 'TEST');
  const [, number] = /^ *(\d+) .* wrong\.log$/m.exec(stdout)!;
  t.match(await run('log', 'withdraw', 'TEST', number!, '--dry-run'), {
    code: 0,
    stdout: /current log right\.log[\s\S]*nothing was saved/,
  });
  t.match(await run('lookup', 'TEST'), { stdout: /WRONG/ });
  t.match(await run('log', 'withdraw', 'TEST', number!), {
    code: 0,
    stdout: /current log right\.log of 2020-01-01\nSetups: 1 added, 1 superseded/,
  });
  t.match(await run('lookup', 'TEST'), { code: 0, stdout: /RIGHT/ });
  t.match(await run('log', 'withdraw', 'TEST', number!), { code: 1, stderr: /was already withdrawn/ });
  t.match(await run('log', 'restore', 'TEST', number!), { code: 0, stdout: /current log wrong\.log/ });
  t.match(await run('site', 'rename', 'TEST', 'NEWS'), { code: 0, stdout: /Site NEWS/ });
  t.match(await run('lookup', 'TEST'), { code: 1, stderr: /TEST is now NEWS/ });
  t.match(await run('site', 'retire', 'NEWS'), { code: 0 });
  t.match(await run('lookup', 'NEWS'), { code: 1, stderr: /NEWS was retired at/ });
  t.match(await run('site', 'unretire', 'NEWS'), { code: 0, stdout: /Setups: 1 added/ });
  t.match(await run('lookup', 'NEWS'), { code: 0, stdout: /WRONG/ });
});

t.test('rejected files are remembered', async (t) => {
  writeFileSync(join(logs, 'rejected.log'), right.replace(/Four Character ID *: TEST/, 'Four Character ID        : TOOLONG'));
  t.match(await run('import', '--known-rejects', logs), { code: 1 });
  t.match(await run('import', '--known-rejects', logs), { code: 0, stdout: /1 rejected \(1 as before\)/ });
});

t.test('backup, verify, rebuild, restore and copy', async (t) => {
  const [backup, copy] = [join(folder, 'backup.sqlite'), join(folder, 'copy.sqlite')];
  t.match(await run('backup', backup), { code: 0, stdout: /^Backup ".*": 9 Sites, .* MB, checked\n$/ });
  t.match(await run('verify'), { code: 0, stdout: /^9 Sites: 10 site logs read again\nnothing found\n$/ });
  t.match(await run('rebuild'), { code: 0, stdout: /nothing to repair/ });
  t.match(await runTool(['copy', '--from', database, '--to', copy]), {
    code: 0,
    stdout: /^Copied to ".*copy\.sqlite": 9 Sites, 10 site logs\n$/,
  });
  t.match(await runTool(['verify', '--database', copy]), { code: 0, stdout: /nothing found/ });
  t.match(await runTool(['copy', '--from', copy, '--to', database]), { code: 3, stderr: /is not empty: it has 9 Sites, 10 site logs/ });
  t.match(await runTool(['copy', '--from', copy]), { code: 2, stderr: /copy needs --to/ });
  const secret = database.replace('@', ':hidden@').replace('postgres:', 'postgresql:');
  const wrongUrl = await runTool(['copy', '--from', `${secret}?sslmode=never`, '--to', copy]);
  t.match(wrongUrl, { code: 2, stderr: /--from ".*": .*sslmode/ });
  t.notMatch(wrongUrl.stderr, /hidden/);
  const other = await createDatabase(t);
  t.match(await runTool(['restore', backup, '--database', other]), { code: 0, stdout: /^Restored from ".*": 9 Sites, .* MB\n$/ });
  t.match(await runTool(['lookup', 'NEWS', '--database', other]), { code: 0, stdout: /WRONG/ });
});

t.test('import --watch imports files as they come', async (t) => {
  const watched = join(folder, 'watched');
  const { child, output, ended } = startTool(['import', '--watch', '--database', database, watched]);
  const until = async (line: RegExp): Promise<void> => {
    while (!line.test(output.stdout + output.stderr)) await new Promise((resolve) => child.stdout.once('data', resolve));
  };
  await until(/Watching/);
  copyFileSync(join(logs, 'right.log'), join(watched, 'right.log'));
  await until(/right\.log: outdated TEST/);
  child.kill('SIGTERM');
  t.match(await ended, { code: 0 });
  t.ok(existsSync(watched));
});

t.test('ten imports at once create the tables once, and lose nothing', async (t) => {
  const shared = await createDatabase(t);
  const runs = await Promise.all(
    Array.from({ length: 10 }, async (_, number) => {
      const path = join(folder, `site-${number}.log`);
      writeFileSync(path, logText({ id: `SIT${number}`, receivers: [{ type: 'A', serial: String(number), from: '2001-01-01' }] }));
      return runTool(['import', path, '--database', shared]);
    }),
  );
  t.same(
    runs.map(({ code, stderr }) => [code, stderr]),
    runs.map(() => [0, '']),
  );
  t.match(await runTool(['verify', '--database', shared]), { code: 0, stdout: /^10 Sites: 10 site logs read again\nnothing found/ });
});

t.test(`an import killed at ${KILLS} random points never leaves a Site half-written`, async (t) => {
  const tally = new Tally(true);
  const seed = Math.floor(Math.random() * 1e9);
  const repeat = (part: string, number: number): string => `seed ${seed}, ${part} ${number}`;
  await killImports({ tally, seed, repeat, only: null, folder: t.testdir() }, KILLS, postgresDatabases);
  t.ok(tally.passed, tally.table());
});
