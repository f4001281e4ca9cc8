import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { buildApp } from '../../src/http/app.js';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/requests/units-of-time.js';
import { openReader } from '../../src/store/open.js';
import { startTool } from '../campaigns/processes.js';
import { aboutFiles, importInto } from '../databases.js';
import { CONTRACT } from '../project-files.js';
import { rawDatabase } from '../raw-database.js';
import { logText } from '../synthetic-log.js';
import { violations } from '../violations.js';
import { runHere } from './in-process.js';
import { ask, serve, until } from './serving.js';

const from = (milliseconds: number): Date => new Date(Date.now() + milliseconds);

/** A database of a log that was recorded at a time, and a newer log of the Site. */
async function recordedAt(t: Test, time: Date) {
  const folder = t.testdir();
  const path = (name: string): string => join(folder, name);
  const file = (name: string, prepared: string): string => {
    const receivers = [{ type: 'R', serial: '1', from: '2001-01-01' }];
    writeFileSync(path(name), logText({ id: 'ABCD', prepared, receivers }));
    return path(name);
  };
  const database = path('test.sqlite');
  await importInto(database, [file('old.log', '2020-01-01')], time);
  const run = (...args: string[]) => runHere([...args, '--database', database]);
  const events = () => rawDatabase(database).all('SELECT kind, at FROM event ORDER BY id');
  return { folder, path, database, run, events, newer: file('new.log', '2021-01-01') };
}

t.test('whatever records is refused while the last record time lies in the future', async (t) => {
  const last = from(HOUR);
  const { run, events, newer, path } = await recordedAt(t, last);
  writeFileSync(path('bad.log'), 'no site log');
  const before = await events();
  for (const args of [
    ['import', newer],
    ['import', '--dry-run', newer],
    ['import', path('old.log')],
    ['import', path('bad.log')],
    ['log', 'withdraw', 'ABCD', '1'],
    ['log', 'withdraw', '--recorded-since', '2000-01-01'],
    ['log', 'restore', 'ABCD', '1'],
    ['site', 'retire', 'ABCD'],
    ['site', 'unretire', 'ABCD'],
    ['site', 'rename', 'ABCD', 'WXYZ'],
    ['site', 'rename', 'ABCD', 'WXYZ', '--dry-run'],
  ]) {
    const { code, stdout, stderr } = await run(...args);
    t.same([code, stdout], [3, ''], args.join(' '));
    const times = stderr.match(/\d{4}-\d\d-\d\dT[\d:.]{12}Z/g) ?? [];
    t.equal(times.length, 2, 'the clock and the last record time');
    t.ok(Math.abs(Date.parse(times[0]!) - Date.now()) < MINUTE);
    t.equal(times[1], last.toISOString());
  }
  t.same(await events(), before);
  t.match(await run('log', 'rejected'), { stdout: 'No rejected files.\n' });
  for (const args of [
    ['lookup', 'ABCD'],
    ['log', 'list', 'ABCD'],
    ['migrate'],
    ['backup', path('backup.sqlite')],
    ['restore', path('backup.sqlite')],
  ])
    t.equal((await run(...args)).code, 0, `${args[0]} records nothing`);
});

t.test('clocks of several machines may differ by less than a minute', async (t) => {
  const { run, events, newer } = await recordedAt(t, from(50 * SECOND));
  t.equal((await run('import', newer)).code, 0);
  t.match(await run('site', 'retire', 'ABCD'), { code: 0 });
  t.match(await run('verify'), { code: 0 });
  t.equal((await events()).length, 3);
});

t.test('a backup from before an import with a wrong clock helps', aboutFiles, async (t) => {
  const { run, newer, path, database } = await recordedAt(t, from(-HOUR));
  t.equal((await run('backup', path('before.sqlite'))).code, 0);
  const future = from(3650 * DAY);
  await importInto(database, [newer], future);
  t.equal((await run('site', 'retire', 'ABCD')).code, 3);
  const stderr = new RegExp(future.toISOString());
  t.match(await run('verify'), { code: 1, stderr, stdout: /restore a backup/ });
  t.equal((await run('restore', path('before.sqlite'))).code, 0);
  t.equal((await run('verify')).code, 0);
  t.match(await run('import', newer), { code: 0, stdout: /1 saved/ });
});

t.test('import --watch says once that the clock is behind, and goes on later', async (t) => {
  const { run, newer, path, database, folder } = await recordedAt(t, from(-HOUR));
  t.equal((await run('backup', path('before.sqlite'))).code, 0);
  writeFileSync(path('other.log'), logText({ id: 'EFGH', prepared: '2020-01-01' }));
  await importInto(database, [path('other.log')], from(HOUR));
  const args = ['import', '--watch', '--database', database, newer];
  const { child, output } = startTool(args, { cwd: folder });
  t.teardown(() => child.kill('SIGKILL'));
  const refusals = (): number => output.stderr.match(/the clock says/g)?.length ?? 0;
  await until('a refusal', () => refusals() > 0);
  // It tries again every five seconds.
  await rest(6000);
  t.equal(refusals(), 1);
  t.equal((await run('restore', path('before.sqlite'))).code, 0);
  await until('the log', () => /saved ABCD/.test(output.stdout));
});

t.test('an import warns of a clock more than a day ahead of all that it knows', async (t) => {
  const isWarned = async (imported: number, changed: number[]): Promise<boolean> => {
    const { run, path } = await recordedAt(t, from(imported));
    const files = changed.map((time, index) => {
      const file = path(`${index}.log`);
      writeFileSync(file, logText({ id: `ABC${index}`, prepared: '2020-01-01' }));
      utimesSync(file, from(time), from(time));
      return file;
    });
    const { code, stderr } = await run('import', ...files);
    t.equal(code, 0);
    return /the clock says/.test(stderr);
  };
  t.ok(await isWarned(-25 * HOUR, [-26 * HOUR]));
  t.ok(await isWarned(-25 * HOUR, [-25 * HOUR, -3650 * DAY]));
  t.notOk(await isWarned(-23 * HOUR, [-26 * HOUR]), 'less than a day after the last import');
  t.notOk(await isWarned(-25 * HOUR, [-26 * HOUR, -23 * HOUR]), 'a file is newer');
  const { path } = await recordedAt(t, from(0));
  const fresh = ['import', path('old.log'), '--database', path('fresh.sqlite')];
  utimesSync(path('old.log'), from(-9 * DAY), from(-9 * DAY));
  t.match(await runHere(fresh), { code: 0, stderr: /^((?!the clock says)[^])*$/ });
});

t.test('GET /ready says when the last record time lies in the future', async (t) => {
  const last = new Date('2026-01-01T00:00:00.000Z');
  const { database } = await recordedAt(t, last);
  const store = await openReader(database);
  t.teardown(() => store.close());
  const readyAt = async (clock: Date): Promise<object> => {
    const app = await buildApp({ store, contractFolder: CONTRACT, clock: () => clock });
    const { statusCode, body } = await app.inject('/ready');
    await app.close();
    t.equal(statusCode, 200);
    t.same(violations('Readiness', JSON.parse(body)), []);
    return JSON.parse(body) as object;
  };
  const text = last.toISOString();
  t.match(await readyAt(new Date('2025-12-31T23:58:59.999Z')), { recordTimeInFuture: text });
  t.notOk('recordTimeInFuture' in (await readyAt(new Date('2025-12-31T23:59:00Z'))));
  t.notOk('recordTimeInFuture' in (await readyAt(last)));
});

t.test('a metric has the last record time', aboutFiles, async (t) => {
  const last = from(HOUR);
  const { folder, database } = await recordedAt(t, last);
  const serving = await serve(t, folder, [
    '--database',
    database,
    '--port',
    '0',
    '--metrics-port',
    '0',
  ]);
  await until('the metrics', () => serving.logged(/^metrics at/).length > 0);
  const url = String(serving.logged(/^metrics at/)[0]!.msg).replace('metrics at ', '');
  const { body } = await ask(url);
  const value = /^gnss_last_record_timestamp_seconds (\S+)$/m.exec(body)![1];
  t.equal(Number(value), last.getTime() / SECOND);
});
