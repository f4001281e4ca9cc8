import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import t from 'tap';
import { ROOT } from '../helper.js';
import { Cluster, runStatements } from './cluster.js';
import { createDatabase } from './database.js';

const lives = (pid: number): boolean => existsSync(`/proc/${pid}`);

async function until(what: string, condition: () => boolean): Promise<void> {
  for (let waited = 0; !condition(); waited += 50) {
    if (waited > 30_000) throw new Error(`never: ${what}`);
    await rest(50);
  }
}

t.test('each test has a database of its own, and may copy one', async (t) => {
  const first = await createDatabase(t);
  await runStatements(first, 'CREATE TABLE copied (number bigint); INSERT INTO copied VALUES (7)');
  const copy = await createDatabase(t, /\w+$/.exec(first)![0]);
  t.strictSame(await runStatements(copy, 'SELECT number FROM copied'), [{ number: '7' }]);
  t.strictSame(await runStatements(await createDatabase(t), `SELECT to_regclass('copied')::text AS name`), [{ name: null }]);
});

t.test('replicas follow the primary; one is promoted after the primary was killed, and the other follows it', async (t) => {
  const cluster = await Cluster.create();
  t.teardown(() => cluster.stop());
  const { primary } = cluster;
  const name = await cluster.createDatabase();
  const [first, second] = [await cluster.addReplica(), await cluster.addReplica()];
  const rows = async (server: typeof primary): Promise<unknown> => (await server.query('SELECT count(*)::int FROM kept', name))[0]!.count;
  await primary.query('CREATE TABLE kept AS SELECT 1', name);
  await second.catchUp(primary);
  t.equal(await rows(second), 1);

  await primary.kill();
  await t.rejects(primary.query('SELECT 1'));
  await cluster.promote(first);
  await first.query('INSERT INTO kept SELECT 2', name);
  await second.catchUp(first);
  t.equal(await rows(second), 2);
  await cluster.restart(primary);
  await primary.catchUp(first);
  t.equal(await rows(primary), 2);

  second.pause();
  const answer = rows(second);
  t.equal(await Promise.race([answer, rest(500, 'silence')]), 'silence');
  second.resume();
  t.equal(await answer, 2);

  await second.kill();
  await cluster.restart(second);
  t.equal(await rows(second), 2);
});

t.test('nothing is left of a cluster whose process was killed, even if it was paused', async (t) => {
  const program = `
    import { Cluster } from './test/postgres/cluster.ts';
    const cluster = await Cluster.create();
    cluster.primary.pause();
    console.log(cluster.primary.pid, cluster.socketFolder);
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, [...process.execArgv, '--input-type=module-typescript', '--eval', program], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [text] = (await once(child.stdout, 'data')) as [Buffer];
  const [pid, folder] = text.toString().trim().split(' ');
  t.ok(lives(Number(pid)));
  t.ok(existsSync(join(folder!, 'server1')));
  child.kill('SIGKILL');
  await until('the server has ended', () => !lives(Number(pid)));
  await until('its folder is gone', () => !existsSync(folder!));
});
