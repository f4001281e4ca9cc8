import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, type RequestOptions } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { SETTINGS } from '../../src/cli/settings.js';
import { ask, type Serving, serve as serveIn, until } from './serving.js';

/** The processes that have begun to listen so far, in order, as the log names them. */
const listened = ({ output }: Serving): number[] =>
  [...output.stderr.matchAll(/worker (\d+) listens/g)].map(([, pid]) => Number(pid));

/** Starts `serve` with two workers, and waits until both listen or it has ended. */
async function serve(t: Test, args: string[], folder = t.testdir({})): Promise<Serving> {
  const service = await serveIn(t, folder, ['--port', '0', '--workers', '2', ...args]);
  if (service.base !== '') await until('both workers', () => listened(service).length === 2);
  return service;
}

/** Whether a process exists and is not a zombie. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

const times = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length;

const PATHS = [
  '/setups/search/findCurrentByFourCharacterId?id=ALIC',
  '/sites',
  '/changes?size=20',
  '/sites/1',
  '/nothing',
  '/ready',
];

/** What a load saw. */
interface Load {
  answers: number;
  wrong: string[];
}

/** How long a client waits after an answer, in milliseconds: connections are then idle now and then, as those of real clients. */
const PAUSE = 5;

/**
 * Sends requests until the end of `during`: over kept connections, and over a new one for each request. Each answer must be the
 * right one.
 * @param retries whether a request is sent again if its connection had been used before and is closed instead of answered,
 *   which is what HTTP clients do
 */
async function load(base: string, retries: boolean, during: () => Promise<void>): Promise<Load> {
  const expected = new Map<string, string>();
  const read = async (path: string, options: RequestOptions): Promise<string> => {
    const { status, body } = await ask(base + path, options);
    // A problem has the id of its request.
    return `${status} ${body.replace(/urn:uuid:[\w-]+/, '')}`;
  };
  for (const path of PATHS) expected.set(path, await read(path, {}));
  const seen: Load = { answers: 0, wrong: [] };
  let isOver = false;
  const client = async (options: RequestOptions): Promise<void> => {
    for (let index = 0; !isOver; index++) {
      const path = PATHS[index % PATHS.length]!;
      try {
        const answer = await read(path, options).catch((error: Error & { isReused?: boolean }) => {
          if (!retries || error.isReused !== true) throw error;
          return read(path, { ...options, agent: false });
        });
        seen.answers++;
        if (answer !== expected.get(path)) seen.wrong.push(`${path}: ${answer.slice(0, 200)}`);
      } catch (error) {
        seen.wrong.push(`${path}: ${String(error)}`);
      }
      await sleep(PAUSE);
    }
  };
  const agents = Array.from({ length: 6 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  // A process that is killed takes a first request with it, which no client may repeat unasked.
  const clients = [
    ...agents.map((agent) => client({ agent })),
    ...(retries ? [] : [client({ agent: false }), client({ agent: false })]),
  ];
  await sleep(300);
  await during();
  await sleep(300);
  isOver = true;
  await Promise.all(clients);
  for (const agent of agents) agent.destroy();
  return seen;
}

t.jobs = 3;

t.test('SIGHUP under load replaces all workers, and every request is answered', async (t) => {
  const service = await serve(t, []);
  const seen = await load(service.base, false, async () => {
    service.child.kill('SIGHUP');
    await until('the end', () => service.output.stderr.includes('replaced the workers'));
  });
  t.strictSame(seen.wrong, []);
  t.ok(seen.answers > 100, `${seen.answers} answers`);
  const all = listened(service);
  t.equal(all.length, 4);
  const lines = service.output.stderr;
  t.ok(
    lines.indexOf(`worker ${all[2]} listens`) < lines.indexOf('replaced: finishing'),
    'a worker listens before an old one finishes',
  );
  t.strictSame(all.map(isAlive), [false, false, true, true]);
  t.equal(lines.match(/serving 8 Sites/g)!.length, 1, 'it says once that it listens');
  t.equal(service.output.stdout, '');
  service.child.kill('SIGTERM');
  t.equal((await service.ended).code, 0);
  t.notMatch(service.output.stderr, /"level":"(warn|error)"/, 'nothing is wrong');
});

t.test(
  'SIGHUP reads the settings file anew, and names the settings that need a restart',
  async (t) => {
    const folder = t.testdir({ config: 'LOG_LEVEL=info' });
    const config = join(folder, 'config');
    const service = await serve(t, ['--config', config], folder);
    const reload = async (text: string, expected: string): Promise<void> => {
      writeFileSync(config, text);
      service.child.kill('SIGHUP');
      await until(expected, () => service.output.stderr.includes(expected));
    };
    await reload('PORT=x', 'kept the settings: --config');
    await reload(
      'WORKERS=3\nMETRICS_PORT=0',
      'kept the workers; restart the service to change --metrics-port',
    );
    t.equal(listened(service).length, 2);
    await reload('ACCESS_LOG=true', 'replaced the workers');
    await ask(`${service.base}/ready`);
    await until('an access', () => service.logged(/^access$/).length === 1);
  },
);

t.test('a killed worker is replaced under load, and every request is answered', async (t) => {
  const service = await serve(t, []);
  const seen = await load(service.base, true, async () => {
    process.kill(listened(service)[0]!, 'SIGKILL');
    await until('a replacement', () => listened(service).length === 3);
  });
  t.strictSame(seen.wrong, []);
  t.ok(seen.answers > 100, `${seen.answers} answers`);
  t.equal(times(service.output.stderr, /worker \d+ ended by SIGKILL/g), 1);
  t.strictSame(listened(service).map(isAlive), [false, true, true]);
});

t.test('a second SIGTERM ends everything at once', async (t) => {
  const service = await serve(t, []);
  const socket = connect(Number(new URL(service.base).port), '127.0.0.1').on(
    'error',
    () => undefined,
  );
  socket.write('GET /health HTTP/1.1\r\n');
  t.teardown(() => socket.destroy());
  await sleep(200);
  service.child.kill('SIGTERM');
  await until('both drain', () => times(service.output.stderr, /SIGTERM: finishing/g) === 2);
  service.child.kill('SIGTERM');
  t.equal((await service.ended).code, 1);
  await until('the workers end', () => !listened(service).some(isAlive));
});

t.test('SIGTERM during a reload ends all workers, old and new', async (t) => {
  for (const moment of ['while a new one starts', 'while an old one drains']) {
    const service = await serve(t, []);
    service.child.kill('SIGHUP');
    await until('the reload begins', () => service.output.stderr.includes('replacing the workers'));
    if (moment !== 'while a new one starts')
      await until('a drain', () => service.output.stderr.includes('replaced: finishing'));
    const start = Date.now();
    service.child.kill('SIGTERM');
    t.equal((await service.ended).code, 0, moment);
    t.ok(Date.now() - start < 9000, `${moment}: nothing waits for a limit`);
    t.notOk(listened(service).some(isAlive), moment);
    t.notMatch(service.output.stderr, /"level":"(warn|error)"/, moment);
  }
});

t.test('if the primary process is killed, the workers end', async (t) => {
  const service = await serve(t, []);
  t.ok(listened(service).every(isAlive));
  service.child.kill('SIGKILL');
  await until('the workers end', () => !listened(service).some(isAlive));
});

t.test('signals that a terminal sends to all processes do not disturb the workers', async (t) => {
  const service = await serve(t, []);
  for (const pid of listened(service))
    for (const signal of ['SIGINT', 'SIGHUP']) process.kill(pid, signal);
  await sleep(500);
  t.ok(listened(service).every(isAlive));
  t.equal((await ask(`${service.base}/ready`)).status, 200);
});

t.test('a worker that hangs is killed when the service stops', async (t) => {
  const service = await serve(t, []);
  const [hanging] = listened(service);
  process.kill(hanging!, 'SIGSTOP');
  for (const _ of Array(10).keys())
    t.equal(
      (await ask(`${service.base}/ready`, { agent: false })).status,
      200,
      'the other answers',
    );
  service.child.kill('SIGTERM');
  t.equal((await service.ended).code, 0);
  t.notOk(listened(service).some(isAlive));
});

t.test(
  'a worker that cannot be replaced is started again after growing pauses; without any worker, the service ends',
  async (t) => {
    const service = await serve(t, []);
    const [first, second] = listened(service);
    writeFileSync(service.database, 'no database '.repeat(20));
    process.kill(first!, 'SIGKILL');
    const attempts = (): number => times(service.output.stderr, /worker \d+ ended with 3/g);
    await until('two attempts', () => attempts() === 2);
    const begin = Date.now();
    await until('another one', () => attempts() === 3);
    t.ok(Date.now() - begin > 2000, `${Date.now() - begin} ms`);
    t.equal((await ask(`${service.base}/ready`)).status, 503, 'the other worker answers');
    process.kill(second!, 'SIGKILL');
    t.equal((await service.ended).code, 3);
    t.match(service.output.stderr, /gnss-site-setups: .*SQLite database/);
  },
);

t.test('--workers auto is one process per core, and 1 is one process without others', async (t) => {
  const { parse } = SETTINGS.workers;
  t.ok(parse('auto') >= 1 && parse('auto') <= 64);
  t.strictSame(['1', '64'].map(parse), [1, 64]);
  for (const wrong of ['0', '65', '-1', '1.5', '', 'all', '02']) {
    t.throws(() => parse(wrong), { message: 'expected auto, or a number from 1 to 64' }, wrong);
  }
  const { child, base } = await serveIn(t, t.testdir({}), ['--port', '0']);
  t.equal((await ask(`${base}/ready`)).status, 200);
  const children = readdirSync(`/proc/${child.pid}/task`).map((task) =>
    readFileSync(`/proc/${child.pid}/task/${task}/children`, 'utf8').trim(),
  );
  t.equal(children.join(''), '');
});
