import { setTimeout as rest } from 'node:timers/promises';
import type { LightMyRequestResponse } from 'fastify';
import pg from 'pg';
import { pino } from 'pino';
import t from 'tap';
import { collectMetrics } from '../../src/cli/serve/metrics.js';
import { buildApp } from '../../src/http/app.js';
import { problemType } from '../../src/http/wire/problems.js';
import { findSiteLogFiles, importSiteLogs, readStoredLog } from '../../src/import-site-logs.js';
import { MIGRATIONS } from '../../src/store/migrations.js';
import { openReader, openWriter } from '../../src/store/open.js';
import { killAll, startService } from '../campaigns/processes.js';
import { FIXED_HEADERS } from '../fixed-headers.js';
import { CONTRACT, SAMPLE } from '../project-files.js';
import { violations } from '../violations.js';
import { Cluster } from '../postgres/cluster.js';

const BUILD = { version: '1.2.3', revision: null };
const LOOKUP = '/setups/search/findCurrentByFourCharacterId?id=ALIC';

const cluster = await Cluster.create();
t.teardown(() => cluster.stop());
const { primary } = cluster;
const name = await cluster.createDatabase();
const writer = await openWriter(cluster.url(name));
await importSiteLogs(
  await findSiteLogFiles([SAMPLE]),
  writer,
  () => new Date(),
  () => undefined,
);
await writer.close();

const database = cluster.url(name, 'pool_size=2');
const store = await openReader(database);
const app = await buildApp({ store, contractFolder: CONTRACT });
t.teardown(async () => {
  await app.close();
  await store.close();
});
const get = (url: string): Promise<LightMyRequestResponse> => app.inject(url);
/** The header fields of an answer, without those that depend on its body or on the time. */
function fieldsOf({ headers }: LightMyRequestResponse): Record<string, unknown> {
  const {
    date: _date,
    connection: _connection,
    'content-length': _length,
    'content-type': _type,
    ...fields
  } = headers;
  return fields;
}

/** Waits until a statement waits for a lock. */
async function untilLocked(): Promise<void> {
  const waiting = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
  for (let waited = 0; (await primary.query(waiting)).length === 0; waited += 20) {
    if (waited > 30_000) throw new Error('no session waits for a lock');
    await rest(20);
  }
}

t.test('GET /ready and the metrics show that the database can be read, and no host', async (t) => {
  const ready = await get('/ready');
  t.equal(ready.statusCode, 200);
  t.strictSame(violations('Readiness', ready.json()), []);
  t.match(ready.json(), { sites: 8 });
  t.notMatch(ready.body, /127\.0\.0\.1|gnss@/);
  const metrics = await collectMetrics(store, database, BUILD).registry.metrics();
  t.match(metrics, /^gnss_database_readable 1$/m);
  t.match(metrics, /^gnss_sites 8$/m);
  t.notMatch(metrics, /gnss_database_bytes|127\.0\.0\.1/);
});

t.test(
  'while all connections are busy, requests get 503 and Retry-After, and answers afterwards',
  async (t) => {
    const locking = new pg.Client(primary.url(name, 'postgres'));
    await locking.connect();
    t.teardown(() => locking.end());
    const only = await openReader(cluster.url(name, 'pool_size=1&connect_timeout=1'));
    const busy = await buildApp({ store: only, contractFolder: CONTRACT, cacheMegabytes: 0 });
    t.teardown(async () => {
      await busy.close();
      await only.close();
    });
    await locking.query('BEGIN; LOCK TABLE setup IN ACCESS EXCLUSIVE MODE');
    const locked = busy.inject(LOOKUP);
    locked.catch(() => undefined);
    await untilLocked();
    const urls = [LOOKUP, '/ready', '/gnssReceivers'];
    const refusals = await Promise.all([locked, ...urls.map((url) => busy.inject(url))]);
    for (const refused of refusals) {
      t.match(
        [refused.statusCode, refused.json()],
        [503, { type: problemType('service-busy'), status: 503 }],
      );
      t.strictSame(violations('Problem', refused.json()), []);
      t.strictSame(fieldsOf(refused), { ...FIXED_HEADERS, 'retry-after': '1' });
    }
    await locking.query('ROLLBACK');
    for (const url of [LOOKUP, '/ready']) {
      let answer = await busy.inject(url);
      // A busy machine may take longer than the timeout for a connection.
      while (answer.statusCode === 503) answer = await busy.inject(url);
      t.equal(answer.statusCode, 200, url);
      if (url === LOOKUP) t.strictSame(fieldsOf(answer), FIXED_HEADERS);
    }
  },
);

t.test('costly requests leave half of the connections to lookups', async (t) => {
  const reader = await openReader(cluster.url(name, 'pool_size=4'));
  const own = await buildApp({ store: reader, contractFolder: CONTRACT, cacheMegabytes: 0 });
  t.teardown(async () => {
    await own.close();
    await reader.close();
  });
  const locking = new pg.Client(primary.url(name, 'postgres'));
  await locking.connect();
  t.teardown(() => locking.end());
  await locking.query('BEGIN; LOCK TABLE change IN ACCESS EXCLUSIVE MODE');
  let answered = 0;
  const costly = Array.from({ length: 20 }, () => own.inject('/changes').finally(() => answered++));
  await untilLocked();
  t.equal((await own.inject(LOOKUP)).statusCode, 200);
  t.equal(answered, 0, 'the lookup does not wait for them');
  await locking.query('ROLLBACK');
  const statuses = (await Promise.all(costly)).map(({ statusCode }) => statusCode);
  t.same([...new Set(statuses)], [200]);
});

t.test('the cache drops its answers with each commit', async (t) => {
  const before = await get(LOOKUP);
  t.equal((await get(LOOKUP)).body, before.body);
  const writes = await openWriter(database);
  const alic = { fourCharacterId: 'ALIC', nineCharacterId: null };
  const outcome = await writes.correct(alic, { kind: 'retire' }, () => new Date(), readStoredLog);
  t.equal(outcome.kind, 'corrected');
  await writes.close();
  t.equal((await get(LOOKUP)).statusCode, 404);
});

t.test(
  'once a newer version has migrated the database, every request is answered with 503, also from the cache',
  async (t) => {
    const cached = '/gnssReceivers?type=TRIMBLE%20NETRS';
    const other = '/setups?size=1';
    for (const url of [cached, cached, other]) t.equal((await get(url)).statusCode, 200, url);
    const migrate = async (by: number): Promise<void> => {
      await primary.query(
        `UPDATE gnss_site_setups SET migration = migration + ${by}, revision = revision + 1`,
        name,
      );
    };
    await migrate(1);
    for (const url of ['/ready', cached, other, LOOKUP]) {
      const answer = await get(url);
      t.match([answer.statusCode, answer.json()], [503, { type: problemType('not-ready') }], url);
    }
    const { length } = MIGRATIONS;
    const message = new RegExp(
      `is from a newer version \\(migration ${length + 1}; this version has ${length}\\); install the newer version$`,
    );
    await t.rejects(store.status(), { name: 'WrongDatabase', message });
    await t.rejects(openReader(database), { name: 'WrongDatabase', message });
    await migrate(-1);
    t.equal((await get(cached)).statusCode, 200);
  },
);

t.test('when commits are lost, the cache drops its answers, and one line is logged', async (t) => {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
  const reader = await openReader(database);
  const own = await buildApp({ store: reader, contractFolder: CONTRACT, log });
  t.teardown(async () => {
    await own.close();
    await reader.close();
  });
  const cached = '/setups/search/findCurrentByFourCharacterId?id=MCIL';
  const before = await own.inject(cached);
  t.equal(before.statusCode, 200);
  t.equal((await own.inject(cached)).body, before.body);
  // As after the promotion of a standby that had not received the newest commit.
  await primary.query(
    `UPDATE setup SET superseded_at = '2026-01-01T00:00:00Z' WHERE site_id = (SELECT id FROM site WHERE four_character_id = 'MCIL');
     UPDATE gnss_site_setups SET revision = revision - 1`,
    name,
  );
  const answers = await Promise.all(Array.from({ length: 10 }, () => own.inject(cached)));
  t.same([...new Set(answers.map(({ statusCode }) => statusCode))], [404]);
  t.equal((await own.inject('/ready')).statusCode, 200);
  t.equal(lines.length, 1);
  t.match(lines[0], /the database has gone back to an earlier state/);
});

t.test(
  'without the server, requests are answered with 503 at once, and again without a restart',
  async (t) => {
    await primary.kill();
    const answers = await Promise.all(['/ready', LOOKUP, '/gnssReceivers'].map(get));
    for (const answer of answers) {
      t.match([answer.statusCode, answer.json()], [503, { type: problemType('not-ready') }]);
      t.strictSame(fieldsOf(answer), FIXED_HEADERS);
      t.notMatch(answer.body, /127\.0\.0\.1|gnss@/);
    }
    const metrics = await collectMetrics(store, database, BUILD).registry.metrics();
    t.match(metrics, /^gnss_database_readable 0$/m);
    t.match(metrics, /^gnss_build_info\{version="1\.2\.3",revision="unknown",node="[\d.]+"\} 1$/m);
    await primary.start();
    t.equal((await get('/ready')).statusCode, 200);
  },
);

t.test('a service whose server is silent ends in time', async (t) => {
  t.teardown(killAll);
  t.teardown(() => primary.resume());
  const service = await startService(cluster.url(name));
  const ask = (path: string) => fetch(`http://127.0.0.1:${service.port}${path}`);
  t.equal((await ask('/ready')).status, 200);
  primary.pause();
  const asked = ask('/changes').then(
    ({ status }) => status,
    () => 'closed',
  );
  await rest(200);
  await service.stop();
  t.ok([503, 'closed'].includes(await asked), 'the open request ends first');
  t.equal(service.end()?.code, 0);
});
