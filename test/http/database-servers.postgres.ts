import { setTimeout as rest } from 'node:timers/promises';
import type { LightMyRequestResponse } from 'fastify';
import pg from 'pg';
import t from 'tap';
import { collectMetrics } from '../../src/cli/serve/metrics.js';
import { buildApp } from '../../src/http/app.js';
import { problemType } from '../../src/http/wire/problems.js';
import { findSiteLogFiles, importSiteLogs, readStoredLog } from '../../src/import-site-logs.js';
import { MIGRATIONS } from '../../src/store/migrations.js';
import { openReader, openWriter } from '../../src/store/open.js';
import { CONTRACT, FIXED_HEADERS, SAMPLE, violations } from '../helper.js';
import { Cluster } from '../postgres/cluster.js';

const BUILD = { version: '1.2.3', revision: null };
const LOOKUP = '/setups/search/findCurrentByFourCharacterId?id=ALIC';

const cluster = await Cluster.create();
t.teardown(() => cluster.stop());
const { primary } = cluster;
const name = await cluster.createDatabase();
const replica = await cluster.addReplica();
const writer = await openWriter(cluster.url(name));
await importSiteLogs(
  await findSiteLogFiles([SAMPLE]),
  writer,
  () => new Date(),
  () => undefined,
);
await writer.close();
await replica.catchUp(primary);

const database = cluster.url(name, cluster.servers, 'pool_size=1');
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

t.test(
  'GET /ready and the metrics show the role and the lag of each server, and no host',
  async (t) => {
    const ready = await get('/ready');
    t.equal(ready.statusCode, 200);
    t.strictSame(violations('Readiness', ready.json()), []);
    t.match(ready.json(), {
      sites: 8,
      servers: [
        { role: 'primary', used: true, lagSeconds: null },
        { role: 'replica', used: true, lagSeconds: 0 },
      ],
    });
    t.notMatch(ready.body, /127\.0\.0\.1|gnss@/);
    const metrics = await collectMetrics(store, database, BUILD).registry.metrics();
    t.match(metrics, /^gnss_database_server_used\{server="1",role="primary"\} 1$/m);
    t.match(metrics, /^gnss_database_server_used\{server="2",role="replica"\} 1$/m);
    t.match(metrics, /^gnss_database_server_lag_seconds\{server="2"\} 0$/m);
    t.match(metrics, /^gnss_database_readable 1$/m);
    t.match(metrics, /^gnss_sites 8$/m);
    t.notMatch(metrics, /gnss_database_bytes|lag_seconds\{server="1"|127\.0\.0\.1/);
  },
);

t.test(
  'too many requests at once are refused with 503 and Retry-After; the others are answered',
  async (t) => {
    const locking = new pg.Client(primary.url(name, 'postgres'));
    await locking.connect();
    t.teardown(() => locking.end());
    // One server, so that all reads wait in one queue.
    const only = await openReader(cluster.url(name, [primary], 'pool_size=1'));
    const busy = await buildApp({ store: only, contractFolder: CONTRACT, cacheMegabytes: 0 });
    t.teardown(async () => {
      await busy.close();
      await only.close();
    });
    await locking.query('BEGIN; LOCK TABLE setup IN ACCESS EXCLUSIVE MODE');
    const waiting = Array.from({ length: 101 }, () => busy.inject(LOOKUP));
    for (const each of waiting) each.catch(() => undefined);
    await rest(300);
    for (const url of [LOOKUP, '/ready', '/gnssReceivers']) {
      const refused = await busy.inject(url);
      t.match(
        [refused.statusCode, refused.json()],
        [503, { type: problemType('service-busy'), status: 503 }],
        url,
      );
      t.strictSame(violations('Problem', refused.json()), []);
      t.strictSame(fieldsOf(refused), { ...FIXED_HEADERS, 'retry-after': '1' });
    }
    await locking.query('ROLLBACK');
    const answers = await Promise.all(waiting);
    t.ok(answers.every(({ statusCode }) => statusCode === 200));
    t.strictSame(fieldsOf(answers[0]!), FIXED_HEADERS);
    t.equal((await busy.inject('/ready')).statusCode, 200);
  },
);

t.test(
  'the cache drops its answers with each commit, whichever server has shown it first',
  async (t) => {
    const before = await get(LOOKUP);
    t.equal((await get(LOOKUP)).body, before.body);
    const writes = await openWriter(database);
    const alic = { fourCharacterId: 'ALIC', nineCharacterId: null };
    const outcome = await writes.correct(alic, { kind: 'retire' }, new Date(), readStoredLog);
    t.equal(outcome.kind, 'corrected');
    await writes.close();
    await replica.catchUp(primary);
    t.equal((await get(LOOKUP)).statusCode, 404);
  },
);

t.test(
  'once a newer version has migrated the database, every request is answered with 503, also from the cache',
  async (t) => {
    const [cached, other] = ['/gnssReceivers?type=TRIMBLE%20NETRS', '/setups?size=1'];
    for (const url of [cached, cached, other]) t.equal((await get(url)).statusCode, 200, url);
    const migrate = async (by: number): Promise<void> => {
      await primary.query(
        `UPDATE gnss_site_setups SET migration = migration + ${by}, revision = revision + 1`,
        name,
      );
      await replica.catchUp(primary);
    };
    await migrate(1);
    for (const url of ['/ready', cached, other, LOOKUP]) {
      const answer = await get(url);
      t.match([answer.statusCode, answer.json()], [503, { type: problemType('not-ready') }], url);
    }
    const errors = await Promise.all(
      [1, 2].map(() => store.status().catch((error: unknown) => error)),
    );
    const { length } = MIGRATIONS;
    const message = new RegExp(
      `is from a newer version \\(migration ${length + 1}; this version has ${length}\\); install the newer version$`,
    );
    t.match(errors[0], { name: 'StoreUnusable', message });
    t.equal(errors[1], errors[0], 'it is logged once');
    await t.rejects(openReader(database), { name: 'StoreUnusable', message });
    await migrate(-1);
    t.equal((await get(cached)).statusCode, 200);
  },
);

t.test(
  'without any server, requests are answered with 503 in time, and again without a restart',
  async (t) => {
    await replica.kill();
    t.equal((await get('/ready')).statusCode, 200);
    await primary.kill();
    const began = performance.now();
    const answers = await Promise.all(['/ready', LOOKUP, '/gnssReceivers'].map(get));
    t.ok(performance.now() - began < 10_000);
    for (const answer of answers) {
      t.match([answer.statusCode, answer.json()], [503, { type: problemType('not-ready') }]);
      t.strictSame(fieldsOf(answer), FIXED_HEADERS);
      t.notMatch(answer.body, /127\.0\.0\.1|gnss@/);
    }
    const metrics = await collectMetrics(store, database, BUILD).registry.metrics();
    t.match(metrics, /^gnss_database_server_used\{server="1",role="primary"\} 0$/m);
    t.match(metrics, /^gnss_database_readable 0$/m);
    t.match(metrics, /^gnss_build_info\{version="1\.2\.3",revision="unknown",node="[\d.]+"\} 1$/m);
    await primary.start();
    const again = await get('/ready');
    t.equal(again.statusCode, 200);
    t.match(again.json<{ servers: object[] }>().servers, [
      { role: 'primary', used: true },
      { role: 'replica', used: false, lagSeconds: 0 },
    ]);
  },
);
