import { once } from 'node:events';
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { WrongSetting } from '../../src/cli/line/failures.js';
import { listenFailure } from '../../src/cli/serve/listening.js';
import { METRICS_FLAGS } from '../../src/cli/serve/metrics-server.js';
import { freePort } from '../campaigns/processes.js';
import { aboutFiles, importInto } from '../databases.js';
import { SAMPLE } from '../project-files.js';
import { rawDatabase } from '../raw-database.js';
import {
  ask,
  receiveNotifications,
  run,
  serve,
  shortFolder,
  until,
  withSystemd,
} from './serving.js';

t.jobs = 3;

const LOOKUP = '/setups/search/findCurrentByFourCharacterId?id=ALIC';

t.test(
  'serve listens on a Unix socket, and replaces a stale socket but not a live one',
  async (t) => {
    const folder = shortFolder(t);
    const socketPath = join(folder, 'a.sock');
    const args = ['--socket', 'a.sock'];
    const first = await serve(t, folder, args);
    t.equal(lstatSync(socketPath).mode & 0o777, 0o660);
    t.equal(first.places, 'a.sock');
    const { body } = await ask(`http://gnss.example.org${LOOKUP}`, { socketPath });
    t.match(body, '"href":"http://gnss.example.org/setups/', 'links use the host of the request');
    const old = connect(socketPath);
    old.write('GET /sites HTTP/1.0\r\n\r\n');
    t.match(String(await once(old, 'data')), /^HTTP\/1.1 200 OK/, 'HTTP/1.0 names no host');
    const second = await serve(t, folder, args);
    t.equal((await second.ended).code, 3);
    t.match(
      second.output.stderr,
      /^gnss-site-setups: --socket "a\.sock" is in use by another process; .*\n$/m,
    );
    first.child.kill('SIGKILL');
    await first.ended;
    t.ok(existsSync(socketPath), 'a killed service leaves it behind');
    await sleep(300);
    const third = await serve(t, folder, args);
    t.equal((await ask('http://localhost/health', { socketPath })).status, 200);
    third.child.kill('SIGTERM');
    t.equal((await third.ended).code, 0);
    t.notOk(existsSync(socketPath));
    writeFileSync(socketPath, 'mine');
    const fourth = await serve(t, folder, args);
    t.equal((await fourth.ended).code, 2);
    t.match(fourth.output.stderr, /--socket "a\.sock" exists and is not a socket/);
    t.equal(readFileSync(socketPath, 'utf8'), 'mine');
  },
);

t.test(
  'serve listens on several addresses, finishes the requests of all, and then ends',
  async (t) => {
    const serving = await serve(t, t.testdir({}), [
      '--port',
      '0',
      '--host',
      '127.0.0.1,127.0.0.2,::1',
    ]);
    const bases = serving.places.split(' and ');
    t.equal(bases.length, 3);
    t.equal(new Set(bases.map((base) => new URL(base).port)).size, 1);
    for (const base of bases) t.match((await ask(base + LOOKUP)).body, `"href":"${base}/`);
    const { port } = new URL(bases[0]!);
    const open = ['127.0.0.1', '127.0.0.2'].map((host) => {
      const connection = {
        socket: connect({ port: Number(port), host, allowHalfOpen: true }),
        text: '',
      };
      connection.socket.setEncoding('utf8').on('data', (chunk) => (connection.text += chunk));
      connection.socket.write('GET /health HTTP/1.1\r\nHost: a\r\n');
      return connection;
    });
    const idle = connect({ port: Number(port), host: '127.0.0.2' });
    await once(idle, 'connect');
    // Whatever came before these requests has been read, too.
    for (const base of bases) t.equal((await ask(`${base}/health`)).status, 200);
    serving.child.kill('SIGTERM');
    await until('it drains', () => serving.logged(/finishing/).length === 1);
    // It soon accepts no more.
    const codeOf = (): Promise<unknown> =>
      ask(`${bases[1]!}/health`, { agent: false }).then(
        () => null,
        ({ code }: NodeJS.ErrnoException) => code,
      );
    while ((await codeOf()) !== 'ECONNREFUSED') await sleep(20);
    // A client may close its side after the request.
    for (const { socket } of open) socket.end('\r\n');
    await Promise.all(open.map(({ socket }) => once(socket, 'close')));
    for (const { text } of open) t.match(text, /^HTTP\/1.1 200 OK[^]*"up"/);
    t.equal((await serving.ended).code, 0);
  },
);

t.test('serve uses sockets from systemd', withSystemd(), async (t) => {
  const folder = shortFolder(t);
  const port = await freePort();
  const socketPath = join(folder, 'a.sock');
  const before = ['systemd-socket-activate', '-l', `127.0.0.1:${port}`, '-l', socketPath];
  // The service starts at the first connection, which waits for it.
  const serving = await serve(t, folder, ['--port', '1'], { before, port });
  t.equal((await ask(`${serving.base}/health`)).status, 200);
  t.equal((await ask('http://localhost/health', { socketPath })).status, 200);
  t.equal(
    serving.logged(/^listening on 2 sockets from systemd; --host, --port and --socket are ignored$/)
      .length,
    1,
  );
  serving.child.kill('SIGTERM');
  t.equal((await serving.ended).code, 0);
});

t.test('serve notifies systemd that it is ready, alive and stopping', withSystemd(), async (t) => {
  const folder = shortFolder(t);
  const { path, heard, signs } = await receiveNotifications(t, folder);
  const serving = await serve(t, folder, ['--port', '0'], {
    env: { NOTIFY_SOCKET: path, WATCHDOG_USEC: '400000' },
  });
  await until('signs of life', () => signs() >= 3);
  // Each notification is a process of its own.
  await until('the start', () => heard().includes('READY=1'));
  t.equal(heard().split('READY=1').length, 2, 'once');
  // A process that hangs sends nothing.
  serving.child.kill('SIGSTOP');
  let before: number;
  do {
    before = signs();
    await sleep(1000);
  } while (signs() !== before);
  serving.child.kill('SIGCONT');
  serving.child.kill('SIGTERM');
  t.equal((await serving.ended).code, 0);
  await until('the end', () => heard().includes('STOPPING=1'));
});

t.test('serve keeps running if it cannot notify systemd, and says so once', async (t) => {
  const serving = await serve(t, t.testdir({}), ['--port', '0'], {
    env: { NOTIFY_SOCKET: '/nowhere/notify', WATCHDOG_USEC: '100000' },
  });
  // On a busy machine, the first notification of the watchdog can fail before that of the start.
  const failed = /cannot notify systemd of (READY|WATCHDOG)=1/;
  await until('a line', () => serving.logged(failed).length === 1);
  await sleep(500);
  t.equal(serving.logged(/cannot notify systemd/).length, 1);
  t.equal((await ask(`${serving.base}/health`)).status, 200);
});

t.test('sockets for another process are ignored', async (t) => {
  const serving = await serve(t, t.testdir({}), ['--port', '0'], {
    env: { LISTEN_PID: '1', LISTEN_FDS: '1' },
  });
  t.equal((await ask(`${serving.base}/health`)).status, 200);
  t.equal(serving.logged(/sockets? of systemd/).length, 0);
});

t.test('a port that only root may open leads to the socket unit', async (t) => {
  const error = Object.assign(new Error('permission denied'), { code: 'EACCES' });
  const place = { host: '127.0.0.1', port: 80 };
  t.equal(
    listenFailure(place, error).message,
    '127.0.0.1:80 is not permitted for this user; choose a port above 1023 with --port, or let systemd listen with gnss-site-setups.socket',
  );
  t.ok(listenFailure(place, error) instanceof WrongSetting, 'a restart does not help');
  t.match(listenFailure(place, error, METRICS_FLAGS).message, /above 1023 with --metrics-port$/);
});

t.test(
  'serve --migrate answers before the logs are read again, and the next import renews them',
  aboutFiles,
  async (t) => {
    const folder = t.testdir({});
    const database = join(folder, 'a.sqlite');
    await importInto(database, [SAMPLE]);
    const raw = rawDatabase(database);
    const renewed = async (): Promise<number> =>
      (await raw.all<object>('SELECT 1 FROM published_log WHERE version <> 1')).length;
    const logs = await renewed();
    const answer = async (): Promise<string> => {
      const serving = await serve(t, folder, ['--port', '0', '--migrate', '--database', database]);
      const { body } = await ask(`${serving.base}/siteLogs`);
      t.equal(serving.output.stdout, '');
      serving.child.kill('SIGTERM');
      await serving.ended;
      return body.replaceAll(serving.base, '');
    };
    const before = await answer();
    await raw.exec('UPDATE published_log SET version = 1');
    t.equal(await answer(), before);
    t.equal(await renewed(), 0);
    await run(['import', '--database', database, SAMPLE]);
    t.equal(await renewed(), logs);
  },
);

t.test('serve --migrate creates the database, and says so once', async (t) => {
  const folder = t.testdir({});
  const args = ['--port', '0', '--migrate', '--database', 'new.sqlite'];
  for (const printed of ['Database created\n', '']) {
    const serving = await serve(t, folder, args);
    t.match(await ask(`${serving.base}/ready`), { status: 200, body: '"sites":0' });
    t.equal(serving.output.stdout, printed);
    serving.child.kill('SIGTERM');
    t.equal((await serving.ended).code, 0);
  }
  const wrong = await serve(t, folder, ['--migrate', '--database', 'b.sqlite', '--tls-key', 'a']);
  t.equal((await wrong.ended).code, 2);
  t.notOk(existsSync(join(folder, 'b.sqlite')), 'a wrong setting changes nothing');
  const check = await serve(t, folder, ['--migrate', '--check']);
  t.equal((await check.ended).code, 2);
  t.match(check.output.stderr, /--check changes nothing; it cannot be combined with --migrate/);
});
