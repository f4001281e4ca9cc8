import { readdirSync } from 'node:fs';
import { Agent } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { afterShell } from '../campaigns/processes.js';
import { ask, serve, type Serving } from './serving.js';

/** Starts the service after a command of the shell, such as `ulimit`. */
const serveAfter = (t: Test, command: string): Promise<Serving> =>
  serve(t, t.testdir(), ['--port', '0'], { before: afterShell(command) });

t.test('after a shortage of file descriptors, everything answers again', async (t) => {
  const { base, pid } = await serveAfter(t, 'ulimit -n 80');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.teardown(() => agent.destroy());
  const statusOf = async (path: string): Promise<number> =>
    (await ask(base + path, { agent })).status;
  t.equal(await statusOf('/health'), 200);
  const idle: Socket[] = Array.from({ length: 100 }, () =>
    connect(Number(new URL(base).port), '127.0.0.1').on('error', () => undefined),
  );
  while (readdirSync(`/proc/${pid}/fd`).length < 79) await sleep(20);
  t.equal(await statusOf('/openapi.json'), 500, 'no descriptor is left');
  const paths = ['/sites', '/siteLogs', '/schemas/Setup.json', '/receivers', '/openapi.json'];
  for (const path of paths) await statusOf(path);
  for (const socket of idle) socket.destroy();
  for (const path of paths) while ((await statusOf(path)) !== 200) await sleep(20);
});

t.test('serve says in one line that there are too few file descriptors', async (t) => {
  const { base } = await serveAfter(t, 'ulimit -n 128');
  t.not(base, '', '128 are enough to start');
  const { output } = await serveAfter(t, 'ulimit -n 24');
  t.match(
    output.stderr,
    /^gnss-site-setups: .*too many open files; raise the limit with ulimit -n.*\n$/,
  );
});
