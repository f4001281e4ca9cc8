import { once } from 'node:events';
import { fstatSync, openSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { asText } from '../../src/cli/serve/log.js';
import { freePort } from '../campaigns/processes.js';
import { serve, until } from './serving.js';

t.jobs = 3;

t.test(
  'without a terminal, serve prints only its log: JSON with ISO times and names of levels',
  async (t) => {
    const serving = await serve(t, t.testdir({}), ['--port', '0', '--log-level', 'debug']);
    await fetch(`${serving.base}/health`);
    await until('the access', () => serving.logged(/^access$/).length === 1);
    serving.child.kill('SIGTERM');
    await serving.ended;
    t.equal(serving.output.stdout, '');
    const lines = serving.output.stderr.trimEnd().split('\n');
    const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    for (const entry of entries)
      t.match(entry, {
        time: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
        level: /^(debug|info)$/,
        msg: String,
      });
    t.match(serving.logged(/^access$/), [
      { level: 'debug', method: 'GET', path: '/health', status: 200 },
    ]);
    t.match(String(serving.logged(/^access$/)[0]!.milliseconds), /^\d+(\.\d)?$/);
    t.match(entries.at(-1), { msg: 'stopped' });
  },
);

t.test(
  'an outage of the database and its end are logged in one line each, without a stack',
  async (t) => {
    const folder = t.testdir({});
    const { base, logged, output, database } = await serve(t, folder, ['--port', '0']);
    renameSync(database, `${database}.away`);
    await until(
      '503',
      () => logged(/cannot be read/).length > 0 || (void fetch(`${base}/ready`), false),
    );
    for (const _ of [1, 2, 3]) t.equal((await fetch(`${base}/sites`)).status, 503);
    renameSync(`${database}.away`, database);
    await until('it is back', () => logged(/^the database can be read again$/).length > 0);
    t.equal((await fetch(`${base}/ready`)).status, 200);
    t.match(logged(/the database/), [
      {
        level: 'error',
        msg: /^the database cannot be read: database ".*a\.sqlite" does not exist; /,
      },
      { level: 'info', msg: 'the database can be read again' },
    ]);
    t.equal(logged(/the database/).length, 2);
    t.notMatch(output.stderr, /"stack"/);
  },
);

t.test('in the journal, lines are text with a priority; --log-format wins', async (t) => {
  const folder = t.testdir({});
  for (const [flags, expected] of [
    [[], /^<6>serving 8 Sites at http:\S+$/m],
    [['--log-format', 'json'], /^\{"level":"info",.*"msg":"serving 8 Sites at/m],
    [['--log-format', 'text'], /^<6>/],
  ] as const) {
    const file = join(folder, `log${flags.join('')}`);
    const log = openSync(file, 'a');
    const { dev, ino } = fstatSync(log);
    const port = await freePort();
    const { child } = await serve(t, folder, ['--port', String(port), ...flags], {
      env: { JOURNAL_STREAM: `${dev}:${ino}` },
      log,
      port,
    });
    child.kill('SIGTERM');
    await once(child, 'close');
    t.match(readFileSync(file, 'utf8'), expected);
  }
});

t.test(
  'an entry as text has quoted values, no control characters, and the stack of an error on lines of its own',
  async (t) => {
    const time = '2026-01-02T03:04:05.678Z';
    const entry = {
      level: 'error',
      time,
      pid: 1,
      reqId: 'a',
      path: '/a b',
      err: { stack: 'Error: x\n    at y' },
    };
    const json = JSON.stringify({ ...entry, msg: 'failed\u001b[2J' });
    const lines = ['failed\\u001b[2J reqId=a path="/a b"', 'Error: x', '    at y'];
    t.equal(asText(json, false), lines.map((line) => `${time} ERROR ${line}\n`).join(''));
    t.match(asText(json, true), /^<3>failed/);
  },
);
