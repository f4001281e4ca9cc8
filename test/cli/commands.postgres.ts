import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { killAll, runTool } from '../campaigns/processes.js';
import { logText, SAMPLE } from '../helper.js';
import { runStatements } from '../postgres/cluster.js';
import { createDatabase } from '../postgres/database.js';
import { rawDatabase } from '../raw-database.js';

t.teardown(killAll);
const folder = t.testdir({ logs: {} });
const logs = join(folder, 'logs');
const database = await createDatabase(t);

/** Runs a command on the database. */
const run = (...args: string[]) => runTool([...args, '--database', database]);

t.test('import creates the tables, but not in a dry run', async (t) => {
  t.match(await run('import', '--dry-run', SAMPLE), {
    code: 0,
    stdout: /^8 files: 8 saved[\s\S]*Dry run: nothing was saved/,
  });
  t.same(await runStatements(database, `SELECT to_regclass('site')::text AS name`), [
    { name: null },
  ]);
  t.match(await run('log', 'list', 'ALIC'), {
    code: 3,
    stderr: /is empty; create its tables with: gnss-site-setups import/,
  });
  t.match(await run('site', 'retire', 'ALIC'), { code: 3, stderr: /is empty/ });
  t.match(await run('import', '--jobs', '2', SAMPLE), {
    code: 0,
    stdout: /^8 files: 8 saved, 0 unchanged/,
  });
  t.match(await run('import', SAMPLE), { code: 0, stdout: /^8 files: 0 saved, 8 unchanged/ });
  t.match(await run('serve', '--check', '--port', '0'), {
    code: 0,
    stdout: /the database has 8 sites/,
  });
});

t.test('rejected files are remembered', async (t) => {
  writeFileSync(join(logs, 'rejected.log'), logText({ id: 'TOOLONG' }));
  const rows = (): Promise<unknown[]> =>
    rawDatabase(database).all('SELECT sha256 FROM rejected_file');
  t.match(await run('import', logs), { code: 1, stdout: /1 rejected,/ });
  const remembered = await rows();
  t.equal(remembered.length, 1);
  t.match(await run('import', logs), { code: 1, stdout: /1 rejected,/ });
  t.same(await rows(), remembered);
});

t.test('backup, verify, restore and copy', async (t) => {
  const backup = join(folder, 'backup.sqlite');
  const copy = join(folder, 'copy.sqlite');
  t.match(await run('backup', backup), {
    code: 0,
    stdout: /^Backup ".*": 8 Sites, .* MB, checked\n$/,
  });
  t.match(await run('verify'), {
    code: 0,
    stdout: /^8 Sites: 8 site logs read again\n[^\n]*\nnothing found\n$/,
  });
  t.match(await runTool(['copy', '--from', database, '--to', copy]), {
    code: 0,
    stdout: /^Copied to ".*copy\.sqlite": 8 Sites, 8 site logs\n$/,
  });
  t.match(await runTool(['verify', '--database', copy]), { code: 0, stdout: /nothing found/ });
  t.match(await runTool(['copy', '--from', copy, '--to', database]), {
    code: 3,
    stderr: /is not empty; copy to an empty database/,
  });
  t.match(await runTool(['copy', '--from', copy]), { code: 2, stderr: /copy needs --to/ });
  const secret = database.replace('@', ':hidden@').replace('postgres:', 'postgresql:');
  const wrongUrl = await runTool(['copy', '--from', `${secret}?sslmode=never`, '--to', copy]);
  t.match(wrongUrl, { code: 2, stderr: /--from ".*": .*sslmode/ });
  t.notMatch(wrongUrl.stderr, /hidden/);
  const other = await createDatabase(t);
  t.match(await runTool(['restore', backup, '--database', other]), {
    code: 0,
    stdout: /^Restored from ".*": 8 Sites, .* MB\n$/,
  });
  t.match(await runTool(['lookup', 'ALIC', '--database', other]), {
    code: 0,
    stdout: /LEICA GR25/,
  });
});

t.test('ten imports at once create the tables once, and lose nothing', async (t) => {
  const shared = await createDatabase(t);
  const runs = await Promise.all(
    Array.from({ length: 10 }, async (_, number) => {
      const path = join(folder, `site-${number}.log`);
      writeFileSync(
        path,
        logText({
          id: `SIT${number}`,
          receivers: [{ type: 'A', serial: String(number), from: '2001-01-01' }],
        }),
      );
      return runTool(['import', path, '--database', shared]);
    }),
  );
  t.same(
    runs.map(({ code, stderr }) => [code, stderr]),
    runs.map(() => [0, '']),
  );
  t.match(await runTool(['verify', '--database', shared]), {
    code: 0,
    stdout: /^10 Sites: 10 site logs read again\nnothing found/,
  });
});
