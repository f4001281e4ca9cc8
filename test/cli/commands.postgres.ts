import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { killAll, runTool } from '../campaigns/processes.js';
import { SAMPLE } from '../project-files.js';
import { logText } from '../synthetic-log.js';
import { runStatements } from '../postgres/cluster.js';
import { createDatabase } from '../postgres/database.js';

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

t.test('rejected files stay known until they are accepted', async (t) => {
  const path = join(logs, 'rejected.log');
  writeFileSync(path, logText({ id: 'TOOLONG' }));
  for (let time = 0; time < 2; time++) {
    t.match(await run('import', logs), { code: 1, stdout: /1 rejected,/ });
    const { stdout } = await run('log', 'rejected');
    t.match(stdout, /^.*no-site-id/m);
    t.match(stdout, /\n\S+Z +\S+Z +\S+rejected\.log +Four Character ID: .*\n$/);
  }
  const text = readFileSync(path, 'utf8');
  rmSync(path);
  t.match(await run('import', '--quiet-unchanged', logs), { code: 0 });
  t.match(await run('log', 'rejected'), { code: 0, stdout: 'No rejected files.\n' });
  writeFileSync(path, text);
  t.match(await run('import', logs), { code: 1 });
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
  // The logs have no antenna, which each import says.
  for (const { code, stderr } of runs)
    t.match([code, stderr], [0, /^\S+: warning: the log has no antenna\n$/]);
  t.match(await runTool(['verify', '--database', shared]), {
    code: 0,
    stdout: /^10 Sites: 10 site logs read again\nsuperseded rows[^\n]*\nnothing found/,
  });
});
