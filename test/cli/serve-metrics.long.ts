import { once } from 'node:events';
import { connect } from 'node:net';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { freePort } from '../campaigns/processes.js';
import { importInto } from '../databases.js';
import { logText } from '../synthetic-log.js';
import { ask, serve, type Serving, shortFolder, until } from './serving.js';

t.jobs = 3;

const LOOKUP = '/setups/search/findCurrentByFourCharacterId?id=ALIC';

/** The values of a metric by its labels, without buckets. */
function valuesOf(text: string, name: string): Record<string, number> {
  const rows = [...text.matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? (\\S+)$`, 'gm'))];
  return Object.fromEntries(
    rows.map(([, labels = '', value]) => [labels.replaceAll('"', ''), Number(value)]),
  );
}
const NO_DATES = 'level=warning,code=no-dates';
const COUNT = 'gnss_http_request_duration_seconds_count';
const LOOKUPS = 'route=/setups/search/findCurrentByFourCharacterId,method=GET,status=200,cache=';

/** Where the log says that the metrics are. */
const metricsOf = async ({ logged }: Serving): Promise<string> => {
  await until('the metrics', () => logged(/^metrics at/).length > 0);
  return String(logged(/^metrics at/)[0]!.msg).replace('metrics at ', '');
};
const read = async (serving: Serving): Promise<string> =>
  (await ask(await metricsOf(serving))).body;

/** Sends bytes, and waits until the service has closed the connection. */
async function send({ base }: Serving, bytes: string): Promise<void> {
  const socket = connect(Number(new URL(base).port), '127.0.0.1');
  socket.resume().write(bytes, 'latin1');
  await once(socket, 'close');
}

t.test(
  'metrics count each request by route, method, status and cache outcome, and have their own port',
  async (t) => {
    const serving = await serve(t, t.testdir({}), ['--port', '0', '--metrics-port', '0']);
    const { base } = serving;
    await Promise.all(Array.from({ length: 300 }, () => ask(base + LOOKUP)));
    for (const path of [
      '/setups/1',
      '/setups/2',
      '/setups/99999',
      '/made/up',
      '/made/up/too',
      '/setups?size=0',
      '/%zz',
    ])
      await ask(base + path);
    for (const method of ['POST', 'PROPFIND', 'HEAD']) await ask(`${base}/sites`, { method });
    await send(serving, 'no HTTP\r\n\r\n');
    const text = await read(serving);
    const counts = valuesOf(text, COUNT);
    const { [`${LOOKUPS}hit`]: hits = 0, [`${LOOKUPS}miss`]: misses = 0, ...others } = counts;
    t.equal(hits + misses, 300);
    t.ok(misses >= 1 && misses < 300, `${misses} misses`);
    t.equal(others['route=/setups/:id,method=GET,status=200,cache=none'], 2);
    const total = Object.values(others).reduce((sum, each) => sum + each, 0);
    t.equal(total, 7 + 3 + 1);
    t.equal(
      others['route=none,method=GET,status=404,cache=none'],
      2,
      'unknown paths share one route label',
    );
    t.equal(
      others['route=none,method=other,status=405,cache=none'],
      2,
      'and unknown methods one method label',
    );
    t.equal(
      others['route=none,method=other,status=400,cache=none'],
      1,
      'bytes that are not a request',
    );
    t.equal(
      others['route=none,method=GET,status=400,cache=none'],
      1,
      'a path that cannot be decoded',
    );
    t.equal(others['route=/sites,method=HEAD,status=200,cache=none'], 1);
    t.strictSame(valuesOf(text, 'gnss_sites'), { '': 8 });
    t.strictSame(valuesOf(text, 'gnss_rejected_files'), { '': 0 });
    t.strictSame(valuesOf(text, 'gnss_database_readable'), { '': 1 });
    t.ok(valuesOf(text, 'gnss_database_bytes')['file=database']! > 100_000);
    t.ok(valuesOf(text, 'gnss_last_import_timestamp_seconds')['']! > 1.7e9);
    t.strictSame(valuesOf(text, 'gnss_last_import_files')['outcome=saved'], 8);
    t.match(text, /^nodejs_eventloop_lag_p99_seconds /m);
    t.match(text, /^process_resident_memory_bytes /m);
    // Devices of a type that does not exist are not kept; those of a type with one device are.
    for (const type of ['MADE%20UP', 'MADE%20UP', 'LEICA%20GR25', 'LEICA%20GR25'])
      await ask(`${base}/gnssReceivers?type=${type}`);
    t.equal(
      valuesOf(await read(serving), COUNT)['route=/gnssReceivers,method=GET,status=200,cache=hit'],
      1,
    );
    // Not on the public port, and nothing else on this one.
    t.equal((await ask(`${base}/metrics`)).status, 404);
    const own = new URL(await metricsOf(serving));
    t.equal(own.hostname, '127.0.0.1');
    t.equal((await ask(`${own.origin}/sites`)).status, 404);
    serving.child.kill();
    t.equal((await serving.ended).code, 0);
  },
);

t.test('metrics follow imports, and show that a database cannot be read', async (t) => {
  const folder = t.testdir({
    logs: { 'a.log': logText({ id: 'AAAA', receivers: [{ from: 'never' }] }), 'b.log': 'no log' },
  });
  const serving = await serve(t, folder, ['--port', '0', '--metrics-port', '0']);
  const before = valuesOf(await read(serving), 'gnss_findings');
  await importInto(serving.database, [
    join(folder, 'logs', 'a.log'),
    join(folder, 'logs', 'b.log'),
  ]);
  const text = await read(serving);
  t.strictSame(valuesOf(text, 'gnss_sites'), { '': 9 });
  t.match(valuesOf(text, 'gnss_last_import_files'), {
    'outcome=saved': 1,
    'outcome=rejected': 1,
    'outcome=skipped': 0,
  });
  t.ok(valuesOf(text, 'gnss_findings')[NO_DATES]! === (before[NO_DATES] ?? 0) + 1);
  writeFileSync(serving.database, 'no database '.repeat(1000));
  await sleep(600);
  const broken = await read(serving);
  t.strictSame(valuesOf(broken, 'gnss_database_readable'), { '': 0 });
  const unavailable = valuesOf(broken, 'gnss_http_unavailable_total')[''];
  t.equal((await ask(`${serving.base}${LOOKUP}`)).status, 503);
  t.strictSame(valuesOf(await read(serving), 'gnss_http_unavailable_total'), {
    '': unavailable! + 1,
  });
  const times = ['newest_log_timestamp_seconds', 'last_import_timestamp_seconds'];
  for (const name of [
    'database_migration',
    'sites',
    'rejected_files',
    'findings',
    'last_import_files',
    ...times,
  ])
    t.strictSame(valuesOf(broken, `gnss_${name}`), {}, `${name} is unknown, not 0`);
});

t.test('metrics can be read from a Unix socket', async (t) => {
  const folder = shortFolder(t);
  const socketPath = join(folder, 'metrics.sock');
  const serving = await serve(t, folder, ['--port', '0', '--metrics-socket', 'metrics.sock']);
  t.equal((await ask(serving.base + LOOKUP)).status, 200);
  const { body } = await ask('http://localhost/metrics', { socketPath });
  t.strictSame(valuesOf(body, 'gnss_sites'), { '': 8 });
  t.equal(valuesOf(body, COUNT)[`${LOOKUPS}miss`], 1);
  serving.child.kill();
  t.equal((await serving.ended).code, 0);
  t.notOk(existsSync(socketPath));
});

t.test(
  'the access log has each request, cached or refused, with the address of the client behind trusted proxies',
  async (t) => {
    const port = await freePort();
    const flags =
      `--port ${port} --access-log --log-level error --trust-proxy 127.0.0.1,10.0.0.0/8`.split(' ');
    const serving = await serve(t, t.testdir({}), flags, { port });
    // Without those that found out whether it listens.
    const accesses = () => serving.logged(/^access$/).filter(({ path }) => path !== '/health');
    const { base } = serving;
    const cases: [Record<string, string>, string][] = [
      [{}, '127.0.0.1'],
      [{ 'x-forwarded-for': '192.0.2.1' }, '192.0.2.1'],
      [{ 'x-forwarded-for': '198.51.100.7, 192.0.2.1, 10.1.2.3' }, '192.0.2.1'],
      [{ 'x-forwarded-for': 'x'.repeat(3000) }, '127.0.0.1'],
      [{ 'x-forwarded-for': 'evil"<script>, 10.1.2.3' }, '127.0.0.1'],
      [{ 'x-forwarded-for': '192.0.2.1:5555' }, '127.0.0.1'],
      [{ 'x-forwarded-for': '2001:DB8::1' }, '2001:DB8::1'],
      [{ 'x-forwarded-for': 'fe80::1%<script>' }, '127.0.0.1'],
      [{ 'x-forwarded-for': '\x9b31m' }, '127.0.0.1'],
      [{ forwarded: 'for=192.0.2.1' }, '127.0.0.1'],
    ];
    const bodies: number[] = [];
    for (const [headers] of cases)
      bodies.push(Buffer.byteLength((await ask(base + LOOKUP, { headers })).body));
    await until('all lines', () => accesses().length === cases.length);
    const lines = accesses();
    const expected = cases.map(([, client], index) => [client, bodies[index]]);
    t.strictSame(
      lines.map(({ client, bytes }) => [client, bytes]),
      expected,
    );
    t.match(lines[0], {
      method: 'GET',
      path: LOOKUP,
      status: 200,
      cache: 'miss',
      milliseconds: Number,
    });
    t.match(lines.at(-1), { path: LOOKUP, cache: 'hit' });
    await send(serving, 'no HTTP\r\n\r\n');
    await send(serving, 'GET /\x9b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    await send(serving, 'GET * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    await ask(`${base}/${'x'.repeat(3000)}`);
    await ask(`${base}/%zz`);
    await ask(`${base}/sites`, { method: 'HEAD' });
    await until('all lines', () => accesses().length === cases.length + 6);
    t.match(accesses().slice(cases.length), [
      { client: '127.0.0.1', method: null, path: null, status: 400, bytes: 97 },
      { method: null, path: null, status: 400 },
      { client: '127.0.0.1', method: 'GET', path: '*', status: 400 },
      { path: `/${'x'.repeat(1999)}`, status: 404 },
      { method: 'GET', path: '/%zz', status: 400 },
      { method: 'HEAD', path: '/sites', status: 200, bytes: 0 },
    ]);
    const other = await serve(t, t.testdir({}), [
      '--port',
      '0',
      '--access-log',
      '--trust-proxy',
      'true',
    ]);
    await ask(`${other.base}/health`, { headers: { 'x-forwarded-for': '192.0.2.1, 192.0.2.2' } });
    const untrusting = await serve(t, t.testdir({}), ['--port', '0'], {
      env: { ACCESS_LOG: 'true' },
    });
    await ask(`${untrusting.base}/health`, { headers: { 'x-forwarded-for': '192.0.2.1' } });
    await until('both lines', () =>
      [other, untrusting].every(({ logged }) => logged(/^access$/).length === 1),
    );
    t.match(other.logged(/^access$/), [{ client: '192.0.2.2' }], 'what the last proxy wrote');
    t.match(untrusting.logged(/^access$/), [{ client: '127.0.0.1' }], 'no proxy is trusted');
  },
);
