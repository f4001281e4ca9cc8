import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, statSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { createDatabase, ROOT, SAMPLE } from '../helper.js';

const MAIN = join(ROOT, 'dist', 'src', 'bundle', 'main.js');

/** Starts the service in a shell, after commands such as `ulimit`. Resolves when it listens, or when it has ended. */
async function serve(t: Test, database: string, before = ':'): Promise<{ base: string | undefined; output: () => string }> {
  const command = `unset NODE_OPTIONS; ${before}; exec "$0" "$1" serve --port 0 --database "$2"`;
  const child = spawn('sh', ['-c', command, process.execPath, MAIN, database], {
    env: { PATH: process.env.PATH ?? '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  let output = '';
  await new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
        if (output.includes('Try:')) resolve();
      });
    }
    child.on('close', () => resolve());
  });
  return { base: /Serving .* at (\S+)/.exec(output)?.[1], output: () => output };
}

/** The status of a GET over a connection that stays open. */
const statusOf = (url: string, agent: Agent): Promise<number> =>
  new Promise((resolve, reject) => {
    get(url, { agent }, (response) => response.resume().on('end', () => resolve(response.statusCode!))).on('error', reject);
  });

t.test('after a shortage of file descriptors, everything answers again', async (t) => {
  const database = join(t.testdir(), 'a.sqlite');
  await createDatabase(database, [SAMPLE]);
  const { base } = await serve(t, database, 'ulimit -n 80');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.teardown(() => agent.destroy());
  t.equal(await statusOf(`${base}/health`, agent), 200);
  const idle: Socket[] = Array.from({ length: 100 }, () => connect(Number(new URL(base!).port), '127.0.0.1').on('error', () => undefined));
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
  const { base } = await serve(t, database, 'ulimit -n 128');
  t.ok(base, '128 are enough to start');
  const { output } = await serve(t, database, 'ulimit -n 24');
  t.match(output(), /^gnss-site-setups: .*too many open files; raise the limit with ulimit -n.*\n$/);
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
    const { output } = await serve(t, join(small, 'a.sqlite'));
    t.match(output(), /^gnss-site-setups: database ".*" cannot be opened: the disk is full; .*\n$/);
  } finally {
    execFileSync('umount', ['-l', small]);
  }
});
