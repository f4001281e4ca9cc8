import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fastify, { type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { addCostlyQueue } from '../../../src/http/wire/costly-queue.js';
import { problemType } from '../../../src/http/wire/problems.js';
import { writeTextLogs } from '../../bench/synthetic-logs.js';
import { FIXED_HEADERS } from '../../fixed-headers.js';
import { PATIENCE, SAMPLE } from '../../project-files.js';
import { openService } from '../../service.js';
import { violations } from '../../violations.js';
import { CURRENT } from '../answers.js';
import { ask, listen } from '../sockets.js';

const COSTLY = '/corsSites/search/findByEquipment?type=*&size=1000';

/**
 * Serves the sample network, and counts how often {@link COSTLY} is computed.
 * @param before runs before each time
 * @param patience how long requests may wait
 */
async function serve(
  t: Test,
  before: () => Promise<void> = async () => undefined,
  patience = PATIENCE,
) {
  const logged: Record<string, unknown>[] = [];
  const write = (line: string): void =>
    void logged.push(JSON.parse(line) as Record<string, unknown>);
  const { app, store } = await openService(t, [SAMPLE], {
    log: pino({ level: 'warn' }, { write }),
    patience,
  });
  const port = await listen(app);
  const { sites } = store;
  const find = sites.findByEquipment.bind(sites);
  const seen = { computed: 0 };
  sites.findByEquipment = async (search) => {
    seen.computed++;
    await before();
    return find(search);
  };
  return { app, port, seen, logged };
}

/** Opens connections, and sends a request on each of them. */
async function askOn(open: () => Socket, count: number, path: string): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => open().on('error', () => undefined));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
  return sockets;
}

/** Waits until the service has at most some connections. */
async function untilConnections({ server }: FastifyInstance, most: number): Promise<void> {
  const connections = (): Promise<number> =>
    new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
  while ((await connections()) > most) await sleep(20);
}

t.test('a costly request is not computed if its client has gone', async (t) => {
  const { app, port, seen } = await serve(t);
  for (const socket of await askOn(() => connect(port, '127.0.0.1'), 40, COSTLY)) socket.destroy();
  t.equal((await ask(port, '/health')).status, 200);
  await untilConnections(app, 0);
  t.ok(seen.computed <= 5, `computed ${seen.computed} of 40`);
  t.equal((await ask(port, COSTLY)).status, 200, 'the next client is served');
});

t.test('requests whose clients have gone while they waited are not computed', async (t) => {
  let release = (): void => undefined;
  const { app, port, seen } = await serve(t, () => new Promise((resolve) => (release = resolve)));
  let requests = 0;
  app.server.on('request', () => requests++);
  const first = ask(port, COSTLY);
  while (seen.computed === 0) await sleep(5);
  const sockets = await askOn(() => connect(port, '127.0.0.1'), 5, COSTLY);
  while (requests < 6) await sleep(5);
  for (const socket of sockets) socket.destroy();
  await untilConnections(app, 1);
  const timer = setInterval(() => release(), 1);
  t.equal((await first).status, 200);
  t.equal((await ask(port, COSTLY)).status, 200, 'the next client is served');
  clearInterval(timer);
  t.equal(seen.computed, 2);
});

t.test('a turn ends when the client goes, even if the answer never comes', async (t) => {
  let isFirst = true;
  const { port, seen } = await serve(t, () => {
    const isEndless = isFirst;
    isFirst = false;
    return isEndless ? new Promise(() => undefined) : Promise.resolve();
  });
  const [socket] = await askOn(() => connect(port, '127.0.0.1'), 1, COSTLY);
  while (seen.computed === 0) await sleep(5);
  socket!.destroy();
  t.equal((await ask(port, COSTLY)).status, 200);
});

t.test('an answer whose client went while it was computed is not unsent', async (t) => {
  const app = fastify();
  t.teardown(() => app.close());
  addCostlyQueue(app, pino({ enabled: false }), 1, PATIENCE);
  const seen = { begun: 0, computed: 0 };
  app.get('/long', {
    config: { costly: true },
    handler: async ({ raw }) => {
      seen.begun++;
      await once(raw.socket, 'close');
      await sleep(10);
      seen.computed++;
      return 'x'.repeat(33 * 1024 * 1024);
    },
  });
  app.get('/short', { config: { costly: true }, handler: async () => 'x' });
  const port = await listen(app);
  for (const count of [1, 2]) {
    const [socket] = await askOn(() => connect(port, '127.0.0.1'), 1, '/long');
    while (seen.begun < count) await sleep(5);
    socket!.destroy();
    while (seen.computed < count) await sleep(5);
    await untilConnections(app, 0);
  }
  t.equal((await ask(port, '/short')).status, 200);
});

t.test(
  'fifty costly requests wait, and more are refused with Retry-After and the fixed header fields',
  async (t) => {
    let release = (): void => undefined;
    const { port, seen } = await serve(t, () => new Promise((resolve) => (release = resolve)));
    const first = ask(port, COSTLY);
    while (seen.computed === 0) await sleep(5);
    let settled = 0;
    const others = Array.from({ length: 51 }, async () => {
      const answer = await ask(port, COSTLY);
      settled++;
      return answer;
    });
    while (settled === 0) await sleep(5);
    t.equal((await ask(port, '/health')).status, 200, 'other requests are answered meanwhile');
    t.equal((await ask(port, `${CURRENT}?id=ALIC`)).status, 200);
    const timer = setInterval(() => release(), 1);
    const answers = await Promise.all([first, ...others]);
    clearInterval(timer);
    t.equal(answers.filter(({ status }) => status === 200).length, 51);
    const [refused] = answers.filter(({ status }) => status === 503);
    t.match(refused!.headers, {
      ...FIXED_HEADERS,
      'retry-after': '1',
      'content-type': 'application/problem+json',
    });
    t.match(JSON.parse(refused!.body), { type: problemType('service-busy') });
    t.same(violations('Problem', JSON.parse(refused!.body)), []);
  },
);

t.test('the log names what held the queue, once for several refusals', async (t) => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const { port, seen, logged } = await serve(t, () => held, 50);
  const first = ask(port, COSTLY);
  while (seen.computed === 0) await sleep(5);
  t.same(logged, []);
  const others = await Promise.all(
    ['/corsSites', '/setups'].map(async (path) => (await ask(port, path)).status),
  );
  t.same(others, [503, 503]);
  release();
  t.equal((await first).status, 200);
  t.match(logged, [{ refused: 1, reason: /./, holding: [`GET ${COSTLY}`] }]);
  t.equal(logged.length, 1, 'at most one line a minute');
});

t.test('pages and lists that read much wait for a costly request; others do not', async (t) => {
  let release = (): void => undefined;
  const { port, seen } = await serve(t, () => new Promise((resolve) => (release = resolve)));
  const first = ask(port, COSTLY);
  while (seen.computed === 0) await sleep(5);
  const answered: string[] = [];
  const waiting = ['/sites', '/receivers', '/antennas', '/network', '/setups?size=1'].map(
    async (path) => {
      const { status } = await ask(port, path);
      answered.push(path);
      return status;
    },
  );
  const receivers = '/gnssReceivers?type=LEICA%20GR25';
  for (const path of ['/health', '/sites/ALIC', `${CURRENT}?id=ALIC`, receivers])
    t.equal((await ask(port, path)).status, 200, path);
  t.same(answered, []);
  release();
  t.equal((await first).status, 200);
  t.same(
    await Promise.all(waiting),
    waiting.map(() => 200),
  );
});

t.test('a long list of logs gives way to another list, once its turn is over', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gnss-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  writeTextLogs(folder, 100);
  const { app, store } = await openService(t, [folder]);
  const port = await listen(app);
  const order: string[] = [];
  let requests = 0;
  app.server.on('request', () => requests++);
  const { logs, sites } = store;
  const findMany = logs.findMany.bind(logs);
  let other: Promise<unknown> | undefined;
  logs.findMany = async (ids) => {
    order.push('logs');
    other ??= ask(port, COSTLY);
    while (requests < 2) await sleep(5);
    // A turn lasts 25 ms.
    await sleep(30);
    return findMany(ids);
  };
  const findByEquipment = sites.findByEquipment.bind(sites);
  sites.findByEquipment = (search) => {
    order.push('sites');
    return findByEquipment(search);
  };
  t.equal((await ask(port, '/siteLogs?size=999')).status, 200);
  await other;
  t.same(order.slice(0, 2), ['logs', 'sites']);
  t.equal(order.at(-1), 'logs');
});

t.test(
  'a costly request that has waited too long is refused, and the one that is computed is answered',
  async (t) => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const { port, seen } = await serve(t, () => held, 50);
    const first = ask(port, COSTLY);
    while (seen.computed === 0) await sleep(5);
    t.equal((await ask(port, COSTLY)).status, 503);
    release();
    t.equal((await first).status, 200);
    t.equal(seen.computed, 1);
    t.equal((await ask(port, COSTLY)).status, 200, 'the refused one has no turn');
  },
);

t.test(
  'if clients do not read their answers, costly requests are refused until they have gone',
  async (t) => {
    // The path of a Unix socket must be short. Its buffers are smaller than an answer.
    const folder = mkdtempSync(join(tmpdir(), 'gnss-'));
    t.teardown(() => rmSync(folder, { recursive: true }));
    writeTextLogs(folder, 120);
    const { app } = await openService(t, [folder]);
    const path = join(folder, 'socket');
    await app.listen({ path });
    const status = async (target: string): Promise<string> => {
      const [socket] = await askOn(() => connect(path), 1, target);
      const [data] = (await once(socket!, 'data')) as [Buffer];
      socket!.destroy();
      return data.toString('latin1', 9, 12);
    };
    const { length } = (await app.inject('/setups?size=1000')).body;
    const enough = (64 * 1024 * 1024) / length;
    const silent: Socket[] = [];
    let answer = '200';
    while (answer === '200' && silent.length < 2 * enough) {
      silent.push(...(await askOn(() => connect(path), 10, '/setups?size=1000')));
      answer = await status('/setups?size=1');
    }
    t.equal(answer, '503');
    t.ok(
      silent.length >= enough,
      `${silent.length} clients do not read; ${enough.toFixed()} answers are allowed`,
    );
    t.equal(await status('/health'), '200');
    for (const socket of silent) socket.destroy();
    while ((await status('/setups?size=1')) !== '200') await sleep(20);
  },
);
