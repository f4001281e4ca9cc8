import { execFileSync } from 'node:child_process';
import { copyFileSync, statSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { afterShell } from '../campaigns/processes.js';
import { createDatabase, SAMPLE } from '../helper.js';
import { serve, type Serving } from './serving.js';

/** Starts the service after a command of the shell, such as `ulimit`. */
const serveAfter = (t: Test, command: string, database: string): Promise<Serving> =>
  serve(t, t.testdirName, ['--port', '0', '--database', database], { before: afterShell(command) });

/** The status of a GET over a connection that stays open. */
const statusOf = (url: string, agent: Agent): Promise<number> =>
  new Promise((resolve, reject) => {
    get(url, { agent }, (response) => response.resume().on('end', () => resolve(response.statusCode!))).on('error', reject);
  });

t.test('after a shortage of file descriptors, everything answers again', async (t) => {
  const database = join(t.testdir(), 'a.sqlite');
  await createDatabase(database, [SAMPLE]);
  const { base } = await serveAfter(t, 'ulimit -n 80', database);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.teardown(() => agent.destroy());
  t.equal(await statusOf(`${base}/health`, agent), 200);
  const idle: Socket[] = Array.from({ length: 100 }, () => connect(Number(new URL(base).port), '127.0.0.1').on('error', () => undefined));
  await new Promise((resolve) => setTimeout(resolve, 500));
  t.equal(await statusOf(`${base}/openapi.json`, agent), 500, 'no descriptor is left');
  const paths = ['/sites', '/schemas/Setup.json', '/receivers', '/openapi.json'];
  for (const path of paths) await statusOf(`${base}${path}`, agent);
  for (const socket of idle) socket.destroy();
  await new Promise((resolve) => setTimeout(resolve, 500));
  for (const path of paths) t.equal(await statusOf(`${base}${path}`, agent), 200, path);
});

t.test('serve says in one line that there are too few file descriptors', async (t) => {
  const database = join(t.testdir(), 'a.sqlite');
  await createDatabase(database, [SAMPLE]);
  const { base } = await serveAfter(t, 'ulimit -n 128', database);
  t.not(base, '', '128 are enough to start');
  const { stderr } = await serveAfter(t, 'ulimit -n 24', database);
  t.match(stderr(), /^gnss-site-setups: .*too many open files; raise the limit with ulimit -n.*\n$/);
});

t.test('serve says that the disk is full', async (t) => {
  const folder = t.testdir({ small: {} });
  const [database, small] = [join(folder, 'a.sqlite'), join(folder, 'small')];
  await createDatabase(database, [SAMPLE]);
  try {
    const kilobytes = Math.ceil(statSync(database).size / 4096) * 4;
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', small], { stdio: 'ignore' });
  } catch {
    return t.pass('this user may not mount a small file system');
  }
  try {
    copyFileSync(database, join(small, 'a.sqlite'));
    const { stderr } = await serveAfter(t, ':', join(small, 'a.sqlite'));
    t.match(stderr(), /^gnss-site-setups: database ".*" cannot be opened: the disk is full; .*\n$/);
  } finally {
    execFileSync('umount', ['-l', small]);
  }
});
